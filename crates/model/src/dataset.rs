//! Observations: points and the losses seen there.
use crate::error::FitError;
use arbora_space::Points;

/// Points and their losses: one loss per point, all finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    points: Points,
    losses: Vec<f64>,
}

impl Dataset {
    /// Fails if the numbers of points and losses differ, or a loss is not finite.
    pub fn new(points: Points, losses: Vec<f64>) -> Result<Self, FitError> {
        if points.len() != losses.len() {
            return Err(FitError::UnpairedLosses { points: points.len(), losses: losses.len() });
        }
        match losses.iter().position(|loss| !loss.is_finite()) {
            Some(row) => Err(FitError::LossNotFinite { row, value: losses[row] }),
            None => Ok(Self { points, losses }),
        }
    }

    /// Some of the observations, in this order.
    pub fn select(&self, rows: &[usize]) -> Result<Self, FitError> {
        Self::new(self.points.select(rows), rows.iter().map(|&row| self.losses[row]).collect())
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The losses; lower is better.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// Number of observations.
    pub fn len(&self) -> usize {
        self.losses.len()
    }

    /// True if there are no observations.
    pub fn is_empty(&self) -> bool {
        self.losses.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::BranchKey;

    #[test]
    fn losses_pair_up_and_are_finite() {
        let mut points = Points::new(1);
        points.push_parts(&[0.5], &[true], BranchKey::ROOT);
        let unpaired = Dataset::new(points.clone(), vec![]);
        assert_eq!(unpaired, Err(FitError::UnpairedLosses { points: 1, losses: 0 }));
        let infinite = Dataset::new(points.clone(), vec![f64::INFINITY]);
        assert_eq!(infinite, Err(FitError::LossNotFinite { row: 0, value: f64::INFINITY }));
        assert_eq!(Dataset::new(points, vec![1.5]).unwrap().losses(), &[1.5]);
    }
}
