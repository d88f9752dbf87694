//! The verdict: what a study has found, and how certain that is.
//!
//! It is computed from the posterior of a model of all trials. With many thousands, the model uses
//! a relevant subset: up to 1000 trials of one branch all count; beyond that, the best half and
//! an even spread of the rest. With μᵢ and cᵢⱼ the posterior means and covariances (averaged over
//! draws of θ):
//! * **best seen** has the lowest observed loss, **trusted** the lowest μ among completed trials;
//! * **optimism** of the best seen: μ_seen − loss_seen, the part of its loss that was luck;
//! * **overtuning**: μ of the current incumbent minus the lowest μ of earlier incumbents. If
//!   positive, the search has traded a truly better configuration for a luckier one  [Schneider et
//!   al. 2025, with μ in place of test losses];
//! * **tied** are trials with P(f_i ≤ f_trusted) ≥ 5 %;
//! * **promise**: the expected gain of one more trial over the trusted loss. This is the largest
//!   expected improvement among random configurations, limited by the **record**: the gain in the
//!   best loss over the latest quarter of the trials, at least ten of them (see `promise`);
//! * **noise**: the standard deviation of one evaluation, according to the model. If there is none
//!   (the user says so, repeated configurations gave equal losses, or the model finds almost none),
//!   expected losses are the observed ones: the best seen is trusted with certainty, and only equal
//!   losses are tied;
//! * **splits**: the standard error over the splits of the trusted trial, if the evaluation kept
//!   the value of every split. The intervals above are for another evaluation of the same kind. If
//!   all trials share the same splits, only this error tells how much the loss may differ on other
//!   rows.
mod build;
mod display;
mod model;
mod promise;
mod repeats;
mod splits;

pub use model::verdict_model;
pub use splits::SplitSpread;

use arbora_search::Direction;
use serde::Serialize;

/// A trial with its observed and its expected value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The trial.
    pub trial: u64,
    /// The observed value, in the study's direction.
    pub value: f64,
    /// The expected value of a new evaluation, in the study's direction.
    pub expected: f64,
    /// 95 % interval of the true value, without the noise of an evaluation; low end first.
    pub interval: (f64, f64),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// The model still expects relevant gains.
    MoreTrials,
    /// The leaders differ by less than the noise: evaluate them again on new splits before
    /// choosing.
    Confirm,
    /// Little to gain from more trials or repeats.
    Enough,
}

/// What a study has found, in its own direction and units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Direction of the study.
    #[serde(skip)]
    pub(crate) direction: Direction,
    /// Does evaluating a configuration again give the same value?
    #[serde(skip)]
    pub(crate) is_noiseless: bool,
    /// Number of trials with a loss.
    pub complete: usize,
    /// Number of failed trials.
    pub failed: usize,
    /// Number of trials stopped early.
    pub pruned: usize,
    /// The trial with the best observed value.
    pub best_seen: Judged,
    /// The trial with the best expected value.
    pub trusted: Judged,
    /// Trials statistically tied with the trusted one, including itself; best expected value first.
    pub tied: Vec<u64>,
    /// How much the best observed value is too good; at least zero.
    pub optimism: f64,
    /// How much the search has lost by overtuning; at least zero.
    pub overtuning: f64,
    /// Standard deviation of the noise of one evaluation.
    pub noise: f64,
    /// Expected improvement of one more trial over the trusted value.
    pub promise: f64,
    /// The gain of the latest trials over the best value before them; `None` if there are too few
    /// trials.
    pub record: Option<Record>,
    /// The spread over the splits of the trusted trial, if known.
    pub splits: Option<SplitSpread>,
    /// What to do next.
    pub advice: Advice,
}

impl Verdict {
    /// Adds the values of the trusted trial's splits, and the ratio of validation to training rows.
    #[must_use]
    pub fn with_splits(mut self, of_trial: impl Fn(u64) -> Option<(Vec<f64>, Option<f64>)>) -> Self {
        self.splits =
            of_trial(self.trusted.trial).and_then(|(values, ratio)| SplitSpread::of(&values, ratio));
        self
    }
}

/// The gain of the latest trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Number of these trials.
    pub trials: usize,
    /// How much the best value has improved over them; at least zero.
    pub gain: f64,
}
