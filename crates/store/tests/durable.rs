//! A durable study seen from outside: asking, telling, sharing, falling silent, growing. Over every
//! store.
#![allow(clippy::unwrap_used)]
mod stores;

use arbora_search::{Direction, Report, SearchError, StudyOptions};
use arbora_space::{Change, Configuration, Param, Space};
use arbora_store::{
    AskRequest, Attributes, DurableStudy, ManualClock, Origin, StalePolicy, StoreError, Timestamp,
    TrialRecord, TrialResult, TrialState,
};
use std::sync::Arc;
use std::time::Duration;
use stores::{Open, over_every_store};

const SECOND: Duration = Duration::from_secs(1);

fn space() -> Space {
    Space::new([
        Param::choice("model", ["svm", "forest"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::integer("depth", 1, 20).or_none().when("model == 'forest'"),
    ])
    .unwrap()
}

fn options(name: &str, seed: u64) -> StudyOptions {
    StudyOptions { strategy: name.parse().unwrap(), seed, ..StudyOptions::default() }
}

fn random_study(store: Open<'_>) -> DurableStudy {
    DurableStudy::load_or_create(store(), "s", space(), options("random", 1)).unwrap()
}

fn loaded(store: Open<'_>) -> DurableStudy {
    DurableStudy::load(store(), "s").unwrap()
}

fn svm(space: &Space, c: f64) -> Configuration {
    space.configuration([("model", "svm".into()), ("C", c.into())]).unwrap()
}

fn numbers(study: &DurableStudy, state: TrialState) -> Vec<u64> {
    study.trials().filter(|trial| trial.state() == state).map(|trial| trial.number()).collect()
}

fn records(study: &DurableStudy) -> Vec<TrialRecord<'_>> {
    study.trials().collect()
}

#[test]
fn two_handles_are_one_study() {
    over_every_store(|store| {
        let (mut one, mut two) = (random_study(store), random_study(store));
        for i in 0..6 {
            let (asking, telling) = if i % 2 == 0 { (&mut one, &mut two) } else { (&mut two, &mut one) };
            let trial = asking.ask(&AskRequest::by("w")).unwrap();
            assert_eq!(trial.number(), i);
            telling.tell(trial.number(), i as f64).unwrap();
        }
        one.sync().unwrap();
        two.sync().unwrap();
        assert_eq!(records(&one), records(&two));
        assert_eq!(one.best().unwrap().number(), 0);
        let fresh = loaded(store);
        assert_eq!(records(&fresh), records(&one));
        assert_eq!(fresh.study().history(), one.study().history());
    });
}

#[test]
fn a_trial_is_told_once_and_the_error_says_what() {
    over_every_store(|store| {
        let (mut one, mut two) = (random_study(store), random_study(store));
        let trial = one.ask(&AskRequest::by("w")).unwrap().number();
        one.tell(trial, 0.5).unwrap();
        let told = SearchError::AlreadyTold { number: 0, outcome: "loss 0.5".into() };
        assert_eq!(two.tell(trial, 0.7), Err(StoreError::Search(told.clone())));
        assert_eq!(one.abandon(trial, "bored"), Err(StoreError::Search(told)));
        let unknown = SearchError::UnknownTrial { number: 9, count: 1 };
        assert_eq!(two.tell(9, 0.7), Err(unknown.clone().into()));
        assert_eq!(two.note(Some(9), Attributes::new()), Err(unknown.into()));
        let bad = TrialResult { cost: Some(-1.0), ..TrialResult::from(0.1) };
        let next = two.ask(&AskRequest::by("w")).unwrap().number();
        assert!(matches!(two.tell(next, bad), Err(StoreError::Search(SearchError::BadCost { .. }))));
        assert_eq!(two.trial(next).unwrap().state(), TrialState::Running);
    });
}

#[test]
fn values_come_back_in_the_direction_of_the_study() {
    over_every_store(|store| {
        let options = StudyOptions { direction: Direction::Maximize, ..options("random", 1) };
        let mut study = DurableStudy::create(store(), "s", space(), options).unwrap();
        for value in [0.1, 0.9, 0.4, f64::NAN] {
            let trial = study.ask(&AskRequest::by("w")).unwrap();
            study.tell(trial.number(), value).unwrap();
        }
        let back = loaded(store);
        let best = back.best().unwrap();
        assert_eq!((best.number(), best.value(), best.loss()), (1, Some(0.9), Some(-0.9)));
        assert_eq!(back.value_of(-0.9), 0.9);
        assert_eq!(back.trial(3).unwrap().state(), TrialState::Failed);
        assert_eq!(back.trial(3).unwrap().reason(), Some("the objective returned NaN"));
    });
}

#[test]
fn what_is_queued_comes_first_and_what_is_added_is_learnt() {
    over_every_store(|store| {
        let mut study = random_study(store);
        let known = svm(study.space(), 2.0);
        let added = study.add(&known, TrialResult { cost: Some(4.0), ..TrialResult::from(0.3) }).unwrap();
        let queued = study.queue(&svm(&space(), 3.0)).unwrap();
        assert_eq!((added, queued), (0, 1));
        assert_eq!(study.trial(1).unwrap().state(), TrialState::Waiting);
        let first = study.ask(&AskRequest::by("w")).unwrap();
        assert_eq!((first.number(), first.origin, first.attempts), (1, Origin::Queued, 1));
        assert_eq!(*first.configuration(), svm(study.space(), 3.0));
        let second = study.ask(&AskRequest::by("w")).unwrap();
        assert_eq!((second.number(), second.origin), (2, Origin::Suggested));
        let best = study.best().unwrap();
        assert_eq!((best.number(), best.cost(), best.duration), (0, Some(4.0), None));
        let other = Space::new([Param::real("a", 0.0, 1.0), Param::real("b", 0.0, 1.0)]).unwrap();
        let foreign = other.configuration([("a", 0.5.into()), ("b", 0.5.into())]).unwrap();
        assert!(matches!(study.queue(&foreign), Err(StoreError::Search(SearchError::Space(_)))));
        let result = |i: u32| (svm(&space(), f64::from(i)), TrialResult::from(f64::from(i)));
        let more: Vec<_> = (1..=50).map(result).collect();
        assert_eq!(study.add_all(&more).unwrap(), 3..53);
        assert_eq!(loaded(store).trials().len(), 53);
    });
}

#[test]
fn a_silent_worker_leaves_a_stale_trial() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::default());
        let mut study = random_study(store).with_clock(clock.clone());
        let dying = AskRequest::by("dying").with_lease(10 * SECOND);
        let living = AskRequest::by("living").with_lease(10 * SECOND);
        let patient = AskRequest::by("patient");
        let lost = study.ask(&dying).unwrap();
        let kept = study.ask(&living).unwrap();
        let unleased = study.ask(&patient).unwrap();
        let heart = study.heartbeat(&living);
        for _ in 0..5 {
            clock.advance(heart.interval().unwrap());
            std::thread::scope(|scope| scope.spawn(|| heart.send(kept.number()).unwrap()).join().unwrap());
        }
        study.sync().unwrap();
        assert_eq!(numbers(&study, TrialState::Stale), [lost.number()]);
        assert_eq!(numbers(&study, TrialState::Running), [kept.number(), unleased.number()]);

        let fresh = study.ask(&AskRequest { stale: StalePolicy::Leave, ..living.clone() }).unwrap();
        assert_eq!(fresh.number(), 3);
        let again = study.ask(&living).unwrap();
        assert_eq!(
            (again.number(), again.attempts, again.worker.as_deref()),
            (lost.number(), 2, Some("living"))
        );
        assert_eq!(again.configuration(), lost.configuration());
        let error = study.renew(lost.number(), &dying).unwrap_err();
        assert_eq!(error.to_string(), "worker `dying` does not hold trial 0 any more: `living` has it now");

        // The dead one rises and tells: the result is paid for, so it counts.
        study.tell(lost.number(), 0.25).unwrap();
        assert!(matches!(study.renew(lost.number(), &living), Err(StoreError::LeaseLost { .. })));
        study.renew(unleased.number(), &patient).unwrap();

        clock.advance(11 * SECOND);
        let abandoning = AskRequest { stale: StalePolicy::Abandon, ..living };
        assert_eq!(study.ask(&abandoning).unwrap().number(), 4);
        assert_eq!(numbers(&study, TrialState::Abandoned), [kept.number(), fresh.number()]);
        let record = study.trial(kept.number()).unwrap();
        assert_eq!(record.reason(), Some("worker `living` gave no more signs of life"));
    });
}

