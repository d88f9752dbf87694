//! X13, ensembles of convolutional networks on CIFAR-10  [T18, §4.5]: needs graphics cards, and is not run here.
use super::Experiment;
use crate::claim::Claim;
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "t18-network-ensembles",
    short: "x13",
    log: "x13",
    title: "ensembles of convolutional networks (needs graphics cards: no runs)",
    source: "T18 §4.5",
    plan: |_: Size| RunPlan::new([""; 0], 0, &[], 0),
    job: job::search,
    measure: Measure::Test,
    blocks: Blocks::Problems,
    claims: |_: &Results| {
        let says = "searching for the ensemble beats selecting afterwards on CIFAR-10";
        vec![Claim::fact(says, "15.36 % against 16.61 % validation error, p = 0.005", String::new(), None)]
    },
};
