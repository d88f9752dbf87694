//! Other people's optimizers on conditional problems, same seeds, same number of trials.
use super::Experiment;
use crate::claim::Claim;
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

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

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "peers",
        title: "other people's optimizers on conditional problems",
        source: "no paper: a comparison of our own",
        plan,
        work: work::search,
        measure: Measure::LogRegret,
        blocks: Blocks::Runs,
        claims: |_: &Findings| Vec::<Claim>::new(),
    }
}

fn plan(size: Size) -> Plan {
    let problems = ["tree-small-shared-shifted", "tree-large-shared-shifted", "zaefferer-e", "hartmann6"];
    Plan::new(problems, size.pick(30, 100), &METHODS, size.pick(2, 25))
}
