//! Problems that three members can solve but no single one can: ensemble optimisation solves them,
//! also for rows it has not seen.
//!
//! Rows have three features in [0, 1]. Votes: the label says whether two of them are large; a
//! member is a threshold on one feature and wrong on at least a quarter of the rows (when the other
//! two outvote it). Means: the target is the sum of the three; a member is a multiple of one
//! feature.
#![allow(clippy::unwrap_used)]
use arbora_evaluation::ensemble::{
    Candidates, MeanEnsemble, Member, Pool, SlotRule, Slots, VoteLoss, Voters,
};
use arbora_model::{Interrupt, Workers};
use arbora_search::{Ask, StrategySpec, Study, StudyOptions, Suggestion};
use arbora_space::{Param, Rng, Space};

const ROWS: usize = 400;
const TRIALS: u64 = 40;

type Row = [f64; 3];

fn draw(rng: &mut Rng) -> Vec<Row> {
    (0..ROWS).map(|_| [rng.unit(), rng.unit(), rng.unit()]).collect()
}

/// A feature, and the threshold or factor for it.
type Choice = (usize, f64);

/// The members of three slots after a search; `learn` adds the predictions of a choice to the pool.
fn search<P>(
    mut pool: P,
    seed: u64,
    ask_slots: impl Fn(&P, &Slots, &Study) -> Suggestion,
    learn: impl Fn(&mut P, u64, Choice),
    fill: impl Fn(&P, &mut Slots, usize),
) -> (Vec<Choice>, Vec<Choice>) {
    let space =
        Space::new([Param::choice("feature", ["0", "1", "2"]), Param::real("number", 0.0, 1.0)]).unwrap();
    let mut study = Study::new(space, StudyOptions { seed, ..StudyOptions::default() }).unwrap();
    let (mut slots, mut choices) = (Slots::new(3).unwrap(), Vec::new());
    for number in 0..TRIALS {
        let asked = ask_slots(&pool, &slots, &study);
        study.add(asked.configuration, 0.0).unwrap();
        let trial = &study.history().trials()[number as usize];
        let feature = study.value(trial, "feature").unwrap().as_str().unwrap().parse().unwrap();
        let choice = (feature, study.value(trial, "number").unwrap().as_f64().unwrap());
        choices.push(choice);
        learn(&mut pool, number, choice);
        fill(&pool, &mut slots, number as usize);
    }
    (slots.members().into_iter().map(|member| choices[member]).collect(), choices)
}

fn suggest(candidates: &impl Candidates, slots: &Slots, study: &Study) -> Suggestion {
    let strategy = StrategySpec::default().build(study.space(), &Workers::serial()).unwrap();
    let (history, seed) = (study.history(), study.options().seed);
    let ask = Ask { space: study.space(), history, seed, repeats: false, interrupt: Interrupt::never() };
    let mut rng = Rng::for_trial(seed, history.len() as u64);
    slots.suggest(candidates, strategy.as_ref(), &ask, &mut rng).unwrap()
}

fn is_large(rows: &[Row]) -> Vec<u32> {
    rows.iter().map(|row| u32::from(row.iter().filter(|x| **x > 0.5).count() > 1)).collect()
}

fn votes((feature, threshold): Choice, rows: &[Row]) -> Vec<u32> {
    rows.iter().map(|row| u32::from(row[feature] > threshold)).collect()
}

fn share_of_errors(votes: &[u32], labels: &[u32]) -> f64 {
    votes.iter().zip(labels).filter(|(v, y)| v != y).count() as f64 / labels.len() as f64
}

/// Error of the vote on unseen rows, and that of the best single member there.
fn voting(loss: VoteLoss, rule: SlotRule, seed: u64) -> (f64, f64) {
    let mut rng = Rng::new(seed);
    let (rows, fresh) = (draw(&mut rng), draw(&mut rng));
    let (labels, truth) = (is_large(&rows), is_large(&fresh));
    let (members, choices) = search(
        Pool::new(labels.clone(), 2).unwrap(),
        seed,
        |pool, slots, study| suggest(&Voters { pool, loss, rule }, slots, study),
        |pool, trial, choice| {
            let votes = votes(choice, &rows);
            pool.push(Member { trial, loss: share_of_errors(&votes, &labels), votes }).unwrap();
        },
        |pool, slots, at| slots.update_from(&Voters { pool, loss, rule }, at),
    );
    let mut together = Pool::new(truth.clone(), 2).unwrap().no_votes();
    for member in members {
        together.add(&votes(member, &fresh));
    }
    let singles = choices.into_iter().map(|choice| share_of_errors(&votes(choice, &fresh), &truth));
    (share_of_errors(&together.predict(), &truth), singles.fold(1.0, f64::min))
}

#[test]
fn members_are_found_that_are_right_together() {
    for rule in [SlotRule::ZeroOne, SlotRule::SameLoss] {
        for loss in [VoteLoss::SquaredMargin, VoteLoss::CBound, VoteLoss::Sigmoid] {
            for seed in 0..2 {
                let (vote, single) = voting(loss, rule, seed);
                let told = format!("{rule:?}, {loss:?}, seed {seed}: {vote} together, {single} alone");
                assert!(single > 0.2 && vote < 0.03, "{told}");
            }
        }
    }
}

/// Six times number times feature: the mean of three such members with number ½ is the sum of the
/// features.
fn numbers((feature, number): Choice, rows: &[Row]) -> Vec<f64> {
    rows.iter().map(|row| 6.0 * number * row[feature]).collect()
}

fn pool_over(rows: &[Row]) -> MeanEnsemble {
    MeanEnsemble::new(rows.iter().map(|row| row.iter().sum()).collect()).unwrap()
}

#[test]
fn numbers_are_found_whose_mean_is_right() {
    for seed in 0..3 {
        let mut rng = Rng::new(seed);
        let (rows, fresh) = (draw(&mut rng), draw(&mut rng));
        let (members, choices) = search(
            pool_over(&rows),
            seed,
            suggest,
            |pool, trial, choice| assert!(pool.push(trial, numbers(choice, &rows)).unwrap() > 0.0),
            |pool, slots, at| slots.update_from(pool, at),
        );
        let mut judge = pool_over(&fresh);
        for (trial, choice) in members.iter().chain(&choices).enumerate() {
            judge.push(trial as u64, numbers(*choice, &fresh)).unwrap();
        }
        let single = (3..judge.len()).map(|i| judge.loss(&[i])).fold(f64::INFINITY, f64::min);
        let together = judge.loss(&[0, 1, 2]);
        assert!(single > 0.15 && together < 0.01, "seed {seed}: {together} together, {single} alone");
        let mut features: Vec<usize> = members.iter().map(|member| member.0).collect();
        features.sort_unstable();
        assert_eq!(features, [0, 1, 2]);
    }
}