#[test]
fn released_trials_wait_for_the_next_worker() {
    over_every_store(|store| {
        let mut study = random_study(store);
        let trial = study.ask(&AskRequest::by("a")).unwrap();
        study.release(trial.number()).unwrap();
        assert_eq!(study.trial(0).unwrap().state(), TrialState::Waiting);
        let again = study.ask(&AskRequest::by("b")).unwrap();
        assert_eq!((again.number(), again.worker.as_deref()), (0, Some("b")));
    });
}

#[test]
fn durations_are_measured_by_the_clock_that_never_goes_back() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::default());
        clock.set(Timestamp(1_000_000));
        let mut study = random_study(store).with_clock(clock.clone());
        let mut other = random_study(store).with_clock(clock.clone());
        let [here, there, given] = [(); 3].map(|()| study.ask(&AskRequest::by("w")).unwrap().number());
        clock.advance(5 * SECOND);
        study.tell(given, TrialResult { duration: Some(2 * SECOND), ..TrialResult::from(0.1) }).unwrap();
        clock.set(Timestamp(0));
        study.tell(here, 0.1).unwrap();
        clock.set(Timestamp(1_007_000));
        other.tell(there, Report::Failure("no memory".into())).unwrap();
        let back = loaded(store);
        let taken = [here, there, given].map(|number| back.trial(number).unwrap().duration.unwrap());
        assert_eq!(taken, [5 * SECOND, 7 * SECOND, 2 * SECOND]);
        let record = back.trial(there).unwrap();
        assert_eq!((record.asked_at, record.ended_at), (Timestamp(1_000_000), Some(Timestamp(1_007_000))));
        assert_eq!(record.reason(), Some("no memory"));
    });
}

