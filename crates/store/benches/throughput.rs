//! How many results per second can be told, by one process and by many, and how long does one take?
//!
//! `cargo bench -p arbora-store --bench throughput [-- FOLDER]`
//!
//! A tell is one transaction that is on the disk when it returns. The bound is what SQLite does
//! with bare inserts of as many bytes under the same pragmas, in as many processes, waiting in the
//! same way. Each case runs on a new file in FOLDER (a temporary one by default): the disk under it
//! decides, so compare cases of one run.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use arbora_search::{Effort, Memo, StudyOptions};
use arbora_space::{Param, Rng, Space};
use arbora_store::{Batch, DurableStudy, Event, Named, Precondition, SqliteStore, Store, Timestamp};
use rusqlite::{Connection, TransactionBehavior, params};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [kind, path, first, count] => {
            let (first, count) = (first.parse().unwrap(), count.parse().unwrap());
            let taken = if kind == "tell" { told(path, first, count) } else { inserted(path, first, count) };
            println!("{}", taken.iter().map(f64::to_string).collect::<Vec<_>>().join("\n"));
        }
        [folder] => compare(Path::new(folder)),
        _ => compare(tempfile::tempdir().unwrap().path()),
    }
}

fn compare(folder: &Path) {
    println!(
        "{:<10} {:>9} {:>8} {:>10} {:>10} {:>10}",
        "", "processes", "count", "per second", "median ms", "p99 ms"
    );
    for (processes, each) in [(1, 1500), (32, 60)] {
        let bound = case(folder, "insert", processes, each);
        let told = case(folder, "tell", processes, each);
        println!("{:<10} {processes:>9} {:>30.2} of the bound", "ratio", told / bound);
    }
}

/// Runs one case and prints its row; results per second.
fn case(folder: &Path, kind: &str, processes: u64, each: u64) -> f64 {
    let path = folder.join(format!("{kind}-{processes}.db"));
    prepare(&path, kind, processes * each);
    let start = |i: u64| start(kind, &path, i * each, each);
    let mut children: Vec<Child> = (0..processes).map(start).collect();
    for child in &mut children {
        // Ready when it says so.
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    }
    let begin = Instant::now();
    for child in &mut children {
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    }
    let lines = children.iter_mut().flat_map(|child| BufReader::new(child.stdout.take().unwrap()).lines());
    let mut taken: Vec<f64> = lines.filter_map(|line| line.unwrap().trim().parse().ok()).collect();
    let seconds = begin.elapsed().as_secs_f64();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(taken.len() as u64, processes * each, "every one was acknowledged");
    taken.sort_by(f64::total_cmp);
    let quantile = |q: f64| taken[((taken.len() - 1) as f64 * q) as usize];
    let rate = taken.len() as f64 / seconds;
    println!(
        "{kind:<10} {processes:>9} {:>8} {rate:>10.0} {:>10.2} {:>10.2}",
        taken.len(),
        quantile(0.5),
        quantile(0.99)
    );
    rate
}

fn start(kind: &str, path: &Path, first: u64, count: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .arg(kind)
        .arg(path)
        .args([first.to_string(), count.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Milliseconds of each step, once the word is given.
fn timed(count: u64, mut step: impl FnMut(u64)) -> Vec<f64> {
    print!(".");
    std::io::stdout().flush().unwrap();
    std::io::stdin().read_line(&mut String::new()).unwrap();
    (0..count)
        .map(|i| {
            let begin = Instant::now();
            step(i);
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect()
}

fn space() -> Space {
    Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap()
}

fn prepare(path: &Path, kind: &str, count: u64) {
    if kind == "insert" {
        plain(path)
            .unwrap()
            .execute_batch("CREATE TABLE events (sequence INTEGER PRIMARY KEY, body TEXT)")
            .unwrap();
        return;
    }
    let store = Arc::new(SqliteStore::open(path).unwrap());
    let options = StudyOptions { strategy: "random".parse().unwrap(), ..StudyOptions::default() };
    let study = DurableStudy::create(store.clone(), "s", space(), options).unwrap();
    let asked = |trial: u64| Event::Asked {
        trial,
        configuration: Named(vec![
            ("x".into(), (trial as f64 / count as f64).into()),
            ("y".into(), 0.5.into()),
        ]),
        effort: Effort::Full,
        memo: Memo::new(),
        seen: 0,
        worker: "w".into(),
        lease: None,
        terms: None,
    };
    let events: Vec<Event> = (0..count).map(asked).collect();
    let batch = Batch { at: Timestamp(0), events: &events, precondition: Precondition::Always };
    store.append(study.id(), batch).unwrap();
}

fn told(path: &str, first: u64, count: u64) -> Vec<f64> {
    let store = Arc::new(SqliteStore::open(path).unwrap());
    let mut study = DurableStudy::load(store, "s").unwrap();
    timed(count, |i| study.tell(first + i, 0.5).unwrap())
}

fn plain(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::ZERO)?;
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
    Ok(connection)
}

fn inserted(path: &str, first: u64, count: u64) -> Vec<f64> {
    // Opening meets locks as well.
    let opened = std::iter::repeat_with(|| plain(Path::new(path))).find_map(Result::ok);
    let mut connection = opened.expect("it is tried for ever");
    let mut rng = Rng::new(first);
    let body = r#"{"kind":"told","trial":1234,"loss":0.5,"duration":0.0012345}"#;
    timed(count, |i| {
        let mut range = Duration::from_micros(200);
        while insert(&mut connection, first + i, body).is_err() {
            std::thread::sleep(range.mul_f64(rng.unit()));
            range = (range * 2).min(Duration::from_millis(2));
        }
    })
}

fn insert(connection: &mut Connection, sequence: u64, body: &str) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction
        .prepare_cached("INSERT INTO events (sequence, body) VALUES (?1, ?2)")?
        .execute(params![sequence as i64, body])?;
    transaction.commit()
}
