//! The loss in what a program wrote: its last line, or a file.
//!
//! The last line that is not empty and no report (see `report`) is a number, or a JSON object with the number under a key; the object may also hold
//! `cost`, a number, and `attributes`, an object, which are kept with the trial. A file is read the same way, and may
//! also be one JSON document over many lines.
use super::report::is_report;
use super::template::Word;
use super::trial_env::TrialEnv;
use crate::error::AppError;
use arbora_search::Direction;
use arbora_space::Space;
use serde_json::{Map, Value as Json};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How much of the end of an output is looked at.
const TAIL: u64 = 64 * 1024;
/// How much of a line that is no loss is shown.
const SHOWN: usize = 120;

/// Where the loss stands.
#[derive(Clone, Debug)]
pub(crate) struct LossSource {
    file: Option<Word>,
    keys: Vec<String>,
}

/// What a program reported.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// In the direction of the study.
    pub(crate) value: f64,
    pub(crate) cost: Option<f64>,
    pub(crate) attributes: Map<String, Json>,
}

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamp {
    modified: SystemTime,
    length: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let known = std::fs::metadata(path).ok()?;
        Some(Self { modified: known.modified().ok()?, length: known.len() })
    }
}

/// Two writes this far apart have different times.
const TICK: Duration = Duration::from_millis(20);

impl LossSource {
    /// In a file, whose name may have placeholders, or else in the last line; under a key, or else under `value` or,
    /// where small is good, `loss`.
    pub(crate) fn new(
        file: Option<&str>,
        key: Option<&str>,
        direction: Direction,
        space: &Space,
    ) -> Result<Self, AppError> {
        let file = file.map(|text| Word::parse(text, space)).transpose()?;
        let keys = match (key, direction) {
            (Some(key), _) => vec![key.to_owned()],
            (None, Direction::Minimize) => vec!["loss".to_owned(), "value".to_owned()],
            (None, Direction::Maximize) => vec!["value".to_owned()],
        };
        Ok(Self { file, keys })
    }

    /// The file of this trial.
    fn file(&self, env: &TrialEnv<'_>) -> Option<PathBuf> {
        self.file.as_ref().map(|word| word.fill(env).unwrap_or_default().into())
    }

    /// What the file is like before the trial: an old one must not be taken for a new one, and is not ours to remove.
    pub(super) fn before(&self, env: &TrialEnv<'_>) -> Option<Stamp> {
        let stamp = self.file(env).and_then(|path| Stamp::of(&path))?;
        // Clocks of file systems tick every few milliseconds: what is written from now on must have another time.
        if stamp.modified.elapsed().is_ok_and(|age| age < TICK) {
            std::thread::sleep(TICK);
        }
        Some(stamp)
    }

    /// What was reported, or why nothing was.
    pub(super) fn read(
        &self,
        output: &Path,
        env: &TrialEnv<'_>,
        before: Option<Stamp>,
    ) -> Result<Reading, String> {
        match self.file(env) {
            Some(path) => {
                let shown = path.display().to_string();
                if before.is_some() && before == Stamp::of(&path) {
                    return Err(format!(
                        "the loss file `{shown}` is from before this trial, which did not write it; \
                         a file in `{{:folder}}` belongs to one trial"
                    ));
                }
                let text = tail(&path)
                    .map_err(|trouble| format!("cannot read the loss file `{shown}`: {trouble}"))?;
                match serde_json::from_str(&text) {
                    Ok(document) => self.in_document(&document),
                    Err(_) => self.in_last_line(&text, &format!("the last line of `{shown}`")),
                }
            }
            None => {
                let text = tail(output).map_err(|trouble| format!("cannot read its output: {trouble}"))?;
                self.in_last_line(&text, "the last line of its output")
            }
        }
    }

