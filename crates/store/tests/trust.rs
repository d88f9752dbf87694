//! Can the file be trusted? What is wrong with it is named, the rest goes on, and nothing is told
//! into the void.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests look at files, and what they expect is there"
)]
use arbora_search::StudyOptions;
use arbora_space::{Param, Space};
use arbora_store::{
    AskRequest, DurableStudy, SqliteStore, Store, StoreError, TrialState, check_file, open, recover_file,
};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn options() -> StudyOptions {
    StudyOptions { strategy: "random".parse().unwrap(), seed: 5, ..StudyOptions::default() }
}

fn space() -> Space {
    Space::new([Param::real("x", 0.0, 1.0)]).unwrap()
}

fn store(path: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(path).unwrap())
}

/// A study with so many trials that were told.
fn study(path: &Path, name: &str, trials: u32) -> DurableStudy {
    let mut study = DurableStudy::create(store(path), name, space(), options()).unwrap();
    told(&mut study, trials);
    study
}

fn told(study: &mut DurableStudy, trials: u32) {
    for _ in 0..trials {
        let trial = study.ask(&AskRequest::by("w")).unwrap();
        study.tell(trial.number(), trial.number() as f64).unwrap();
    }
}

fn load(path: &Path, name: &str) -> Result<DurableStudy, StoreError> {
    DurableStudy::load(open(path.to_str().unwrap())?, name)
}

/// As another program would.
fn sql(path: &Path, statements: &str) {
    Connection::open(path).unwrap().execute_batch(statements).unwrap();
}

fn folder_and_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    (folder, path)
}

/// A database written before there were checksums.
fn old(folder: &Path) -> PathBuf {
    let path = folder.join("old.db");
    let first = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/first.db");
    fs::copy(first, &path).unwrap();
    path
}

fn states(study: &DurableStudy) -> Vec<(TrialState, Option<f64>)> {
    study.trials().map(|trial| (trial.state(), trial.loss())).collect()
}

#[test]
fn a_file_of_the_first_version_opens_and_gets_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let path = old(folder.path());
    let before = fs::read(&path).unwrap();
    let read = DurableStudy::load(Arc::new(SqliteStore::open_read_only(&path).unwrap()), "first").unwrap();
    let (shown, events) = (states(&read), read.sequence());
    assert_eq!((shown.len(), events), (7, 15));
    assert_eq!(shown[4], (TrialState::Complete, Some(0.25)));
    drop(read);
    assert_eq!(fs::read(&path).unwrap(), before, "looking changes nothing");
    assert_eq!(check_file(&path).unwrap().schema, 1);
    let mut study = load(&path, "first").unwrap();
    assert_eq!((states(&study), study.sequence()), (shown, events));
    told(&mut study, 2);
    drop(study);
    let report = check_file(&path).unwrap();
    assert_eq!((report.schema, report.studies.len()), (2, 2));
    assert!(report.studies.iter().all(|study| study.problem.is_none()), "{report:?}");
    sql(&path, "UPDATE events SET body = replace(body, '0.25', '0.75') WHERE study = 1");
    let error = load(&path, "first").map(|_| ()).unwrap_err();
    assert!(matches!(&error, StoreError::BadEvent { study, .. } if study == "first"), "{error}");
    assert!(load(&path, "second").is_ok());
}

/// What a user finds who opens the study, what `check_file` says, and what can be saved.
fn assert_named(path: &Path, wanted: u64) {
    let shown = fs::read(path).unwrap();
    let error = load(path, "s").map(|_| ()).unwrap_err();
    assert!(
        matches!(&error, StoreError::BadEvent { study, sequence, .. } if study == "s" && *sequence == wanted),
        "{error}"
    );
    let report = check_file(path).unwrap();
    assert_eq!(report.studies[0].problem, Some(error));
    assert_eq!(fs::read(path).unwrap(), shown);
}

