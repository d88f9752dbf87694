//! Who is best, and who is just as good? The only place that decides whether two losses are equal.
//!
//! A loss is a sum over rows that is rounded at every row, so losses that are equal on paper may
//! differ in their last bits; compared by `==`, rounding would choose where the next loss should.
//! Two losses count as equal if they differ by at most 10⁻¹²: of the loss itself, or of one where
//! losses lie in [0, 1] and may be what a subtraction leaves (C-bound, sigmoid). Rounding n rows
//! stays below that (as a rule √n · 10⁻¹⁶), and what differs on paper stays above: the squared
//! margins of m voters on n rows are at least 1/(m²n) apart.

/// How far apart equal losses may be.
const ROUNDING: f64 = 1e-12;

/// What the losses compared are measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieScale {
    /// They lie in [0, 1], as losses of votes do.
    One,
    /// By themselves: squared errors, whatever their unit.
    Own,
}

impl TieScale {
    /// Is a loss as small as the least there is, but for rounding?
    pub(super) fn is_least(self, loss: f64, least: f64) -> bool {
        let unit = match self {
            TieScale::One => 1.0,
            TieScale::Own => least.abs(),
        };
        // Infinite losses are equal, too.
        loss <= least || loss - least <= ROUNDING * unit
    }

    /// Those of least loss, in their order; one that is alone is not asked. A loss that is no number
    /// counts as infinite.
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
