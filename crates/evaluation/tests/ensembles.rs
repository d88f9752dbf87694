//! Ensembles: greedy selection and slots against brute force (P22), and one slot against ordinary
//! search (P23).
#![allow(clippy::unwrap_used)]
use arbora_evaluation::ensemble::{
    Bagging, Candidates, Greedy, MeanEnsemble, Member, Pool, SlotRule, Slots, VoteLoss, Voters,
};
use arbora_model::{Interrupt, Workers};
use arbora_search::{Ask, Effort, Strategy, StrategySpec, Study, StudyOptions, Suggestion, Trial};
use arbora_space::{Param, Rng, Space};

fn random_pool(members: usize, rows: usize, seed: u64) -> Pool {
    let mut rng = Rng::new(seed);
    let labels: Vec<u32> = (0..rows).map(|_| rng.below(3) as u32).collect();
    let mut pool = Pool::new(labels.clone(), 3).unwrap();
    for trial in 0..members {
        let votes: Vec<u32> =
            labels.iter().map(|&y| if rng.unit() < 0.65 { y } else { rng.below(3) as u32 }).collect();
        let wrong = votes.iter().zip(&labels).filter(|(v, y)| v != y).count();
        pool.push(Member { trial: trial as u64, loss: wrong as f64 / rows as f64, votes }).unwrap();
    }
    pool
}

#[test]
fn every_greedy_step_is_the_best_there_is() {
    let pool = random_pool(9, 40, 1);
    for loss in [VoteLoss::ZeroOne, VoteLoss::SquaredMargin, VoteLoss::CBound, VoteLoss::Sigmoid] {
        let greedy = Greedy { start: 2, size: 8, loss, best_prefix: false, bagging: Bagging::None };
        let chosen = greedy.select(&pool, &mut Rng::new(0)).unwrap();
        assert_eq!(chosen.len(), 8);
        for n in 2..8 {
            let with = |h: usize| loss.of(&pool.votes_of(&[&chosen[..n], &[h]].concat()));
            let least = (0..9).map(with).fold(f64::INFINITY, f64::min);
            assert_eq!(with(chosen[n]), least, "{loss:?}, step {n}");
        }
    }
}

#[test]
fn the_best_prefix_is_never_worse_than_the_best_member() {
    for seed in 0..20 {
        let pool = random_pool(12, 30, seed);
        let chosen = Greedy { start: 1, ..Greedy::default() }.select(&pool, &mut Rng::new(0)).unwrap();
        let best = pool.members().iter().map(|m| m.loss).fold(f64::INFINITY, f64::min);
        assert!(VoteLoss::ZeroOne.of(&pool.votes_of(&chosen)) <= best, "seed {seed}");
    }
}

#[test]
fn bags_are_reproducible_and_draw_from_everybody() {
    let pool = random_pool(20, 50, 3);
    for bagging in [Bagging::EachStep { share: 0.66 }, Bagging::Bags { count: 20, share: 0.5 }] {
        let greedy = Greedy { bagging, best_prefix: false, ..Greedy::default() };
        let (first, second) =
            (greedy.select(&pool, &mut Rng::new(5)), greedy.select(&pool, &mut Rng::new(5)));
        assert_eq!(first, second);
        assert!(first.unwrap().iter().all(|&member| member < 20));
    }
    assert!(Greedy::default().select(&Pool::new(vec![0, 1], 2).unwrap(), &mut Rng::new(0)).is_err());
}

#[test]
fn a_slot_never_gets_worse_when_it_is_filled_anew() {
    let pool = random_pool(25, 40, 7);
    for rule in [SlotRule::ZeroOne, SlotRule::SameLoss] {
        let judge = match rule {
            SlotRule::ZeroOne => VoteLoss::ZeroOne,
            SlotRule::SameLoss => VoteLoss::SquaredMargin,
        };
        let voters = Voters { pool: &pool, loss: VoteLoss::SquaredMargin, rule };
        let mut slots = Slots::new(4).unwrap().replay(&voters);
        let mut last = judge.of(&pool.votes_of(&slots.members()));
        for trial in 0..40 {
            slots.fill(&voters, trial);
            let now = judge.of(&pool.votes_of(&slots.members()));
            assert!(now <= last + 1e-15, "{rule:?}: {last} to {now}");
            last = now;
        }
    }
}

