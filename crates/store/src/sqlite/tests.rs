//! The laws on files, and everything that can be wrong with a file.
#![allow(clippy::disallowed_methods, reason = "files are looked at here")]
use super::*;
use crate::clock::Timestamp;
use crate::event::Event;
use crate::store::Precondition;
use crate::testing::{Pair, assert_store_laws};
use arbora_search::StudyOptions;
use std::sync::Arc;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn new(name: &str) -> NewStudy<'_> {
    static OPTIONS: std::sync::LazyLock<StudyOptions> = std::sync::LazyLock::new(StudyOptions::default);
    NewStudy { name, space: "{}", options: &OPTIONS, at: Timestamp(1) }
}

fn note() -> [Event; 1] {
    [Event::Noted { trial: None, attributes: crate::event::Attributes::new() }]
}

fn append(store: &SqliteStore, study: StudyId, events: &[Event]) -> Result<Appended, StoreError> {
    store.append(study, Batch { at: Timestamp(2), events, precondition: Precondition::Always })
}

fn assert_laws(open: fn(PathBuf) -> Result<SqliteStore, StoreError>) {
    let folder = folder();
    let count = std::cell::Cell::new(0);
    assert_store_laws(|| {
        count.set(count.get() + 1);
        let handle = || {
            let path = folder.path().join(format!("{}.db", count.get()));
            Arc::new(open(path).unwrap()) as Arc<dyn Store>
        };
        Pair { first: handle(), second: handle() }
    });
}

#[test]
fn files_keep_the_laws() {
    assert_laws(SqliteStore::open);
}

#[test]
fn files_on_networks_keep_the_laws() {
    assert_laws(SqliteStore::open_on_network);
    let folder = folder();
    let path = folder.path().join("s.db");
    let study = SqliteStore::open(&path).unwrap().create(&new("a")).unwrap();
    let moved = SqliteStore::open_on_network(&path).unwrap();
    assert_eq!(append(&moved, study, &note()), Ok(Appended::UpTo(1)));
    assert!(!path.with_extension("db-wal").exists(), "no log beside it any more");
}

#[test]
fn a_store_carried_into_a_fork_refuses_until_it_rested() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let store = SqliteStore::open(&path).unwrap();
    let study = store.create(&new("a")).unwrap();
    // As a child would find it: made by another process.
    store.slot.pretend_forked();
    assert_eq!(store.events(study, 0), Err(StoreError::Forked { place: path.as_path().into() }));
    store.close_files();
    assert_eq!(append(&store, study, &note()), Ok(Appended::UpTo(1)));
}

#[test]
fn places_that_cannot_be_are_named() {
    let folder = folder();
    let path = folder.path().join("missing").join("s.db");
    let expected = StoreError::NoFolder {
        place: path.as_path().into(),
        folder: folder.path().join("missing").as_path().into(),
    };
    assert_eq!(SqliteStore::open(&path).map(|_| ()), Err(expected));
    assert!(matches!(SqliteStore::open(folder.path()).map(|_| ()), Err(StoreError::Unusable { .. })));
    let absent = folder.path().join("absent.db");
    assert_eq!(
        SqliteStore::open_read_only(&absent).map(|_| ()),
        Err(StoreError::NoFile { place: absent.as_path().into() })
    );
    assert!(!absent.exists(), "reading creates nothing");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = folder();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "dear diary").unwrap();
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    for path in [&text, &foreign] {
        let before = std::fs::read(path).unwrap();
        assert!(matches!(SqliteStore::open(path).map(|_| ()), Err(StoreError::NotAStore { .. })));
        assert_eq!(std::fs::read(path).unwrap(), before);
    }
    let empty = folder.path().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    assert!(matches!(SqliteStore::open_read_only(&empty).map(|_| ()), Err(StoreError::ReadOnly { .. })));
    assert!(SqliteStore::open(&empty).is_ok(), "an empty file is a new one");
}

#[test]
fn many_may_create_one_file_at_once() {
    const OPENERS: usize = 8;
    let folder = folder();
    for round in 0..40 {
        let path = folder.path().join(format!("{round}.db"));
        let start = std::sync::Barrier::new(OPENERS);
        std::thread::scope(|scope| {
            for _ in 0..OPENERS {
                scope.spawn(|| {
                    start.wait();
                    SqliteStore::open(&path).unwrap();
                });
            }
        });
    }
}

