//! The laws of stores, for every store to pass: here and in crates that add some.
//!
//! Each law gets empty stores from `fresh`. A store that several handles may open should be opened
//! anew by every call for the same `place`, so that the laws about sharing are put to two handles
//! and not to one.
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::{Attributes, Details, Event};
use crate::store::{Appended, Batch, Lease, NewStudy, Precondition, Store, StudyId};
use arbora_search::{Effort, Memo, Outcome, StudyOptions};
use arbora_space::Named;
use std::sync::Arc;

/// Two handles of one empty store.
pub struct Pair {
    /// One.
    pub first: Arc<dyn Store>,
    /// The other; it may be the same where there is nothing to open twice.
    pub second: Arc<dyn Store>,
}

const NOW: Timestamp = Timestamp(1_000);
const SPACE: &str = r#"{"parameters":{"x":{"type":"real","low":0.0,"high":1.0}}}"#;

/// All laws.
///
/// # Panics
/// If one does not hold; the message says which.
pub fn assert_store_laws(fresh: impl Fn() -> Pair) {
    assert_studies_are_apart(&fresh());
    assert_events_come_back(&fresh());
    assert_batches_are_whole(&fresh());
    assert_taken_is_seen(&fresh());
    assert_every_event_says_whether_it_takes(&fresh());
    assert_trials_end_once(&fresh());
    assert_claims_and_leases(&fresh());
    assert_deleted_is_gone(&fresh());
    assert_one_of_many_threads_wins(&fresh());
    assert_what_is_taken_can_be_read(&fresh());
    assert_studies_are_restored_whole(&fresh());
}

fn create(store: &dyn Store, name: &str) -> Result<StudyId, StoreError> {
    store.create(&NewStudy { name, space: SPACE, options: &StudyOptions::default(), at: NOW })
}

fn created(store: &dyn Store, name: &str) -> StudyId {
    create(store, name).expect("the name is free")
}

fn asked(trial: u64, lease: Option<i64>) -> Event {
    Event::Asked {
        trial,
        configuration: Named(vec![("x".into(), 0.1.into())]),
        effort: Effort::Full,
        memo: Memo::new(),
        seen: 0,
        worker: "ada".into(),
        lease: lease.map(Timestamp),
        terms: None,
    }
}

fn told(trial: u64) -> Event {
    let outcome = Outcome::Complete { loss: 0.1 + 0.2, cost: Some(3.0) };
    Event::Ended { trial, outcome, details: Details::default() }
}

fn abandoned(trial: u64) -> Event {
    Event::Ended { trial, outcome: Outcome::Abandoned { reason: "r".into() }, details: Details::default() }
}

fn amended(trial: u64) -> Event {
    let space = serde_json::from_str(SPACE).expect("it is JSON");
    Event::Amended { trial, configuration: Named(vec![("x".into(), 0.2.into())]), space }
}

fn append(
    store: &dyn Store,
    study: StudyId,
    at: i64,
    events: &[Event],
    precondition: Precondition<'_>,
) -> Appended {
    let batch = Batch { at: Timestamp(at), events, precondition };
    store.append(study, batch).expect("the store works")
}

fn assert_studies_are_apart(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let (a, b) = (created(one, "a"), created(one, "b"));
    assert_eq!(create(two, "a"), Err(StoreError::StudyExists { name: "a".into() }));
    for bad in ["", " a", "a\n"] {
        assert!(matches!(create(two, bad), Err(StoreError::BadName { .. })), "`{bad}` is taken for a name");
    }
    append(one, a, 1, &[asked(0, None)], Precondition::Always);
    let records = two.studies().expect("the store works");
    let shown: Vec<(&str, u64)> = records.iter().map(|r| (r.name.as_str(), r.events)).collect();
    assert_eq!(shown, [("a", 1), ("b", 0)], "studies in the order of creation, with their events");
    let record = two.study("a").expect("the store works").expect("it was created");
    assert_eq!((record.id, record.created_at, record.space.as_str()), (a, NOW, SPACE));
    assert_eq!(record.options, Ok(StudyOptions::default()));
    assert_eq!(two.study("c"), Ok(None));
    assert_eq!(two.rename(b, "a"), Err(StoreError::StudyExists { name: "a".into() }));
    assert_eq!(two.rename(b, "c"), Ok(()));
    assert_eq!(two.rename(b, "c"), Ok(()), "a study may keep its name");
    assert_eq!(one.study("c").expect("the store works").map(|r| r.id), Some(b));
}

