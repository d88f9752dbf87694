//! Hyperband: successive halving in brackets, each of which begins a rung later  [Li et al. 2018; as Optuna's
//! `HyperbandPruner`].
//!
//! With brackets b = 0 … B−1, B = ⌊log_η(R/r)⌋ + 1, bracket b leaves out the first b rungs and gets
//! ⌈B·η^s/(s+1)⌉ of every cycle of trials, s = B−1−b. A trial belongs to a bracket by its number, and is compared with
//! trials of its bracket only. (Optuna draws the bracket by a hash of study name and number; the shares are the same.)
use super::rungs::{Rungs, check_ladder, full_length};
use super::{Component, Look, Pruner, PrunerContext};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// Brackets of successive halving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HyperbandPruner {
    /// r: the step of the first rung.
    pub min_resource: u64,
    /// R: the steps of a whole trial. One more than the last step of the first complete trial if it is left out;
    /// nothing is stopped before there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_resource: Option<u64>,
    /// η.
    pub reduction_factor: u64,
    /// Trials that must have come to a rung before one passes it.
    pub bootstrap_count: usize,
}

impl Default for HyperbandPruner {
    fn default() -> Self {
        Self { min_resource: 1, max_resource: None, reduction_factor: 3, bootstrap_count: 0 }
    }
}

impl Component<dyn Pruner> for HyperbandPruner {
    const KIND: &'static str = "hyperband";

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        check_ladder(Some(self.min_resource), self.reduction_factor)?;
        if let Some(most) = self.max_resource.filter(|most| *most < self.min_resource) {
            let (value, problem) = (most.to_string(), "it must not be less than min_resource");
            return Err(SearchError::BadSetting { setting: "max_resource", value, problem });
        }
        Ok(Box::new(*self))
    }
}

impl HyperbandPruner {
    /// How many of a cycle each bracket gets.
    fn shares(&self, most: u64) -> Vec<u64> {
        let mut brackets = 1;
        while self.min_resource.saturating_mul(self.reduction_factor.saturating_pow(brackets)) <= most {
            brackets += 1;
        }
        let of = |bracket: u32| {
            let s = brackets - 1 - bracket;
            let whole = u64::from(brackets).saturating_mul(self.reduction_factor.saturating_pow(s));
            whole.div_ceil(u64::from(s) + 1)
        };
        (0..brackets).map(of).collect()
    }
}

/// The bracket of a trial.
fn bracket(shares: &[u64], number: u64) -> usize {
    let mut left = number % shares.iter().sum::<u64>();
    let is_there = |share: &u64| {
        let is_there = left < *share;
        left = left.saturating_sub(*share);
        is_there
    };
    shares.iter().position(is_there).unwrap_or(0)
}

impl Pruner for HyperbandPruner {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let (before, most) = match self.max_resource {
            Some(most) => (None, most),
            None => full_length(look).map(|(number, length)| (Some(number), length.saturating_add(1)))?,
        };
        let shares = self.shares(most);
        let own = bracket(&shares, look.trial.number);
        let rungs = Rungs {
            first: self.min_resource,
            factor: self.reduction_factor,
            rate: u32::try_from(own).unwrap_or(u32::MAX),
            bootstrap: self.bootstrap_count,
        };
        let is_beside =
            |other: &u64| before.is_none_or(|before| *other > before) && bracket(&shares, *other) == own;
        let beside: Vec<_> = look.others().filter(|other| is_beside(&other.number)).collect();
        rungs.stop(look.trial, &beside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// η = 3, R = 81: five brackets of 81, 34, 15, 8 and 5 trials  [Li et al. 2018, table 1; there counted from s = 4].
    #[test]
    fn brackets_are_those_of_the_paper() {
        let pruner = HyperbandPruner::default();
        assert_eq!(pruner.shares(81), [81, 34, 15, 8, 5]);
        assert_eq!(pruner.shares(1), [1]);
        let shares = pruner.shares(9);
        assert_eq!(shares, [9, 5, 3]);
        let of: Vec<usize> = (0..18).map(|number| bracket(&shares, number)).collect();
        assert_eq!(of, [[0; 9].as_slice(), &[1; 5], &[2; 3], &[0]].concat());
    }
}
