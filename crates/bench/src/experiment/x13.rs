//! X13, ensembles of convolutional networks on CIFAR-10  [T18, §4.5]: needs graphics cards, and is not run here.
use super::Experiment;
use crate::claim::Claim;
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x13",
        ledger: "x13",
        title: "ensembles of convolutional networks (needs graphics cards: no runs)",
        source: "T18 §4.5",
        plan: |_: Size| Plan::new([""; 0], 0, &[], 0),
        work: work::search,
        measure: Measure::Test,
        blocks: Blocks::Problems,
        claims: |_: &Findings| {
            let says = "searching for the ensemble beats selecting afterwards on CIFAR-10";
            vec![Claim::fact(
                says,
                "15.36 % against 16.61 % validation error, p = 0.005",
                String::new(),
                None,
            )]
        },
    }
}
