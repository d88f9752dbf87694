//! X10, choosing by posterior mean  [T18, Tables 3.5–3.6].
use super::Experiment;
use super::x9::{SETS, both};
use crate::claim::{Claim, alike, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

const METHODS: [&str; 6] = ["grid", "rs", "gp", "gp-pm", "gp-r", "gp-pm-r"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x10",
        title: "choosing by posterior mean",
        source: "T18 ch. 3, Tables 3.5–3.6",
        plan,
        work: work::trust,
        measure: Measure::Test,
        blocks: Blocks::Problems,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    match size {
        Size::Quick => {
            Plan::new(both(&["sklearn-iris", "sklearn-wine", "sklearn-breast-cancer"]), 25, &METHODS, 2)
        }
        Size::Reduced | Size::Paper => Plan::new(both(&SETS), 100, &METHODS, 10),
    }
}

fn claims(found: &Findings) -> Vec<Claim> {
    let all = found.problems();
    let of = |how: &str| all.iter().copied().filter(|p| p.starts_with(how)).collect::<Vec<_>>();
    let (holdout, folds) = (of("holdout"), of("folds"));
    vec![
        Claim::of(
            "with reshuffling, the posterior mean helps",
            "ranks gp-r 3.17 → 2.64 and 3.21 → 2.96",
            &[
                better(found, "gp-pm-r", "gp-r", &holdout, None),
                better(found, "gp-pm-r", "gp-r", &folds, None),
            ],
        ),
        Claim::of(
            "without reshuffling it does not",
            "gp 3.82, gp-pm 3.84; 3.71, 3.64",
            &[alike(found, "gp-pm", "gp", &holdout), alike(found, "gp-pm", "gp", &folds)],
        ),
    ]
}
