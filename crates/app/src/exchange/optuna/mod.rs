//! Studies of Optuna, versions 3 to 5, from their `SQLite` files.
//!
//! Optuna finds its space while it runs, so a file holds values and their ranges but not when a parameter exists. The
//! conditions are inferred from the trials (`structure`), unless a space is given. Complete trials come with their
//! value, failed and pruned ones as such; running and waiting ones are left out, and so are trials that broke off
//! before all their parameters were chosen.
mod distribution;
mod file;
mod structure;

use super::imported::Imported;
use crate::error::AppError;
use arbora_search::Report;
use arbora_space::Space;
use arbora_store::TrialResult;
use file::RawTrial;
use std::path::Path;

/// Reads one study of a file; the name is needed where it holds several.
pub(crate) fn read(path: &Path, name: Option<&str>, space: Option<Space>) -> Result<Imported, AppError> {
    let bad = |problem: String| AppError::BadImport { path: path.into(), problem };
    let study = file::read(path, name).map_err(bad)?;
    let space = match space {
        Some(space) => space,
        None => {
            Space::new(structure::infer(&study).map_err(bad)?).map_err(|trouble| bad(trouble.to_string()))?
        }
    };
    let mut imported = Imported {
        path: path.into(),
        name: study.name.clone(),
        space,
        direction: study.direction,
        results: Vec::new(),
        left_out: Vec::new(),
    };
    for trial in &study.trials {
        take(&mut imported, trial);
    }
    Ok(imported)
}

fn take(imported: &mut Imported, trial: &RawTrial) {
    let report = match (trial.state.as_str(), trial.value) {
        ("COMPLETE", Some(value)) => Report::Value(value),
        ("COMPLETE", None) => Report::Failure("no value in Optuna".to_owned()),
        ("PRUNED", _) => Report::Pruned("pruned in Optuna".to_owned()),
        ("FAIL", _) => Report::Failure("failed in Optuna".to_owned()),
        _ => return imported.leave_out("trial that had not ended"),
    };
    match imported.space.configuration(trial.values()) {
        Ok(configuration) => {
            let (duration, attributes) = (trial.duration, trial.attributes.clone());
            imported.results.push((configuration, TrialResult { duration, attributes, ..report.into() }));
        }
        Err(_) if trial.state != "COMPLETE" => {
            imported.leave_out("trial that broke off before all its parameters were chosen");
        }
        Err(trouble) => imported.leave_out(trouble.to_string()),
    }
}

#[cfg(test)]
mod tests;
