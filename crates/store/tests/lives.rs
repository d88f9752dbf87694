//! Living and dead workers: whoever gives signs of life keeps its trial, whatever clocks say, and
//! whoever falls silent loses it. Every scenario runs over every store, by clocks that are moved by
//! hand.
#![allow(clippy::unwrap_used)]
mod stores;

use arbora_search::StudyOptions;
use arbora_space::{Param, Rng, Space};
use arbora_store::{
    AskRequest, Clock, DurableStudy, ManualClock, Precondition, Store, StoreError, Timestamp, TrialState,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use stores::{Open, over_every_store};

const LEASE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

fn opened(store: Arc<dyn Store>, clock: &Arc<ManualClock>) -> DurableStudy {
    let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
    let options = StudyOptions { strategy: "random".parse().unwrap(), seed: 1, ..StudyOptions::default() };
    DurableStudy::load_or_create(store, "s", space, options).unwrap().with_clock(clock.clone())
}

fn claim(worker: &str) -> AskRequest {
    AskRequest::by(worker).with_lease(LEASE)
}

fn state(study: &mut DurableStudy, trial: u64) -> TrialState {
    study.sync().unwrap();
    study.trial(trial).unwrap().state()
}

/// The wall clock alone, by hours.
fn jump(clock: &ManualClock, hours: i64) {
    clock.set(Timestamp(clock.now().0 + hours * 3_600_000));
}

#[test]
fn a_clock_that_jumps_takes_nothing_from_anybody() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::of("here"));
        jump(&clock, 100);
        let (mut one, mut two) = (opened(store(), &clock), opened(store(), &clock));
        let held = one.ask(&claim("ada")).unwrap().number();
        for hours in [3, -3, -50, 50] {
            jump(&clock, hours);
            assert_ne!(two.ask(&claim("bob")).unwrap().number(), held, "after a jump of {hours} h");
            clock.advance(LEASE / 4);
            one.renew(held, &claim("ada")).unwrap();
        }
        // One that is opened after the jump has nothing but what is written.
        assert_eq!(state(&mut opened(store(), &clock), held), TrialState::Running);
    });
}

#[test]
fn on_one_machine_silence_is_measured_from_the_last_sign_of_life() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::of("here"));
        let mut study = opened(store(), &clock);
        let held = study.ask(&claim("ada")).unwrap().number();
        clock.advance(LEASE / 2);
        study.renew(held, &claim("ada")).unwrap();
        clock.advance(LEASE);
        assert_eq!(state(&mut opened(store(), &clock), held), TrialState::Running, "to its last moment");
        clock.advance(Duration::from_millis(1));
        // Even a handle that has just been opened knows.
        let mut fresh = opened(store(), &clock);
        assert_eq!(state(&mut fresh, held), TrialState::Stale);
        assert_eq!(fresh.free_in(held), Some(Duration::ZERO));
        assert_eq!(fresh.ask(&claim("bob")).unwrap().number(), held);
        assert!(matches!(study.renew(held, &claim("ada")), Err(StoreError::LeaseLost { .. })));
    });
}

#[test]
fn a_machine_ahead_takes_nothing_from_one_that_lives_and_everything_from_one_that_is_silent() {
    over_every_store(|store| {
        let (here, there) = (Arc::new(ManualClock::of("here")), Arc::new(ManualClock::of("there")));
        jump(&there, 2);
        there.advance(5 * HOUR);
        let (mut one, mut two) = (opened(store(), &here), opened(store(), &there));
        let held = one.ask(&claim("ada")).unwrap().number();
        let pass = |time| {
            here.advance(time);
            there.advance(time);
        };
        for _ in 0..12 {
            pass(LEASE / 4);
            one.renew(held, &claim("ada")).unwrap();
            assert_eq!(state(&mut two, held), TrialState::Running);
        }
        // The other machine sleeps: nothing passes there, and nothing is heard of it.
        there.advance(LEASE / 2);
        assert_eq!(state(&mut two, held), TrialState::Running);
        assert_eq!(two.free_in(held), Some(LEASE / 2 + Duration::from_millis(1)));
        let mut late = opened(store(), &there);
        there.advance(LEASE / 2 + Duration::from_millis(1));
        assert_eq!(state(&mut late, held), TrialState::Running, "it has not waited for a whole lease");
        assert_eq!(state(&mut two, held), TrialState::Stale);
        assert_eq!(two.ask(&claim("bob")).unwrap().number(), held);
        assert!(matches!(one.renew(held, &claim("ada")), Err(StoreError::LeaseLost { .. })));
    });
}

