//! Derivatives of a kernel's terms with respect to its hypers.
use super::{Dimension, Dimensions, Places};
use crate::rule::Dual;
use arbora_model::linalg::Matrix;

/// Derivatives of one term's weight and features with respect to one hyper.
pub(super) struct TermDerivative {
    pub(super) hyper: usize,
    pub(super) term: usize,
    pub(super) weight: f64,
    /// Rows × 2; `None` if the features do not depend on the hyper.
    pub(super) features: Option<Matrix>,
}

impl TermDerivative {
    /// All pairs of a hyper and a term that depends on it.
    pub(super) fn all(dimensions: &Dimensions, theta: &[f64], places: &Places) -> Vec<Self> {
        let mut all = Vec::new();
        for (dimension, places) in dimensions.list.iter().zip(places) {
            for hyper in dimension.hypers.clone() {
                let h = dimensions.duals(dimension, theta, Some(hyper));
                all.extend(Self::with(dimension, hyper, &h, places));
            }
        }
        all
    }

    /// The terms of one column that depend on one of its hypers.
    fn with(dimension: &Dimension, hyper: usize, h: &[Dual], places: &[Option<f64>]) -> Vec<Self> {
        let count = dimension.terms.len();
        let mut weights = vec![Dual::default(); count];
        dimension.rule.weights(h, &mut weights);
        let mut slopes = vec![Matrix::zeros(places.len(), 2); count];
        let mut numbers = vec![[Dual::default(); 2]; count];
        for (i, place) in places.iter().enumerate() {
            dimension.rule.features(h, place.map(Dual::constant), &mut numbers);
            for (slopes, numbers) in slopes.iter_mut().zip(&numbers) {
                slopes.set(i, 0, numbers[0].slope);
                slopes.set(i, 1, numbers[1].slope);
            }
        }
        let moves = |slopes: &Matrix| (0..2).any(|c| slopes.col(c).iter().any(|slope| *slope != 0.0));
        let terms = dimension.terms.clone().zip(weights).zip(slopes);
        let moving = terms.map(|((term, weight), slopes)| {
            let features = moves(&slopes).then_some(slopes);
            Self { hyper, term, weight: weight.slope, features }
        });
        moving.filter(|moving| moving.features.is_some() || moving.weight != 0.0).collect()
    }
}
