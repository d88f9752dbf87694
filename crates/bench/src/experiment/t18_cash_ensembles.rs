//! X12, ensembles of all learners  [T18, Tables 4.6–4.7].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

/// Methods that share a search stand side by side. `-same` fills slots by the loss of the search, as the
/// thesis' program did, the others by the zero–one loss, as Algorithm 4.1 is printed.
const METHODS: [&str; 12] = [
    "cma-best",
    "rs-best",
    "rs-post",
    "bo-best",
    "bo-post",
    "eo-c",
    "eo-sqm",
    "eo-sig",
    "eo-c-same",
    "eo-sqm-same",
    "eo-sig-same",
    "eo-sqm-same-13",
];
const BASELINES: [&str; 5] = ["cma-best", "rs-best", "rs-post", "bo-best", "bo-post"];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "t18-cash-ensembles",
    short: "x12",
    log: "x12",
    title: "ensembles of all learners",
    source: "T18 Tables 4.6–4.7",
    plan,
    job: job::ensemble,
    measure: Measure::Test,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    match size {
        Size::Quick => RunPlan::new(
            ["cash/sklearn-iris", "cash/sklearn-wine", "cash/sklearn-breast-cancer"],
            25,
            &METHODS,
            2,
        ),
        Size::Reduced => {
            RunPlan::new(super::t18_svm_ensembles::SETS.map(|set| format!("cash/{set}")), 200, &METHODS, 2)
                .less("4 of 18 sets and 8 others, 2 of 10 repetitions")
        }
        Size::Paper => RunPlan::new(
            super::l17_cash::SETS[..18].iter().map(|set| format!("cash/{set}")),
            200,
            &METHODS,
            10,
        ),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    let mut claims = by_rule(found, "slots by the loss of the search", "-same");
    claims.extend(by_rule(found, "slots as printed", ""));
    claims.push(Claim::of(
        "CMA-ES is no better than random search",
        "ranks 6.75 and 6.72",
        &[alike(found, "cma-best", "rs-best", &found.problems())],
    ));
    claims
}

/// The thesis' statements, slots filled by one of the two rules.
fn by_rule(found: &Results, how: &str, rule: &str) -> Vec<Claim> {
    let all = found.problems();
    let [bound, margin, sigmoid] = ["eo-c", "eo-sqm", "eo-sig"].map(|name| format!("{name}{rule}"));
    let over = |method: &str| BASELINES.map(|b| better(found, method, b, &all, None));
    let says = |text: &str| format!("{how}: {text}");
    vec![
        Claim::of(&says("EO with the squared margin beats all baselines"), "rank 2.75", &over(&margin)),
        Claim::of(&says("EO with the sigmoid beats all baselines"), "rank 2.47", &over(&sigmoid)),
        Claim::of(
            &says("the losses of EO cannot be told apart"),
            "ranks 2.86, 2.75, 2.47",
            &[alike(found, &bound, &margin, &all), alike(found, &margin, &sigmoid, &all)],
        ),
    ]
}
