//! X10, choosing by posterior mean  [T18, Tables 3.5–3.6].
use super::Experiment;
use super::t18_overfitting::{SETS, both, holdout};
use crate::claim::{Claim, MethodComparison, alike, alike_pairs, better};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

const METHODS: [&str; 6] = ["grid", "rs", "gp", "gp-pm", "gp-r", "gp-pm-r"];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "t18-posterior-mean",
    short: "x10",
    log: "x9",
    title: "choosing by posterior mean",
    source: "T18 ch. 3, Tables 3.5–3.6",
    plan,
    job: job::trust,
    measure: Measure::Test,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    match size {
        Size::Quick => {
            RunPlan::new(both(&["sklearn-iris", "sklearn-wine", "sklearn-breast-cancer"]), 25, &METHODS, 2)
        }
        Size::Reduced => RunPlan::new(holdout(&SETS), 100, &METHODS, 5)
            .less("40 of 118 sets, 5 of 10 repetitions, hold-out"),
        Size::Paper => RunPlan::new(both(&SETS), 100, &METHODS, 10).less("40 of 118 sets"),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
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
        Claim::of(
            "with both, a hold-out is as good as five folds without",
            "gp-pm-r under hold-out and gp under five folds, p = 0.573",
            &[across(found, "gp-pm-r", "gp")],
        ),
    ]
}

/// The first under hold-out against the second under five folds, set by set.
fn across(found: &Results, first: &str, second: &str) -> MethodComparison {
    let sets = found.problems().into_iter().filter_map(|problem| problem.strip_prefix("holdout/"));
    let pairs = sets.filter_map(|set| {
        let five = found.mean(&format!("folds/{set}"), second, None)?;
        Some((found.mean(&format!("holdout/{set}"), first, None)?, five))
    });
    alike_pairs(first, second, &pairs.collect::<Vec<_>>())
}
