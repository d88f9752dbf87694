//! X12, ensembles of all learners  [T18, Tables 4.6–4.7].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

const METHODS: [&str; 9] =
    ["cma-best", "rs-best", "rs-post", "bo-best", "bo-post", "eo-c", "eo-sqm", "eo-sqm-same", "eo-sig"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x12",
        ledger: "x12",
        title: "ensembles of all learners",
        source: "T18 Tables 4.6–4.7",
        plan,
        work: work::ensemble,
        measure: Measure::Test,
        blocks: Blocks::Problems,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    match size {
        Size::Quick => Plan::new(
            ["cash/sklearn-iris", "cash/sklearn-wine", "cash/sklearn-breast-cancer"],
            25,
            &METHODS,
            2,
        ),
        Size::Reduced | Size::Paper => {
            Plan::new(super::x2::SETS[..18].iter().map(|set| format!("cash/{set}")), 200, &METHODS, 10)
        }
    }
}

fn claims(found: &Findings) -> Vec<Claim> {
    let all = found.problems();
    let over =
        |method: &str| METHODS[..5].iter().map(|b| better(found, method, b, &all, None)).collect::<Vec<_>>();
    vec![
        Claim::of("EO with the squared margin beats all baselines", "rank 2.75", &over("eo-sqm")),
        Claim::of("EO with the sigmoid beats all baselines", "rank 2.47", &over("eo-sig")),
        Claim::of(
            "the losses of EO cannot be told apart",
            "ranks 2.86, 2.75, 2.47",
            &[alike(found, "eo-c", "eo-sqm", &all), alike(found, "eo-sqm", "eo-sig", &all)],
        ),
        Claim::of(
            "CMA-ES is no better than random search",
            "ranks 6.75 and 6.72",
            &[alike(found, "cma-best", "rs-best", &all)],
        ),
    ]
}
