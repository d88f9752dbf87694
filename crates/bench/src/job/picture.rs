//! A process over one number and its acquisition, for a picture  [T18, Fig. 2.2].
use crate::error::BenchError;
use arbora_evaluation::select::Posterior;
use arbora_model::Prediction;
use arbora_search::acquisition::{Acquisition, ExpectedImprovement, Reference};
use arbora_search::{ModelSpec, StrategySpec, Study, StudyOptions};
use arbora_space::{Param, Rng, Space, Value};

/// Curves over the same places in [0, 1].
pub struct Picture {
    /// The loss.
    pub truth: Vec<f64>,
    /// Mean of the process.
    pub mean: Vec<f64>,
    /// Its standard deviation.
    pub deviation: Vec<f64>,
    /// ln of expected improvement.
    pub wish: Vec<f64>,
    /// What was evaluated.
    pub seen: Vec<(f64, f64)>,
}

/// Places of a curve.
const PLACES: usize = 201;

/// sin 9x + 1.5 (x − 0.55)²: two valleys, the second one deeper.
fn loss(x: f64) -> f64 {
    libm::sin(9.0 * x + 0.6) + 1.5 * (x - 0.55).powi(2)
}

/// The process after so many evaluations of a search of its own.
pub fn picture(trials: usize) -> Result<Picture, BenchError> {
    let space = Space::new([Param::real("x", 0.0, 1.0)])?;
    let strategy: StrategySpec = "gp-matern-polish".parse()?;
    let spec = strategy.get::<ModelSpec>().expect("gp-matern-polish has a model").clone();
    let mut study = Study::new(space.clone(), StudyOptions { strategy, seed: 4, ..StudyOptions::default() })?;
    let mut seen = Vec::new();
    for _ in 0..trials {
        let trial = study.ask()?;
        let x = study.value(&trial, "x").and_then(|v| v.as_f64()).unwrap_or(0.0);
        study.tell(trial.number, loss(x))?;
        seen.push((x, loss(x)));
    }
    let places: Vec<f64> = (0..PLACES).map(|i| i as f64 / (PLACES - 1) as f64).collect();
    let at = places.iter().map(|x| space.configuration([("x", Value::Real(*x))]));
    let at = at.collect::<Result<Vec<_>, _>>()?;
    let posterior = Posterior::fit(&space, study.history(), &spec, 0)?;
    let posterior =
        posterior.ok_or(BenchError::TooFew { what: "trials of a picture", least: 1, given: trials })?;
    let points = space.encode(&at, posterior.encoding());
    let prediction = posterior.model().predict(&points);
    let best = seen.iter().map(|(_, loss)| *loss).fold(f64::INFINITY, f64::min);
    let reference = Reference { best, spread: 1.0, observed: trials };
    let wish =
        ExpectedImprovement::default().over(posterior.model(), &reference, &mut Rng::new(0))?.score(&points);
    let least = wish.iter().copied().fold(f64::NEG_INFINITY, f64::max) - 12.0;
    Ok(Picture {
        truth: places.iter().map(|x| loss(*x)).collect(),
        mean: prediction.mixture_mean(),
        deviation: deviations(&prediction),
        wish: wish.into_iter().map(|w| w.max(least)).collect(),
        seen,
    })
}

/// Standard deviation of the mixture over draws of θ: √(mean of the variances + variance of the means).
fn deviations(prediction: &Prediction) -> Vec<f64> {
    let (draws, mixture) = (prediction.draws(), prediction.mixture_mean());
    let spread = |(i, mean): (usize, &f64)| {
        let each = (0..draws).map(|d| prediction.variance(d)[i] + (prediction.mean(d, 0)[i] - mean).powi(2));
        (each.sum::<f64>() / draws as f64).max(0.0).sqrt()
    };
    mixture.iter().enumerate().map(spread).collect()
}
