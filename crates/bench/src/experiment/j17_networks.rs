//! X5, neural networks of zero to four layers  [J17, Fig. 4 and supplement].
use super::Experiment;
use crate::claim::{Claim, alike, better};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

const METHODS: [&str; 8] = [
    "random",
    "gp-baseline",
    "gp-independent",
    "tree-linear",
    "tree-nonlinear",
    "arc",
    "smac",
    "gp-conditional",
];

/// Sets of the paper's 45 that can be had, as a folder of data calls them.
const SETS: [&str; 10] = [
    "libsvm-a1a",
    "statlog-australian-credit",
    "breast-cancer-wisc",
    "pima",
    "statlog-german-credit",
    "statlog-heart",
    "ionosphere",
    "liver-disorders",
    "mushroom",
    "libsvm-svmguide3",
];

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "j17-networks",
    short: "x5",
    log: "x5",
    title: "neural networks of zero to four layers",
    source: "J17 Fig. 4",
    plan,
    job: job::search_from_branches,
    measure: Measure::Loss,
    blocks: Blocks::Problems,
    claims,
};

fn problems(sets: &[&str]) -> Vec<String> {
    let topologies = ["mlp-independent", "mlp-shared"];
    topologies.iter().flat_map(|t| sets.iter().map(move |set| format!("{t}/{set}"))).collect()
}

fn plan(size: Size) -> RunPlan {
    match size {
        Size::Quick => RunPlan::new(problems(&["sklearn-iris", "sklearn-wine"]), 20, &METHODS, 2),
        Size::Reduced => {
            RunPlan::new(problems(&SETS), 85, &METHODS, 3).less("10 of 45 sets, 3 of 25 repetitions")
        }
        Size::Paper => RunPlan::new(problems(&SETS), 85, &METHODS, 25).less("10 of 45 sets"),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    let all = found.problems();
    let of = |topology: &str| all.iter().copied().filter(|p| p.starts_with(topology)).collect::<Vec<_>>();
    let (independent, shared) = (of("mlp-independent"), of("mlp-shared"));
    let early = found.plan.problems.first().map_or(0, |entry| entry.trials / 4);
    vec![
        Claim::of(
            "independent topology: tree is faster first",
            "lowest rank in the first 20 iterations",
            &[better(found, "tree-linear", "gp-independent", &independent, Some(early))],
        ),
        Claim::of(
            "and independent is ahead later",
            "lower rank from iteration 40",
            &[better(found, "gp-independent", "tree-linear", &independent, None)],
        ),
        Claim::of(
            "shared topology: tree is the best of the Gaussian processes",
            "lowest rank throughout",
            &[
                better(found, "tree-linear", "gp-independent", &shared, None),
                better(found, "tree-linear", "gp-baseline", &shared, None),
                better(found, "tree-linear", "arc", &shared, None),
            ],
        ),
        Claim::of(
            "SMAC is behind tree first and catches up",
            "around iteration 75",
            &[
                better(found, "tree-linear", "smac", &shared, Some(early)),
                alike(found, "tree-linear", "smac", &shared),
            ],
        ),
        Claim::of(
            "waves are worse than linear nodes",
            "supplement: tends to perform worse",
            &[better(found, "tree-linear", "tree-nonlinear", &shared, None)],
        ),
        Claim::of(
            "gp-baseline is poor",
            "ranks near random",
            &[better(found, "tree-linear", "gp-baseline", &all, None)],
        ),
    ]
}
