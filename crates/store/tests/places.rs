//! Where a file lies, and what becomes of it while it is open: nothing is told into the void,
//! nothing hangs.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests look at files, and what they expect is there"
)]
use arbora_search::StudyOptions;
use arbora_space::{Param, Space};
use arbora_store::{
    AskRequest, DurableStudy, SqliteStore, Store, StoreError, check_file, copy, open, recover_file,
};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

fn study(path: &Path, name: &str) -> DurableStudy {
    let options = StudyOptions { strategy: "random".parse().unwrap(), ..StudyOptions::default() };
    let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
    DurableStudy::load_or_create(Arc::new(SqliteStore::open(path).unwrap()), name, space, options).unwrap()
}

fn told(study: &mut DurableStudy, trials: u32) {
    for _ in 0..trials {
        let trial = study.ask(&AskRequest::by("w")).unwrap();
        study.tell(trial.number(), trial.number() as f64).unwrap();
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

fn trials(path: &Path) -> Result<usize, StoreError> {
    let store = Arc::new(SqliteStore::open_read_only(path)?);
    Ok(DurableStudy::load(store, "s")?.trials().len())
}

fn folder_and_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    (folder, path)
}

#[cfg(unix)]
#[test]
fn nothing_is_told_into_a_file_that_is_gone() {
    let (_folder, path) = folder_and_file();
    let mut study = study(&path, "s");
    told(&mut study, 3);
    let trial = study.ask(&AskRequest::by("w")).unwrap();
    for ending in ["", "-wal", "-shm"] {
        fs::remove_file(beside(&path, ending)).unwrap();
    }
    let error = study.tell(trial.number(), 0.0).unwrap_err();
    assert!(matches!(&error, StoreError::Replaced { .. }), "{error}");
    assert!(error.to_string().contains("was deleted or moved"), "{error}");
    assert!(!path.exists(), "and nothing is made in its place");
}

#[cfg(unix)]
#[test]
fn a_file_that_was_moved_is_whole_where_it_is_now() {
    let (folder, path) = folder_and_file();
    let mut study = study(&path, "s");
    told(&mut study, 3);
    let kept = folder.path().join("kept.db");
    fs::rename(&path, &kept).unwrap();
    assert!(matches!(study.ask(&AskRequest::by("w")), Err(StoreError::Replaced { .. })));
    drop(study);
    assert_eq!(trials(&kept), Ok(3));
}

#[cfg(unix)]
#[test]
fn a_file_or_log_that_was_replaced_is_noticed() {
    let (folder, path) = folder_and_file();
    let mut open = study(&path, "s");
    told(&mut open, 3);
    let other = folder.path().join("other.db");
    drop(study(&other, "s"));
    fs::rename(&other, &path).unwrap();
    let error = open.ask(&AskRequest::by("w")).unwrap_err();
    assert!(error.to_string().contains("was replaced by another file"), "{error}");
    drop(open);
    let path = folder.path().join("t.db");
    let mut open = study(&path, "s");
    told(&mut open, 3);
    fs::remove_file(beside(&path, "-wal")).unwrap();
    let error = open.ask(&AskRequest::by("w")).unwrap_err();
    assert!(error.to_string().contains("lost its log"), "{error}");
}

#[test]
fn a_file_stays_the_same_when_it_is_reached_by_another_name() {
    let (folder, path) = folder_and_file();
    let mut study = study(&path, "s");
    told(&mut study, 1);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.db");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut linked = self::study(&link, "s");
        told(&mut linked, 1);
        assert_eq!(trials(&link), Ok(2));
    }
    told(&mut study, 1);
    drop(folder);
}

/// A copy of the file alone, made by other means while the study is open.
#[test]
fn a_copy_without_its_log_is_named_and_a_quiet_study_is_one_file() {
    let (folder, path) = folder_and_file();
    let mut study = study(&path, "s");
    told(&mut study, 3);
    let alone = folder.path().join("alone.db");
    fs::copy(&path, &alone).unwrap();
    assert_eq!(trials(&alone), Err(StoreError::LogMissing { place: alone.as_path().into() }));
    assert!(matches!(open(alone.to_str().unwrap()).map(|_| ()), Err(StoreError::LogMissing { .. })));
    assert!(matches!(check_file(&alone), Err(StoreError::LogMissing { .. })));
    fs::copy(beside(&path, "-wal"), beside(&alone, "-wal")).unwrap();
    assert_eq!(trials(&alone), Ok(3), "with its log it is whole");
    fs::remove_file(beside(&alone, "-wal")).unwrap();
    fs::remove_file(beside(&alone, "-shm")).ok();
    let saved = folder.path().join("saved.db");
    assert_eq!(recover_file(&alone, &saved).unwrap().len(), 1, "the tables are there from the beginning");
    assert!(trials(&saved).is_ok());
    drop(study);
    assert!(!beside(&path, "-wal").exists());
    let quiet = folder.path().join("quiet.db");
    fs::copy(&path, &quiet).unwrap();
    assert_eq!(trials(&quiet), Ok(3));
}