fn assert_events_come_back(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    let attributes: Attributes =
        [("note".to_owned(), serde_json::json!(["µ", 0.1, null]))].into_iter().collect();
    let written = [
        asked(0, None),
        Event::Reported { trial: 0, step: 3, value: f64::INFINITY },
        Event::Noted { trial: Some(0), attributes: attributes.clone() },
        told(0),
        Event::Noted { trial: None, attributes },
    ];
    for (i, event) in written.iter().enumerate() {
        let store = if i % 2 == 0 { one } else { two };
        let appended = append(store, study, i as i64, std::slice::from_ref(event), Precondition::Always);
        assert_eq!(appended, Appended::UpTo(i as u64 + 1), "events are numbered without gaps");
    }
    for after in 0..=written.len() {
        let read = two.events(study, after as u64).expect("the store works");
        let expected = written.iter().enumerate().skip(after);
        assert_eq!(read.len(), written.len() - after);
        for (stored, (i, event)) in read.iter().zip(expected) {
            assert_eq!((stored.sequence, stored.at.0, &stored.event), (i as u64 + 1, i as i64, event));
        }
    }
    assert_eq!(two.events(study, 99), Ok(vec![]));
}

fn assert_batches_are_whole(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    let whole = [asked(0, None), asked(1, None), told(0)];
    assert_eq!(append(one, study, 1, &whole, Precondition::Always), Appended::UpTo(3));
    for broken in
        [[asked(2, None), told(0)], [asked(2, None), asked(2, None)], [asked(2, None), asked(4, None)]]
    {
        assert_eq!(append(one, study, 1, &broken, Precondition::Always), Appended::Refused);
        assert_eq!(two.events(study, 0).map(|read| read.len()), Ok(3), "half a batch was written");
    }
    assert_eq!(append(one, study, 1, &[], Precondition::Always), Appended::UpTo(3), "nothing is a batch too");
}

fn assert_taken_is_seen(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    let since = Precondition::NothingInvalidatedSince;
    assert_eq!(append(one, study, 1, &[asked(0, None)], since(0)), Appended::UpTo(1));
    assert_eq!(append(two, study, 1, &[asked(1, None)], since(0)), Appended::Refused);
    assert_eq!(append(two, study, 1, &[told(0)], Precondition::StillOpen(0)), Appended::UpTo(2));
    assert_eq!(
        append(two, study, 1, &[asked(1, None)], since(1)),
        Appended::UpTo(3),
        "a result takes nothing"
    );
    let space = serde_json::from_str(SPACE).expect("it is JSON");
    assert_eq!(append(one, study, 1, &[Event::SpaceChanged { space }], since(3)), Appended::UpTo(4));
    assert_eq!(append(two, study, 1, &[asked(2, None)], since(3)), Appended::Refused);
    assert_eq!(append(two, study, 1, &[asked(2, None)], since(4)), Appended::UpTo(5));
    // A trial that turns out to be another one changes the space, too.
    assert_eq!(append(one, study, 1, &[amended(2)], Precondition::StillOpen(2)), Appended::UpTo(6));
    assert_eq!(append(two, study, 1, &[asked(3, None)], since(5)), Appended::Refused);
    assert_eq!(append(two, study, 1, &[asked(3, None)], since(6)), Appended::UpTo(7));
}