#[test]
fn a_later_schema_asks_for_an_upgrade() {
    let folder = folder();
    let path = folder.path().join("s.db");
    drop(SqliteStore::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let expected = StoreError::TooNew { place: path.as_path().into(), found: 99, known: schema::VERSION };
    assert_eq!(SqliteStore::open(&path).map(|_| ()), Err(expected));
}

#[test]
fn reading_does_not_write() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let writer = SqliteStore::open(&path).unwrap();
    let study = writer.create(&new("a")).unwrap();
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(append(&writer, study, &note()), Ok(Appended::UpTo(1)));
    assert_eq!(reader.events(study, 0).unwrap().len(), 1, "a reader sees what was written meanwhile");
    assert!(matches!(append(&reader, study, &note()), Err(StoreError::ReadOnly { .. })));
    assert!(matches!(reader.create(&new("b")), Err(StoreError::ReadOnly { .. })));
}

#[test]
fn a_reader_leaves_no_file_behind() {
    let folder = folder();
    let path = folder.path().join("s.db");
    SqliteStore::open(&path).unwrap().create(&new("a")).unwrap();
    let files = || folder.path().read_dir().unwrap().count();
    assert_eq!(files(), 1, "a quiet study is one file");
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(reader.studies().unwrap().len(), 1);
    drop(reader);
    assert_eq!(files(), 1, "and stays one after a look");
}

#[test]
fn a_store_whose_files_were_closed_goes_on() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let store = SqliteStore::open(&path).unwrap();
    let study = store.create(&new("a")).unwrap();
    store.close_files();
    assert!(!path.with_extension("db-wal").exists(), "the log is folded in when the last one leaves");
    assert_eq!(append(&store, study, &note()), Ok(Appended::UpTo(1)));
}

#[test]
fn a_long_reader_does_not_hold_up_a_writer() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let store = SqliteStore::open(&path).unwrap();
    let study = store.create(&new("a")).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN; SELECT * FROM studies;").unwrap();
    for i in 1..=1100 {
        assert_eq!(append(&store, study, &note()), Ok(Appended::UpTo(i)));
    }
    let seen: i64 = other.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
    assert_eq!(seen, 0, "it sees the moment at which it began");
}

#[test]
fn a_lock_held_for_a_while_is_waited_for() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let store = SqliteStore::open(&path).unwrap();
    let study = store.create(&new("a")).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| append(&store, study, &note()));
        std::thread::sleep(std::time::Duration::from_millis(150));
        assert!(!waiting.is_finished());
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(waiting.join().unwrap(), Ok(Appended::UpTo(1)));
    });
}

#[test]
fn a_full_file_loses_nothing_and_goes_on() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let store = SqliteStore::open(&path).unwrap();
    let study = store.create(&new("a")).unwrap();
    let limit = |pages: i64| {
        store.reading(|connection| {
            Ok(connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?)
        })
    };
    limit(20).unwrap();
    let mut kept = 0;
    let large = Event::Noted {
        trial: None,
        attributes: [("text".to_owned(), "x".repeat(1000).into())].into_iter().collect(),
    };
    let error = loop {
        match append(&store, study, std::slice::from_ref(&large)) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StoreError::Full { place: path.as_path().into() });
    assert!(kept > 3);
    assert_eq!(store.events(study, 0).unwrap().len(), kept);
    limit(1000).unwrap();
    assert_eq!(append(&store, study, &note()), Ok(Appended::UpTo(kept as u64 + 1)));
}

#[test]
fn plans_use_keys_and_never_walk_the_whole_log() {
    let folder = folder();
    let store = SqliteStore::open(folder.path().join("s.db")).unwrap();
    let plan = |sql: &str| {
        store.reading(|connection| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let parameters = vec![1; statement.parameter_count()];
            let lines =
                statement.query_map(rusqlite::params_from_iter(parameters), |row| row.get::<_, String>(3))?;
            Ok(lines.collect::<rusqlite::Result<Vec<_>>>()?.join("; "))
        })
    };
    for sql in [
        "SELECT sequence FROM events WHERE study = ?1 ORDER BY sequence DESC LIMIT 1",
        "SELECT sequence, at, kind, trial, body, seal FROM events WHERE study = ?1 AND sequence > ?2 ORDER BY sequence",
        "SELECT born FROM trials WHERE study = ?1 ORDER BY number DESC LIMIT 1",
        "SELECT number, worker, lease FROM trials WHERE study = ?1 AND lease IS NOT NULL ORDER BY number",
    ] {
        let plan = plan(sql).unwrap();
        assert!(plan.contains("SEARCH") && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
    }
}
