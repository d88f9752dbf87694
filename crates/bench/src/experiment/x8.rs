//! X8, the examples of T18, chapter 2: the width of a support vector machine, and a random forest.
use super::Experiment;
use crate::claim::{Claim, short};
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::work;

pub(super) fn experiment() -> Experiment {
    Experiment {
        name: "x8",
        title: "the width of a support vector machine, and a random forest",
        source: "T18 Fig. 2.3–2.5",
        plan,
        work: work::search,
        measure: Measure::Loss,
        blocks: Blocks::Problems,
        claims,
    }
}

fn plan(size: Size) -> Plan {
    let methods = ["random", "gp-matern-ls"];
    match size {
        Size::Quick => Plan::new(["width/sklearn-breast-cancer", "forest/sklearn-iris"], 30, &methods, 2),
        Size::Paper => Plan::new(["width/ionosphere", "forest/adult"], 50, &methods, 5),
    }
}

fn claims(found: &Findings) -> Vec<Claim> {
    let plateau = |prefix: &str| {
        let problem = found.problems().into_iter().find(|p| p.starts_with(prefix))?;
        let trials = found.trials(problem);
        let (at, end) = (
            found.mean(problem, "gp-matern-ls", Some(trials * 4 / 5))?,
            found.mean(problem, "gp-matern-ls", None)?,
        );
        Some((at, end))
    };
    let claim = |says: &str, paper: &str, figures: Option<(f64, f64)>| {
        let ours = figures.map_or(String::new(), |(at, end)| {
            format!("{} after four fifths of the trials, {} at the end", short(at), short(end))
        });
        Claim::fact(says, paper, ours, figures.map(|(at, end)| at - end < 0.005))
    };
    vec![
        claim("the width is found before the end", "plateau before 50 iterations", plateau("width/")),
        claim("the forest is tuned before the end", "plateau at iteration 40", plateau("forest/")),
    ]
}