/// One event of every kind, where trial 0 runs and trial 1 waits.
fn every_kind() -> Vec<Event> {
    let (configuration, details) = (Named::from_iter([("x", 0.5)]), Details::default());
    let outcome = || Outcome::Complete { loss: 0.5, cost: None };
    let failed = Outcome::Failed { reason: "r".into(), cost: None };
    vec![
        asked(2, None),
        Event::Queued { trial: 2, configuration: configuration.clone() },
        Event::Added { trial: 2, configuration, outcome: outcome(), details: details.clone() },
        Event::Claimed { trial: 1, worker: "bob".into(), lease: None, terms: None },
        told(0),
        Event::Ended { trial: 0, outcome: failed, details },
        abandoned(0),
        Event::Released { trial: 0 },
        Event::Noted { trial: Some(0), attributes: Attributes::new() },
        Event::Reported { trial: 0, step: 1, value: 0.5 },
        amended(0),
        Event::SpaceChanged { space: serde_json::from_str(SPACE).expect("it is a space") },
    ]
}

/// Whether an event makes suggestions worthless that did not know of it is asked of the event, by
/// every store.
fn assert_every_event_says_whether_it_takes(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let mut kinds = std::collections::BTreeSet::new();
    for event in every_kind() {
        let kind = event.kind();
        assert!(kinds.insert(kind), "`{kind}` comes twice");
        let study = created(one, kind);
        let queued = Event::Queued { trial: 1, configuration: Named::default() };
        append(one, study, 1, &[asked(0, None), queued], Precondition::Always);
        let appended = append(one, study, 1, std::slice::from_ref(&event), Precondition::Always);
        assert_eq!(appended, Appended::UpTo(3), "`{kind}` can follow");
        let next = [asked(2 + u64::from(event.adds_trial()), None)];
        let taken =
            append(two, study, 1, &next, Precondition::NothingInvalidatedSince(2)) == Appended::Refused;
        assert_eq!(taken, event.invalidates_suggestions(), "`{kind}`");
    }
    assert_eq!(kinds.len(), 12, "every kind of event");
}

fn assert_trials_end_once(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    append(one, study, 1, &[asked(0, None)], Precondition::Always);
    let open = Precondition::StillOpen(0);
    assert_eq!(
        append(two, study, 1, &[told(1)], Precondition::StillOpen(1)),
        Appended::Refused,
        "no such trial"
    );
    assert_eq!(append(two, study, 1, &[told(0)], open), Appended::UpTo(2));
    for late in [told(0), Event::Released { trial: 0 }, abandoned(0)] {
        assert_eq!(append(one, study, 1, std::slice::from_ref(&late), open), Appended::Refused);
        assert_eq!(append(one, study, 1, &[late], Precondition::Always), Appended::Refused, "whoever tries");
    }
    let note = Event::Noted { trial: Some(0), attributes: Attributes::new() };
    assert_eq!(append(one, study, 1, &[note], Precondition::Always), Appended::UpTo(3));
    let unknown = Event::Noted { trial: Some(7), attributes: Attributes::new() };
    assert_eq!(append(one, study, 1, &[unknown], Precondition::Always), Appended::Refused);
}

