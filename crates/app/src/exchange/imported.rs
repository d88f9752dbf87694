//! A study of another tool, in our words.
use crate::error::AppError;
use arbora_search::Direction;
use arbora_space::{Configuration, Space};
use arbora_store::TrialResult;
use serde_json::Value as Json;
use std::path::PathBuf;

/// What came in.
pub(crate) struct Imported {
    /// The file.
    pub(crate) path: PathBuf,
    /// The name it had.
    pub(crate) name: String,
    pub(crate) space: Space,
    pub(crate) direction: Direction,
    pub(crate) results: Vec<(Configuration, TrialResult)>,
    /// What was left out: why, and how many.
    pub(crate) left_out: Vec<(String, usize)>,
}

/// Attributes nested deeper than this are nobody's, and readers of JSON give up not far beyond.
const DEEPEST: usize = 64;

impl Imported {
    /// Refuses what could be stored and not be read again.
    pub(crate) fn check(&self) -> Result<(), AppError> {
        for (at, (_, telling)) in self.results.iter().enumerate() {
            let deep = telling.attributes.iter().find(|(_, value)| is_deeper(value, DEEPEST));
            if let Some((name, _)) = deep {
                let problem = format!(
                    "trial {at}: its attribute `{name}` is nested more than {DEEPEST} deep; remove it there first"
                );
                return Err(AppError::BadImport { path: self.path.clone(), problem });
            }
        }
        Ok(())
    }

    /// Counts something that was left out.
    pub(super) fn leave_out(&mut self, why: impl Into<String>) {
        let why = why.into();
        match self.left_out.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.left_out.push((why, 1)),
        }
    }
}

/// The recursion ends with the limit.
fn is_deeper(value: &Json, limit: usize) -> bool {
    let mut inside: Box<dyn Iterator<Item = &Json>> = match value {
        Json::Array(items) => Box::new(items.iter()),
        Json::Object(fields) => Box::new(fields.values()),
        _ => return false,
    };
    limit == 0 || inside.any(|value| is_deeper(value, limit - 1))
}
