//! What a study has found and which trial to trust, judged by the model of its strategy.
use crate::json;
use crate::study::PyStudy;
use crate::value;
use arbora_evaluation::select::PosteriorMean;
use arbora_evaluation::{Verdict, verdict_model};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The verdict as data and in words; `None` before the first loss.
#[pyfunction]
pub(crate) fn verdict<'py>(
    py: Python<'py>,
    study: &PyStudy,
) -> PyResult<Option<(Bound<'py, PyAny>, String)>> {
    let found = study.interruptible(py, None, |study, interrupt| {
        study.sync()?;
        let (options, history) = (study.options(), study.study().history());
        let spec = verdict_model(&options.strategy, study.space(), history.len());
        let found = Verdict::of_until(study.space(), history, options, &spec, interrupt)?;
        Ok(found.map(|verdict| verdict.with_splits(|trial| study.trial(trial).ok()?.splits())))
    })?;
    let Some(found) = found else { return Ok(None) };
    let data = serde_json::to_value(&found).expect("a verdict is plain data");
    Ok(Some((json::object(py, &data)?, found.to_string())))
}

/// The configuration of least expected loss in the whole space; `None` before the first loss.
#[pyfunction]
pub(crate) fn expected_best<'py>(py: Python<'py>, study: &PyStudy) -> PyResult<Option<Bound<'py, PyDict>>> {
    let chosen = study.interruptible(py, None, |study, interrupt| {
        study.sync()?;
        let (options, history) = (study.options(), study.study().history());
        let spec = verdict_model(&options.strategy, study.space(), history.len());
        let chosen =
            PosteriorMean::Anywhere.choose_until(study.space(), history, &spec, options.seed, interrupt)?;
        Ok(chosen.map(|configuration| (study.space().clone(), configuration)))
    })?;
    chosen.map(|(space, configuration)| value::dict(py, &space, &configuration)).transpose()
}
