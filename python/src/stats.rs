//! Ranks, tests and intervals for anybody's own numbers; all of it is decided in `arbora_bench::stats`.
use crate::detach::detached;
use arbora_bench::BenchError;
use arbora_bench::stats::{self, Friedman, MannWhitney, Nemenyi, RankTable, Wilcoxon, Zeros};
use arbora_space::Rng;
use pyo3::prelude::*;

/// Rows of values, one per problem.
type Rows = Vec<Vec<f64>>;
/// Methods, best first; their average ranks; the critical difference; first and last place of every bar.
type Diagram = (Vec<usize>, Vec<f64>, f64, Vec<(usize, usize)>);

/// Lower is better below the border.
fn losses(mut rows: Rows, is_maximized: bool) -> Rows {
    if is_maximized {
        rows.iter_mut().flatten().for_each(|value| *value = -*value);
    }
    rows
}

/// Ranks on each problem, their averages and the win rates.
#[pyfunction]
pub(crate) fn ranks(py: Python<'_>, rows: Rows, is_maximized: bool) -> PyResult<(Rows, Vec<f64>, Vec<f64>)> {
    detached(py, move || {
        let table = RankTable::of(&losses(rows, is_maximized))?;
        Ok((table.rows().to_vec(), table.average(), table.win_rates()))
    })
}

/// χ² corrected for ties and its p, F and its p, χ² as it is and its p, and the average ranks.
#[pyfunction]
pub(crate) fn friedman(py: Python<'_>, rows: Rows, is_maximized: bool) -> PyResult<([f64; 6], Vec<f64>)> {
    detached(py, move || {
        let table = RankTable::of_several(&losses(rows, is_maximized))?;
        let test = Friedman::of(&table);
        let numbers = [test.corrected, test.corrected_p, test.f, test.f_p, test.statistic, test.p];
        Ok((numbers, table.average()))
    })
}

/// The diagram of a table.
#[pyfunction]
pub(crate) fn nemenyi(py: Python<'_>, rows: Rows, is_maximized: bool, alpha: f64) -> PyResult<Diagram> {
    detached(py, move || {
        let table = RankTable::of_several(&losses(rows, is_maximized))?;
        Ok(diagram(Nemenyi::of(&table, alpha)?))
    })
}

/// The diagram of average ranks over so many problems.
#[pyfunction]
pub(crate) fn nemenyi_of_ranks(
    py: Python<'_>,
    average: Vec<f64>,
    problems: usize,
    alpha: f64,
) -> PyResult<Diagram> {
    detached(py, move || Ok(diagram(Nemenyi::of_average(&average, problems, alpha)?)))
}

fn diagram(found: Nemenyi) -> Diagram {
    let bars = found.cliques().iter().map(|clique| (clique.first, clique.last)).collect();
    (found.order, found.ranks, found.difference, bars)
}

/// How far apart average ranks must be.
#[pyfunction]
pub(crate) fn critical_difference(
    py: Python<'_>,
    methods: usize,
    problems: usize,
    alpha: f64,
) -> PyResult<f64> {
    detached(py, move || {
        if problems == 0 {
            return Err(BenchError::TooFew { what: "problems", least: 1, given: 0 }.into());
        }
        Ok(Nemenyi::critical_difference(methods, problems, alpha)?)
    })
}

/// T, p, pairs that differ, and whether p is exact; zeros are dropped, ranked (`pratt`) or divided (`split`).
#[pyfunction]
pub(crate) fn wilcoxon(
    py: Python<'_>,
    first: Vec<f64>,
    second: Vec<f64>,
    zeros: &str,
) -> PyResult<(f64, f64, usize, bool)> {
    detached(py, move || {
        let test = Wilcoxon::of(&first, &second, Zeros::named(zeros)?)?;
        Ok((test.statistic, test.p, test.pairs, test.is_exact))
    })
}

/// U, p, and whether p is exact.
#[pyfunction]
pub(crate) fn mann_whitney(py: Python<'_>, first: Vec<f64>, second: Vec<f64>) -> PyResult<(f64, f64, bool)> {
    detached(py, move || {
        let test = MannWhitney::of(&first, &second)?;
        Ok((test.statistic, test.p, test.is_exact))
    })
}

/// Adjusted p-values.
#[pyfunction]
pub(crate) fn holm(py: Python<'_>, p: Vec<f64>) -> PyResult<Vec<f64>> {
    detached(py, move || match p.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(index) => Err(BenchError::BadPValue { index, value: p[index] }.into()),
        None => Ok(stats::holm(&p)),
    })
}

/// The mean and its interval.
#[pyfunction]
pub(crate) fn bootstrap_mean(
    py: Python<'_>,
    values: Vec<f64>,
    resamples: usize,
    seed: u64,
) -> PyResult<(f64, f64, f64)> {
    detached(py, move || {
        let interval = stats::bootstrap_mean(&values, resamples, &mut Rng::new(seed))?;
        Ok((interval.mean, interval.low, interval.high))
    })
}