fn assert_claims_and_leases(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    let lease = |worker: &str, until| Lease { trial: 0, worker: worker.into(), until: Timestamp(until) };
    let held = |store: &dyn Store| store.leases(study).expect("the store works");
    // The date of the batch is far ahead: no clock decides.
    let claim = |store: &dyn Store, precondition: Precondition<'_>, worker: &str, until: Option<i64>| {
        let lease = until.map(Timestamp);
        let claimed = [Event::Claimed { trial: 0, worker: worker.into(), lease, terms: None }];
        append(store, study, i64::MAX, &claimed, precondition) != Appended::Refused
    };
    let waiting = Precondition::Waiting(0);
    assert!(!claim(one, waiting, "bob", None), "there is no such trial");
    append(one, study, 10, &[asked(0, Some(20))], Precondition::Always);
    assert_eq!(held(two), [lease("ada", 20)]);
    assert!(!claim(two, waiting, "bob", Some(40)), "it is held");
    assert_eq!(two.renew(study, &lease("bob", 90)), Ok(false), "somebody else's");
    assert_eq!(two.renew(study, &lease("ada", 30)), Ok(true));
    assert_eq!(held(one), [lease("ada", 30)]);
    assert!(!claim(two, Precondition::Silent(&lease("ada", 20)), "bob", Some(40)), "it was prolonged");
    assert!(!claim(two, Precondition::Silent(&lease("eve", 30)), "bob", Some(40)), "of another worker");
    for back in [30, 5, i64::MIN] {
        let before = held(one)[0].until;
        assert_eq!(two.renew(study, &lease("ada", back)), Ok(true));
        assert!(held(one)[0].until > before, "every sign of life can be seen, even by a clock set back");
    }
    let last = held(one).remove(0);
    for about in [amended(0), Event::Reported { trial: 0, step: 1, value: 0.5 }] {
        append(one, study, 22, &[about], Precondition::StillOpen(0));
        assert_eq!(held(two), std::slice::from_ref(&last), "who has it is not spoken of");
    }
    assert!(claim(two, Precondition::Silent(&last), "bob", Some(40)), "no sign of life came");
    assert_eq!(one.renew(study, &lease("ada", 90)), Ok(false), "it was handed on");
    assert!(!claim(one, Precondition::Silent(&last), "eve", Some(50)), "one at a time");
    append(one, study, 36, &[Event::Released { trial: 0 }], Precondition::StillOpen(0));
    assert_eq!(held(two), [], "released");
    assert!(!claim(two, Precondition::Silent(&lease("bob", 40)), "eve", None), "nobody has it");
    assert!(claim(two, waiting, "eve", None), "it waits");
    assert!(!claim(one, waiting, "bob", None), "without a lease nothing is over");
    append(one, study, 38, &[Event::Released { trial: 0 }], Precondition::StillOpen(0));
    assert!(claim(two, waiting, "eve", Some(50)));
    append(one, study, 40, &[told(0)], Precondition::StillOpen(0));
    assert_eq!(held(two), [], "ended");
    for precondition in [waiting, Precondition::Silent(&lease("eve", 50))] {
        assert!(!claim(one, precondition, "bob", None), "it has ended");
    }
    let queued = Event::Queued { trial: 1, configuration: Named::default() };
    append(one, study, 41, &[queued], Precondition::Always);
    let claimed = [Event::Claimed { trial: 1, worker: "bob".into(), lease: None, terms: None }];
    let queued = Precondition::Waiting(1);
    assert_ne!(append(two, study, 42, &claimed, queued), Appended::Refused, "queued waits");
    assert_eq!(append(one, study, 42, &claimed, queued), Appended::Refused);
}

fn assert_deleted_is_gone(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let (gone, stays) = (created(one, "gone"), created(one, "stays"));
    append(one, gone, 1, &[asked(0, Some(5))], Precondition::Always);
    append(one, stays, 1, &[asked(0, Some(5))], Precondition::Always);
    assert_eq!(two.delete(gone), Ok(()));
    let is_gone = |error: StoreError| matches!(error, StoreError::StudyGone { .. });
    let batch = Batch { at: NOW, events: &[told(0)], precondition: Precondition::Always };
    assert!(one.events(gone, 0).is_err_and(is_gone));
    assert!(one.append(gone, batch).is_err_and(is_gone));
    assert!(one.leases(gone).is_err_and(is_gone));
    let lease = Lease { trial: 0, worker: "ada".into(), until: NOW };
    assert!(one.renew(gone, &lease).is_err_and(is_gone));
    assert!(one.rename(gone, "other").is_err_and(is_gone));
    assert!(one.delete(gone).is_err_and(is_gone));
    assert_ne!(created(one, "gone"), gone, "its number is not used again");
    assert_eq!(one.leases(stays).map(|held| held.len()), Ok(1));
    assert_eq!(one.events(stays, 0).map(|read| read.len()), Ok(1));
}

