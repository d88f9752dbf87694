//! A small file system filled up: a clear error, nothing lost, and on it goes once there is room.
use super::study;
use arbora_store::{AskRequest, Attributes, StoreError, TrialState, check_file};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system in memory, gone when dropped.
struct Small(PathBuf);

impl Small {
    fn mount(at: &Path, options: &str) -> Result<Self, String> {
        let done = Command::new("mount").args(["-t", "tmpfs", "-o", options, "arbora-test"]).arg(at).output();
        match done {
            Ok(output) if output.status.success() => Ok(Self(at.to_owned())),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        Command::new("umount").arg(&self.0).status().ok();
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let small = match Small::mount(folder.path(), "size=640k") {
        Ok(small) => small,
        Err(reason) => {
            println!("full disk: skipped, no small file system can be mounted here: {reason}");
            return;
        }
    };
    let path = small.0.join("s.db");
    let ballast = small.0.join("ballast");
    std::fs::write(&ballast, vec![0; 64 << 10]).unwrap();
    let mut study = study(&path);
    let claim = AskRequest::by("w");
    let text: Attributes = [("text".to_owned(), "x".repeat(3000).into())].into_iter().collect();
    let (mut told, mut refused) = (0, 0);
    // Full more than once: it must also be able to say so twice.
    while refused < 3 {
        let step = study.ask(&claim).and_then(|trial| {
            study.note(Some(trial.number()), text.clone())?;
            study.tell(trial.number(), trial.number() as f64)
        });
        match step {
            Ok(()) => told += 1,
            Err(StoreError::Full { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    let complete = |study: &arbora_store::DurableStudy| {
        study.trials().filter(|record| record.state() == TrialState::Complete).count()
    };
    assert_eq!(complete(&super::study(&path)), told, "what was acknowledged is there, on a full disk too");
    std::fs::remove_file(&ballast).unwrap();
    let trial = study.ask(&claim).unwrap();
    study.tell(trial.number(), 0.0).unwrap();
    assert_eq!(complete(&super::study(&path)), told + 1);
    assert_eq!(check_file(&path).unwrap().damage, [] as [String; 0]);
    println!(
        "full disk: {told} trials told until it was full, {refused} refusals, none lost, went on with room"
    );
    drop(study);
}
