//! X8, the examples of T18, chapter 2: the width of a support vector machine, and a random forest.
use super::Experiment;
use crate::claim::{Claim, ClaimVerdict, short};
use crate::job;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};

/// The paper's data.
const WIDTH: &str = "width/ionosphere";
const FOREST: &str = "forest/adult";
/// A gain in error below this is none.
const GAIN: f64 = 0.005;

pub(super) static EXPERIMENT: Experiment = Experiment {
    name: "t18-svm-width",
    short: "x8",
    log: "x8",
    title: "the width of a support vector machine, and a random forest",
    source: "T18 Fig. 2.3–2.5",
    plan,
    job: job::search,
    measure: Measure::Loss,
    blocks: Blocks::Problems,
    claims,
};

fn plan(size: Size) -> RunPlan {
    let methods = ["random", "gp-matern-ls"];
    match size {
        Size::Quick => RunPlan::new(["width/sklearn-breast-cancer", "forest/sklearn-iris"], 30, &methods, 2),
        Size::Reduced | Size::Paper => RunPlan::new([WIDTH, FOREST], 50, &methods, 5),
    }
}

fn claims(found: &Results) -> Vec<Claim> {
    vec![
        plateau(found, "the width is found before the end", "plateau before 50 iterations", WIDTH),
        plateau(found, "the forest is tuned before the end", "plateau at iteration 40", FOREST),
    ]
}

/// Nothing is gained in the last fifth of the trials. Other data than the paper's decide nothing.
fn plateau(found: &Results, says: &str, paper: &str, problem: &str) -> Claim {
    let kind = problem.split('/').next().unwrap_or_default();
    let run = found.problems().into_iter().find(|name| name.starts_with(kind));
    let figures = run.and_then(|name| {
        let before = found.mean(name, "gp-matern-ls", Some(found.trials(name) * 4 / 5))?;
        Some((name, before, found.mean(name, "gp-matern-ls", None)?))
    });
    let Some((name, before, end)) = figures else { return Claim::fact(says, paper, String::new(), None) };
    let (at, last) = (short(before), short(end));
    let ours = format!("{name}: {at} after four fifths of the trials, {last} at the end");
    let mut claim = Claim::fact(says, paper, ours, Some(before - end < GAIN));
    if name != problem {
        claim.verdict = ClaimVerdict::Undecided;
    }
    claim
}
