//! Branch keys: the decisions of a configuration.
//!
//! sig(γ) = the pairs (c, class of γ at c) over the active deciders c
//! [Lévesque et al. 2017, eq. 8]

/// The decisions of a configuration as one number: equal keys mean the same branch.
///
/// A 128-bit hash of the sequence (decider, class). Two different branches of one space share a key
/// with probability below 2⁻¹⁰⁰; the tests enumerate whole spaces and find no collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchKey(u128);

impl BranchKey {
    /// Before any decision.
    pub const ROOT: BranchKey = BranchKey(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834);

    /// The key folded to 64 bits: a seed for one branch.
    pub fn fold(self) -> u64 {
        self.0 as u64 ^ (self.0 >> 64) as u64
    }

    /// This branch after one more decision.
    #[must_use]
    pub fn then(self, decider: usize, class: u64) -> Self {
        let low = mix(self.0 as u64 ^ mix(decider as u64 ^ 0x6a09_e667_f3bc_c908) ^ class.rotate_left(17));
        let high = mix((self.0 >> 64) as u64
            ^ mix(class ^ 0xbb67_ae85_84ca_a73b)
            ^ (decider as u64).rotate_left(29));
        BranchKey(u128::from(low) | u128::from(high.wrapping_add(low.rotate_left(32))) << 64)
    }
}

/// The finaliser of `SplitMix64`: a bijection with full avalanche.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn short_paths_never_collide() {
        let mut seen = HashSet::from([BranchKey::ROOT]);
        for a in 0..40 {
            for class_a in 0..40 {
                let one = BranchKey::ROOT.then(a, class_a);
                assert!(seen.insert(one));
                for b in a + 1..40 {
                    for class_b in 0..4 {
                        assert!(seen.insert(one.then(b, class_b)));
                    }
                }
            }
        }
    }
}
