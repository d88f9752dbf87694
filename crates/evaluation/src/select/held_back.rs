//! Selection by rows that the search never saw  [Lévesque 2018, §3.2].
//!
//! For single trials: the lowest selection loss. For populations, let b_V be the best of a
//! generation by validation loss and b_S the best by selection loss. *Partial validation* returns
//! b_S of the last generation. *Backwarding* and *global validation* keep an archive that is
//! replaced when the selection loss is lower: by b_V in the former, by b_S in the latter.
use serde::{Deserialize, Serialize};

/// A finished trial with its validation and selection loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// The trial.
    pub trial: u64,
    /// Its generation; zero for all trials if there are none.
    pub generation: u64,
    /// The loss the search was told.
    pub validation: f64,
    /// The loss on the held-back rows.
    pub selection: f64,
}

/// How to choose by selection losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldBack {
    /// The lowest selection loss of all trials.
    #[default]
    Least,
    /// The lowest selection loss of the last generation.
    PartialValidation,
    /// Of the best by validation of each generation, the one with the lowest selection loss.
    Backwarding,
    /// Of the best by selection of each generation, the one with the lowest selection loss.
    GlobalValidation,
}

impl HeldBack {
    /// The chosen trial, or `None` if there are no trials. Ties go to the earliest.
    pub fn choose(self, trials: &[Scored]) -> Option<u64> {
        match self {
            HeldBack::Least => least(trials.iter(), |s| s.selection),
            HeldBack::PartialValidation => {
                let last = trials.iter().map(|s| s.generation).max()?;
                least(trials.iter().filter(|s| s.generation == last), |s| s.selection)
            }
            HeldBack::Backwarding => archive(trials, |s| s.validation),
            HeldBack::GlobalValidation => archive(trials, |s| s.selection),
        }
        .map(|s| s.trial)
    }
}

fn least<'a>(trials: impl Iterator<Item = &'a Scored>, by: impl Fn(&Scored) -> f64) -> Option<&'a Scored> {
    trials.min_by(|a, b| by(a).total_cmp(&by(b)))
}

/// Of the best trial of each generation, the one with the lowest selection loss.
fn archive(trials: &[Scored], best_by: impl Fn(&Scored) -> f64) -> Option<&Scored> {
    let mut generations: Vec<u64> = trials.iter().map(|s| s.generation).collect();
    generations.sort_unstable();
    generations.dedup();
    let of = |g: u64| least(trials.iter().filter(move |s| s.generation == g), &best_by);
    least(generations.into_iter().filter_map(of), |s| s.selection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(trial: u64, generation: u64, validation: f64, selection: f64) -> Scored {
        Scored { trial, generation, validation, selection }
    }

    #[test]
    fn the_rules_of_the_thesis() {
        let trials = [
            scored(0, 0, 0.10, 0.30),
            scored(1, 0, 0.20, 0.12),
            scored(2, 1, 0.08, 0.25),
            scored(3, 1, 0.15, 0.10),
            scored(4, 2, 0.05, 0.40),
            scored(5, 2, 0.30, 0.20),
        ];
        assert_eq!(HeldBack::Least.choose(&trials), Some(3));
        assert_eq!(HeldBack::PartialValidation.choose(&trials), Some(5), "b_S of the last generation");
        assert_eq!(
            HeldBack::Backwarding.choose(&trials),
            Some(2),
            "b_V: 0, 2, 4 with selection .30, .25, .40"
        );
        assert_eq!(HeldBack::GlobalValidation.choose(&trials), Some(3), "b_S: 1, 3, 5");
        assert_eq!(HeldBack::Backwarding.choose(&[]), None);
    }

    #[test]
    fn one_generation_makes_global_validation_the_least_of_all() {
        let trials = [scored(0, 0, 0.3, 0.2), scored(1, 0, 0.1, 0.4), scored(2, 0, 0.2, 0.2)];
        for rule in [HeldBack::Least, HeldBack::PartialValidation, HeldBack::GlobalValidation] {
            assert_eq!(rule.choose(&trials), Some(0), "{rule:?}: the earliest of the tied");
        }
        assert_eq!(HeldBack::Backwarding.choose(&trials), Some(1));
    }
}
