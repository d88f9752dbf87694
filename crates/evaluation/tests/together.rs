//! A problem that no single member can solve and three can: ensemble optimisation finds them, also for rows it has not
//! seen. The class is what two of three features say; a member is a threshold on one feature. Alone, each is wrong on a
//! quarter of the rows at best (the other two features outvote it).
#![allow(clippy::unwrap_used)]
use arbora_evaluation::ensemble::{Member, Pool, SlotRule, Slots, VoteLoss};
use arbora_model::Workers;
use arbora_search::{Ask, StrategySpec, Study, StudyOptions, Trial};
use arbora_space::{Param, Rng, Space};

const ROWS: usize = 400;
const TRIALS: u64 = 40;

type Rows = Vec<[f64; 3]>;

fn draw(rng: &mut Rng) -> (Rows, Vec<u32>) {
    let rows: Rows = (0..ROWS).map(|_| [rng.unit(), rng.unit(), rng.unit()]).collect();
    let labels = rows.iter().map(|row| u32::from(row.iter().filter(|x| **x > 0.5).count() > 1)).collect();
    (rows, labels)
}

fn predictions(study: &Study, trial: &Trial, rows: &Rows) -> Vec<u32> {
    let feature = match study.value(trial, "feature").unwrap().as_str().unwrap() {
        "a" => 0,
        "b" => 1,
        _ => 2,
    };
    let threshold = study.value(trial, "threshold").unwrap().as_f64().unwrap();
    rows.iter().map(|row| u32::from(row[feature] > threshold)).collect()
}

fn share_of_errors(votes: &[u32], labels: &[u32]) -> f64 {
    votes.iter().zip(labels).filter(|(v, y)| v != y).count() as f64 / labels.len() as f64
}

/// Searches, and votes on rows the search has not seen; beside it the best single member there.
fn search(loss: VoteLoss, rule: SlotRule, seed: u64) -> (f64, f64) {
    let mut rng = Rng::new(seed);
    let ((rows, labels), (fresh, truth)) = (draw(&mut rng), draw(&mut rng));
    let space =
        Space::new([Param::choice("feature", ["a", "b", "c"]), Param::real("threshold", 0.0, 1.0)]).unwrap();
    let spec = StrategySpec::default();
    let mut study =
        Study::new(space, StudyOptions { strategy: spec.clone(), seed, ..StudyOptions::default() }).unwrap();
    let strategy = spec.build(study.space(), &Workers::serial()).unwrap();
    let mut pool = Pool::new(labels.clone(), 2).unwrap();
    let mut slots = Slots::new(3, loss, rule).unwrap();
    for number in 0..TRIALS {
        let ask = Ask { space: study.space(), history: study.history(), seed, repeats: false };
        let asked = slots.suggest(&pool, strategy.as_ref(), &ask, &mut Rng::for_trial(seed, number)).unwrap();
        study.add(asked.configuration, 0.0).unwrap();
        let votes = predictions(&study, &study.history().trials()[number as usize], &rows);
        pool.push(Member { trial: number, loss: share_of_errors(&votes, &labels), votes }).unwrap();
        slots.take_in(&pool, number as usize);
    }
    let on_fresh = |member: usize| predictions(&study, &study.history().trials()[member], &fresh);
    let mut votes = Pool::new(truth.clone(), 2).unwrap().no_votes();
    slots.members().into_iter().for_each(|member| votes.add(&on_fresh(member)));
    let singles = (0..TRIALS as usize).map(|member| share_of_errors(&on_fresh(member), &truth));
    (share_of_errors(&votes.predict(), &truth), singles.fold(1.0, f64::min))
}

#[test]
fn members_are_found_that_are_right_together() {
    for rule in [SlotRule::ZeroOne, SlotRule::SameLoss] {
        for loss in [VoteLoss::SquaredMargin, VoteLoss::CBound, VoteLoss::Sigmoid] {
            for seed in 0..2 {
                let (vote, single) = search(loss, rule, seed);
                let told = format!("{rule:?}, {loss:?}, seed {seed}: {vote} together, {single} alone");
                assert!(single > 0.2 && vote < 0.03, "{told}");
            }
        }
    }
}