/// Compares the labels for the slot of trial 10 with the losses of complete lists.
fn assert_labels<C: Candidates>(candidates: &C, loss_of: impl Fn(&[usize]) -> f64) {
    let slots = Slots::new(3).unwrap().replay(candidates);
    let trial = 10;
    let members = slots.members();
    let others: Vec<usize> =
        members.iter().enumerate().filter(|(s, _)| *s != slots.slot_of(trial)).map(|(_, m)| *m).collect();
    for (member, label) in slots.labels(candidates, trial).into_iter().enumerate() {
        let expected = (!others.contains(&member)).then(|| loss_of(&[&others[..], &[member]].concat()));
        assert_eq!(label, expected);
    }
}

#[test]
fn labels_are_losses_of_the_ensemble_with_each_member_in_the_slot() {
    let pool = random_pool(10, 30, 9);
    let voters = Voters { pool: &pool, loss: VoteLoss::Sigmoid, rule: SlotRule::ZeroOne };
    assert_labels(&voters, |members| VoteLoss::Sigmoid.of(&pool.votes_of(members)));
    let means = random_means(10, 30, 9);
    assert_labels(&means, |members| means.loss(members));
}

fn random_means(members: u64, rows: usize, seed: u64) -> MeanEnsemble {
    let mut rng = Rng::new(seed);
    let mut numbers = || (0..rows).map(|_| rng.normal()).collect::<Vec<f64>>();
    let mut means = MeanEnsemble::new(numbers()).unwrap();
    (0..members).for_each(|trial| assert!(means.push(trial, numbers()).unwrap() > 0.0));
    means
}

#[test]
fn a_slot_of_numbers_never_gets_worse_either() {
    let means = random_means(25, 40, 7);
    let mut slots = Slots::new(4).unwrap().replay(&means);
    let mut last = means.loss(&slots.members());
    let first = last;
    for trial in 0..40 {
        slots.fill(&means, trial);
        let now = means.loss(&slots.members());
        assert!(now <= last + 1e-15, "{last} to {now}");
        last = now;
    }
    let members = slots.members();
    for slot in 0..4 {
        for other in (0..25).filter(|other| !members.contains(other)) {
            let mut changed = members.clone();
            changed[slot] = other;
            assert!(means.loss(&changed) >= last - 1e-15, "no exchange of one member is better");
        }
    }
    assert!(last <= first);
}

/// A toy learner: rows are numbers, a configuration is a threshold.
fn predictions(threshold: f64, rows: &[f64]) -> Vec<u32> {
    rows.iter().map(|&x| u32::from(x > threshold)).collect()
}

