//! Files cut short: either a store with a prefix of its events, or an error that says it is
//! damaged; and what is readable can be saved.
use super::{rounds, study};
use arbora_space::Rng;
use arbora_store::{
    AskRequest, DurableStudy, SqliteStore, Store, StoreError, Stored, check_file, recover_file,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A store of some size, as it lies on the disk: the file, and the log if it was not folded in.
struct Lying {
    folder: tempfile::TempDir,
    file: Vec<u8>,
    log: Vec<u8>,
    events: Vec<Stored>,
}

impl Lying {
    /// `folded`: everything in the file, nothing in the log; otherwise as a crash would leave it.
    fn make(trials: usize, folded: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let mut study = study(&path);
        for _ in 0..trials {
            let trial = study.ask(&AskRequest::by("w")).unwrap();
            study.tell(trial.number(), trial.number() as f64).unwrap();
        }
        let events = study.store().events(study.id(), 0).unwrap();
        if folded {
            study.store().close_files();
        }
        let file = std::fs::read(&path).unwrap();
        let log = std::fs::read(path.with_extension("db-wal")).unwrap_or_default();
        assert_eq!(log.is_empty(), folded);
        drop(study);
        Self { folder, file, log, events }
    }

    /// The store with its file and its log cut to these lengths.
    fn cut(&self, file: usize, log: usize) -> PathBuf {
        let path = self.folder.path().join("cut.db");
        for ending in ["db-wal", "db-shm"] {
            std::fs::remove_file(path.with_extension(ending)).ok();
        }
        std::fs::write(&path, &self.file[..file]).unwrap();
        if log > 0 {
            std::fs::write(path.with_extension("db-wal"), &self.log[..log]).unwrap();
        }
        path
    }

    fn is_prefix(&self, events: &[Stored]) -> bool {
        events.len() <= self.events.len() && events == &self.events[..events.len()]
    }
}

/// The events of the study in a file, if it opens and loads.
fn read(path: &Path) -> Result<Vec<Stored>, StoreError> {
    let store = Arc::new(SqliteStore::open(path)?);
    let Some(record) = store.study("s")? else { return Ok(Vec::new()) };
    let events = store.events(record.id, 0)?;
    DurableStudy::load(store, "s")?;
    Ok(events)
}

/// Lengths to cut at: around every boundary of pages, and at random.
fn lengths(whole: usize, count: usize, rng: &mut Rng) -> Vec<usize> {
    let near = (0..whole).step_by(4096).flat_map(|at| [at, at + 1, at + 4095]);
    let random = (0..count).map(|_| rng.below(whole)).collect::<Vec<_>>();
    let mut all: Vec<usize> = near.chain(random).filter(|at| *at < whole).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn assert_log_can_be_cut(count: usize, seed: u64) {
    let lying = Lying::make(30, false);
    let (mut cuts, mut shortest, mut longest) = (0, usize::MAX, 0);
    for log in lengths(lying.log.len(), count, &mut Rng::new(seed)) {
        let path = lying.cut(lying.file.len(), log);
        if log == 0 {
            let missing = StoreError::LogMissing { place: path.as_path().into() };
            assert_eq!(read(&path), Err(missing), "the file knows that it had one");
            continue;
        }
        let events = read(&path).unwrap();
        assert!(lying.is_prefix(&events), "log cut at {log}");
        cuts += 1;
        shortest = shortest.min(events.len());
        longest = longest.max(events.len());
    }
    assert!(longest + 2 >= lying.events.len(), "only the tail is lost");
    println!(
        "log cut short at {cuts} lengths: always a prefix, {shortest} to {longest} of {} events",
        lying.events.len()
    );
}

fn assert_file_can_be_cut(count: usize, seed: u64) {
    let lying = Lying::make(400, true);
    let (mut prefixes, mut damaged, mut saved_most) = (0, 0, 0);
    for file in lengths(lying.file.len(), count, &mut Rng::new(seed)) {
        let path = lying.cut(file, 0);
        match read(&path) {
            Ok(events) => {
                assert!(lying.is_prefix(&events), "file cut at {file}");
                prefixes += 1;
            }
            Err(StoreError::Damaged { .. }) => {
                damaged += 1;
                saved_most = saved_most.max(saved_from(&lying, &path));
            }
            Err(other) => panic!("file cut at {file}: {other}"),
        }
    }
    println!(
        "file cut short at {} lengths: {damaged} damaged, {prefixes} a prefix; up to {saved_most} of {} events saved",
        damaged + prefixes,
        lying.events.len()
    );
    assert!(
        saved_most * 10 > lying.events.len() * 8,
        "a file that lost its last page gives nearly everything back"
    );
}

/// Salvages, checks that the damaged file is as before and the new one in order; how many events
/// were saved.
fn saved_from(lying: &Lying, damaged: &Path) -> usize {
    let into = lying.folder.path().join("saved.db");
    for ending in ["db", "db-wal", "db-shm"] {
        std::fs::remove_file(into.with_extension(ending)).ok();
    }
    let before = std::fs::read(damaged).unwrap();
    let saved = recover_file(damaged, &into);
    assert_eq!(std::fs::read(damaged).unwrap(), before, "the damaged file is not touched");
    let Ok(saved) = saved else { return 0 };
    let report = check_file(&into).unwrap();
    assert_eq!(report.damage, [] as [String; 0]);
    assert!(report.studies.iter().all(|study| study.problem.is_none()));
    let Some(found) = saved.first() else { return 0 };
    let accounted = found.saved + found.dropped + found.changed + found.missing;
    assert!(accounted <= lying.events.len(), "{found:?}");
    if !found.is_renumbered && found.missing == 0 {
        assert!(lying.is_prefix(&read(&into).unwrap()));
    }
    found.saved
}

#[test]
fn a_log_cut_short_leaves_a_prefix() {
    assert_log_can_be_cut(60, 1);
}

#[test]
fn a_file_cut_short_is_damaged_and_saved_as_far_as_it_goes() {
    assert_file_can_be_cut(20, 2);
}

#[test]
fn events_cut_off_at_the_end_are_counted_as_missing() {
    let lying = Lying::make(400, true);
    let pages = lying.file.len() / 4096;
    let into = lying.folder.path().join("saved.db");
    for lost in 1..=5 {
        let path = lying.cut((pages - lost) * 4096, 0);
        let saved = recover_file(&path, &into).unwrap();
        std::fs::remove_file(&into).unwrap();
        let [found] = &saved[..] else { panic!("{saved:?}") };
        assert!(found.missing > 0, "{lost} pages lost: {found:?}");
        let accounted = found.saved + found.dropped + found.changed + found.missing;
        assert_eq!(accounted, lying.events.len(), "{lost} pages lost: {found:?}");
    }
}

#[test]
#[ignore = "takes minutes; ARBORA_FAULT_ROUNDS sets how many"]
fn files_cut_short_in_a_long_loop() {
    for round in 0..rounds() as u64 {
        assert_log_can_be_cut(200, round);
        assert_file_can_be_cut(100, round);
    }
}

/// A page in the middle overwritten: events on both sides of the gap are saved.
#[test]
fn what_lies_behind_a_damaged_page_is_saved() {
    let lying = Lying::make(400, true);
    let pages = lying.file.len() / 4096;
    let (mut damaged, mut least, mut most) = (0, usize::MAX, 0);
    for page in 1..pages {
        let path = lying.cut(lying.file.len(), 0);
        let mut bytes = lying.file.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xA5);
        std::fs::write(&path, bytes).unwrap();
        match read(&path) {
            Ok(events) => assert_eq!(events, lying.events, "page {page} held no event"),
            Err(StoreError::Damaged { .. }) => {
                damaged += 1;
                let saved = saved_from(&lying, &path);
                (least, most) = (least.min(saved), most.max(saved));
            }
            Err(other) => panic!("page {page}: {other}"),
        }
    }
    println!(
        "{damaged} of {pages} pages overwritten in turn: {least} to {most} of {} events saved",
        lying.events.len()
    );
    assert!(most * 10 > lying.events.len() * 9);
}
