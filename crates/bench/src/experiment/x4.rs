//! X4, synthetic trees  [J17, Fig. 2 and supplement].
//!
//! The paper's *tree* takes shared parameters to act linearly: `tree-linear` here. Shifted trees move every optimum out
//! of the middle of its range, where imputation would find it by itself; the claims are judged on the paper's own.
use super::Experiment;
use crate::claim::{Claim, better, chance, judged, median, short};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;
use std::collections::BTreeMap;

const METHODS: [&str; 11] = [
    "random",
    "gp-baseline",
    "arc",
    "gp-independent",
    "gp-marginal",
    "smac",
    "tree-linear",
    "tree-nonlinear",
    "tree",
    "gp-conditional",
    "auto",
];
const PLAIN: [&str; 2] = ["tree-small", "tree-large"];
const LINEAR: [&str; 2] = ["tree-small-shared", "tree-large-shared"];
const QUADRATIC: [&str; 2] = ["tree-small-quadratic", "tree-large-quadratic"];
const OTHERS: [&str; 3] = ["tree-small-shared-shifted", "tree-large-shared-shifted", "chain-large-shared"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x4",
        title: "synthetic trees",
        source: "J17 Fig. 2",
        plan,
        work: work::search_from_branches,
        measure: Measure::LogRegret,
        blocks: Blocks::Runs,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    let all = PLAIN.iter().chain(&LINEAR).chain(&QUADRATIC).chain(&OTHERS);
    match size {
        Size::Quick => Plan::new(PLAIN.iter().chain(&LINEAR).chain(&QUADRATIC[1..]), 40, &METHODS, 5),
        Size::Paper => Plan::new(all, 100, &METHODS, 25),
    }
}

fn claims(found: &Findings) -> Vec<Claim> {
    let shown = [PLAIN, LINEAR].concat();
    let half = found.trials(LINEAR[0]) / 2;
    let beats = |a: &str, b: &str, on: &[&str]| better(found, a, b, on, None);
    let at = |a: &str, b: &str, on: &[&str], trial: usize| better(found, a, b, on, Some(trial));
    vec![
        Claim::of(
            "who does not know the structure is far behind",
            "gp-baseline and random two orders of magnitude above tree",
            &[beats("tree-linear", "gp-baseline", &shown), beats("tree-linear", "random", &shown)],
        ),
        gap_grows(found),
        Claim::of(
            "arc is overtaken by tree and by independent",
            "crossing within 50 trials",
            &[beats("tree-linear", "arc", &shown), beats("gp-independent", "arc", &shown)],
        ),
        Claim::of(
            "on large trees tree is ahead of independent",
            "independent degrades from small to large, tree hardly",
            &[at("tree-linear", "gp-independent", &[LINEAR[1]], half)],
        ),
        Claim::of(
            "marginal is worse than tree although the model is the same",
            "above tree in all panels",
            &[beats("tree-linear", "gp-marginal", &shown)],
        ),
        Claim::of(
            "SMAC does not reach good values",
            "regret above 10⁻² at the end",
            &[beats("tree-linear", "smac", &shown)],
        ),
        Claim::of(
            "linear shared parameters do not fit quadratic ones, waves do",
            "tree fails, tree-nonlinear succeeds",
            &[beats("tree-nonlinear", "tree-linear", &QUADRATIC)],
        ),
        Claim::of(
            "waves are slower where linear is right",
            "tree-nonlinear above tree",
            &[at("tree-linear", "tree-nonlinear", &LINEAR, half)],
        ),
    ]
}

/// The gap between tree and gp-baseline, on the large tree against the small one, seed by seed.
fn gap_grows(found: &Findings) -> Claim {
    let gaps = |problem: &str| -> BTreeMap<u64, f64> {
        let tree = found.values(problem, "tree-linear", None);
        let blind = found.values(problem, "gp-baseline", None).into_iter();
        blind.filter_map(|(seed, loss)| Some((seed, loss - tree.get(&seed)?))).collect()
    };
    let (small, large) = (gaps(LINEAR[0]), gaps(LINEAR[1]));
    let shrinking: Vec<f64> = large.iter().filter_map(|(seed, gap)| Some(small.get(seed)? - gap)).collect();
    let (p, verdict) = judged(&shrinking);
    let middle = |gaps: BTreeMap<u64, f64>| short(median(gaps.into_values()));
    let pairs = shrinking.len();
    Claim {
        says: "their gap grows with depth".to_owned(),
        paper: "larger on the large tree".to_owned(),
        ours: format!(
            "gap to gp-baseline {} and {} (p = {}, N = {pairs})",
            middle(small),
            middle(large),
            chance(p)
        ),
        verdict,
    }
}
