//! What a trial leaves behind: `LOGS/STUDY/000012/` with `configuration.json`, `stdout.txt` and `stderr.txt`.
//!
//! A second attempt writes `stdout.2.txt` and `stderr.2.txt`, and so on. Whoever evaluates a trial makes a
//! folder of its own: a trial that is handed out again gets `000012-2`, so that a program left over from its
//! first holder writes where nobody reads. Two studies never share a folder, whatever they are called.
use std::fmt::Write;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The folders of a study's trials.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    root: PathBuf,
}

impl Folders {
    /// Below `logs`. What a file name cannot hold, or what would leave the folder, is written as in an address: `%2F`.
    pub(crate) fn new(logs: &Path, study: &str) -> Self {
        Self { root: logs.join(file_name(study)) }
    }

    /// Where they all are.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folders of a trial that are there, the first claim first.
    pub(crate) fn of(&self, trial: u64) -> Vec<PathBuf> {
        let folders = (1..).map(|claim| self.root.join(name_of(trial, claim)));
        folders.take_while(|folder| folder.is_dir()).collect()
    }

    /// A new folder for one trial, made by this call and by no other.
    pub(super) fn make(&self, trial: u64) -> io::Result<PathBuf> {
        let root = std::path::absolute(&self.root)?;
        std::fs::create_dir_all(&root)?;
        let mut claim = 1_u64;
        loop {
            let name = name_of(trial, claim);
            match std::fs::create_dir(root.join(&name)) {
                Ok(()) => return Ok(root.join(name)),
                Err(trouble) if trouble.kind() == io::ErrorKind::AlreadyExists => claim += 1,
                Err(trouble) => return Err(trouble),
            }
        }
    }
}

fn name_of(trial: u64, claim: u64) -> String {
    if claim == 1 { format!("{trial:06}") } else { format!("{trial:06}-{claim}") }
}

/// A name as a file name; different names become different ones.
fn file_name(name: &str) -> String {
    let is_dots = name.chars().all(|c| c == '.');
    let is_plain = |c: char| c.is_alphanumeric() || "-_+=@ ".contains(c) || (c == '.' && !is_dots);
    let mut written = String::with_capacity(name.len());
    for c in name.chars() {
        if is_plain(c) {
            written.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            write!(written, "%{byte:02X}").expect("a string can be written");
        }
    }
    written
}

/// The outputs of one attempt, counting from one.
pub(super) struct Outputs {
    pub(super) out: PathBuf,
    pub(super) err: PathBuf,
}

impl Outputs {
    pub(super) fn of(folder: &Path, attempt: u32) -> Self {
        let name = |stream: &str| match attempt {
            1 => format!("{stream}.txt"),
            _ => format!("{stream}.{attempt}.txt"),
        };
        Self { out: folder.join(name("stdout")), err: folder.join(name("stderr")) }
    }

    pub(super) fn create(&self) -> io::Result<(File, File)> {
        Ok((File::create_new(&self.out)?, File::create_new(&self.err)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_study_cannot_leave_its_folder_and_no_two_share_one() {
        let names = [
            "v1.0",
            "v1_0",
            "v1%2E0",
            "..",
            ".",
            "...",
            "../../etc/x",
            "__etc_x",
            "a/b",
            "a b",
            "é",
            "a\u{202e}",
        ];
        let written: BTreeSet<String> = names.iter().map(|name| file_name(name)).collect();
        assert_eq!(written.len(), names.len(), "{written:?}");
        for name in &written {
            assert!(!name.contains('/') && name.chars().any(|c| c != '.'), "{name}");
        }
        assert_eq!(file_name("../x"), "..%2Fx");
        assert_eq!(file_name(".."), "%2E%2E");
    }

    #[test]
    fn every_claim_has_a_folder_of_its_own() {
        let place = tempfile::tempdir().unwrap();
        let folders = Folders::new(place.path(), "s");
        let made: Vec<PathBuf> = (0..3).map(|_| folders.make(12).unwrap()).collect();
        let names: Vec<_> = made.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["000012", "000012-2", "000012-3"]);
        assert_eq!(folders.of(12).len(), 3);
        assert!(folders.of(13).is_empty());
    }
}
