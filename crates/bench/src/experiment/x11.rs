//! X11, ensembles of support vector machines  [T18, Tables 4.3–4.5].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

const METHODS: [&str; 5] = ["bo-best", "bo-post", "eo-post", "eo-sqm", "eo-sqm-same"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x11",
        title: "ensembles of support vector machines",
        source: "T18 Tables 4.3–4.5",
        plan,
        work: work::ensemble,
        measure: Measure::Test,
        blocks: Blocks::Problems,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    match size {
        Size::Quick => {
            Plan::new(["svm/sklearn-iris", "svm/sklearn-wine", "svm/sklearn-breast-cancer"], 30, &METHODS, 2)
        }
        Size::Paper => {
            Plan::new(super::x2::SETS[..18].iter().map(|set| format!("svm/{set}")), 200, &METHODS, 10)
        }
    }
}

fn claims(found: &Findings) -> Vec<Claim> {
    let all = found.problems();
    vec![
        Claim::of(
            "searching for the ensemble beats the best single one",
            "ranks EO 1.89, EO-post 1.92, BO-best 3.39, p ≤ 0.01",
            &[
                better(found, "eo-sqm", "bo-best", &all, None),
                better(found, "eo-post", "bo-best", &all, None),
            ],
        ),
        Claim::of(
            "and selecting afterwards",
            "BO-post 2.81",
            &[
                better(found, "eo-sqm", "bo-post", &all, None),
                better(found, "eo-post", "bo-post", &all, None),
            ],
        ),
        Claim::of(
            "EO and EO-post cannot be told apart",
            "p = 0.21",
            &[alike(found, "eo-sqm", "eo-post", &all)],
        ),
        Claim::of("nor can BO-best and BO-post", "p = 0.33", &[alike(found, "bo-best", "bo-post", &all)]),
    ]
}
