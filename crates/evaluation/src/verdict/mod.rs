//! The verdict: what a study has found, and how sure that is.
//!
//! Built from the posterior of a model of all trials; of many thousands, of those that matter (up to 1000 in one branch
//! all do; beyond, the best half and an outline of the rest). With μᵢ and cᵢⱼ its means and covariances (averaged over draws):
//! * **best seen** is the least loss told, **trusted** the least μ among completed trials;
//! * **optimism** of the best seen: μ_seen − loss_seen, what its luck was worth;
//! * **overtuning**: μ of the current incumbent minus the least μ of earlier incumbents; positive means that the search
//!   has traded a truly better configuration for a luckier one  [Schneider et al. 2025, with μ in place of test losses];
//! * **tied** are trials for which P(f_i ≤ f_trusted) ≥ 5 %;
//! * **promise**: what one more trial is expected to take off the trusted loss: the largest expected improvement among
//!   random configurations, kept to what the **record** bears out, that is, to what the latest quarter of the trials,
//!   ten at least, has taken off the best loss (see `promise`);
//! * **noise**: the standard deviation the model gives a single evaluation. Where nothing is noisy (the user says so,
//!   repeated configurations gave the same, or the model finds next to none) what was told is what is expected: the
//!   best seen is trusted, for certain, and tied is only what is equal to it;
//! * **splits**: where the evaluation kept the value of every split, the standard error over those of the trusted trial.
//!   The intervals above are about an evaluation like the others; where all trials share the same splits, only this one
//!   tells how far other rows may be from them.
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

/// A trial, what it scored, and what it is expected to be worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The trial.
    pub trial: u64,
    /// What was told, in the study's direction.
    pub value: f64,
    /// What a fresh evaluation is expected to give, in the study's direction.
    pub expected: f64,
    /// Where the truth lies with 95 % probability, the noise of an evaluation left aside; low end first.
    pub interval: (f64, f64),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// The model still expects gains that matter.
    MoreTrials,
    /// The leaders differ by less than their noise: evaluate them again on fresh splits before choosing.
    Confirm,
    /// Neither more trials nor repeats promise much.
    Enough,
}

/// What a study has found, in the study's own direction and units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Which values are good.
    #[serde(skip)]
    pub(crate) direction: Direction,
    /// Does evaluating again give the same?
    #[serde(skip)]
    pub(crate) is_noiseless: bool,
    /// Trials that ended with a loss.
    pub complete: usize,
    /// Trials that ended without one.
    pub failed: usize,
    /// The best value told.
    pub best_seen: Judged,
    /// The best value expected.
    pub trusted: Judged,
    /// Trials that cannot be told apart from the trusted one, best expected first; it is among them.
    pub tied: Vec<u64>,
    /// How much too good the best value seen looks; at least zero.
    pub optimism: f64,
    /// How much the search has lost by following luck; at least zero.
    pub overtuning: f64,
    /// Standard deviation of the noise of one evaluation.
    pub noise: f64,
    /// Largest improvement on the trusted value that one more trial is expected to bring.
    pub promise: f64,
    /// What the latest trials have gained on the best value before them; `None` before there are enough of them.
    pub record: Option<Record>,
    /// What the splits of the trusted trial say, where they are known.
    pub splits: Option<SplitSpread>,
    /// What to do next.
    pub advice: Advice,
}

impl Verdict {
    /// Adds what is known of the splits of the trusted trial: their values, and how many rows validated for each that taught.
    #[must_use]
    pub fn with_splits(mut self, of_trial: impl Fn(u64) -> Option<(Vec<f64>, Option<f64>)>) -> Self {
        self.splits =
            of_trial(self.trusted.trial).and_then(|(values, ratio)| SplitSpread::of(&values, ratio));
        self
    }
}

/// What the latest trials have brought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Record {
    /// How many of them.
    pub trials: usize,
    /// How much better the best value has become over them; at least zero.
    pub gain: f64,
}
