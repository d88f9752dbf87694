//! X1, covariance matrices  [L17, Fig. 2–4; T18, Fig. 5.2–5.5].
//!
//! The papers print pictures; the expected means follow from the kernels in closed form. So these are
//! checks of our kernels, counted apart from what the papers claim.
use super::Experiment;
use crate::claim::{Claim, short};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "l17-covariances",
    short: "x1",
    log: "x1",
    title: "how alike kernels take configurations to be",
    source: "L17 Fig. 2–4, T18 Fig. 5.2–5.5",
    plan,
    job: job::covariance,
    measure: Measure::Shown("same"),
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    RunPlan::new(["three choices"], 100, &job::MATRICES, size.pick(5, 50))
}

fn claims(found: &Results) -> Vec<Claim> {
    let mean = |method: &str, figure: &str| {
        let values: Vec<f64> =
            found.runs("three choices", method).filter_map(|run| run.values.get(figure).copied()).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let near = |says: &str, method: &str, figure: &str, expected: f64| {
        let ours = mean(method, figure);
        let is_so = ours.map(|ours| (ours - expected).abs() < 0.03);
        Claim::fact(says, &short(expected), ours.map_or(String::new(), short), is_so)
    };
    let apart =
        mean("laplace-imputed", "same").zip(mean("mondrian-imputed", "same")).map(|(a, b)| (a - b).abs());
    let checks = vec![
        near(
            "without imputation, configurations of one choice are as alike as chance has it",
            "se-raw",
            "same",
            0.56,
        ),
        near("imputation brings configurations of one choice together", "se-imputed", "same", 0.83),
        near("neighbouring choices look alike without imputation", "se-raw", "adjacent", 0.40),
        near("and more so with it: confusion remains", "se-imputed", "adjacent", 0.58),
        near("the conditional kernel is zero across choices", "se-conditional", "adjacent", 0.0),
        near("Laplace, one choice, without imputation", "laplace-raw", "same", 0.30),
        near("Laplace, one choice, with imputation", "laplace-imputed", "same", 0.67),
        Claim::fact(
            "thirty Mondrian trees come near Laplace",
            "means apart by less than 0.1",
            apart.map_or(String::new(), |apart| format!("means differ by {}", short(apart))),
            apart.map(|apart| apart < 0.1),
        ),
    ];
    checks.into_iter().map(Claim::of_ours).collect()
}
