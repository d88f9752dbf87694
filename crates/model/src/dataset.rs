//! Observations: points and the losses seen there.
use crate::error::FitError;
use arbora_space::Points;

/// Points and their losses, one each, all finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    points: Points,
    losses: Vec<f64>,
}

impl Dataset {
    /// Refuses losses that do not pair up or are not finite.
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

    /// Where.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// What was seen, lower is better.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// Number of observations.
    pub fn len(&self) -> usize {
        self.losses.len()
    }

    /// True if nothing was observed.
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
