//! Pruners answer "is this trial still worth its next step?".
//!
//! A trial reports losses on its way, by step: its [`Curve`](crate::Curve). After each report a pruner may be asked. A
//! trial that is stopped is *pruned*: an outcome of its own, neither failed nor complete, whose curve is kept. It is
//! never the best trial; what models learn from it is [`History::observed`]'s to say; and its configuration counts as
//! tried.
//!
//! A pruner sees losses, as everything below a study does: whether values are to be maximised is the study's business.
//! Only trials of the same effort are compared, and those that were given up from outside not at all.
//!
//! Laws, which `tests/pruners.rs` runs for every kind:
//! - the answer is a function of (history, trial) alone: asked twice, it is the same, also after a restart;
//! - nothing reported, nothing stopped; and nothing before the startup trials and warm-up steps of a kind that has them;
//! - maximising the negated values gives the same answers;
//! - kinds that compare trials (all but `patience` and `threshold`, which look at one curve alone) never stop the curve
//!   that is the best of all at each of its steps; and they stop a curve that is worse at every step wherever they
//!   would stop the better one.
mod asha;
mod curve;
mod hyperband;
mod interval;
mod none;
mod patience;
mod percentile;
mod race;
mod rungs;
mod signed_rank;
mod threshold;
mod wilcoxon;

pub use asha::AshaPruner;
pub use curve::CurvePruner;
pub use hyperband::HyperbandPruner;
pub use none::NoPruner;
pub use patience::PatiencePruner;
pub use percentile::{MedianPruner, PercentilePruner};
pub use race::{FoldMean, RacePruner};
pub use threshold::ThresholdPruner;
pub use wilcoxon::WilcoxonPruner;

use crate::component::{Component, Family, Kind, Kinds, Spec};
use crate::error::SearchError;
use crate::history::History;
use crate::trial::{Outcome, Trial};

/// A running trial among all others.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Everything that was tried or is being tried.
    pub history: &'a History,
    /// The one that is asked about.
    pub trial: &'a Trial,
}

impl<'a> Look<'a> {
    /// The other trials that can be compared with it, in the order of asking.
    pub fn others(&self) -> impl Iterator<Item = &'a Trial> + use<'a> {
        let (number, effort) = (self.trial.number, self.trial.effort);
        let is_comparable = move |trial: &&Trial| {
            trial.number != number
                && trial.effort == effort
                && !trial.outcome.as_ref().is_some_and(Outcome::is_abandoned)
        };
        self.history.trials().iter().filter(is_comparable)
    }

    /// Those of them that have a loss.
    pub fn complete(&self) -> impl Iterator<Item = &'a Trial> + use<'a> {
        self.others().filter(|trial| trial.loss().is_some())
    }
}

/// In which order an objective may report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepOrder {
    /// Each step is greater than the one before.
    #[default]
    Ascending,
    /// Steps are names, such as those of instances: any order will do.
    Any,
}

/// Decides by the curves of a history. No hidden state.
pub trait Pruner: Send + Sync {
    /// Why the trial is to be stopped after its last report, in words; `None` if it is to go on. The words hold no
    /// losses, whose sign would be another one for people who maximise.
    fn stops(&self, look: &Look<'_>) -> Option<String>;

    /// In which order steps may come.
    fn order(&self) -> StepOrder {
        StepOrder::Ascending
    }
}

/// What a pruner is built for.
#[derive(Clone, Copy)]
pub struct PrunerContext<'a> {
    /// What a value of the objective is as a loss: settings hold values, in the direction of the study.
    pub loss_of: &'a dyn Fn(f64) -> f64,
}

/// A pruner as data: `{ kind = "median", startup_trials = 10 }`, or its kind alone.
pub type PrunerSpec = Spec<dyn Pruner>;

static KINDS: Kinds<dyn Pruner> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Pruner>] = &[
    Kind::of::<CurvePruner>(),
    Kind::of::<NoPruner>(),
    Kind::of::<MedianPruner>(),
    Kind::of::<PercentilePruner>(),
    Kind::of::<AshaPruner>(),
    Kind::of::<HyperbandPruner>(),
    Kind::of::<PatiencePruner>(),
    Kind::of::<ThresholdPruner>(),
    Kind::of::<WilcoxonPruner>(),
    Kind::of::<RacePruner>(),
];

impl Family for dyn Pruner {
    const NAME: &'static str = "pruner";
    type Context<'a> = PrunerContext<'a>;
    type Error = SearchError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(CurvePruner::default())
    }
}

/// Every pruner by name, with what it does and when to use it; the default first.
pub fn pruners() -> Vec<(String, String)> {
    let summary = |name: &str| {
        SUMMARIES.iter().find(|(known, _)| *known == name).map(|(_, summary)| (*summary).to_owned())
    };
    let registered = KINDS.registered();
    let of = |name: String| {
        let known = registered.iter().find(|kind| kind.name() == name);
        let text = summary(&name).or_else(|| known.map(|kind| kind.summary().to_owned())).unwrap_or_default();
        (name, text)
    };
    KINDS.names().into_iter().map(of).collect()
}

const SUMMARIES: &[(&str, &str)] = &[
    ("curve", "extrapolates: stops a trial that has little chance to become the best; the default"),
    ("none", "never stops a trial"),
    (
        "median",
        "stops a trial whose best value so far is worse than the median of complete trials at this step",
    ),
    ("percentile", "the same with another percentile than 50: stricter below, milder above"),
    (
        "asha",
        "asynchronous successive halving: at each rung of steps, only one in reduction_factor goes on; many short trials",
    ),
    (
        "hyperband",
        "successive halving with brackets of several strictnesses; if you do not know how early to judge",
    ),
    (
        "patience",
        "stops a trial that has not improved for some steps, or lets another pruner judge only then",
    ),
    ("threshold", "stops a trial whose value leaves a range"),
    (
        "wilcoxon",
        "for folds and instances: stops a trial that is significantly worse than the best one on the same instances",
    ),
    (
        "race",
        "for folds: stops a trial whose mean is more than two standard errors behind the better half; as AutoClassifier does",
    ),
];
