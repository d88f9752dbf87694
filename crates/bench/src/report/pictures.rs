//! Pictures that are computed rather than measured: covariance matrices, a process and its acquisition.
use super::block::{Block, Figure};
use crate::chart::{ProcessChart, heat, process};
use crate::error::BenchError;
use crate::experiment::Experiment;
use crate::job;

/// Configurations of a matrix.
const ROWS: usize = 45;

pub(super) fn blocks(experiment: &Experiment) -> Result<Vec<Block>, BenchError> {
    match experiment.short {
        "x1" => job::MATRICES.iter().map(|method| matrix(method)).collect(),
        "x8" => [4, 8].into_iter().map(belief).collect(),
        _ => Ok(Vec::new()),
    }
}

fn matrix(method: &str) -> Result<Block, BenchError> {
    let (matrix, _) = job::matrix(method, ROWS, 0)?;
    let svg = heat(&format!("X1: {method}"), &matrix);
    let caption = format!("Covariance of {ROWS} random configurations of three choices, {method}.");
    Ok(Block::Figure(Figure { name: format!("x1-{method}"), caption, svg }))
}

fn belief(trials: usize) -> Result<Block, BenchError> {
    let picture = job::picture(trials)?;
    let title = format!("X8: a Gaussian process after {trials} evaluations, and expected improvement");
    let svg = process(&ProcessChart {
        title: &title,
        truth: &picture.truth,
        mean: &picture.mean,
        deviation: &picture.deviation,
        wish: &picture.wish,
        seen: &picture.seen,
    });
    let caption =
        "Mean and two standard deviations of the process; below, the logarithm of expected improvement, \
                   highest where the next evaluation goes."
            .to_owned();
    Ok(Block::Figure(Figure { name: format!("x8-process-{trials}"), caption, svg }))
}
