//! What a program says on its way: lines `arbora: step 3 loss 0.12`.
//!
//! They stand in its output, or in the file that `ARBORA_REPORT_FILE` names, for programs whose output is not theirs
//! to shape. A `loss` is minimised; a `value` is in the direction of the study. Lines are read as they are completed;
//! what does not begin with `arbora: step` is none of ours.
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// How a line begins.
const BEGIN: &str = "arbora: step ";
/// How much is read at once, and how long a line may be.
const PIECE: u64 = 64 * 1024;

/// Is a line a report, well written or not?
pub(super) fn is_report(line: &str) -> bool {
    line.trim_start().starts_with(BEGIN)
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StepReport {
    /// An intermediate value.
    Value {
        /// How far the program is.
        step: u64,
        /// What it is there.
        number: f64,
        /// Small is good, whatever the direction of the study.
        is_loss: bool,
    },
    /// A line that was meant and cannot be read.
    Unreadable(String),
}

impl StepReport {
    fn read(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix(BEGIN)?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let parsed = match words.as_slice() {
            [step, what @ ("loss" | "value"), number] => step
                .parse()
                .ok()
                .zip(number.parse().ok())
                .map(|(step, number)| (step, number, *what == "loss")),
            _ => None,
        };
        Some(match parsed {
            Some((step, number, is_loss)) => StepReport::Value { step, number, is_loss },
            None => StepReport::Unreadable(line.trim().to_owned()),
        })
    }
}

/// The files in which a program reports.
pub(super) struct Reports {
    files: Vec<Tail>,
}

impl Reports {
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { files: paths.into_iter().map(|path| Tail { path, at: 0, rest: Vec::new() }).collect() }
    }

    /// The lines that were completed since the last call.
    pub(super) fn read(&mut self) -> Vec<StepReport> {
        let lines: Vec<String> = self.files.iter_mut().flat_map(Tail::lines).collect();
        lines.iter().filter_map(|line| StepReport::read(line)).collect()
    }
}

/// A file that grows.
struct Tail {
    path: PathBuf,
    at: u64,
    /// Of a line that has no end yet.
    rest: Vec<u8>,
}

impl Tail {
    /// A file that is not there yet, or cannot be read now, has nothing new.
    fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let Ok(mut file) = File::open(&self.path) else { return lines };
        if file.metadata().is_ok_and(|known| known.len() <= self.at)
            || file.seek(SeekFrom::Start(self.at)).is_err()
        {
            return lines;
        }
        let mut piece = Vec::new();
        while file.by_ref().take(PIECE).read_to_end(&mut piece).is_ok_and(|read| read > 0) {
            self.at += piece.len() as u64;
            self.rest.append(&mut piece);
            let complete = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let texts =
                self.rest[..complete].split_inclusive(|byte| *byte == b'\n').map(String::from_utf8_lossy);
            // Only what may be ours is worth keeping.
            lines.extend(texts.filter(|text| is_report(text)).map(Cow::into_owned));
            self.rest.drain(..complete);
            if self.rest.len() as u64 > PIECE {
                self.rest.clear();
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn value(step: u64, number: f64, is_loss: bool) -> StepReport {
        StepReport::Value { step, number, is_loss }
    }

    #[test]
    fn lines_are_read_once_and_only_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let (out, own) = (folder.path().join("out"), folder.path().join("own"));
        let mut reports = Reports::new([out.clone(), own.clone()]);
        assert_eq!(reports.read(), []);
        let mut file = File::create(&out).unwrap();
        write!(file, "epoch 1\narbora: step 1 loss 0.5\narbora: step 2 lo").unwrap();
        assert_eq!(reports.read(), [value(1, 0.5, true)]);
        assert_eq!(reports.read(), []);
        write!(file, "ss 1e-3\r\n").unwrap();
        std::fs::write(&own, "arbora: step 3 value -2\n").unwrap();
        assert_eq!(reports.read(), [value(2, 1e-3, true), value(3, -2.0, false)]);
    }

    #[test]
    fn what_was_meant_and_cannot_be_read_is_named_and_other_lines_are_not() {
        for line in
            ["arbora: step x loss 1", "arbora: step 3 loss", "arbora: step -1 loss 2", "arbora: step 3 acc 1"]
        {
            assert_eq!(StepReport::read(line), Some(StepReport::Unreadable(line.to_owned())));
        }
        for line in ["step 3 loss 1", "arbora is fine", "", "0.5"] {
            assert_eq!(StepReport::read(line), None);
        }
        let Some(StepReport::Value { number, .. }) = StepReport::read("  arbora: step 3 loss NaN") else {
            panic!("a value")
        };
        assert!(number.is_nan());
    }

    #[test]
    fn any_bytes_and_endless_lines_are_survived() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut bytes = vec![0xff; 3 * PIECE as usize];
        bytes.extend(b"\narbora: step 7 loss 1\n");
        std::fs::write(&out, bytes).unwrap();
        assert_eq!(Reports::new([out]).read(), [value(7, 1.0, true)]);
    }
}
