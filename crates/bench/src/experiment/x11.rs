//! X11, ensembles of support vector machines  [T18, Tables 4.3–4.5].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

/// As our searches are, and as the thesis' program was.
const METHODS: [&str; 9] = [
    "bo-best",
    "bo-post",
    "eo-post",
    "eo-sqm",
    "eo-sqm-same",
    "bo-best-raw",
    "bo-post-raw",
    "eo-post-same-raw",
    "eo-sqm-same-raw",
];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x11",
        ledger: "x11",
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
        Size::Reduced | Size::Paper => {
            Plan::new(super::x2::SETS[..18].iter().map(|set| format!("svm/{set}")), 200, &METHODS, 10)
        }
    }
}

/// Judged by the runs made as the thesis' program made them.
fn claims(found: &Findings) -> Vec<Claim> {
    let all = found.problems();
    let [best, post, eo_post, eo] = ["bo-best-raw", "bo-post-raw", "eo-post-same-raw", "eo-sqm-same-raw"];
    vec![
        Claim::of(
            "searching for the ensemble beats the best single one",
            "ranks EO 1.89, EO-post 1.92, BO-best 3.39, p ≤ 0.01",
            &[better(found, eo, best, &all, None), better(found, eo_post, best, &all, None)],
        ),
        Claim::of(
            "and selecting afterwards",
            "BO-post 2.81",
            &[better(found, eo, post, &all, None), better(found, eo_post, post, &all, None)],
        ),
        Claim::of("EO and EO-post cannot be told apart", "p = 0.21", &[alike(found, eo, eo_post, &all)]),
        Claim::of("nor can BO-best and BO-post", "p = 0.33", &[alike(found, best, post, &all)]),
    ]
}
