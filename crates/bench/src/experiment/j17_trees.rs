//! X4, synthetic trees  [J17, Fig. 2 and supplement].
//!
//! The paper's *tree* takes shared parameters to act linearly: `tree-linear` here. It shows curves; claims
//! are judged after 30, 50, 75 and 100 trials, fixed before the runs, and most of them after 50: by 100 the
//! processes stand at the floor of 10⁻¹⁰. `marginal` cannot be used with shared parameters, and has the
//! inference of `tree`: θ is sampled, or optimised in the rows `-map`. Shifted trees, which move every optimum out of the middle of its range, and the
//! quadratic ones are not in the main text.
use super::Experiment;
use crate::claim::{Claim, ClaimVerdict, MethodComparison, better, chance, judged, median, no_worse, short};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};
use std::collections::BTreeMap;

const METHODS: [&str; 14] = [
    "random",
    "gp-baseline",
    "arc",
    "gp-independent",
    "marginal",
    "smac",
    "tree-linear",
    "tree-nonlinear",
    "tree",
    "gp-conditional",
    "gp-marginal",
    "auto",
    "tree-linear-map",
    "marginal-map",
];
const PLAIN: [&str; 2] = ["tree-small", "tree-large"];
const LINEAR: [&str; 2] = ["tree-small-shared", "tree-large-shared"];
const SHOWN: [&str; 4] = ["tree-small", "tree-large", "tree-small-shared", "tree-large-shared"];
const QUADRATIC: [&str; 2] = ["tree-small-quadratic", "tree-large-quadratic"];
const CHAIN: &str = "chain-large-shared";
const OTHERS: [&str; 3] = ["tree-small-shared-shifted", "tree-large-shared-shifted", CHAIN];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "j17-trees",
    short: "x4",
    log: "x4",
    title: "synthetic trees",
    source: "J17 Fig. 2",
    plan,
    job: job::search_from_branches,
    measure: Measure::LogRegret,
    blocks: Blocks::Runs,
    claims,
};

