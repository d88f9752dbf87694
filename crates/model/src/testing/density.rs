//! Target densities with known answers, for the tests of every inference.
use crate::hyper::{Hyper, Transform, Update};
use crate::infer::LogDensity;
use crate::prior::HyperPrior;

type Density = Box<dyn Fn(&[f64]) -> f64>;
type Gradient = Box<dyn Fn(&[f64], &mut [f64])>;

/// A target made from a function. It panics if evaluated outside its bounds.
pub struct Toy {
    hypers: Vec<Hyper>,
    density: Density,
    gradient: Option<Gradient>,
    /// Number of calls of `at`.
    pub whole_evaluations: usize,
}

impl Toy {
    /// This function of θ.
    pub fn new(hypers: Vec<Hyper>, density: impl Fn(&[f64]) -> f64 + 'static) -> Self {
        Self { hypers, density: Box::new(density), gradient: None, whole_evaluations: 0 }
    }

    /// The log prior of the hypers.
    pub fn prior(hypers: Vec<Hyper>) -> Self {
        let own = hypers.clone();
        Self::new(hypers, move |theta| log_prior(&own, theta))
    }

    /// Adds this gradient.
    #[must_use]
    pub fn with(mut self, gradient: impl Fn(&[f64], &mut [f64]) + 'static) -> Self {
        self.gradient = Some(Box::new(gradient));
        self
    }
}

impl LogDensity for Toy {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn at(&mut self, theta: &[f64]) -> f64 {
        self.whole_evaluations += 1;
        assert_inside(&self.hypers, theta);
        (self.density)(theta)
    }

    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
        let mut theta = theta.to_vec();
        Box::new(move |value| {
            theta[coordinate] = value;
            assert_inside(&self.hypers, &theta);
            (self.density)(&theta)
        })
    }

    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64> {
        let write = self.gradient.as_ref()?;
        write(theta, gradient);
        Some((self.density)(theta))
    }
}

/// The log prior of the hypers.
pub fn log_prior(hypers: &[Hyper], theta: &[f64]) -> f64 {
    hypers.iter().zip(theta).map(|(hyper, &coordinate)| hyper.log_density(coordinate)).sum()
}

fn assert_inside(hypers: &[Hyper], theta: &[f64]) {
    for (hyper, coordinate) in hypers.iter().zip(theta) {
        let (low, high) = hyper.bounds();
        assert!((low..=high).contains(coordinate), "{} asked at {coordinate}", hyper.name);
    }
}

/// A flat hyper in natural units, updated alone.
pub fn natural(name: &str, range: (f64, f64)) -> Hyper {
    Hyper {
        name: name.into(),
        transform: Transform::Natural,
        range,
        prior: HyperPrior::Flat,
        update: Update::Single,
        start: 0.0,
    }
}

/// A log-scaled hyper, updated alone.
pub fn log_scaled(name: &str, range: (f64, f64), prior: HyperPrior) -> Hyper {
    Hyper { transform: Transform::Log, prior, start: 1.0, ..natural(name, range) }
}

/// The same hyper, updated with the other joint ones.
pub fn joint(hyper: Hyper) -> Hyper {
    Hyper { update: Update::Joint, ..hyper }
}
