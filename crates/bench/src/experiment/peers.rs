//! Other people's optimizers on conditional problems, same seeds, same number of trials.
use super::Experiment;
use crate::claim::Claim;
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

const METHODS: [&str; 11] = [
    "random",
    "auto",
    "gp-conditional",
    "peer/optuna-tpe",
    "peer/optuna-gp",
    "peer/hyperopt",
    "peer/smac",
    "peer/smac-gp",
    "peer/hebo",
    "peer/botorch",
    "peer/rustuna",
];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "peers",
    short: "peers",
    log: "peers",
    title: "other people's optimizers on conditional problems",
    source: "no paper: a comparison of our own",
    plan,
    job: job::search,
    measure: Measure::LogRegret,
    blocks: Blocks::Runs,
    claims: |_: &Results| Vec::<Claim>::new(),
};

fn plan(size: Size) -> RunPlan {
    let problems = ["tree-small-shared-shifted", "hartmann6", "tree-large-shared-shifted", "zaefferer-e"];
    match size {
        // Some of them take seconds for a suggestion.
        Size::Quick => RunPlan::new(&problems[..2], 20, &METHODS, 1),
        Size::Reduced | Size::Paper => RunPlan::new(problems, 100, &METHODS, 25),
    }
}
