//! Asking reads the store once, and what others write between reading and suggesting is not lost.
#![allow(clippy::unwrap_used)]
use arbora_search::StudyOptions;
use arbora_space::{Param, Space};
use arbora_store::{
    Appended, AskRequest, Batch, DurableStudy, Lease, MemoryStore, NewStudy, Store, StoreError, Stored,
    StudyId, StudyRecord, SuggestLock,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

type Meanwhile = Box<dyn FnOnce() + Send>;

/// A store that counts how often it is read, and lets something happen just before a lock is given.
struct Counting {
    store: Arc<MemoryStore>,
    reads: AtomicUsize,
    meanwhile: Mutex<Option<Meanwhile>>,
}

impl Store for Counting {
    fn studies(&self) -> Result<Vec<StudyRecord>, StoreError> {
        self.store.studies()
    }
    fn create(&self, new: &NewStudy<'_>) -> Result<StudyId, StoreError> {
        self.store.create(new)
    }
    fn restore(&self, new: &NewStudy<'_>, events: &[Stored]) -> Result<StudyId, StoreError> {
        self.store.restore(new, events)
    }
    fn study(&self, name: &str) -> Result<Option<StudyRecord>, StoreError> {
        self.store.study(name)
    }
    fn rename(&self, study: StudyId, name: &str) -> Result<(), StoreError> {
        self.store.rename(study, name)
    }
    fn delete(&self, study: StudyId) -> Result<(), StoreError> {
        self.store.delete(study)
    }
    fn events(&self, study: StudyId, after: u64) -> Result<Vec<Stored>, StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        self.store.events(study, after)
    }
    fn append(&self, study: StudyId, batch: Batch<'_>) -> Result<Appended, StoreError> {
        self.store.append(study, batch)
    }
    fn leases(&self, study: StudyId) -> Result<Vec<Lease>, StoreError> {
        self.store.leases(study)
    }
    fn renew(&self, study: StudyId, lease: &Lease) -> Result<bool, StoreError> {
        self.store.renew(study, lease)
    }
    fn suggest_lock(&self, study: StudyId) -> Result<SuggestLock, StoreError> {
        if let Some(meanwhile) = self.meanwhile.lock().unwrap().take() {
            meanwhile();
        }
        self.store.suggest_lock(study)
    }
}

fn counted() -> (Arc<Counting>, DurableStudy) {
    let store = Arc::new(MemoryStore::new());
    let counting = Arc::new(Counting { store, reads: AtomicUsize::new(0), meanwhile: Mutex::default() });
    let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
    let options = StudyOptions { strategy: "random".parse().unwrap(), ..StudyOptions::default() };
    let study = DurableStudy::create(counting.clone(), "s", space, options).unwrap();
    (counting, study)
}

#[test]
fn asking_alone_reads_once() {
    let (store, mut study) = counted();
    store.reads.store(0, Ordering::SeqCst);
    for number in 0..10 {
        let trial = study.ask(&AskRequest::by("w")).unwrap();
        assert_eq!(trial.number(), number);
        study.tell(number, 0.5).unwrap();
    }
    assert_eq!(store.reads.load(Ordering::SeqCst), 10);
}

#[test]
fn what_comes_in_between_is_not_lost() {
    let (store, mut study) = counted();
    let other = || DurableStudy::load(store.store.clone(), "s").unwrap();

    let mut asking = other();
    *store.meanwhile.lock().unwrap() = Some(Box::new(move || {
        assert_eq!(asking.ask(&AskRequest::by("other")).unwrap().number(), 0);
    }));
    assert_eq!(study.ask(&AskRequest::by("w")).unwrap().number(), 1, "one trial each");

    let mut queueing = other();
    *store.meanwhile.lock().unwrap() = Some(Box::new(move || {
        let wanted = queueing.space().configuration([("x", 0.25.into())]).unwrap();
        assert_eq!(queueing.queue(&wanted).unwrap(), 2);
    }));
    assert_eq!(study.ask(&AskRequest::by("w")).unwrap().number(), 2, "the queued one is handed out first");

    let mut telling = other();
    *store.meanwhile.lock().unwrap() = Some(Box::new(move || telling.tell(0, 0.5).unwrap()));
    assert_eq!(study.ask(&AskRequest::by("w")).unwrap().number(), 3);
    assert_eq!(study.trial(0).unwrap().loss(), Some(0.5), "the result is known with the next event");
}