#[test]
fn a_sign_of_life_between_the_judgement_and_the_claim_counts() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::of("here"));
        let mut study = opened(store(), &clock);
        let held = study.ask(&claim("ada")).unwrap().number();
        clock.advance(2 * LEASE);
        assert_eq!(state(&mut study, held), TrialState::Stale);
        let judged = study.trial(held).unwrap().lease.clone().unwrap();
        study.renew(held, &claim("ada")).unwrap();
        let events = [arbora_store::Event::Released { trial: held }];
        let batch = arbora_store::Batch {
            at: Timestamp(0),
            events: &events,
            precondition: Precondition::Silent(&judged),
        };
        assert_eq!(study.store().append(study.id(), batch).unwrap(), arbora_store::Appended::Refused);
        assert_ne!(study.ask(&claim("bob")).unwrap().number(), held);
    });
}

#[test]
fn a_process_takes_nothing_from_itself() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::of("here"));
        let (mut one, mut two) = (opened(store(), &clock), opened(store(), &clock));
        let held = one.ask(&claim("ada").bound()).unwrap().number();
        clock.advance(10 * HOUR);
        assert_eq!(state(&mut two, held), TrialState::Running, "a process that was stopped wakes up");
        assert_ne!(two.ask(&claim("bob").bound()).unwrap().number(), held);
        assert_eq!(two.free_in(held), None);
        two.release(held).unwrap();
        assert_eq!(one.ask(&claim("bob").bound()).unwrap().number(), held);
    });
}

#[test]
fn leases_of_earlier_versions_are_watched() {
    over_every_store(|store| {
        let clock = Arc::new(ManualClock::of("here"));
        let mut study = opened(store(), &clock);
        let text =
            r#"{"kind":"asked","trial":0,"configuration":{"x":0.5},"seen":0,"worker":"ada","lease":61000}"#;
        let events = [serde_json::from_str(text).unwrap()];
        let batch =
            arbora_store::Batch { at: Timestamp(1000), events: &events, precondition: Precondition::Always };
        study.store().append(study.id(), batch).unwrap();
        jump(&clock, 10);
        assert_eq!(state(&mut study, 0), TrialState::Running);
        clock.advance(LEASE);
        assert_eq!(state(&mut study, 0), TrialState::Running);
        clock.advance(Duration::from_millis(1));
        assert_eq!(state(&mut study, 0), TrialState::Stale);
        let again = study.ask(&claim("bob")).unwrap();
        assert_eq!((again.number(), again.former.len()), (0, 1));
    });
}

/// A worker of a machine.
struct Worker {
    name: String,
    machine: usize,
    study: DurableStudy,
    trial: Option<u64>,
    beaten: Duration,
}