#[test]
fn attributes_traces_and_intermediate_values_are_kept() {
    over_every_store(|store| {
        let mut study = random_study(store);
        let one = |name: &str, value: serde_json::Value| Attributes::from_iter([(name.to_owned(), value)]);
        study.note(None, one("owner", "ada".into())).unwrap();
        study.note(None, one("owner", "bob".into())).unwrap();
        let trial = study.ask(&AskRequest::by("w")).unwrap().number();
        study.note(Some(trial), one("host", "a1".into())).unwrap();
        for step in 0..3 {
            study.report(trial, step, 1.0 / (step + 1) as f64).unwrap();
        }
        let telling = TrialResult {
            attributes: one("folds", serde_json::json!([0.1, 0.2])),
            trace: Some("line 3".into()),
            ..TrialResult::from(Report::Failure("crash".into()))
        };
        study.tell(trial, telling).unwrap();
        assert!(study.report(trial, 9, 0.0).is_err(), "it has ended");
        study.note(Some(trial), one("verdict", "odd".into())).unwrap();
        let back = loaded(store);
        assert_eq!(back.attributes()["owner"], "bob");
        let record = back.trial(trial).unwrap();
        let names: Vec<&String> = record.attributes.keys().collect();
        assert_eq!(names, ["host", "folds", "verdict"]);
        assert_eq!(record.intermediate, [(0, 1.0), (1, 0.5), (2, 1.0 / 3.0)]);
        assert_eq!(record.trace.as_deref(), Some("line 3"));
    });
}

#[test]
fn the_space_grows_under_every_open_handle() {
    over_every_store(|store| {
        let (mut one, mut two) = (random_study(store), random_study(store));
        let old = one.ask(&AskRequest::by("w")).unwrap();
        let changes = [
            Change::AddChoice { parameter: "model".into(), value: "mlp".into(), weight: None },
            Change::AddParameter(Param::real("rate", 0.0, 1.0).default(0.5)),
        ];
        let larger = space().evolve(&changes).unwrap();
        one.evolve(&larger).unwrap();
        let next = two.ask(&AskRequest::by("w")).unwrap();
        assert!(two.space().value(next.configuration(), "rate").is_some());
        let moved = two.trial(old.number()).unwrap();
        assert_eq!(two.space().value(moved.configuration(), "rate"), Some(0.5.into()));
        two.tell(old.number(), 0.1).unwrap();
        assert!(one.queue(&svm(&space(), 1.0)).is_err(), "a configuration of the old space");
        assert!(one.evolve(&Space::new([Param::real("other", 0.0, 1.0)]).unwrap()).is_err());
        let back = loaded(store);
        assert_eq!(back.trials().len(), 2);
        DurableStudy::load_or_create(store(), "s", larger, options("random", 1)).unwrap();
    });
}

#[test]
fn an_existing_study_must_be_the_one_described() {
    over_every_store(|store| {
        random_study(store);
        let named = |space: Space, options: StudyOptions| match DurableStudy::load_or_create(
            store(),
            "s",
            space,
            options,
        ) {
            Err(StoreError::Disagrees { what, .. }) => what,
            Err(error) => panic!("{error}"),
            Ok(_) => "nothing",
        };
        let given = options("random", 1);
        assert_eq!(named(space(), StudyOptions { threads: 2, ..given.clone() }), "nothing");
        assert_eq!(named(space(), options("random", 2)), "seed");
        assert_eq!(named(space(), options("tpe", 1)), "strategy");
        assert_eq!(
            named(space(), StudyOptions { direction: Direction::Maximize, ..given.clone() }),
            "direction"
        );
        assert_eq!(named(space(), StudyOptions { repeats: true, ..given.clone() }), "setting of repeats");
        let narrower = Space::new([
            Param::choice("model", ["svm", "forest"]),
            Param::real("C", 1e-2, 1e3).log().when("model == 'svm'"),
            Param::integer("depth", 1, 20).or_none().when("model == 'forest'"),
        ]);
        assert_eq!(named(narrower.unwrap(), given.clone()), "space");
        let taken = DurableStudy::create(store(), "s", space(), given).map(|_| ());
        assert_eq!(taken, Err(StoreError::StudyExists { name: "s".into() }));
        let missing = DurableStudy::load(store(), "t").map(|_| ());
        assert_eq!(missing, Err(StoreError::NoStudy { name: "t".into(), known: vec!["s".into()] }));
    });
}