fn plan(size: Size) -> RunPlan {
    let all = SHOWN.iter().chain(&QUADRATIC).chain(&OTHERS);
    match size {
        Size::Quick => RunPlan::new(SHOWN.iter().chain(&QUADRATIC[1..]), 40, &METHODS, 5),
        Size::Reduced | Size::Paper => RunPlan::new(all, 100, &METHODS, 25),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    let at = |a: &str, b: &str, on: &[&str], trials: usize| after(found, a, b, on, trials);
    vec![
        Claim::of(
            "who does not know the structure is far behind",
            "gp-baseline and random above tree in all four panels",
            &[at("tree-linear", "gp-baseline", &SHOWN, 50), at("tree-linear", "random", &SHOWN, 50)],
        ),
        gap_grows(found, "gp-baseline").and(&gap_grows(found, "random")),
        Claim::of(
            "arc is ahead of independent first",
            "in the first iterations",
            &[at("arc", "gp-independent", &SHOWN, 30)],
        ),
        Claim::of(
            "with shared parameters, tree overtakes arc",
            "within 50 iterations, right panels",
            &[at("tree-linear", "arc", &LINEAR, 50), at("tree-linear", "arc", &LINEAR, 75)],
        ),
        Claim::of(
            "without, it does too",
            "within 50 iterations, left panels",
            &[at("tree-linear", "arc", &PLAIN, 50), at("tree-linear", "arc", &PLAIN, 75)],
        ),
        Claim::of(
            "later independent overtakes arc",
            "at the end",
            &[at("gp-independent", "arc", &SHOWN, 100)],
        ),
        degrades(found),
        Claim::of(
            "on large trees tree is ahead of independent",
            "both lower panels",
            &[
                at("tree-linear", "gp-independent", &PLAIN[1..], 50),
                at("tree-linear", "gp-independent", &LINEAR[1..], 50),
            ],
        ),
        Claim::of(
            "marginal is worse than tree although the model is the same",
            "both left panels",
            &[at("tree-linear", "marginal", &PLAIN[..1], 50), at("tree-linear", "marginal", &PLAIN[1..], 50)],
        ),
        Claim::of(
            "also where both optimise their hyperparameters",
            "both left panels",
            &[
                at("tree-linear-map", "marginal-map", &PLAIN[..1], 50),
                at("tree-linear-map", "marginal-map", &PLAIN[1..], 50),
            ],
        ),
        Claim::of(
            "tree without linear nodes is no worse than independent where branches share parameters",
            "not in the paper",
            &[
                no_worse(found, "tree", "gp-independent", &[CHAIN], Some(49)),
                no_worse(found, "tree", "gp-independent", &[CHAIN], Some(99)),
                no_worse(found, "tree", "gp-independent", &LINEAR[1..], Some(49)),
                no_worse(found, "tree", "gp-independent", &LINEAR[1..], Some(99)),
            ],
        )
        .of_ours(),
        Claim::of(
            "sampled hyperparameters are better than optimised ones",
            "not in the paper",
            &[at("tree-linear", "tree-linear-map", &SHOWN, 50)],
        )
        .of_ours(),
        Claim::of(
            "SMAC does not reach good values",
            "far above tree at the end",
            &[at("tree-linear", "smac", &SHOWN, 100)],
        ),
        Claim::of(
            "the same holds on unbalanced trees",
            "supplement",
            &["gp-baseline", "random", "arc", "gp-independent"].map(|m| at("tree-linear", m, &[CHAIN], 75)),
        ),
        Claim::of(
            "linear shared parameters do not fit quadratic ones, waves do",
            "tree fails, tree-nonlinear succeeds",
            &[at("tree-nonlinear", "tree-linear", &QUADRATIC, 100)],
        ),
        Claim::of(
            "waves are slower where linear is right",
            "tree-nonlinear above tree",
            &[at("tree-linear", "tree-nonlinear", &LINEAR, 50)],
        ),
    ]
}

/// After so many trials, or all where a run has fewer.
fn after(found: &Results, a: &str, b: &str, on: &[&str], trials: usize) -> MethodComparison {
    let mut compared = better(found, a, b, on, Some(trials - 1));
    compared.words = format!("{trials} trials: {}", compared.words);
    compared
}

/// Paired by seed: is the first list lower? In words with both medians.
fn lower(
    says: &str,
    paper: &str,
    what: &str,
    first: &BTreeMap<u64, f64>,
    second: &BTreeMap<u64, f64>,
) -> Claim {
    let differences: Vec<f64> = first.iter().filter_map(|(seed, a)| Some(a - second.get(seed)?)).collect();
    let (p, verdict) = judged(&differences);
    let middle = |values: &BTreeMap<u64, f64>| short(median(values.values().copied()));
    let pairs = differences.len();
    let ours = format!("{what} {} and {} (p = {}, N = {pairs})", middle(second), middle(first), chance(p));
    let was_run = (verdict != ClaimVerdict::NotRun).then_some(true);
    Claim { verdict, ..Claim::fact(says, paper, ours, was_run) }
}

/// The gap between tree and who knows no structure, on the large trees against the small ones, seed by seed.
fn gap_grows(found: &Results, blind: &str) -> Claim {
    // Large gaps are what is claimed, so they count as low.
    let gaps = |problem: &str| -> BTreeMap<u64, f64> {
        let tree = found.values(problem, "tree-linear", Some(49));
        let other = found.values(problem, blind, Some(49)).into_iter();
        other.filter_map(|(seed, loss)| Some((seed, tree.get(&seed)? - loss))).collect()
    };
    let (says, paper) = ("their gap grows with depth", "larger on the large trees");
    let one = |small: &str, large: &str| {
        let what = format!("50 trials: tree-linear less {blind}");
        lower(says, paper, &what, &gaps(large), &gaps(small))
    };
    one(PLAIN[0], PLAIN[1]).and(&one(LINEAR[0], LINEAR[1]))
}

/// Independent processes lose more from the small to the large trees than the tree model does.
fn degrades(found: &Results) -> Claim {
    let lost = |method: &str, [small, large]: [&str; 2]| -> BTreeMap<u64, f64> {
        let before = found.values(small, method, Some(49));
        let now = found.values(large, method, Some(49)).into_iter();
        now.filter_map(|(seed, loss)| Some((seed, loss - before.get(&seed)?))).collect()
    };
    let (says, paper) =
        ("independent degrades from small to large, tree hardly", "lower panels against upper");
    let one = |trees: [&str; 2]| {
        let what = "50 trials: independent and tree lose";
        lower(says, paper, what, &lost("tree-linear", trees), &lost("gp-independent", trees))
    };
    one(PLAIN).and(&one(LINEAR))
}
