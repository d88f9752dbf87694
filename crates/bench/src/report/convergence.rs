//! How fast: the best so far over trials, problem by problem, and average ranks over all of them.
use super::block::{Block, Figure};
use crate::chart::{ChartLine, Curves};
use crate::error::BenchError;
use crate::experiment::Experiment;
use crate::results::{Measure, Results};
use crate::stats::{RankTable, bootstrap_mean};
use arbora_space::Rng;

/// Resamples of a band.
const RESAMPLES: usize = 200;
/// Places of a curve.
const PLACES: usize = 40;
/// Problems with a chart of their own.
const MOST: usize = 12;

pub(super) fn blocks(experiment: &Experiment, found: &Results) -> Result<Vec<Block>, BenchError> {
    if matches!(found.measure, Measure::Figure(_) | Measure::Shown(_)) {
        return Ok(Vec::new());
    }
    let (problems, methods) = (found.problems(), found.methods());
    let mut blocks = Vec::new();
    if problems.len() <= MOST {
        for (i, problem) in problems.iter().enumerate() {
            blocks.push(one(experiment, found, i, problem, &methods));
        }
    }
    blocks.extend(ranks(experiment, found, &problems, &methods)?);
    Ok(blocks)
}

/// What curves show: a test error is known at the end only, so its search is shown by its loss.
fn shown(measure: Measure) -> Measure {
    if measure == Measure::Test { Measure::Loss } else { measure }
}

fn places(trials: usize) -> Vec<usize> {
    let step = trials.div_ceil(PLACES).max(1);
    let mut places: Vec<usize> = (0..trials).step_by(step).collect();
    if places.last() != Some(&trials.saturating_sub(1)) {
        places.push(trials.saturating_sub(1));
    }
    places
}

fn one(experiment: &Experiment, found: &Results, number: usize, problem: &str, methods: &[&str]) -> Block {
    let found = found.measured_by(shown(found.measure));
    let mut rng = Rng::new(0);
    let mut lines = Vec::new();
    for method in methods {
        let mut points = Vec::new();
        for trial in places(found.trials(problem)) {
            let values: Vec<f64> =
                found.runs(problem, method).filter_map(|run| found.value(run, Some(trial))).collect();
            if let Ok(band) = bootstrap_mean(&values, RESAMPLES, &mut rng) {
                points.push(((trial + 1) as f64, band.low, band.mean, band.high));
            }
        }
        lines.push(ChartLine { name: (*method).to_owned(), points });
    }
    let title = format!("{}: {problem}", experiment.short.to_uppercase());
    let words = found.measure.words();
    let svg = Curves { title: &title, across: "trials", upwards: words, lines }.svg();
    let caption = format!("{problem}: {words} over trials, mean over seeds and its 95 % bootstrap band.");
    Block::Figure(Figure { name: format!("{}-curve-{}", experiment.short, number + 1), caption, svg })
}

/// Average ranks of incumbents over the share of the trials, since problems may have different numbers of them.
fn ranks(
    experiment: &Experiment,
    found: &Results,
    problems: &[&str],
    methods: &[&str],
) -> Result<Option<Block>, BenchError> {
    let mut lines: Vec<ChartLine> =
        methods.iter().map(|method| ChartLine { name: (*method).to_owned(), points: Vec::new() }).collect();
    let mut rng = Rng::new(0);
    let (by_loss, share) = (found.measured_by(shown(found.measure)), PLACES as f64);
    for place in 1..=PLACES {
        let mut rows = Vec::new();
        for problem in problems {
            let trial = (found.trials(problem) * place).div_ceil(PLACES).saturating_sub(1);
            rows.extend(by_loss.rows(&[problem], methods, Some(trial)));
        }
        let Ok(table) = RankTable::of(&rows) else { continue };
        for (i, line) in lines.iter_mut().enumerate() {
            let column: Vec<f64> = table.rows().iter().map(|row| row[i]).collect();
            let band = bootstrap_mean(&column, RESAMPLES, &mut rng)?;
            line.points.push((100.0 * place as f64 / share, band.low, band.mean, band.high));
        }
    }
    if lines.iter().all(|line| line.points.is_empty()) {
        return Ok(None);
    }
    let title = format!("{}: average rank of the best so far", experiment.short.to_uppercase());
    let svg = Curves {
        title: &title,
        across: "per cent of the trials",
        upwards: "average rank (1 is best)",
        lines,
    }
    .svg();
    let caption =
        "Average ranks of the best so far over all problems, and their 95 % bootstrap bands.".to_owned();
    Ok(Some(Block::Figure(Figure { name: format!("{}-rank-curve", experiment.short), caption, svg })))
}
