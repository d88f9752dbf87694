//! 32 processes asking and telling at once, half of them with a clock that is hours ahead, and a
//! reader that watches.
use super::study;
use super::worker::{Listener, Orders, Said};
use arbora_store::{DurableStudy, SqliteStore, TrialState};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const PROCESSES: usize = 32;
const EACH: usize = 4;

/// Reads over and over; what it sees is always a study in order, and never less than before.
fn watch(path: &Path, is_over: &AtomicBool) -> usize {
    let (mut looks, mut seen) = (0, 0);
    while !is_over.load(Ordering::Relaxed) {
        let store = Arc::new(SqliteStore::open_read_only(path).unwrap());
        let study = DurableStudy::load(store, "s").unwrap();
        assert!(study.sequence() >= seen, "events vanished");
        seen = study.sequence();
        looks += 1;
    }
    looks
}

#[test]
fn many_processes_ask_and_tell_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    study(&path);
    let is_over = AtomicBool::new(false);
    let (said, looks) = std::thread::scope(|scope| {
        let watching = scope.spawn(|| watch(&path, &is_over));
        let orders = |i: usize| Orders {
            path: &path,
            name: format!("w{i}"),
            trials: EACH,
            ahead: if i.is_multiple_of(2) { 0 } else { 120 },
        };
        let start = |i| orders(i).start();
        let mut children: Vec<_> = (0..PROCESSES).map(start).collect();
        let said: Vec<Said> = children.iter_mut().map(|child| Listener::to(child).hear_out()).collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        is_over.store(true, Ordering::Relaxed);
        (said, watching.join().unwrap())
    });
    for said in &said {
        assert_eq!(said.errors, [] as [String; 0]);
        assert!(said.is_done);
    }
    let handed: Vec<u64> = said.iter().flat_map(|said| said.asked.clone()).collect();
    let distinct: BTreeSet<u64> = handed.iter().copied().collect();
    assert_eq!(distinct.len(), handed.len(), "a trial was handed to two workers");
    assert_eq!(distinct, (0..(PROCESSES * EACH) as u64).collect());
    let study = study(&path);
    for (trial, loss) in said.iter().flat_map(|said| &said.told) {
        assert_eq!(study.trial(*trial).unwrap().loss(), Some(*loss));
    }
    assert!(study.trials().all(|record| record.state() == TrialState::Complete));
    println!(
        "{PROCESSES} processes at once: {} trials asked and told, {looks} looks by a reader",
        handed.len()
    );
}