fn assert_one_of_many_threads_wins(pair: &Pair) {
    const THREADS: u64 = 8;
    const ROUNDS: u64 = 20;
    let study = created(pair.first.as_ref(), "s");
    let won = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = if thread % 2 == 0 { pair.first.clone() } else { pair.second.clone() };
            let won = &won;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let lock = store.suggest_lock(study).expect("nobody interrupts");
                    let seen = store.events(study, 0).expect("the store works").len() as u64;
                    if round % 2 == 0 {
                        drop(lock);
                    }
                    let next = [asked(seen, None)];
                    let precondition = Precondition::NothingInvalidatedSince(seen);
                    if append(store.as_ref(), study, 1, &next, precondition) != Appended::Refused {
                        won.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let read = pair.second.events(study, 0).expect("the store works");
    let numbers: Vec<u64> = read.iter().filter_map(|stored| stored.event.trial()).collect();
    assert_eq!(numbers, (0..read.len() as u64).collect::<Vec<_>>(), "every number once, in order");
    assert_eq!(won.into_inner(), read.len() as u64, "whoever was told yes is in the log");
    assert!(read.len() as u64 >= ROUNDS, "nobody got on");
}

fn nested(levels: usize) -> Attributes {
    let value = (0..levels).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
    [("deep".to_owned(), value)].into_iter().collect()
}

fn assert_what_is_taken_can_be_read(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    let mut taken = 0;
    for levels in [0, 1, 60, 99, 100, 101, 125, 126, 127, 128, 300] {
        let event = Event::Noted { trial: None, attributes: nested(levels) };
        let batch = Batch { at: NOW, events: &[event], precondition: Precondition::Always };
        match one.append(study, batch) {
            Ok(appended) => {
                taken += 1;
                assert_eq!(appended, Appended::UpTo(taken));
            }
            Err(error) => assert!(matches!(error, StoreError::Unwritable { .. }), "{levels} levels: {error}"),
        }
        assert_eq!(two.events(study, 0).map(|read| read.len() as u64), Ok(taken), "{levels} levels");
    }
    assert!(taken > 3, "attributes nested some levels deep are nothing special");
    let outcome = Outcome::Complete { loss: f64::NAN, cost: None };
    let not_a_number = Event::Ended { trial: 0, outcome, details: Details::default() };
    let events = [asked(0, None), not_a_number];
    let batch = Batch { at: NOW, events: &events, precondition: Precondition::Always };
    assert!(matches!(one.append(study, batch), Err(StoreError::Unwritable { .. })));
    assert_eq!(two.events(study, 0).map(|read| read.len() as u64), Ok(taken), "half a batch was written");
}

fn assert_studies_are_restored_whole(pair: &Pair) {
    let (one, two) = (pair.first.as_ref(), pair.second.as_ref());
    let study = created(one, "s");
    append(one, study, 3, &[asked(0, Some(9)), asked(1, None)], Precondition::Always);
    append(one, study, 4, &[told(0)], Precondition::Always);
    let events = one.events(study, 0).expect("the store works");
    let options = StudyOptions::default();
    let new = |name| NewStudy { name, space: SPACE, options: &options, at: NOW };
    assert_eq!(one.restore(&new("s"), &events), Err(StoreError::StudyExists { name: "s".into() }));
    let copy = one.restore(&new("copy"), &events).expect("the name is free");
    assert_eq!(two.events(copy, 0), Ok(events.clone()));
    assert_eq!(two.leases(copy), Ok(vec![]), "the trial with a lease has ended");
    assert_eq!(append(two, copy, 5, &[told(1)], Precondition::StillOpen(1)), Appended::UpTo(4));
    for broken in [&events[1..], &[events[0].clone(), events[2].clone()]] {
        assert!(matches!(one.restore(&new("broken"), broken), Err(StoreError::BadEvent { .. })));
        assert_eq!(two.study("broken"), Ok(None), "half a study was written");
    }
}
