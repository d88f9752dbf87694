//! Why there is no best trial yet, in words that are true whenever they are printed.
//!
//! Only full evaluations compete. So there is none before the first loss, and none while all losses are of a part of an
//! evaluation: a share of it, or one fold.
use crate::history::History;
use crate::trial::{Effort, Outcome, Trial};
use std::fmt;

/// What a history lacks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Missing {
    /// No trial has ended with a loss.
    Loss {
        /// Trials that were asked for.
        trials: usize,
        /// How many of them have ended.
        ended: usize,
        /// How many of those failed.
        failed: usize,
        /// The last of those, and why.
        last: Option<(u64, String)>,
    },
    /// No trial with a loss was evaluated in full.
    FullEvaluation {
        /// Trials with a loss.
        trials: usize,
        /// The largest share of an evaluation among them; `None` if all are folds.
        share: Option<f64>,
    },
}

impl History {
    /// What is missing for a best trial among full evaluations; `None` if there is one.
    pub fn missing(&self) -> Option<Missing> {
        let with_loss: Vec<&Trial> = self.trials().iter().filter(|trial| trial.loss().is_some()).collect();
        if with_loss.iter().any(|trial| trial.effort.is_full()) {
            return None;
        }
        if !with_loss.is_empty() {
            let share = |trial: &&Trial| match trial.effort {
                Effort::Share(share) => Some(share),
                _ => None,
            };
            let share = with_loss.iter().filter_map(share).reduce(f64::max);
            return Some(Missing::FullEvaluation { trials: with_loss.len(), share });
        }
        let reason = |trial: &Trial| match &trial.outcome {
            Some(Outcome::Failed { reason, .. }) => Some((trial.number, reason.clone())),
            _ => None,
        };
        let failures: Vec<(u64, String)> = self.trials().iter().filter_map(reason).collect();
        let ended = self.trials().iter().filter(|trial| !trial.is_pending()).count();
        let (trials, failed) = (self.len(), failures.len());
        Some(Missing::Loss { trials, ended, failed, last: failures.into_iter().next_back() })
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Loss { trials: 0, .. } => f.write_str("no trial has a loss yet; run some first"),
            Missing::Loss { ended, failed, last: Some((number, reason)), .. } => write!(
                f,
                "no trial has a loss: {failed} of {ended} ended trials failed, the last, trial {number}: {reason}"
            ),
            Missing::Loss { trials, .. } => {
                write!(f, "no trial has a loss yet: {trials} trials were begun, none of them is complete")
            }
            Missing::FullEvaluation { trials, share: Some(share) } => write!(
                f,
                "{trials} trials, none of a full evaluation yet: the largest share is {share}; go on until a trial of share 1 is told"
            ),
            Missing::FullEvaluation { trials, share: None } => write!(
                f,
                "{trials} trials, none of a full evaluation: each is one fold of a race; the best trial is its leader"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::StrategySpec;
    use crate::study::{Report, Study, StudyOptions};
    use arbora_space::{Param, Space};

    /// However a study goes: the best is of a full evaluation, or what is missing says why there is none.
    #[test]
    fn the_best_is_of_a_full_evaluation_or_its_lack_is_named() {
        let racing = r#"{"kind":"racing","strategy":{"kind":"random"},"folds":5}"#;
        let named = ["asha", "hyperband", "fabolas", "random"].map(|kind| format!(r#"{{"kind":"{kind}"}}"#));
        for name in named.iter().map(String::as_str).chain([racing]) {
            let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
            let options =
                StudyOptions { strategy: StrategySpec::from_json(name).unwrap(), ..StudyOptions::default() };
            let mut study = Study::new(space, options).unwrap();
            assert_eq!(
                study.history().missing().unwrap().to_string(),
                "no trial has a loss yet; run some first"
            );
            for number in 0..40 {
                let trial = study.ask().unwrap();
                let x = study.value(&trial, "x").and_then(|v| v.as_f64()).unwrap();
                study
                    .tell(trial.number, if number == 0 { Report::Failure("oom".into()) } else { x.into() })
                    .unwrap();
                let (words, best) = (study.history().missing().map(|m| m.to_string()), study.best());
                match (best, words) {
                    (Some(best), None) => assert!(best.effort.is_full(), "{name}: {:?}", best.effort),
                    (Some(best), Some(words)) => {
                        assert!(
                            matches!(best.effort, Effort::Fold(_)) && words.contains("fold"),
                            "{name}: {words}"
                        );
                    }
                    (None, Some(words)) if number == 0 => assert!(words.contains("oom"), "{words}"),
                    (None, Some(words)) => {
                        assert!(words.contains("the largest share is 0."), "{name}: {words}");
                    }
                    (None, None) => panic!("{name}: neither a best nor a reason"),
                }
            }
        }
    }
}
