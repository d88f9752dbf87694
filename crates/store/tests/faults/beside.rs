//! Locks belong to a process: opening a file a second time in it must not cost it those it has.
use super::study;
use super::worker::{Listener, Orders};
use arbora_store::{AskRequest, SqliteStore, Store};

/// Another process that opens, writes and closes the file takes itself for the last one if this
/// process has lost its locks, and then removes the log that is in use here.
#[cfg(unix)]
#[test]
fn a_second_look_at_an_open_file_costs_no_locks() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let log = || path.with_extension("db-wal").metadata().map(|found| found.ino()).ok();
    let mut held = study(&path);
    let trial = held.ask(&AskRequest::by("0/held")).unwrap();
    let before = log();
    assert!(before.is_some());
    for _ in 0..3 {
        assert_eq!(SqliteStore::open_read_only(&path).unwrap().studies().unwrap().len(), 1);
        drop(study(&path));
        let mut child = Orders { path: &path, name: "1/other".to_owned(), trials: 2, ahead: 0 }.start();
        let said = Listener::to(&mut child).hear_out();
        assert!(child.wait().unwrap().success());
        assert_eq!((said.errors.len(), said.told.len()), (0, 2));
        assert_eq!(log(), before, "the log was removed under an open study");
    }
    held.tell(trial.number(), 0.5).unwrap();
}
