//! What a trial leaves behind: `LOGS/STUDY/000012/` with `configuration.json`, `stdout.txt` and `stderr.txt`.
//!
//! A second attempt writes `stdout.2.txt` and `stderr.2.txt`, and so on.
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The folders of a study's trials.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    root: PathBuf,
}

impl Folders {
    /// Below `logs`; characters that a file name cannot hold are replaced.
    pub(crate) fn new(logs: &Path, study: &str) -> Self {
        let safe = |c: char| if c.is_alphanumeric() || "-_+=@ ".contains(c) { c } else { '_' };
        Self { root: logs.join(study.chars().map(safe).collect::<String>()) }
    }

    /// Where they all are.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// That of one trial.
    pub(crate) fn of(&self, trial: u64) -> PathBuf {
        self.root.join(format!("{trial:06}"))
    }
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
        Ok((File::create(&self.out)?, File::create(&self.err)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_cannot_leave_its_folder() {
        let folders = Folders::new(Path::new("logs"), "../../etc/x");
        assert_eq!(folders.of(12), Path::new("logs/______etc_x/000012"));
    }
}
