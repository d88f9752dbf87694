//! X2, which learner and with which parameters  [L17, Tables I and II, Fig. 5–7; T18, Tables 5.2 and 5.3].
//!
//! Methods that know no conditions start blind, see dead coordinates and may try a configuration again;
//! `-ls` is a local search without gradients, as printed. `auto` is not in the paper.
use super::Experiment;
use crate::claim::{Claim, MethodComparison, alike, alike_ranks, better, ranked_before, short};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};
use crate::stats::{RankTable, mid_ranks};
use std::collections::BTreeMap;

/// As the papers call them, in their order.
const METHODS: [&str; 11] = [
    "random",
    "spearmint+repeats",
    "smac",
    "cma+repeats",
    "gp-matern-noimpute+repeats",
    "gp-matern",
    "gp-cond",
    "gp-laplace",
    "gp-matern-ls",
    "gp-cond-ls",
    "gp-laplace-ls",
];
const OURS: &str = "auto";

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

/// Ten of them that take minutes, and four of the thesis' other sets with 1000 rows or more.
const SMALLER: [&str; 14] = [
    "page-blocks",
    "pima",
    "spambase",
    "statlog-german-credit",
    "statlog-image",
    "titanic",
    "wine-quality-red",
    "openml-46",
    "openml-772",
    "openml-917",
    "contrac",
    "yeast",
    "cardiotocography-10class",
    "chess-krvkp",
];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "l17-cash",
    short: "x2",
    log: "x2",
    title: "which learner, and with which parameters",
    source: "L17 Tables I–II, Fig. 5–7; T18 Tables 5.2–5.3",
    plan,
    job: job::search,
    measure: Measure::Test,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    let methods = [&METHODS[..], &[OURS]].concat();
    let on = |sets: &[&str], trials, seeds| {
        RunPlan::new(sets.iter().map(|set| format!("cash/{set}")), trials, &methods, seeds)
    };
    match size {
        // Sets that come with scikit-learn.
        Size::Quick => on(&["sklearn-iris", "sklearn-wine", "sklearn-breast-cancer"], 30, 2),
        Size::Reduced => on(&SMALLER, 200, 3).less("10 of 24 sets and 4 others, 3 of 10 repetitions"),
        Size::Paper => on(&SETS, 200, 10),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    let problems = found.problems();
    let beats = |a: &str, b: &str| better(found, a, b, &problems, None);
    let all_but = |left_out: &[&str], compared: &dyn Fn(&str) -> MethodComparison| {
        METHODS.iter().filter(|method| !left_out.contains(method)).map(|m| compared(m)).collect::<Vec<_>>()
    };
    let validation = found.measured_by(Measure::Loss);
    vec![
        Claim::of(
            "imputation matters",
            "ranks 4.83 and 7.75",
            &[beats("gp-matern", "gp-matern-noimpute+repeats")],
        ),
        Claim::of(
            "local search beats the best of 1000 draws",
            "ranks 4.10, 2.56, 5.48 against 4.83, 5.48, 7.10",
            &[
                beats("gp-matern-ls", "gp-matern"),
                beats("gp-cond-ls", "gp-cond"),
                beats("gp-laplace-ls", "gp-laplace"),
            ],
        ),
        Claim::of(
            "GP-cond-ls beats everybody but GP-matern-ls",
            "rank 2.56",
            &all_but(&["gp-cond-ls", "gp-matern-ls"], &|m| beats("gp-cond-ls", m)),
        ),
        Claim::of(
            "GP-cond-ls and GP-matern-ls cannot be told apart",
            "p = 0.10",
            &[alike(found, "gp-cond-ls", "gp-matern-ls", &problems)],
        ),
        alone_ahead_of_random(found, &problems),
        Claim::of(
            "everybody beats plain Spearmint, random search included",
            "rank 9.15",
            &all_but(&["spearmint+repeats"], &|m| beats(m, "spearmint+repeats")),
        ),
        Claim::of(
            "SMAC and GP-laplace-ls cannot be told apart",
            "ranks 5.52 and 5.48",
            &[alike(found, "smac", "gp-laplace-ls", &problems)],
        ),
        Claim::of(
            "on validation rows, too, GP-cond-ls and GP-matern-ls are level",
            "T18 Fig. 5.7",
            &[alike(&validation, "gp-cond-ls", "gp-matern-ls", &problems)],
        ),
        same_order(found, &problems),
        worsens(&validation, &problems),
        choices(found, "GP-cond-ls mostly ends with a forest or a support vector machine", "Fig. 6", None),
        choices(found, "on titanic it always ends with a decision tree", "Fig. 7", Some(("titanic", "dt"))),
        choices(found, "on 917 always with a linear machine", "Fig. 7", Some(("openml-917", "linsvm"))),
        Claim::of("auto beats GP-cond-ls", "not in the paper", &[beats(OURS, "gp-cond-ls")]).of_ours(),
    ]
}

