//! X2, which learner and with which parameters  [L17, Tables I and II, Fig. 5; T18, Tables 5.2 and 5.3].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

/// As the papers call them, in their order.
pub(super) const METHODS: [&str; 11] = [
    "random",
    "spearmint",
    "smac",
    "cma",
    "gp-matern-noimpute",
    "gp-matern",
    "gp-cond",
    "gp-laplace",
    "gp-matern-ls",
    "gp-cond-ls",
    "gp-laplace-ls",
];

/// The sets of the papers, as a folder of data calls them.
pub(super) const SETS: [&str; 24] = [
    "adult",
    "bank",
    "car",
    "chess-krvk",
    "letter",
    "magic",
    "musk-2",
    "page-blocks",
    "pima",
    "semeion",
    "spambase",
    "statlog-german-credit",
    "statlog-image",
    "statlog-shuttle",
    "steel-plates",
    "titanic",
    "thyroid",
    "wine-quality-red",
    "openml-46",
    "openml-184",
    "openml-389",
    "openml-772",
    "openml-917",
    "openml-1049",
];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x2",
        title: "which learner, and with which parameters",
        source: "L17 Tables I–II, Fig. 5; T18 Tables 5.2–5.3",
        plan,
        work: work::search,
        measure: Measure::Test,
        blocks: Blocks::Problems,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    match size {
        // Sets that come with scikit-learn.
        Size::Quick => Plan::new(
            ["cash/sklearn-iris", "cash/sklearn-wine", "cash/sklearn-breast-cancer"],
            30,
            &METHODS,
            2,
        ),
        Size::Paper => Plan::new(SETS.map(|set| format!("cash/{set}")), 200, &METHODS, 10),
    }
}

fn claims(found: &Findings) -> Vec<Claim> {
    let problems = found.problems();
    let beats = |a: &str, b: &str| better(found, a, b, &problems, None);
    let best_of_all: Vec<_> = METHODS
        .iter()
        .filter(|method| !["gp-cond-ls", "gp-matern-ls"].contains(method))
        .map(|method| beats("gp-cond-ls", method))
        .collect();
    vec![
        Claim::of("imputation matters", "ranks 4.83 and 7.75", &[beats("gp-matern", "gp-matern-noimpute")]),
        Claim::of(
            "local search beats the best of 1000 draws",
            "ranks 4.10, 2.56, 5.48 against 4.83, 5.48, 7.10",
            &[
                beats("gp-matern-ls", "gp-matern"),
                beats("gp-cond-ls", "gp-cond"),
                beats("gp-laplace-ls", "gp-laplace"),
            ],
        ),
        Claim::of("GP-cond-ls beats everybody but GP-matern-ls", "rank 2.56", &best_of_all),
        Claim::of(
            "GP-cond-ls and GP-matern-ls cannot be told apart",
            "p = 0.10",
            &[alike(found, "gp-cond-ls", "gp-matern-ls", &problems)],
        ),
        Claim::of(
            "plain Spearmint is worse than random search",
            "ranks 9.15 and 7.08",
            &[beats("random", "spearmint")],
        ),
        Claim::of(
            "SMAC and GP-laplace-ls cannot be told apart",
            "ranks 5.52 and 5.48",
            &[alike(found, "smac", "gp-laplace-ls", &problems)],
        ),
    ]
}
