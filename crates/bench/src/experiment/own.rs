//! A comparison of the user's own: problems and methods by name, as options give them.
use super::Experiment;
use crate::claim::Claim;
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "own",
        ledger: "own",
        title: "a comparison of your own (--problem, --method, --trials)",
        source: "",
        plan: |_: Size| Plan::new([""; 0], 0, &[], 0),
        work: work::search,
        measure: Measure::Loss,
        blocks: Blocks::Runs,
        claims: |_: &Findings| Vec::<Claim>::new(),
    }
}