    fn in_last_line(&self, text: &str, place: &str) -> Result<Reading, String> {
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty() && !is_report(line));
        let line = line.ok_or_else(|| format!("{place} is missing: nothing was written"))?;
        let bad = || {
            let shown: String = line.chars().take(SHOWN).collect();
            format!(
                "{place} is no loss: `{shown}`; it must be a number, such as 0.5, or JSON, such as {}",
                self.example()
            )
        };
        if line.starts_with('{') {
            let document = serde_json::from_str(line).map_err(|trouble| format!("{} ({trouble})", bad()))?;
            return self.in_document(&document);
        }
        let value = line.parse().map_err(|_| bad())?;
        Ok(Reading { value, cost: None, attributes: Map::new() })
    }

    /// A line of JSON that would have been read.
    fn example(&self) -> String {
        let key = self.keys.first().map_or("loss", String::as_str);
        let parts = key.split('.').rev();
        parts.fold("0.5".to_owned(), |inside, part| format!("{{\"{part}\": {inside}}}"))
    }

    fn in_document(&self, document: &Json) -> Result<Reading, String> {
        if let (Some(value), [_, ..]) = (document.as_f64(), self.keys.as_slice()) {
            return Ok(Reading { value, cost: None, attributes: Map::new() });
        }
        let found = self.keys.iter().find_map(|key| lookup(document, key).map(|value| (key, value)));
        let (key, value) =
            found.ok_or_else(|| format!("the JSON has no `{}`", self.keys.join("` and no `")))?;
        let value = value.as_f64().ok_or_else(|| format!("`{key}` is {value}, not a number"))?;
        let attributes = document.get("attributes").and_then(Json::as_object).cloned();
        let cost = document.get("cost").and_then(Json::as_f64);
        Ok(Reading { value, cost, attributes: attributes.unwrap_or_default() })
    }
}

/// A key as it stands, or as a path of keys joined by dots.
fn lookup<'a>(document: &'a Json, key: &str) -> Option<&'a Json> {
    let by_path = || key.split('.').try_fold(document, |at, part| at.get(part));
    document.get(key).or_else(by_path)
}

/// The end of a file, as text.
pub(super) fn tail(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_search::Effort;
    use arbora_space::{Named, Param};

    fn read(text: &str, key: Option<&str>, direction: Direction) -> Result<Reading, String> {
        let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        std::fs::write(&output, text).unwrap();
        let env = TrialEnv {
            study: "s",
            trial: 0,
            effort: Effort::Full,
            folder: folder.path(),
            values: &Named::default(),
        };
        LossSource::new(None, key, direction, &space).unwrap().read(&output, &env, None)
    }

    fn value(text: &str) -> Option<f64> {
        read(text, None, Direction::Minimize).ok().map(|reading| reading.value)
    }

    #[test]
    fn the_last_line_counts() {
        assert_eq!(value("epoch 1\n0.5\n  0.25  \n\n\n"), Some(0.25));
        assert_eq!(value("1e-3"), Some(1e-3));
        assert_eq!(value("noise\n{\"loss\": 2}\n"), Some(2.0));
        assert!(value("nan\n").unwrap().is_nan());
    }

    #[test]
    fn what_is_no_loss_is_quoted() {
        for text in ["0,5\n", "loss: 0.5\n", "loss 0.5\n", "0.5 0.6\n", "done\n"] {
            let reason = read(text, None, Direction::Minimize).unwrap_err();
            assert!(reason.contains(text.trim()), "{reason}");
            assert!(reason.contains("a number, such as 0.5, or JSON, such as {\"loss\": 0.5}"), "{reason}");
        }
        let nested = read("loss: 0.5", Some("test.rmse"), Direction::Minimize).unwrap_err();
        assert!(nested.ends_with("{\"test\": {\"rmse\": 0.5}}"), "{nested}");
        assert!(read("\n \n", None, Direction::Minimize).unwrap_err().contains("nothing was written"));
        assert!(read("{\"loss\": NaN}", None, Direction::Minimize).is_err());
        assert!(read("{\"loss\": \"x\"}", None, Direction::Minimize).unwrap_err().contains("not a number"));
    }

    #[test]
    fn a_loss_is_not_taken_for_a_value_to_maximize() {
        let reason = read("{\"loss\": 0.1}", None, Direction::Maximize).unwrap_err();
        assert!(reason.contains("`value`"), "{reason}");
        assert_eq!(read("{\"value\": 0.1}", None, Direction::Maximize).unwrap().value, 0.1);
    }

    #[test]
    fn keys_reach_inside_and_more_comes_along() {
        let text = r#"{"test": {"rmse": 3.5}, "cost": 12, "attributes": {"epochs": 7}}"#;
        let reading = read(text, Some("test.rmse"), Direction::Minimize).unwrap();
        assert_eq!((reading.value, reading.cost), (3.5, Some(12.0)));
        assert_eq!(reading.attributes["epochs"], 7);
    }
}