/// By the critical difference, nobody but GP-cond-ls is ahead of random search.
fn alone_ahead_of_random(found: &Results, problems: &[&str]) -> Claim {
    let mut parts = vec![ranked_before(found, "gp-cond-ls", "random", &METHODS, problems)];
    let ranks = found.ranks(problems, &METHODS).map(|table| table.average()).unwrap_or_default();
    // Who is far behind random search is not ahead of it, either.
    let is_ahead = |i: usize| ranks.get(i).zip(ranks.first()).is_none_or(|(rank, random)| rank < random);
    for (i, method) in METHODS.iter().enumerate().skip(1) {
        if *method != "gp-cond-ls" && is_ahead(i) {
            parts.push(alike_ranks(found, method, "random", &METHODS, problems));
        }
    }
    Claim::of("by mean ranks only GP-cond-ls is ahead of random search", "CD 3.08", &parts)
}

/// Mean ranks on validation rows and on test rows put the methods in a similar order: a rank correlation over one half.
fn same_order(found: &Results, problems: &[&str]) -> Claim {
    let ranks =
        |by: Measure| found.measured_by(by).ranks(problems, &METHODS).ok().map(|t| mid_ranks(&t.average()));
    let both = ranks(Measure::Loss).zip(ranks(Measure::Test));
    let correlation = both.map(|(a, b)| {
        let k = METHODS.len() as f64;
        let squares: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
        1.0 - 6.0 * squares / (k * (k * k - 1.0))
    });
    Claim::fact(
        "methods come in a similar order on validation and on test rows",
        "T18 Fig. 5.7",
        correlation.map_or(String::new(), |r| format!("rank correlation {r:.2}")),
        correlation.map(|r| r > 0.5),
    )
}

/// SMAC's mean rank worsens from 50 trials to the end.
fn worsens(validation: &Results, problems: &[&str]) -> Claim {
    let smac = METHODS.iter().position(|method| *method == "smac").unwrap_or(0);
    let rank = |after: Option<usize>| {
        let table = RankTable::of(&validation.rows(problems, &METHODS, after)).ok()?;
        Some(table.average()[smac])
    };
    let both = rank(Some(49)).zip(rank(None));
    Claim::fact(
        "SMAC's rank worsens with the trials",
        "T18 Fig. 5.7",
        both.map_or(String::new(), |(early, end)| format!("{early:.2} after 50 trials, {end:.2} at the end")),
        both.map(|(early, end)| end > early),
    )
}

/// The learners GP-cond-ls ended with, on one set or on all.
fn choices(found: &Results, says: &str, paper: &str, on: Option<(&str, &str)>) -> Claim {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for problem in found.problems().into_iter().filter(|p| on.is_none_or(|(set, _)| p.ends_with(set))) {
        for run in found.runs(problem, "gp-cond-ls") {
            let learner = run.chosen.split_once('=').map_or("none", |(_, learner)| learner);
            *counts.entry(learner).or_default() += 1;
        }
    }
    let all: usize = counts.values().sum();
    let count = |learner: &str| counts.get(learner).copied().unwrap_or(0);
    let share = (count("rf") + count("svm")) as f64 / all.max(1) as f64;
    let words = counts.iter().map(|(learner, n)| format!("{learner} {n}")).collect::<Vec<_>>().join(", ");
    let (is_so, ours) = match on {
        None => (share > 0.5, format!("{words}: a share of {}", short(share))),
        Some((_, learner)) => (count(learner) == all, words),
    };
    Claim::fact(says, paper, ours, (all > 0).then_some(is_so))
}
