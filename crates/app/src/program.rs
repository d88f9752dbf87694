//! Which program a study is about: kept with the study, so that nobody goes on with another one by mistake.
//!
//! Two attributes of the study: `arbora.command`, the words after `--` or, with --shell, the script; `arbora.logs`, the
//! folder of its outputs. A study of before, or one that was not made by `tune`, has none and takes the first it meets.
use crate::error::AppError;
use arbora_store::{Attributes, DurableStudy};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

const COMMAND: &str = "arbora.command";
const LOGS: &str = "arbora.logs";

/// What `tune` runs, and where its outputs go.
pub(crate) struct Program<'a> {
    pub(crate) words: &'a [String],
    pub(crate) is_script: bool,
    pub(crate) logs: &'a Path,
}

impl Program<'_> {
    fn command(&self) -> Json {
        if self.is_script { json!({"shell": self.words.join(" ")}) } else { json!(self.words) }
    }

    /// Refuses to go on with another command than the study has, unless it is said to be a new one.
    pub(crate) fn agree(&self, study: &DurableStudy, is_new: bool) -> Result<(), AppError> {
        let given = self.command();
        match study.attributes().get(COMMAND) {
            Some(stored) if *stored != given && !is_new => Err(AppError::AnotherCommand {
                study: study.name().to_owned(),
                stored: shown(stored),
                given: shown(&given),
            }),
            _ => Ok(()),
        }
    }

    /// Keeps both with the study, if they are new to it.
    pub(crate) fn note(&self, study: &mut DurableStudy) -> Result<(), AppError> {
        let logs = std::path::absolute(self.logs).unwrap_or_else(|_| self.logs.to_owned());
        let known = [(COMMAND, self.command()), (LOGS, json!(logs.to_string_lossy()))];
        let is_news = |(name, value): &(&str, Json)| study.attributes().get(*name) != Some(value);
        let news: Attributes =
            known.into_iter().filter(is_news).map(|(name, value)| (name.to_owned(), value)).collect();
        if news.is_empty() { Ok(()) } else { Ok(study.note(None, news)?) }
    }
}

/// The command as one would type it.
pub(crate) fn shown(command: &Json) -> String {
    if let Some(script) = command.get("shell").and_then(Json::as_str) {
        return format!("--shell -- {script}");
    }
    let words = command.as_array().into_iter().flatten().filter_map(Json::as_str);
    let quoted =
        words.map(|word| if word.contains(char::is_whitespace) { format!("{word:?}") } else { word.into() });
    quoted.collect::<Vec<String>>().join(" ")
}

/// The name of an attribute for people, and its value, if it is one of ours.
pub(crate) fn fact(name: &str, value: &Json) -> Option<(&'static str, String)> {
    match name {
        COMMAND => Some(("command", shown(value))),
        LOGS => Some(("outputs", value.as_str().unwrap_or_default().to_owned())),
        _ => None,
    }
}

/// Where the outputs of a study are, as far as the study knows.
pub(crate) fn logs(study: &DurableStudy) -> Option<PathBuf> {
    study.attributes().get(LOGS).and_then(Json::as_str).map(PathBuf::from)
}
