//! Losses measured once on a grid and read from a table  [Eggensperger et al. 2013, on-grid benchmarks].
//!
//! A CSV file with a header; the columns left of the loss are parameters, each an ordered list of the values that occur.
//! Every combination of them must be there.
#![allow(clippy::disallowed_methods, reason = "a table is a file")]
use super::{Problem, Reading};
use crate::error::BenchError;
use arbora_space::{Param, Space};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Tables the papers use: name, file, column of the loss.
const KNOWN: [(&str, &str, &str); 3] = [
    ("lda-on-grid", "lda_on_grid.csv", "perplexity"),
    ("svm-on-grid", "svm_on_grid.csv", "error"),
    ("logreg-on-grid", "logreg_on_grid.csv", "valid_error"),
];

/// A table of losses.
pub struct GridProblem {
    name: String,
    /// Parameters and their values in order.
    axes: Vec<(String, Vec<f64>)>,
    /// Losses by the bits of the values.
    losses: HashMap<Vec<u64>, f64>,
}

impl GridProblem {
    /// File and column of a table of the papers.
    pub fn known(name: &str) -> Option<(&'static str, &'static str)> {
        KNOWN.iter().find(|(known, _, _)| *known == name).map(|(_, file, column)| (*file, *column))
    }

    /// Reads a file.
    pub fn read(path: &Path, name: &str, column: &str) -> Result<Self, BenchError> {
        let text = std::fs::read_to_string(path).map_err(|problem| BenchError::file(path, &problem))?;
        let wrong = |problem| BenchError::BadTable { path: path.to_path_buf(), problem };
        Self::parse(&text, name, column).map_err(wrong)
    }

    /// Reads the text of a table.
    pub fn parse(text: &str, name: &str, column: &str) -> Result<Self, String> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let header: Vec<&str> = lines.next().ok_or("it is empty")?.split(',').map(str::trim).collect();
        let width = header.iter().position(|name| *name == column);
        let width = width
            .ok_or_else(|| format!("no column is called `{column}`; there are {}", header.join(", ")))?;
        let (mut losses, mut values) = (HashMap::new(), vec![BTreeMap::new(); width]);
        for (i, line) in lines.enumerate() {
            let row = numbers(line, width).map_err(|problem| format!("line {}: {problem}", i + 2))?;
            for (axis, value) in values.iter_mut().zip(&row) {
                axis.insert(ordered(*value), *value);
            }
            losses.insert(row[..width].iter().map(|v| v.to_bits()).collect(), row[width]);
        }
        let axes: Vec<(String, Vec<f64>)> = header
            .iter()
            .zip(values)
            .map(|(name, axis)| ((*name).to_owned(), axis.into_values().collect()))
            .collect();
        let whole: usize = axes.iter().map(|(_, axis)| axis.len()).product();
        if losses.is_empty() || losses.len() != whole {
            return Err(format!("{} combinations of {whole} are there; every one is needed", losses.len()));
        }
        Ok(Self { name: name.to_owned(), axes, losses })
    }

    /// The problem of finding the best row.
    pub fn into_problem(self) -> Problem {
        let Self { name, axes, losses } = self;
        let least = losses.values().copied().fold(f64::INFINITY, f64::min);
        let params = axes.iter().map(|(name, values)| Param::ordinal(name.clone(), values.iter().copied()));
        let space = Space::new(params.collect::<Vec<_>>()).expect("lists of different values make a space");
        Problem::new(name, space, least, move |at: &Reading<'_>| {
            let row: Vec<u64> = axes.iter().map(|(name, _)| at.number(name).to_bits()).collect();
            losses[&row]
        })
    }
}

/// As many numbers as there are parameters, and the loss after them.
fn numbers(line: &str, width: usize) -> Result<Vec<f64>, String> {
    let cells: Vec<&str> = line.split(',').collect();
    let cells = cells.get(..=width).ok_or_else(|| format!("{} cells are too few", cells.len()))?;
    let number = |cell: &&str| match cell.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value + 0.0),
        _ => Err(format!("`{cell}` is no number")),
    };
    cells.iter().map(number).collect()
}

/// Whole numbers in the order of the values.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if value.is_sign_negative() { !bits } else { bits | (1 << 63) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "a,b,loss,seconds\n1,10,0.3,9\n1,20,0.2,9\n-2,10,0.5,9\n-2,20,0.1,9\n";

    #[test]
    fn every_row_is_a_configuration_with_its_loss() {
        let problem = GridProblem::parse(TABLE, "toy", "loss").unwrap().into_problem();
        assert_eq!(problem.optimum(), 0.1);
        let losses: Vec<f64> =
            problem.space().enumerate().unwrap().map(|c| problem.loss(&c.unwrap())).collect();
        assert_eq!(losses, [0.5, 0.1, 0.3, 0.2], "values in order, the last parameter fastest");
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        for (text, column, complaint) in [
            ("", "loss", "empty"),
            (TABLE, "lost", "no column is called `lost`"),
            ("a,loss\n1,x\n", "loss", "line 2"),
            ("a,b,loss\n1,1,0\n2,2,0\n", "loss", "2 combinations of 4"),
        ] {
            let refused = GridProblem::parse(text, "toy", column).err().unwrap();
            assert!(refused.contains(complaint), "{refused}");
        }
    }
}
