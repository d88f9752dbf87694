//! Plans at the border: which rows do what, as lists of row numbers.
use crate::detach::detached;
use crate::exception::Failure;
use crate::json;
use arbora_evaluation::{Plan, PlanSpec, Rows, Split};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::de::DeserializeOwned;

/// A plan over rows that are there.
#[pyclass(name = "Splits", module = "arbora._arbora", frozen)]
pub(crate) struct PySplits(Plan);

type Parts = Vec<(Vec<usize>, Vec<usize>)>;

#[pymethods]
impl PySplits {
    /// See `PlanSpec` for the fields; `test` are rows that the data set apart by themselves.
    #[new]
    fn new(
        py: Python<'_>,
        fields: &Bound<'_, PyDict>,
        count: usize,
        classes: Option<Vec<u32>>,
        groups: Option<Vec<u32>>,
        test: Option<Vec<usize>>,
    ) -> PyResult<Self> {
        let spec: PlanSpec = read(py, "plan", fields)?;
        detached(py, || {
            let mut rows = Rows::new(count);
            if let Some(classes) = classes {
                rows = rows.with_classes(classes)?;
            }
            if let Some(groups) = groups {
                rows = rows.with_groups(groups)?;
            }
            Ok(Self(match test {
                None => Plan::new(spec, rows)?,
                Some(test) => Plan::with_test_rows(spec, rows, test)?,
            }))
        })
    }

    fn test(&self) -> Vec<usize> {
        self.0.test().to_vec()
    }

    fn selection(&self) -> Vec<usize> {
        self.0.selection().to_vec()
    }

    fn search(&self) -> Vec<usize> {
        self.0.search().to_vec()
    }

    fn of_trial(&self, py: Python<'_>, trial: u64) -> PyResult<Parts> {
        detached(py, || Ok(pairs(self.0.splits(trial)?)))
    }

    fn fresh(&self, py: Python<'_>, number: u64) -> PyResult<Parts> {
        detached(py, || Ok(pairs(self.0.fresh_splits(number)?)))
    }

    fn round(&self, trial: u64) -> u64 {
        self.0.round(trial)
    }
}

fn pairs(splits: Vec<Split>) -> Parts {
    splits.into_iter().map(|split| (split.train, split.valid)).collect()
}

/// A specification out of a dict; unknown fields are refused by name.
pub(crate) fn read<T: DeserializeOwned>(
    py: Python<'_>,
    what: &'static str,
    fields: &Bound<'_, PyDict>,
) -> PyResult<T> {
    let written = serde_json::Value::Object(json::map(fields)?);
    serde_json::from_value(written).map_err(|problem| {
        let problem = problem.to_string();
        Failure::from(arbora_search::SearchError::BadSpec { what, problem }).raise(py)
    })
}
