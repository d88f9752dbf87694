//! `kill -9` at any moment: what was acknowledged is there, no number twice, nothing held by two.
use super::worker::{Listener, Orders, Said};
use super::{rounds, study};
use arbora_space::Rng;
use arbora_store::{Event, TrialState, check_file};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

const WORKERS: usize = 4;

/// Starts workers, lets each live for a random while, kills it, and returns what they had said.
/// Half of them are killed some time after their start, perhaps while they open the file; half some
/// time after they got a trial.
fn generation(path: &Path, number: u32, rng: &mut Rng) -> Vec<Said> {
    let lives: Vec<usize> = (0..WORKERS).map(|_| 40 + rng.below(300)).collect();
    let live = |i: usize, life: usize| {
        let orders = Orders { path, name: format!("{number}/{i}"), trials: 100_000, ahead: number };
        let mut child = orders.start();
        let mut listener = Listener::to(&mut child);
        if i.is_multiple_of(2) {
            listener.until_asked();
        }
        std::thread::sleep(Duration::from_millis(life as u64));
        child.kill().unwrap();
        let said = listener.hear_out();
        child.wait().unwrap();
        said
    };
    std::thread::scope(|scope| {
        let lives = lives.into_iter().enumerate();
        let workers: Vec<_> = lives.map(|(i, life)| scope.spawn(move || live(i, life))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    })
}

fn assert_survives(generations: u32, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    study(&path);
    let mut rng = Rng::new(seed);
    let (mut asked, mut told, mut tellers) = (0, HashMap::new(), HashMap::new());
    for number in 0..generations {
        for (i, said) in generation(&path, number, &mut rng).into_iter().enumerate() {
            assert_eq!(said.errors, [] as [String; 0]);
            assert!(!said.is_done);
            asked += said.asked.len();
            tellers.extend(said.told.iter().map(|(trial, _)| (*trial, format!("{number}/{i}"))));
            told.extend(said.told);
        }
    }
    let report = check_file(&path).unwrap();
    assert_eq!(report.damage, [] as [String; 0]);
    let study = study(&path);
    for (trial, loss) in &told {
        let record = study.trial(*trial).unwrap();
        assert_eq!(record.loss(), Some(*loss), "trial {trial} was acknowledged as told");
    }
    let handed_on = assert_one_holder_at_a_time(&study, &tellers);
    let count = |state| study.trials().filter(|record| record.state() == state).count();
    println!(
        "kill -9: {} processes killed; {} trials, {asked} asks and {} tells acknowledged, {} tells found; \
         {handed_on} trials of the dead handed on, {} open",
        generations as usize * WORKERS,
        study.trials().len(),
        told.len(),
        count(TrialState::Complete),
        study.trials().len() - count(TrialState::Complete),
    );
    assert!(count(TrialState::Complete) >= told.len());
    // One event at most was on its way in each process when it died.
    assert!(count(TrialState::Complete) - told.len() <= generations as usize * WORKERS);
    assert!(!told.is_empty(), "too little happened to say anything");
}

/// Leases are long and nobody waits for one: whoever gets a trial after another knew that the other
/// had been killed. So only the last one who got a trial can have told it, and nobody is of an
/// earlier generation than the one before.
fn assert_one_holder_at_a_time(study: &arbora_store::DurableStudy, tellers: &HashMap<u64, String>) -> usize {
    let events = study.store().events(study.id(), 0).unwrap();
    let mut holders: HashMap<u64, String> = HashMap::new();
    let mut handed_on = 0;
    let born: Vec<u64> =
        events.iter().filter(|s| s.event.adds_trial()).filter_map(|s| s.event.trial()).collect();
    assert_eq!(born, (0..born.len() as u64).collect::<Vec<_>>(), "every number once");
    for stored in &events {
        let (Some(trial), Some((worker, _))) = (stored.event.trial(), stored.event.holder()) else {
            continue;
        };
        let generation = |worker: &str| worker.split('/').next().unwrap().parse::<u32>().unwrap();
        if let Some(former) = holders.insert(trial, worker.to_owned()) {
            assert!(former != worker && generation(&former) <= generation(worker), "{former}, then {worker}");
            assert!(matches!(stored.event, Event::Claimed { .. }));
            handed_on += 1;
        }
    }
    for (trial, teller) in tellers {
        assert_eq!(holders[trial], *teller, "trial {trial} was held by two living workers");
    }
    handed_on
}

#[test]
fn nothing_acknowledged_is_lost_when_processes_are_killed() {
    assert_survives(5, 1);
}

#[test]
#[ignore = "takes minutes; ARBORA_FAULT_ROUNDS sets how many"]
fn nothing_acknowledged_is_lost_in_a_long_loop() {
    for round in 0..rounds() {
        assert_survives(5, 100 + round as u64);
    }
}