/// Three machines whose wall clocks are anywhere, six workers that ask, beat, tell, fall silent,
/// come back.
fn simulate(store: Open<'_>, seed: u64, steps: usize) -> usize {
    let mut rng = Rng::new(seed);
    let clocks: Vec<_> = (0..3).map(|i| Arc::new(ManualClock::of(&format!("m{i}")))).collect();
    let mut workers: Vec<Worker> = (0..6)
        .map(|i| {
            let (name, machine) = (format!("w{i}"), i % 3);
            Worker {
                study: opened(store(), &clocks[machine]),
                name,
                machine,
                trial: None,
                beaten: Duration::ZERO,
            }
        })
        .collect();
    // Who has a trial and gives signs of life.
    let mut living: BTreeMap<u64, usize> = BTreeMap::new();
    let mut taken_over = 0;
    for _ in 0..steps {
        for clock in &clocks {
            clock.advance(LEASE / 5);
            if rng.below(4) == 0 {
                jump(clock, rng.below(9) as i64 - 4);
            }
        }
        for (i, worker) in workers.iter_mut().enumerate() {
            let (claim, now) = (claim(&worker.name), clocks[worker.machine].elapsed());
            match worker.trial {
                Some(trial) if living.get(&trial) == Some(&i) => {
                    worker.study.renew(trial, &claim).expect("a living worker keeps its trial");
                    worker.beaten = now;
                    match rng.below(8) {
                        0 => {
                            worker.study.tell(trial, 0.5).expect("it is told once");
                            (worker.trial, _) = (None, living.remove(&trial));
                        }
                        1 => drop(living.remove(&trial)),
                        _ => {}
                    }
                }
                // Silent: for how long, nobody knows.
                Some(_) if rng.below(10) > 0 => {}
                Some(trial) => match worker.study.renew(trial, &claim) {
                    Ok(()) => assert_eq!(living.insert(trial, i), None, "two have trial {trial}"),
                    Err(StoreError::LeaseLost { .. }) => worker.trial = None,
                    Err(other) => panic!("{other}"),
                },
                None => {
                    let given = worker.study.ask(&claim).unwrap();
                    assert_eq!(living.insert(given.number(), i), None, "trial {} has two", given.number());
                    taken_over += given.former.len();
                    worker.trial = Some(given.number());
                }
            }
        }
    }
    taken_over
}

#[test]
fn no_trial_ever_has_two_living_workers() {
    let taken_over = std::cell::Cell::new(0);
    for seed in 0..4 {
        over_every_store(|store| taken_over.set(taken_over.get() + simulate(store, seed, 60)));
    }
    assert!(taken_over.get() > 20, "too little happened to say anything: {}", taken_over.get());
}

/// The clock of the system, hours ahead.
struct Ahead(arbora_store::SystemClock);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        self.0.now().after(3 * HOUR)
    }
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
    fn place(&self) -> Option<String> {
        self.0.place()
    }
    fn steady(&self) -> Timestamp {
        self.0.steady()
    }
}

/// Threads of one process, some with their own handle, some by a clock hours ahead: every trial is
/// had once.
#[test]
fn threads_of_one_process_never_share_a_trial() {
    const THREADS: usize = 6;
    const EACH: usize = 8;
    over_every_store(|store| {
        let manual = Arc::new(ManualClock::default());
        drop(opened(store(), &manual));
        let had = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (had, manual) = (&had, &manual);
                scope.spawn(move || {
                    let mut study = opened(store(), manual);
                    let clock: Arc<dyn Clock> = if thread % 2 == 0 {
                        Arc::new(arbora_store::SystemClock)
                    } else {
                        Arc::new(Ahead(arbora_store::SystemClock))
                    };
                    study = study.with_clock(clock);
                    // A lease so short that it is over at once: only the process itself keeps its
                    // trials.
                    let claim =
                        AskRequest::by(format!("t{thread}")).with_lease(Duration::from_millis(1)).bound();
                    for _ in 0..EACH {
                        let trial = study.ask(&claim).unwrap().number();
                        had.lock().unwrap().push(trial);
                        study.tell(trial, 0.5).unwrap();
                    }
                });
            }
        });
        let mut had = had.into_inner().unwrap();
        had.sort_unstable();
        assert_eq!(had, (0..(THREADS * EACH) as u64).collect::<Vec<_>>());
    });
}