/// Runs an ensemble search and an ordinary search by losses, trial by trial on the same history.
/// `learn` evaluates a threshold, adds its predictions to the pool, and returns its loss.
fn assert_ordinary<P>(
    mut pool: P,
    suggest: impl Fn(&P, &dyn Strategy, &Ask<'_>, &mut Rng) -> Suggestion,
    learn: impl Fn(&mut P, u64, f64) -> f64,
) {
    let space = || Space::new([Param::real("threshold", 0.0, 1.0)]).unwrap();
    let strategy = StrategySpec::default();
    let options = StudyOptions { strategy: strategy.clone(), seed: 3, ..StudyOptions::default() };
    let mut ordinary = Study::new(space(), options.clone()).unwrap();
    let mut ensemble = Study::new(space(), options).unwrap();
    let built = strategy.build(ensemble.space(), &Workers::serial()).unwrap();
    for number in 0..14 {
        // The chain of an ensemble's model is always new, since its function changes; the ordinary
        // search must forget its chain as well.
        let forgetful = ordinary.history().relabelled(Trial::loss);
        let ask = Ask {
            space: ordinary.space(),
            history: &forgetful,
            seed: 3,
            repeats: false,
            interrupt: Interrupt::never(),
        };
        let expected = built.suggest(&ask, &mut Rng::for_trial(3, number)).unwrap();
        let ask = Ask {
            space: ensemble.space(),
            history: ensemble.history(),
            seed: 3,
            repeats: false,
            interrupt: Interrupt::never(),
        };
        let suggested = suggest(&pool, built.as_ref(), &ask, &mut Rng::for_trial(3, number));
        assert_eq!(suggested.configuration, expected.configuration, "trial {number}");
        let (configuration, memo) = (expected.configuration, expected.memo);
        let trial = Trial::asked(number, configuration, Effort::Full, memo);
        let threshold = ordinary.value(&trial, "threshold").and_then(|v| v.as_f64()).unwrap();
        let loss = learn(&mut pool, number, threshold);
        ordinary.admit(trial.clone()).unwrap();
        ordinary.tell(number, loss).unwrap();
        ensemble.admit(trial).unwrap();
        ensemble.tell(number, 0.0).unwrap();
    }
}

fn by_one_slot(
    candidates: &impl Candidates,
    strategy: &dyn Strategy,
    ask: &Ask<'_>,
    rng: &mut Rng,
) -> Suggestion {
    Slots::new(1).unwrap().replay(candidates).suggest(candidates, strategy, ask, rng).unwrap()
}

#[test]
fn one_slot_is_ordinary_search() {
    let mut rng = Rng::new(11);
    let rows: Vec<f64> = (0..60).map(|_| rng.unit()).collect();
    let labels: Vec<u32> = rows.iter().map(|&x| u32::from(x + 0.1 * rng.normal() > 0.4)).collect();
    let vote = |pool: &Pool, strategy: &dyn Strategy, ask: &Ask<'_>, rng: &mut Rng| {
        by_one_slot(&Voters { pool, loss: VoteLoss::ZeroOne, rule: SlotRule::ZeroOne }, strategy, ask, rng)
    };
    assert_ordinary(Pool::new(labels.clone(), 2).unwrap(), vote, |pool, trial, threshold| {
        let votes = predictions(threshold, &rows);
        let loss = votes.iter().zip(&labels).filter(|(v, y)| v != y).count() as f64 / 60.0;
        pool.push(Member { trial, loss, votes }).unwrap();
        loss
    });
    let truth: Vec<f64> = labels.iter().map(|&y| f64::from(y)).collect();
    assert_ordinary(MeanEnsemble::new(truth).unwrap(), by_one_slot, |means, trial, threshold| {
        let numbers = rows.iter().map(|x| 1.0 / (1.0 + (-8.0 * (x - threshold)).exp())).collect();
        means.push(trial, numbers).unwrap()
    });
}

#[test]
fn a_trial_that_failed_leaves_its_slot_as_it_was() {
    let all = random_pool(9, 30, 13);
    let members = || all.members().iter().filter(|member| member.trial != 4);
    let mut pool = Pool::new(all.no_votes().labels().to_vec(), 3).unwrap();
    let mut slots = Slots::new(3).unwrap();
    let mut step_by_step = slots.clone();
    for (before, member) in members().enumerate() {
        pool.push(member.clone()).unwrap();
        let voters = Voters { pool: &pool, loss: VoteLoss::SquaredMargin, rule: SlotRule::ZeroOne };
        slots.fill(&voters, member.trial as usize);
        step_by_step.update_from(&voters, before);
    }
    assert_eq!(step_by_step, slots);
    let voters = Voters { pool: &pool, loss: VoteLoss::SquaredMargin, rule: SlotRule::ZeroOne };
    let replayed = Slots::new(3).unwrap().replay(&voters);
    assert_eq!(replayed, slots, "trial 5 works for slot 2, though it came as the fifth");
}

#[test]
fn slots_go_by_the_loss_of_the_search_and_selections_are_odd() {
    assert_eq!(SlotRule::default(), SlotRule::SameLoss);
    assert_eq!(Greedy::default().size % 2, 1, "an even number of votes ties");
}
