//! X3, low-dimensional functions and measured grids  [E13, Table 2 and Fig. 1].
//!
//! Runs are independent in the paper and judged by the U test, as there. `spearmint` searches the unit
//! cube and rounds its points when it tries them; with `+repeats` it may try a configuration again, which
//! is what Fig. 1 shows.
use super::Experiment;
use crate::claim::{Claim, better_unpaired, no_worse_unpaired, short};
use crate::job;
use crate::plan::{Entry, RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

const METHODS: [&str; 7] =
    ["smac", "spearmint", "tpe", "random", "gp-conditional", "auto", "spearmint+repeats"];
const CONTINUOUS: [&str; 2] = ["branin", "hartmann6"];
const GRIDS: [&str; 3] = ["lda-on-grid", "svm-on-grid", "logreg-on-grid"];

/// Proposing again this share of the trials is what the paper's figure shows at the least.
const OFTEN: f64 = 0.1;

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "e13-functions",
    short: "x3",
    log: "x3",
    title: "low-dimensional functions and measured grids",
    source: "E13 Table 2, Fig. 1",
    plan,
    job: job::search,
    measure: Measure::Loss,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    let budgets = size.pick([50, 50, 50, 50, 50], [200, 200, 50, 100, 100]);
    let names = CONTINUOUS.iter().chain(&GRIDS);
    let problems = names.zip(budgets).map(|(name, trials)| Entry { problem: (*name).to_owned(), trials });
    RunPlan { problems: problems.collect(), ..RunPlan::new([""; 0], 0, &METHODS, size.pick(3, 10)) }
}

fn claims(found: &Results) -> Vec<Claim> {
    let beats = |a: &str, b: &str, on: &str| better_unpaired(found, a, b, on);
    let level = |a: &str, b: &str, on: &str| no_worse_unpaired(found, a, b, on);
    let repeats = |method: &str| {
        let counts: Vec<f64> =
            GRIDS.iter().flat_map(|grid| found.runs(grid, method)).map(|run| run.repeats as f64).collect();
        (!counts.is_empty()).then(|| counts.iter().sum::<f64>() / counts.len() as f64)
    };
    let (with, without) = (repeats("spearmint+repeats"), repeats("spearmint"));
    let last = |method: &str| {
        let seconds: Vec<f64> = CONTINUOUS
            .iter()
            .flat_map(|name| found.runs(name, method))
            .map(|run| run.seconds / run.key.trials as f64)
            .collect();
        (!seconds.is_empty()).then(|| 1e3 * crate::claim::median(seconds))
    };
    let times = [last("spearmint"), last("smac"), last("tpe")];
    let slower = match times {
        [Some(gp), Some(forest), Some(tpe)] => Some(gp > forest && gp > tpe),
        _ => None,
    };
    vec![
        Claim::of(
            "a Gaussian process is best on Branin",
            "Spearmint 0.398, SMAC 0.427, TPE 0.510",
            &[beats("spearmint", "smac", "branin"), beats("spearmint", "tpe", "branin")],
        ),
        Claim::of(
            "on Hartmann-6 it need not be: runs of it fail or stay behind",
            "SMAC −2.960, Spearmint −2.623, TPE −2.920",
            &[beats("smac", "spearmint", "hartmann6"), beats("tpe", "spearmint", "hartmann6")],
        ),
        Claim::of(
            "TPE and SMAC are no worse than it on grids",
            "LDA 1269.6, 1272.6, 1271.5; SVM 0.241, 0.246, 0.241",
            &[
                level("smac", "spearmint+repeats", GRIDS[0]),
                level("tpe", "spearmint+repeats", GRIDS[0]),
                level("smac", "spearmint+repeats", GRIDS[1]),
                level("tpe", "spearmint+repeats", GRIDS[1]),
            ],
        ),
        Claim::fact(
            "a Gaussian process on a grid proposes configurations again, unless told not to",
            "Fig. 1: most of its later evaluations",
            format!(
                "{} trials per run, {} with the rule",
                with.map_or(String::new(), short),
                without.map_or(String::new(), short)
            ),
            with.zip(without)
                .map(|(with, without)| with > OFTEN * found.trials(GRIDS[0]) as f64 && without == 0.0),
        ),
        Claim::fact(
            "its suggestions take longer",
            "more than 42 s against less than 1 s after 200 trials",
            format!(
                "{} ms on average over a run, SMAC {}, TPE {}",
                words(times[0]),
                words(times[1]),
                words(times[2])
            ),
            slower,
        ),
    ]
}

fn words(figure: Option<f64>) -> String {
    figure.map_or("–".to_owned(), short)
}