#[test]
fn copies_are_whole_and_overwrite_nothing() {
    let (folder, path) = folder_and_file();
    let mut first = study(&path, "s");
    told(&mut first, 3);
    told(&mut study(&path, "t"), 2);
    let to = folder.path().join("copy.db");
    let copied = copy(&path, &to, None).unwrap();
    let shown: Vec<(&str, usize)> = copied.iter().map(|study| (study.name.as_str(), study.events)).collect();
    assert_eq!(shown, [("s", 6), ("t", 4)]);
    assert_eq!(trials(&to), Ok(3), "while the study is open");
    let bytes = fs::read(&to).unwrap();
    assert!(matches!(copy(&path, &to, None), Err(StoreError::Unusable { .. })));
    assert_eq!(fs::read(&to).unwrap(), bytes);
    let one = folder.path().join("one.db");
    copy(&path, &one, Some("t")).unwrap();
    assert_eq!(SqliteStore::open_read_only(&one).unwrap().studies().unwrap().len(), 1);
    let none = folder.path().join("none.db");
    assert!(matches!(copy(&path, &none, Some("u")), Err(StoreError::NoStudy { .. })));
    Connection::open(&path).unwrap().execute_batch("DELETE FROM events WHERE sequence = 2").unwrap();
    assert!(matches!(copy(&path, &none, None), Err(StoreError::BadEvent { .. })));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_str().unwrap().starts_with("none")), "{left:?}");
}

#[test]
fn names_that_are_no_files_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    #[cfg(unix)]
    {
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (path, kind) in [(at("pipe"), "pipe"), (at("socket"), "socket"), ("/dev/null".into(), "device")] {
            for opened in [SqliteStore::open(&path), SqliteStore::open_read_only(&path)] {
                let error = opened.map(|_| ()).unwrap_err();
                assert!(error.to_string().contains(&format!("it is a {kind}; give a file")), "{error}");
            }
        }
    }
    assert!(SqliteStore::open(folder.path()).is_err());
    let problem = |storage: &str| open(storage).map(|_| ()).unwrap_err().to_string();
    assert!(problem("a\0b.db").contains("NUL byte"));
    for address in ["file:x.db?mode=memory", "file:x.db", "file::memory:"] {
        assert!(problem(address).contains("addresses of SQLite are not taken"));
        assert!(SqliteStore::open(address).is_err());
    }
    let odd = at("file:x.db?mode=memory");
    drop(study(&odd, "s"));
    assert!(odd.exists(), "a file may be called so");
}

#[test]
fn a_schema_that_is_not_ours_word_by_word_is_refused() {
    for foreign in [
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n",
        "CREATE TRIGGER spy AFTER INSERT ON events BEGIN DELETE FROM studies; END",
        "CREATE TABLE extra (x)",
        "CREATE INDEX extra ON events (body)",
        "DROP INDEX leases",
        "ALTER TABLE trials ADD COLUMN y INTEGER",
        "ALTER TABLE trials RENAME TO kept;
         CREATE VIEW trials AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n",
    ] {
        let (_folder, path) = folder_and_file();
        drop(study(&path, "s"));
        Connection::open(&path).unwrap().execute_batch(foreign).unwrap();
        for opened in [SqliteStore::open(&path), SqliteStore::open_read_only(&path)] {
            let error = opened.map(|_| ()).unwrap_err();
            assert!(matches!(error, StoreError::NotAStore { .. }), "{foreign}: {error}");
        }
        let into = path.with_file_name("saved.db");
        assert!(
            recover_file(&path, &into).is_ok() || !foreign.starts_with("CREATE"),
            "{foreign}: what is ours is saved"
        );
    }
    let (_folder, path) = folder_and_file();
    told(&mut study(&path, "s"), 2);
    Connection::open(&path).unwrap().execute_batch("ANALYZE").unwrap();
    assert_eq!(trials(&path), Ok(2), "statistics for the planner are data");
}

/// A file system that can only be read, gone when dropped.
struct ReadOnly(PathBuf);

impl ReadOnly {
    fn over(folder: &Path, at: &Path) -> Option<Self> {
        let mount = |arguments: &[&str]| {
            let done = Command::new("mount").args(arguments).arg(at).output();
            done.is_ok_and(|output| output.status.success())
        };
        let is_bound = mount(&["--bind", folder.to_str()?]);
        let mounted = is_bound.then(|| Self(at.to_owned()))?;
        mount(&["-o", "remount,ro,bind"]).then_some(mounted)
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        Command::new("umount").arg(&self.0).status().ok();
    }
}

#[test]
fn a_file_system_that_can_only_be_read_is_read() {
    let (folder, path) = folder_and_file();
    told(&mut study(&path, "s"), 3);
    let at = tempfile::tempdir().unwrap();
    let Some(mounted) = ReadOnly::over(folder.path(), at.path()) else {
        println!("read only: skipped, nothing can be mounted here");
        return;
    };
    let path_there = mounted.0.join("s.db");
    assert_eq!(trials(&path_there), Ok(3));
    assert_eq!(check_file(&path_there).unwrap().damage, [] as [String; 0]);
    let mut there = DurableStudy::load(open(path_there.to_str().unwrap()).unwrap(), "s").unwrap();
    assert_eq!(there.trials().len(), 3);
    assert!(matches!(there.ask(&AskRequest::by("w")), Err(StoreError::ReadOnly { .. })));
    // Somebody who may write does so: what was read may not fit together any more, and that is
    // said.
    let mut writer = study(&path, "s");
    told(&mut writer, 1);
    let along = there.sync();
    assert!(along.is_ok() || matches!(along, Err(StoreError::ReadOnly { .. })), "{along:?}");
    drop(there);
    drop(writer);
    assert_eq!(trials(&path_there), Ok(4));
}
