//! Tables like the papers': the best in bold, what is significantly worse underlined.
use crate::claim::{LEVEL, short};
use crate::results::{Measure, Results};
use crate::stats::{Wilcoxon, Zeros};

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// The best of its row.
    pub is_best: bool,
    /// Significantly worse than the best of its row.
    pub is_worse: bool,
}

impl Cell {
    /// Plain words.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Rows under a header; the first column names the row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// One list per row.
    pub rows: Vec<Vec<Cell>>,
}

/// Mean and standard deviation of every method on every problem. A method is worse if Wilcoxon's signed-rank test over
/// seeds says so against the best.
pub(super) fn results(found: &Results) -> Table {
    let methods = found.methods();
    let header = std::iter::once("problem").chain(methods.iter().copied()).map(str::to_owned).collect();
    let rows: Vec<Vec<Cell>> =
        found.problems().into_iter().map(|problem| row(found, problem, &methods)).collect();
    let caption = format!("{}, mean ± standard deviation over {}.", found.measure.words(), found.seeds());
    if matches!(found.measure, Measure::Shown(_)) {
        return Table { caption, header, rows: without_marks(rows) };
    }
    let marks = format!("Bold: best mean; underlined: significantly worse (Wilcoxon, p < {LEVEL}).");
    Table { caption: format!("{caption} {marks}"), header, rows }
}

fn without_marks(rows: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    rows.into_iter().map(|row| row.into_iter().map(|cell| Cell::plain(cell.text)).collect()).collect()
}

fn row(found: &Results, problem: &str, methods: &[&str]) -> Vec<Cell> {
    let means: Vec<Option<f64>> = methods.iter().map(|method| found.mean(problem, method, None)).collect();
    let best = means.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let leader = means.iter().position(|mean| *mean == Some(best));
    let cell = |(method, mean): (&&str, &Option<f64>)| {
        let Some(mean) = *mean else { return Cell::plain("–") };
        let values: Vec<f64> = found.values(problem, method, None).into_values().collect();
        let text = format!("{} ± {}", short(mean), short(deviation(&values)));
        let is_worse = leader.is_some_and(|leader| is_worse(found, problem, method, methods[leader]));
        Cell { text, is_best: mean == best, is_worse }
    };
    let cells = methods.iter().zip(&means).map(cell);
    std::iter::once(Cell::plain(problem)).chain(cells).collect()
}

fn is_worse(found: &Results, problem: &str, method: &str, leader: &str) -> bool {
    let pairs = found.paired(problem, method, leader, None);
    let differences: Vec<f64> = pairs.iter().map(|(own, best)| own - best).collect();
    method != leader && Wilcoxon::of_differences(&differences, Zeros::Drop).p < LEVEL
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// CPU milliseconds per suggestion, over all runs of a method.
pub(super) fn times(found: &Results) -> Table {
    let header = ["method", "ms per suggestion", "ms of the last one", "runs"].map(str::to_owned).to_vec();
    let rows = found.methods().into_iter().filter_map(|method| {
        let runs: Vec<_> =
            found.problems().iter().flat_map(|p| found.runs(p, method).collect::<Vec<_>>()).collect();
        let each =
            crate::claim::median(runs.iter().map(|run| 1e3 * run.seconds / run.key.trials.max(1) as f64));
        let last = crate::claim::median(runs.iter().map(|run| 1e3 * run.last));
        let cells = [method.to_owned(), short(each), short(last), runs.len().to_string()];
        (each > 0.0).then(|| cells.map(Cell::plain).to_vec())
    });
    let caption = "What suggestions cost: CPU time of one thread, medians over runs.".to_owned();
    Table { caption, header, rows: rows.collect() }
}

/// Methods that could not run.
pub(super) fn missing(found: &Results) -> Option<Table> {
    let rows: Vec<Vec<Cell>> =
        found.missing().map(|(method, why)| [method, why].map(Cell::plain).to_vec()).collect();
    let header = ["method", "not run because"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then(|| Table { caption: "Not installed or not given.".to_owned(), header, rows })
}
