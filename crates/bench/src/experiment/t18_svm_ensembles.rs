//! X11, ensembles of support vector machines  [T18, Tables 4.3–4.5].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

/// Methods that share a search stand side by side. Slots filled by the zero–one loss, as Algorithm 4.1 is
/// printed; with `-same` by the loss of the search, as the thesis' program did; with 13 members, so that votes
/// seldom tie; and with `-thesis` by a search as near to that program as its description allows.
const METHODS: [&str; 12] = [
    "bo-best",
    "bo-post",
    "eo-post",
    "eo-sqm",
    "eo-post-same",
    "eo-sqm-same",
    "eo-post-same-13",
    "eo-sqm-same-13",
    "bo-best-thesis",
    "bo-post-thesis",
    "eo-post-same-thesis",
    "eo-sqm-same-thesis",
];

/// Sets of 1000 rows or more that take minutes; six of them are the thesis' own.
pub(super) const SETS: [&str; 12] = [
    "contrac",
    "yeast",
    "statlog-german-credit",
    "led-display",
    "openml-917",
    "openml-772",
    "wine-quality-red",
    "cardiotocography-3class",
    "cardiotocography-10class",
    "titanic",
    "statlog-image",
    "chess-krvkp",
];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "t18-svm-ensembles",
    short: "x11",
    log: "x11",
    title: "ensembles of support vector machines",
    source: "T18 Tables 4.3–4.5",
    plan,
    job: job::ensemble,
    measure: Measure::Test,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    match size {
        Size::Quick => RunPlan::new(
            ["svm/sklearn-iris", "svm/sklearn-wine", "svm/sklearn-breast-cancer"],
            30,
            &METHODS,
            2,
        ),
        Size::Reduced => RunPlan::new(SETS.map(|set| format!("svm/{set}")), 200, &METHODS, 3)
            .less("4 of 18 sets and 8 others, 3 of 10 repetitions"),
        Size::Paper => RunPlan::new(
            super::l17_cash::SETS[..18].iter().map(|set| format!("svm/{set}")),
            200,
            &METHODS,
            10,
        ),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    let mut claims = as_made(found, "as the thesis' program", "-same-thesis", "-thesis");
    claims.extend(as_made(found, "as printed, with our search", "", ""));
    claims.extend(as_made(found, "slots by the loss of the search, 13 members", "-same-13", ""));
    claims
}

/// The thesis' statements, judged by the runs of one way to make them.
fn as_made(found: &Results, how: &str, eo: &str, bo: &str) -> Vec<Claim> {
    let all = found.problems();
    let [best, post] = ["bo-best", "bo-post"].map(|name| format!("{name}{bo}"));
    let [eo_post, eo] = ["eo-post", "eo-sqm"].map(|name| format!("{name}{eo}"));
    let says = |text: &str| format!("{how}: {text}");
    vec![
        Claim::of(
            &says("searching for the ensemble beats the best single one"),
            "ranks EO 1.89, EO-post 1.92, BO-best 3.39, p ≤ 0.01",
            &[better(found, &eo, &best, &all, None), better(found, &eo_post, &best, &all, None)],
        ),
        Claim::of(
            &says("and selecting afterwards"),
            "BO-post 2.81",
            &[better(found, &eo, &post, &all, None), better(found, &eo_post, &post, &all, None)],
        ),
        Claim::of(
            &says("EO and EO-post cannot be told apart"),
            "p = 0.21",
            &[alike(found, &eo, &eo_post, &all)],
        ),
        Claim::of(&says("nor can BO-best and BO-post"), "p = 0.33", &[alike(found, &best, &post, &all)]),
    ]
}
