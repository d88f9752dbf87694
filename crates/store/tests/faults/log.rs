//! A log that was damaged: history is not cut short in silence. A log that a crash left behind is
//! taken as it is.
use super::study;
use arbora_space::Rng;
use arbora_store::{AskRequest, DurableStudy, SqliteStore, StoreError, Stored, recover_file};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file, its log and the index of the log, as a killed process leaves them.
struct Left {
    folder: tempfile::TempDir,
    parts: [Vec<u8>; 3],
    events: Vec<Stored>,
}

const ENDINGS: [&str; 3] = ["db", "db-wal", "db-shm"];

impl Left {
    fn make(trials: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let mut study = study(&path);
        for _ in 0..trials {
            let trial = study.ask(&AskRequest::by("w")).unwrap();
            study.tell(trial.number(), trial.number() as f64).unwrap();
        }
        let events = study.store().events(study.id(), 0).unwrap();
        let parts = ENDINGS.map(|ending| std::fs::read(path.with_extension(ending)).unwrap());
        assert!(parts[1].len() > 40_000, "there is a log: {}", parts[1].len());
        drop(study);
        Self { folder, parts, events }
    }

    fn lay(&self, log: &[u8], has_index: bool) -> PathBuf {
        let path = self.folder.path().join("left.db");
        for ending in ENDINGS {
            std::fs::remove_file(path.with_extension(ending)).ok();
        }
        std::fs::write(&path, &self.parts[0]).unwrap();
        std::fs::write(path.with_extension("db-wal"), log).unwrap();
        if has_index {
            std::fs::write(path.with_extension("db-shm"), &self.parts[2]).unwrap();
        }
        path
    }
}

fn read(path: &Path) -> Result<Vec<Stored>, StoreError> {
    let store = Arc::new(SqliteStore::open(path)?);
    let study = DurableStudy::load(store, "s")?;
    study.store().events(study.id(), 0)
}

#[test]
fn a_flipped_bit_in_the_log_never_shortens_history_in_silence() {
    let left = Left::make(8);
    assert_eq!(read(&left.lay(&left.parts[1], true)).as_ref(), Ok(&left.events));
    assert_eq!(read(&left.lay(&left.parts[1], false)).as_ref(), Ok(&left.events));
    let mut rng = Rng::new(1);
    let (mut with_index, mut without, mut silent) = (0, 0, 0);
    for _ in 0..60 {
        let mut log = left.parts[1].clone();
        let at = rng.below(log.len());
        log[at] ^= 1 << rng.below(8);
        for has_index in [true, false] {
            let path = left.lay(&log, has_index);
            match read(&path) {
                Err(StoreError::Damaged { .. }) if has_index => with_index += 1,
                Err(StoreError::Damaged { .. }) => without += 1,
                Ok(events) if events == left.events => {}
                Ok(events) if !has_index => {
                    assert_eq!(events, left.events[..events.len()], "bit at {at}");
                    silent += 1;
                }
                other => panic!("bit at {at}: {:?}", other.map(|events| events.len())),
            }
        }
    }
    println!(
        "60 bits flipped in a log of {} bytes: {with_index} noticed with its index, {without} without, \
              {silent} not",
        left.parts[1].len()
    );
    assert!(without > silent * 2, "only the end of a log without its index can go unnoticed");
}

#[test]
fn a_log_cut_short_is_noticed_by_its_index() {
    let left = Left::make(8);
    for length in (0..left.parts[1].len()).step_by(4096 + 24).chain([1, 31, 33, 5000]) {
        let path = left.lay(&left.parts[1][..length], true);
        match read(&path) {
            Err(StoreError::Damaged { .. }) => {}
            Ok(events) => assert_eq!(events, left.events, "cut at {length}"),
            Err(other) => panic!("cut at {length}: {other}"),
        }
    }
    let path = left.lay(&left.parts[1][..left.parts[1].len() / 2], true);
    let into = left.folder.path().join("saved.db");
    assert!(recover_file(&path, &into).is_ok(), "what is readable is saved");
    assert!(read(&into).is_ok());
}
