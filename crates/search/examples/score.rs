//! Acquisitions and densities asked from outside, so that others can be compared with them.
//!
//! One JSON value per line in and out:
//!
//! ```text
//! {"expected": [[mean, sd, best], ...]}       → [[score, by mean, by sd], ...]   ln EI and slopes
//! {"log_normal": [[mean, sd, best], ...]}     → the same for log-normal losses
//! {"parzen": {"observed": [..], "at": [..]}}  → [density, ...]    under a uniform prior on [0, 1]
//! ```
//!
//! Whole searches are asked through the example `pipe`.
#![allow(clippy::print_stdout, reason = "an example is an application: it prints")]
use arbora_model::parzen::NumberDensity;
use arbora_search::acquisition::{ExpectedImprovement, Improvement, LogNormalImprovement};
use serde::Deserialize;
use std::error::Error;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Expected(Vec<[f64; 3]>),
    LogNormal(Vec<[f64; 3]>),
    Parzen { observed: Vec<f64>, at: Vec<f64> },
}

/// The mean and deviation that stand for a uniform prior.
const UNIFORM: (f64, f64) = (0.5, 1.0);

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Question::Expected(cases) => slopes(&ExpectedImprovement::default(), &cases)?,
            Question::LogNormal(cases) => slopes(&LogNormalImprovement {}, &cases)?,
            Question::Parzen { observed, at } => {
                let density = NumberDensity::new(&observed, UNIFORM);
                at.iter().map(|&u| density.ln_density(u).exp()).collect()
            }
        };
        println!("{answer}");
    }
    Ok(())
}

fn slopes(rule: &dyn Improvement, cases: &[[f64; 3]]) -> serde_json::Result<serde_json::Value> {
    serde_json::to_value(cases.iter().map(|&[mean, sd, best]| rule.slope(mean, sd, best)).collect::<Vec<_>>())
}
