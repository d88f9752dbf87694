//! The derive from outside: names and conditions of the space, and round trips of values.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod errors;
mod names;
mod round_trip;

use arbora::Space;

#[derive(Space, Debug, Clone, PartialEq)]
enum Learner {
    #[space(weight = 2.0)]
    Svm {
        #[space(low = 1e-5, high = 1e5, log)]
        c: f64,
        kernel: Kernel,
    },
    Forest {
        #[space(low = 1, high = 500, log, default = 100)]
        trees: u32,
        #[space(low = 1, high = 30)]
        depth: Option<u32>,
    },
    Neighbours(NeighbourParameters),
    Naive,
}

#[derive(Space, Debug, Clone, PartialEq)]
enum Kernel {
    Linear,
    Rbf {
        #[space(low = 1e-5, high = 1e5, log)]
        gamma: f64,
    },
}

#[derive(Space, Debug, Clone, PartialEq)]
struct NeighbourParameters {
    #[space(low = 1, high = 50)]
    k: usize,
    metric: Kernel,
}

#[derive(Space, Debug, Clone, PartialEq)]
#[space(require = "inner < outer", forbid = "scale and schedule.momentum > 0.9")]
struct Pipeline {
    scale: bool,
    learner: Learner,
    #[space(choices = [16, 32, 64], weights = [1, 2, 1], default = 32)]
    batch: u32,
    #[space(ordinal = ["small", "large"])]
    size: String,
    #[space(flatten)]
    rates: Rates,
    schedule: Schedule,
    #[space(constant = "v2")]
    version: String,
    extra: Option<Rates>,
    r#type: Level,
}

#[derive(Space, Debug, Clone, PartialEq)]
struct Rates {
    #[space(low = 0, high = 1, step = 0.1)]
    inner: f64,
    #[space(low = 0, high = 1)]
    outer: f32,
}

#[derive(Space, Debug, Clone, PartialEq)]
#[space(rename_all = "kebab-case")]
struct Schedule {
    #[space(low = 0, high = 0.999, prior = normal(mean = 0.9, sd = 0.05))]
    momentum: f64,
    #[space(low = -5, high = 5, default = Some(2), none = 0.2, prior = uniform)]
    warm_up: Option<i8>,
    #[space(choices = [None, Some(0.5), Some(1.0)])]
    clip: Option<f64>,
    temperature: Temperature,
}

#[derive(Space, Debug, Clone, PartialEq)]
struct Temperature(#[space(low = 0.1, high = 10, log, prior = log_normal(mu = 0, sigma = 1))] f32);

#[derive(Space, Debug, Clone, Copy, PartialEq)]
#[space(ordinal, rename = "level")]
enum Level {
    Low,
    #[space(default)]
    Middle,
    High,
}
