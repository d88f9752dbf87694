//! Which members have the lowest loss? The only place that decides whether two losses are equal.
//!
//! A loss is a sum over rows with rounding errors, so losses that are mathematically equal may
//! differ in their last bits. With `==`, rounding would break the tie instead of the next
//! criterion. Two losses count as equal if they differ by at most 10⁻¹² times the loss, or times
//! one for losses in [0, 1] that may be the result of a subtraction (C-bound, sigmoid). The
//! rounding error of n rows is smaller (typically √n · 10⁻¹⁶), and real differences are larger: the
//! squared margins of m voters on n rows are at least 1/(m²n) apart.

/// Relative tolerance for equal losses.
const ROUNDING: f64 = 1e-12;

/// The scale of the losses, for the tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieScale {
    /// Losses in [0, 1], such as those of votes.
    One,
    /// Relative to the loss itself: squared errors in any unit.
    Own,
}

impl TieScale {
    /// Is this loss equal to the lowest one, up to rounding?
    pub(super) fn is_least(self, loss: f64, least: f64) -> bool {
        let unit = match self {
            TieScale::One => 1.0,
            TieScale::Own => least.abs(),
        };
        // Two infinite losses are equal.
        loss <= least || loss - least <= ROUNDING * unit
    }

    /// The members with the lowest loss, in their order. NaN counts as infinite. Does not compute
    /// the loss of a single member.
    pub(super) fn least(self, members: Vec<usize>, loss: impl Fn(usize) -> f64) -> Vec<usize> {
        if members.len() < 2 {
            return members;
        }
        let number = |loss: f64| if loss.is_nan() { f64::INFINITY } else { loss };
        let losses: Vec<f64> = members.iter().map(|&member| number(loss(member))).collect();
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        let kept = members.into_iter().zip(losses).filter(|(_, loss)| self.is_least(*loss, least));
        kept.map(|(member, _)| member).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(scale: TieScale, losses: &[f64]) -> Vec<usize> {
        scale.least((0..losses.len()).collect(), |member| losses[member])
    }

    #[test]
    fn rounding_separates_nobody() {
        let thirds = [0.1 + 0.2, 0.3, 0.3 + 1e-9];
        assert_eq!(least(TieScale::One, &thirds), [0, 1]);
        assert_eq!(least(TieScale::Own, &thirds), [0, 1]);
        assert_eq!(least(TieScale::Own, &[-0.3, -(0.1 + 0.2), -0.2]), [0, 1]);
    }

    #[test]
    fn a_zero_that_was_subtracted_is_zero_and_small_units_are_no_rounding() {
        assert_eq!(least(TieScale::One, &[1e-17, 0.0, 1e-3]), [0, 1]);
        assert_eq!(least(TieScale::Own, &[3e-18, 2e-18, 2e-18]), [1, 2]);
    }

    #[test]
    fn there_is_always_somebody() {
        assert_eq!(least(TieScale::One, &[f64::NAN, f64::INFINITY]), [0, 1]);
        assert_eq!(least(TieScale::Own, &[f64::NAN, 0.5, f64::NAN]), [1]);
        assert_eq!(least(TieScale::Own, &[f64::NAN]), [0]);
    }
}
