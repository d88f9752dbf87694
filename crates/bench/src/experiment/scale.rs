//! Spaces as large as those of HP-NNET, HP-DBNET and Auto-WEKA: does it still work, and how long does it take?
use super::Experiment;
use crate::claim::Claim;
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::problem::Scale;
use crate::work;

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "scale",
        ledger: "scale",
        title: "spaces of 14, 36 and 786 parameters",
        source: "the spaces of E13, Table 1, with a stand-in for the loss",
        plan,
        work: work::search,
        measure: Measure::Loss,
        blocks: Blocks::Runs,
        claims: |_: &Findings| Vec::<Claim>::new(),
    }
}

fn plan(size: Size) -> Plan {
    // A process over all branches at once (`auto`) takes more than two seconds per suggestion at 786 parameters.
    let methods = ["random", "tpe", "smac", "gp-conditional"];
    Plan::new(Scale::ALL.map(Scale::name), size.pick(30, 100), &methods, size.pick(1, 10))
}
