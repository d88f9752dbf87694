//! Laws of every inference.
use super::density::{Toy, joint, log_scaled, natural};
use crate::hyper::Hyper;
use crate::infer::{Inference, LogDensity, Start};
use crate::prior::HyperPrior;
use arbora_space::Rng;

/// A ridge in a box, with one corner where the density cannot be computed.
fn ridge() -> Toy {
    let hypers = vec![
        joint(natural("mean", (-2.0, 2.0))),
        joint(log_scaled("noise", (1e-5, 10.0), HyperPrior::Horseshoe { scale: 1.0 })),
        log_scaled("length", (1e-2, 20.0), HyperPrior::LogNormal { mu: 0.0, sigma: 1.0 }),
    ];
    Toy::new(hypers, |theta| {
        if theta[0] > 1.0 && theta[2] > 1.0 {
            return f64::NAN;
        }
        -(theta[0] - 0.3 * theta[1]).powi(2) - (theta[1] + theta[2]).powi(2) - 0.1 * theta[2].powi(2)
    })
}

/// Draws lie inside the bounds, have a finite density, and are reproducible.
///
/// # Panics
/// If a law is broken.
pub fn assert_inference_laws(inference: &dyn Inference) {
    let mut rng = Rng::new(17);
    for trial in 0..40 {
        let mut target = ridge();
        let theta: Vec<f64> = target.hypers().iter().map(|hyper| hyper.sample(&mut rng)).collect();
        let has_density = target.at_inside(&theta).is_finite();
        let start = if trial % 2 == 0 { Start::Fresh(theta) } else { Start::Continue(vec![theta]) };
        let draws = inference.draw(&mut target, &start, &mut Rng::new(trial));
        assert_eq!(draws, inference.draw(&mut ridge(), &start, &mut Rng::new(trial)));
        assert!(!draws.is_empty() || !has_density);
        for theta in draws {
            let bounds: Vec<(f64, f64)> = target.hypers().iter().map(Hyper::bounds).collect();
            assert!(theta.iter().zip(bounds).all(|(x, (low, high))| (low..=high).contains(x)), "{theta:?}");
            assert!(target.at(&theta).is_finite(), "{theta:?}");
        }
    }
}
