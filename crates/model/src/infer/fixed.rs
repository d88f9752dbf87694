//! Keeps θ at its start: for values known beforehand, and for tests. One evaluation.
use super::{Component, Inference, InferenceError, LogDensity, Start};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Returns the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {}

impl Component<dyn Inference> for Fixed {
    const KIND: &'static str = "fixed";

    fn build(&self, (): ()) -> Result<Box<dyn Inference>, InferenceError> {
        Ok(Box::new(*self))
    }
}

impl Inference for Fixed {
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, _rng: &mut Rng) -> Vec<Vec<f64>> {
        let theta = start.theta();
        if target.at_inside(theta).is_finite() { vec![theta.to_vec()] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Toy, assert_inference_laws, natural};

    #[test]
    fn laws_hold() {
        assert_inference_laws(&Fixed {});
    }

    #[test]
    fn returns_its_start_or_nothing() {
        let mut toy = Toy::new(vec![natural("x", (-1.0, 1.0))], |theta| -theta[0].powi(2));
        let mut rng = Rng::new(0);
        assert_eq!(Fixed {}.draw(&mut toy, &Start::Fresh(vec![0.5]), &mut rng), [[0.5]]);
        assert!(Fixed {}.draw(&mut toy, &Start::Fresh(vec![1.5]), &mut rng).is_empty());
        assert!(Fixed {}.draw(&mut toy, &Start::Fresh(vec![]), &mut rng).is_empty());
    }
}
