//! The run log: finished runs, one line of JSON each, one file per experiment, only ever appended to.
//!
//! A line is written by a single call and counts only with its line feed, so a run is there or not, wherever a process
//! was ended. What is left of a half line is cut off before the next one is written. Two processes cannot write to one
//! file: the second is told so.
#![allow(clippy::disallowed_methods, reason = "the results of comparisons live in files")]
use crate::compact::Compact;
use crate::error::BenchError;
use crate::run::{Key, Run};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The runs of one experiment, and where new ones go.
pub struct RunLog {
    path: PathBuf,
    file: File,
    runs: BTreeMap<Key, Run>,
}

impl RunLog {
    /// Opens the file of an experiment in a folder, both made if they are not there, for this process alone.
    pub fn open(folder: &Path, experiment: &str) -> Result<Self, BenchError> {
        let path = file_of(folder, experiment);
        let trouble = |problem: std::io::Error| BenchError::file(&path, &problem);
        fs::create_dir_all(folder).map_err(trouble)?;
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(trouble)?;
        if file.try_lock().is_err() {
            return Err(BenchError::Busy { path });
        }
        let (text, is_cut) = whole_lines(&path)?;
        if is_cut {
            file.set_len(text.len() as u64).map_err(trouble)?;
        }
        let mut runs = packed(folder, experiment)?;
        runs.extend(parse(&path, &text)?);
        Ok(Self { path, file, runs })
    }

    /// Reads the runs of an experiment, packed ones too; none if there is no file.
    pub fn read(folder: &Path, experiment: &str) -> Result<Vec<Run>, BenchError> {
        let mut runs = packed(folder, experiment)?;
        let path = file_of(folder, experiment);
        if path.exists() {
            runs.extend(parse(&path, &whole_lines(&path)?.0)?);
        }
        Ok(runs.into_values().collect())
    }

    /// Writes the runs of an experiment packed into another folder; how many.
    pub fn pack(from: &Path, experiment: &str, to: &Path) -> Result<usize, BenchError> {
        let runs = Self::read(from, experiment)?;
        if runs.is_empty() {
            return Ok(0);
        }
        let lines = Compact::of(&runs).into_iter().map(|pack| {
            serde_json::to_string(&pack).expect("packs are numbers and text under text keys") + "\n"
        });
        let path = pack_of(to, experiment);
        let trouble = |problem: std::io::Error| BenchError::file(&path, &problem);
        fs::create_dir_all(to).map_err(trouble)?;
        fs::write(&path, lines.collect::<String>()).map_err(trouble)?;
        Ok(runs.iter().filter(|run| run.missing.is_none()).count())
    }

    /// Is this run done?
    pub fn has(&self, key: &Key) -> bool {
        self.runs.get(key).is_some_and(|run| run.missing.is_none())
    }

    /// A finished run.
    pub fn get(&self, key: &Key) -> Option<&Run> {
        self.runs.get(key)
    }

    /// Every run, by its key.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.values()
    }

    /// Writes a finished run down. A line that says again what is missing is not repeated.
    pub fn append(&mut self, run: Run) -> Result<(), BenchError> {
        if run.missing.is_some() && self.runs.contains_key(&run.key) {
            return Ok(());
        }
        let mut line = serde_json::to_string(&run).expect("a run is numbers and text under text keys");
        line.push('\n');
        let trouble = |problem: std::io::Error| BenchError::file(&self.path, &problem);
        self.file.write_all(line.as_bytes()).map_err(trouble)?;
        self.runs.insert(run.key.clone(), run);
        Ok(())
    }
}

fn file_of(folder: &Path, experiment: &str) -> PathBuf {
    folder.join(format!("{experiment}.jsonl"))
}

fn pack_of(folder: &Path, experiment: &str) -> PathBuf {
    folder.join(format!("{experiment}.packed.jsonl"))
}

/// Packed runs beside the log, if there are any.
fn packed(folder: &Path, experiment: &str) -> Result<BTreeMap<Key, Run>, BenchError> {
    let path = pack_of(folder, experiment);
    let mut runs = BTreeMap::new();
    if path.exists() {
        for (i, line) in whole_lines(&path)?.0.lines().enumerate() {
            let bad = |problem| BenchError::BadLine { path: path.clone(), line: i + 1, problem };
            let pack: Compact = serde_json::from_str(line).map_err(|problem| bad(problem.to_string()))?;
            let unpacked = pack.runs().map_err(|problem| bad(problem.to_string()))?;
            runs.extend(unpacked.into_iter().map(|run| (run.key.clone(), run)));
        }
    }
    Ok(runs)
}

/// What of a file ends in a line feed, and whether more follows.
fn whole_lines(path: &Path) -> Result<(String, bool), BenchError> {
    let bytes = fs::read(path).map_err(|problem| BenchError::file(path, &problem))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let text = std::str::from_utf8(&bytes[..whole]).map_err(|problem| BenchError::BadLine {
        path: path.to_path_buf(),
        line: bytes[..problem.valid_up_to()].split(|byte| *byte == b'\n').count(),
        problem: problem.to_string(),
    })?;
    Ok((text.to_owned(), whole < bytes.len()))
}

/// The last line of a key counts.
fn parse(path: &Path, text: &str) -> Result<BTreeMap<Key, Run>, BenchError> {
    let mut runs = BTreeMap::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let run: Run = serde_json::from_str(line).map_err(|problem| BenchError::BadLine {
            path: path.to_path_buf(),
            line: i + 1,
            problem: problem.to_string(),
        })?;
        runs.insert(run.key.clone(), run);
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u64) -> Run {
        let text = |s: &str| s.to_owned();
        let key = Key { experiment: text("t"), problem: text("p"), method: text("m"), seed, trials: 2 };
        let mut run = Run::new(key);
        run.observe(0, 1.0 / (1.0 + seed as f64));
        run
    }

    #[test]
    fn a_file_cut_anywhere_holds_a_prefix_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = RunLog::open(folder.path(), "t").unwrap();
        for seed in 0..3 {
            log.append(run(seed)).unwrap();
        }
        drop(log);
        let path = folder.path().join("t.jsonl");
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut log = RunLog::open(folder.path(), "t").unwrap();
            let seeds: Vec<u64> = log.runs().map(|r| r.key.seed).collect();
            let lines = whole[..length].split(|byte| *byte == b'\n').count() as u64 - 1;
            assert_eq!(seeds, (0..lines).collect::<Vec<_>>(), "cut at {length}");
            for seed in lines..3 {
                log.append(run(seed)).unwrap();
            }
            drop(log);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {length}");
        }
    }

    #[test]
    fn what_was_missing_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = RunLog::open(folder.path(), "t").unwrap();
        log.append(run(0).missing("optuna is not installed".into())).unwrap();
        assert!(!log.has(&run(0).key));
        log.append(run(0)).unwrap();
        assert!(log.has(&run(0).key));
        drop(log);
        assert_eq!(RunLog::read(folder.path(), "t").unwrap(), [run(0)]);
    }

    #[test]
    fn one_file_has_one_writer_and_a_foreign_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let log = RunLog::open(folder.path(), "t").unwrap();
        assert!(matches!(RunLog::open(folder.path(), "t"), Err(BenchError::Busy { .. })));
        drop(log);
        fs::write(folder.path().join("t.jsonl"), "{}\n").unwrap();
        let refused = RunLog::open(folder.path(), "t").err().unwrap().to_string();
        assert!(refused.contains("line 1"), "{refused}");
    }
}