#[test]
fn a_space_runs_out_for_all_and_a_deleted_study_says_its_name() {
    over_every_store(|store| {
        let two_values = Space::new([Param::boolean("b")]).unwrap();
        let mut study = DurableStudy::create(store(), "s", two_values, options("random", 1)).unwrap();
        study.ask(&AskRequest::by("w")).unwrap();
        let last = study.ask(&AskRequest::by("w")).unwrap();
        let exhausted = SearchError::Exhausted { count: 2 };
        assert_eq!(study.ask(&AskRequest::by("w")).map(|_| ()), Err(exhausted.into()));
        study.abandon(last.number(), "machine sold").unwrap();
        assert_eq!(study.ask(&AskRequest::by("w")).unwrap().configuration(), last.configuration());
        store().delete(study.id()).unwrap();
        assert_eq!(study.sync(), Err(StoreError::StudyGone { name: "s".into() }));
    });
}

/// What an objective that decides itself which parameters it has is found to ask for.
fn with_gamma() -> Space {
    let mut spec = space().spec().clone();
    spec.parameters.push(Param::real("gamma", 0.0, 1.0).when("model == 'svm'"));
    Space::new(spec).unwrap()
}

#[test]
fn a_trial_can_turn_out_to_have_tried_something_else() {
    over_every_store(|store| {
        let (mut one, mut two) = (random_study(store), random_study(store));
        let first = one.ask(&AskRequest::by("w")).unwrap();
        let second = one.ask(&AskRequest::by("v")).unwrap();
        let revised = with_gamma();
        let values = [("model", "svm".into()), ("C", 2.0.into()), ("gamma", 0.25.into())];
        let found = revised.configuration(values).unwrap();
        let seen = one.sequence();
        assert!(one.tell_found(first.number(), Some((&found, &revised)), 0.5, seen).unwrap());
        two.sync().unwrap();
        assert_eq!(two.space().named(two.trial(0).unwrap().configuration()), revised.named(&found));
        assert_eq!(two.trial(0).unwrap().loss(), Some(0.5));
        assert!(
            two.space().check(two.trial(1).unwrap().configuration()).is_ok(),
            "open trials find their place"
        );
        assert_eq!(records(&two), records(&loaded(store)));
        assert!(matches!(
            two.tell_found(0, Some((&found, &revised)), 0.5, two.sequence()),
            Err(StoreError::Search(SearchError::AlreadyTold { .. }))
        ));
        assert!(!two.tell_found(second.number(), None, 0.5, seen).unwrap(), "the space changed since");
        assert!(two.tell_found(second.number(), None, 0.25, two.sequence()).unwrap());
        assert_eq!(loaded(store).best().unwrap().number(), 1);
    });
}

#[test]
fn what_contradicts_a_complete_trial_is_refused() {
    over_every_store(|store| {
        let mut study = random_study(store);
        study.add(&svm(&space(), 1.0), 0.5).unwrap();
        let open = study.ask(&AskRequest::by("w")).unwrap();
        let without = Space::new([Param::choice("model", ["svm", "forest"])]).unwrap();
        let bare = without.configuration([("model", "forest".into())]).unwrap();
        let before: Vec<_> = study.trials().map(TrialRecord::into_owned).collect();
        let sequence = study.sequence();
        assert!(study.tell_found(open.number(), Some((&bare, &without)), 0.5, sequence).is_err());
        assert_eq!((records(&study), study.sequence()), (before, sequence));
    });
}

#[test]
fn what_is_told_of_a_trial_that_was_given_up_is_kept() {
    over_every_store(|store| {
        let mut study = random_study(store);
        let trial = study.ask(&AskRequest::by("w")).unwrap().number();
        let attributes = Attributes::from_iter([("epoch".to_owned(), 7.into())]);
        let report = Report::Abandoned("preempted".into());
        let told = TrialResult { attributes: attributes.clone(), trace: Some("log".into()), ..report.into() };
        study.tell(trial, told).unwrap();
        let back = loaded(store);
        let record = back.trial(trial).unwrap();
        assert_eq!((record.state(), record.reason()), (TrialState::Abandoned, Some("preempted")));
        assert_eq!((&record.attributes, record.trace.as_deref()), (&attributes, Some("log")));
        assert_eq!(record.duration, None, "nobody said how long it took");
    });
}
