//! Spaces as large as those of HP-NNET, HP-DBNET and Auto-WEKA: does it still work, and how long does it take?
use super::Experiment;
use crate::claim::Claim;
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::problem::ScaleProblem;
use crate::results::{Blocks, Measure, Results};

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "scale",
    short: "scale",
    log: "scale",
    title: "spaces of 14, 36 and 786 parameters",
    source: "the spaces of E13, Table 1, with a stand-in for the loss",
    plan,
    job: job::search,
    measure: Measure::Loss,
    blocks: Blocks::Runs,
    claims: |_: &Results| Vec::<Claim>::new(),
};

fn plan(size: Size) -> RunPlan {
    // A process over all branches at once (`auto`) takes more than two seconds per suggestion at 786 parameters.
    let methods = ["random", "tpe", "smac", "gp-conditional"];
    RunPlan::new(ScaleProblem::ALL.map(ScaleProblem::name), size.pick(30, 100), &methods, size.pick(1, 10))
}
