//! A comparison of the user's own: problems and methods by name, as options give them.
use super::Experiment;
use crate::claim::Claim;
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "own",
    short: "own",
    log: "own",
    title: "a comparison of your own (--problem, --method, --trials)",
    source: "",
    plan: |_: Size| RunPlan::new([""; 0], 0, &[], 0),
    job: job::search,
    measure: Measure::Loss,
    blocks: Blocks::Runs,
    claims: |_: &Results| Vec::<Claim>::new(),
};
