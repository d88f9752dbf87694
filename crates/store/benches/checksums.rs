//! What do the chained checksums cost, compared with bare transactions of the same rows?
//!
//! `cargo bench -p arbora-store --bench checksums [-- FOLDER]`
//!
//! Three ways to write 2,000 results, one transaction each, under the same pragmas: bare rows of
//! `events` and `trials`; the same with a checksum per event and the row of `heads`; and the store
//! itself, which also reads every event back and looks whether its file is still in place. CPU time
//! is the best of several rounds. Wall time is mostly the disk's.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use arbora_search::{Outcome, StudyOptions};
use arbora_space::{Param, Space};
use arbora_store::{
    AskRequest, Batch, Details, DurableStudy, Event, Precondition, SqliteStore, Store, Timestamp,
};
use rusqlite::{Connection, TransactionBehavior, params};
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const RESULTS: u64 = 2000;
const ROUNDS: u32 = 5;

/// CPU and wall time.
type Times = (Duration, Duration);
type Way = fn(&Path) -> Times;

fn main() {
    let given = std::env::args().skip(1).find(|argument| argument != "--bench");
    let temporary = tempfile::tempdir().unwrap();
    let folder = given.as_deref().map_or(temporary.path(), Path::new);
    let ways: [(&str, Way); 3] =
        [("bare", |path| rows(path, false)), ("checksums", |path| rows(path, true)), ("store", stored)];
    println!("{:<10} {:>10} {:>10} {:>10}", "", "CPU µs", "wall µs", "of bare");
    let mut bare = None;
    for (name, write) in ways {
        let mut best = (Duration::MAX, Duration::MAX);
        for round in 0..ROUNDS {
            let (cpu, wall) = write(&folder.join(format!("{name}-{round}.db")));
            best = (best.0.min(cpu), best.1.min(wall));
        }
        let each = |time: Duration| time.as_secs_f64() * 1e6 / RESULTS as f64;
        let cpu = each(best.0);
        let ratio = cpu / *bare.get_or_insert(cpu);
        println!("{name:<10} {cpu:>10.1} {:>10.1} {ratio:>10.2}", each(best.1));
    }
}

fn timed(mut write: impl FnMut(u64)) -> Times {
    let (cpu, wall) = (spent(), Instant::now());
    (0..RESULTS).for_each(&mut write);
    (spent().saturating_sub(cpu), wall.elapsed())
}

/// CPU time of this process.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}

fn ended(trial: u64) -> Event {
    let outcome = Outcome::Complete { loss: trial as f64, cost: None };
    Event::Ended { trial, outcome, details: Details::default() }
}

/// By the store: trials that were asked for before, told one by one.
fn stored(path: &Path) -> Times {
    let store = Arc::new(SqliteStore::open(path).unwrap());
    let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
    let options = StudyOptions { strategy: "random".parse().unwrap(), ..StudyOptions::default() };
    let mut study = DurableStudy::create(store.clone(), "s", space, options).unwrap();
    for _ in 0..RESULTS {
        study.ask(&AskRequest::by("w")).unwrap();
    }
    let id = study.id();
    timed(|trial| {
        let (events, precondition) = (&[ended(trial)], Precondition::StillOpen(trial));
        store.append(id, Batch { at: Timestamp(trial as i64), events, precondition }).unwrap();
    })
}

/// By hand: the rows that the store writes and reads for them, with or without checksums.
fn rows(path: &Path, has_checksums: bool) -> Times {
    let mut connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 128;
             CREATE TABLE events (study INTEGER, sequence INTEGER, at INTEGER, kind TEXT, trial INTEGER, body TEXT,
                 seal INTEGER, PRIMARY KEY (study, sequence)) STRICT, WITHOUT ROWID;
             CREATE TABLE trials (study INTEGER, number INTEGER, stage INTEGER, born INTEGER, worker TEXT,
                 lease INTEGER, PRIMARY KEY (study, number)) STRICT, WITHOUT ROWID;
             CREATE INDEX leases ON trials (study, number) WHERE lease IS NOT NULL;
             CREATE TABLE heads (study INTEGER PRIMARY KEY, root INTEGER, events INTEGER, seal INTEGER) STRICT;
             INSERT INTO heads VALUES (1, 0, 0, 0);",
        )
        .unwrap();
    let before = connection.transaction().unwrap();
    for number in 0..RESULTS {
        let sql = "INSERT INTO trials VALUES (1, ?1, 1, ?1, 'w', NULL)";
        before.prepare_cached(sql).unwrap().execute([number as i64]).unwrap();
    }
    before.commit().unwrap();
    timed(|trial| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        write_row(&transaction, trial as i64, has_checksums).unwrap();
        transaction.commit().unwrap();
    })
}

fn write_row(connection: &Connection, trial: i64, has_checksums: bool) -> rusqlite::Result<()> {
    let event = ended(trial as u64);
    let body = serde_json::to_string(&event).unwrap();
    let sequence = trial + 1;
    let mut seal = None;
    if has_checksums {
        let sql = "SELECT root, events, seal FROM heads WHERE study = 1";
        let head: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(2))?;
        let sql = "SELECT sequence, seal FROM events WHERE study = 1 ORDER BY sequence DESC LIMIT 1";
        let last = connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, Option<i64>>(1));
        assert_eq!(last.ok().flatten().unwrap_or(0), head);
        seal = Some(checksum(&[&head.to_le_bytes(), &sequence.to_le_bytes(), b"told", body.as_bytes()]));
    }
    let sql = "SELECT stage FROM trials WHERE study = 1 AND number = ?1";
    assert_eq!(connection.prepare_cached(sql)?.query_row([trial], |row| row.get::<_, i64>(0))?, 1);
    let sql = "INSERT INTO events VALUES (1, ?1, ?2, 'told', ?2, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![sequence, trial, body, seal])?;
    let sql = "UPDATE trials SET stage = 2, worker = NULL, lease = NULL WHERE study = 1 AND number = ?1";
    connection.prepare_cached(sql)?.execute([trial])?;
    if has_checksums {
        let sql = "UPDATE heads SET events = ?1, seal = ?2 WHERE study = 1";
        connection.prepare_cached(sql)?.execute(params![sequence, seal])?;
    }
    Ok(())
}

/// FNV-1a, as the store computes it.
fn checksum(parts: &[&[u8]]) -> i64 {
    let bytes = parts.iter().copied().flatten();
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    bytes.fold(0xCBF2_9CE4_8422_2325, step).cast_signed()
}