#[test]
fn a_changed_missing_or_moved_event_is_named() {
    let damages = [
        ("UPDATE events SET body = replace(body, '\"loss\":4.0', '\"loss\":5.0') WHERE sequence = 10", 10),
        ("UPDATE events SET at = at + 1 WHERE sequence = 3", 3),
        ("UPDATE events SET trial = 7 WHERE sequence = 4", 4),
        ("UPDATE events SET kind = 'noted' WHERE sequence = 20", 20),
        ("DELETE FROM events WHERE sequence = 7", 7),
        ("DELETE FROM events WHERE sequence > 14", 15),
        ("DELETE FROM events", 1),
        ("UPDATE events SET sequence = 99 WHERE sequence = 5; UPDATE events SET sequence = 5 WHERE sequence = 6;
          UPDATE events SET sequence = 6 WHERE sequence = 99", 5),
        ("INSERT INTO events SELECT study, 21, at, kind, trial, body, seal FROM events WHERE sequence = 20", 21),
        ("UPDATE studies SET options = replace(options, '\"seed\":5', '\"seed\":6')", 0),
        ("UPDATE studies SET space = replace(space, '1.0', '2.0')", 0),
        ("UPDATE heads SET events = 19", 20),
        ("DELETE FROM heads", 0),
    ];
    for (damage, sequence) in damages {
        let (_folder, path) = folder_and_file();
        drop(study(&path, "s", 10));
        sql(&path, damage);
        println!("{damage}");
        assert_named(&path, sequence);
    }
}

#[test]
fn tables_that_disagree_are_named_and_asking_ends() {
    for damage in [
        "DELETE FROM trials WHERE number = 4",
        "DELETE FROM trials WHERE number = 9",
        "INSERT INTO trials (study, number, stage, born) VALUES (1, 10, 1, 20)",
        "UPDATE trials SET born = 1000 WHERE number = 9",
        "UPDATE trials SET stage = 0 WHERE number = 3",
    ] {
        let (_folder, path) = folder_and_file();
        let mut living = study(&path, "s", 10);
        sql(&path, damage);
        let error = load(&path, "s").map(|_| ()).unwrap_err();
        assert!(matches!(&error, StoreError::BadEvent { study, .. } if study == "s"), "{damage}: {error}");
        assert!(check_file(&path).unwrap().studies[0].problem.is_some(), "{damage}");
        // A handle that was open before must not try for ever.
        for _ in 0..3 {
            if living.ask(&AskRequest::by("w")).is_err() {
                break;
            }
        }
        drop(living);
        let into = path.with_file_name("saved.db");
        assert_eq!(recover_file(&path, &into).unwrap()[0].problem, None);
        assert!(load(&into, "s").is_ok(), "{damage}");
    }
}

#[test]
fn nothing_is_appended_to_an_end_that_is_not_the_end() {
    let (_folder, path) = folder_and_file();
    let mut living = study(&path, "s", 10);
    let trial = living.ask(&AskRequest::by("w")).unwrap();
    sql(&path, "DELETE FROM events WHERE sequence > 14");
    let error = living.tell(trial.number(), 0.0).unwrap_err();
    assert!(matches!(error, StoreError::BadEvent { sequence: 14, .. }), "{error}");
}

#[test]
fn what_its_checksum_does_not_vouch_for_is_not_saved() {
    let (folder, path) = folder_and_file();
    drop(study(&path, "s", 10));
    sql(&path, "UPDATE events SET body = replace(body, '\"loss\":4.0', '\"loss\":5.0') WHERE sequence = 10");
    let into = folder.path().join("saved.db");
    let saved = recover_file(&path, &into).unwrap();
    assert_eq!((saved[0].trials, saved[0].changed, saved[0].missing, saved[0].saved), (10, 1, 0, 19));
    let study = load(&into, "s").unwrap();
    assert_eq!(study.trial(4).unwrap().state(), TrialState::Running, "its result was not to be trusted");
    assert_eq!(study.trial(5).unwrap().loss(), Some(5.0));
}

#[test]
fn events_lost_at_the_end_are_counted() {
    for (damage, saved, missing) in [
        ("DELETE FROM events WHERE sequence > 14", 14, 6),
        ("DELETE FROM events WHERE sequence > 14 OR sequence < 5", 8, 10),
        ("DELETE FROM events", 0, 20),
    ] {
        let (folder, path) = folder_and_file();
        drop(study(&path, "s", 10));
        sql(&path, damage);
        let recovered = recover_file(&path, &folder.path().join("saved.db")).unwrap();
        assert_eq!((recovered[0].saved, recovered[0].missing), (saved, missing), "{damage}");
    }
}

#[test]
fn one_unreadable_study_leaves_the_others_alone() {
    for damage in [
        "UPDATE studies SET options = '{\"strategy\":{\"kind\":\"future\"}}' WHERE name = 'bad'",
        "UPDATE studies SET options = 'x' WHERE name = 'bad'",
        "UPDATE studies SET space = '' WHERE name = 'bad'",
        "UPDATE studies SET options = CAST(x'FF' AS TEXT) WHERE name = 'bad'",
    ] {
        let (folder, path) = folder_and_file();
        drop(study(&path, "bad", 3));
        drop(study(&path, "good", 3));
        sql(&path, damage);
        told(&mut load(&path, "good").unwrap(), 1);
        assert!(load(&path, "bad").is_err(), "{damage}");
        let report = check_file(&path).unwrap();
        let problems: Vec<bool> = report.studies.iter().map(|study| study.problem.is_some()).collect();
        assert_eq!(problems, [true, false], "{damage}");
        let into = folder.path().join("saved.db");
        let saved = recover_file(&path, &into).unwrap();
        let good = saved.iter().find(|study| study.name == "good").unwrap();
        assert_eq!((good.trials, &good.problem), (4, &None), "{damage}");
        assert!(saved.iter().all(|study| study.name == "good" || study.problem.is_some()), "{damage}");
        assert_eq!(load(&into, "good").unwrap().trials().len(), 4);
    }
}

#[test]
fn a_study_that_cannot_be_made_leaves_nothing() {
    let (_folder, path) = folder_and_file();
    let names: Vec<String> = (0..70).map(|i| format!("x{i}")).collect();
    let parameters =
        names.iter().map(|name| format!("[parameters.{name}]\ntype = \"real\"\nlow = 0\nhigh = 1\n"));
    let parameters: String = parameters.collect();
    let text = format!("required = \"{} <= 63\"\n{parameters}", names.join(" + "));
    let made = Space::from_toml(&text)
        .map_err(StoreError::from)
        .and_then(|space| DurableStudy::create(store(&path), "s", space, options()));
    match made {
        Ok(_) => assert!(load(&path, "s").is_ok(), "what was made can be loaded"),
        Err(_) => assert_eq!(store(&path).studies(), Ok(vec![])),
    }
}
