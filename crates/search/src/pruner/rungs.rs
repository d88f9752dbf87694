//! Successive halving over steps, one trial at a time  [ASHA: Li et al. 2020, algorithm 2; as Optuna's
//! `SuccessiveHalvingPruner`].
//!
//! Rung k lies at step r·η^(e+k). The first report at or beyond it is the trial's entry there. With n entries of all
//! trials, its own included, it goes on if it is among the best ⌊n/η⌋; among the first η−1, if it is the best. What is
//! no number is stopped at the rung and leaves no entry.
//!
//! Optuna writes the entries down as it judges; here they are read off the curves, which is the same as long as a trial
//! is judged after each report. O(trials · log steps) a look.
use super::Look;
use crate::error::{SearchError, at_least_one};
use crate::trial::Trial;

/// Where the rungs are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rungs {
    /// r.
    pub(super) first: u64,
    /// η.
    pub(super) factor: u64,
    /// e.
    pub(super) rate: u32,
    /// Entries of a rung before anyone passes it.
    pub(super) bootstrap: usize,
}

impl Rungs {
    fn step(&self, rung: u32) -> u64 {
        self.first.saturating_mul(self.factor.saturating_pow(self.rate.saturating_add(rung)))
    }

    /// Why the trial is stopped at a rung that it has just reached, compared with these.
    pub(super) fn stop(&self, trial: &Trial, others: &[&Trial]) -> Option<String> {
        let (last, own) = trial.curve.last()?;
        for rung in 0.. {
            let at = self.step(rung);
            let (entered, _) = trial.curve.first_from(at)?;
            if entered == last && self.is_out(at, own, others) {
                return Some(format!("not among the best at rung {rung}, step {last}"));
            }
            // The same step forever: nothing new beyond it.
            if at == u64::MAX {
                return None;
            }
        }
        None
    }

    fn is_out(&self, step: u64, own: f64, others: &[&Trial]) -> bool {
        if own.is_nan() {
            return true;
        }
        let entries = others.iter().filter_map(|trial| trial.curve.first_from(step)).map(|(_, loss)| loss);
        let mut entries: Vec<f64> = entries.filter(|loss| !loss.is_nan()).chain([own]).collect();
        if entries.len() <= self.bootstrap {
            return true;
        }
        let kept = (entries.len() / usize::try_from(self.factor).unwrap_or(usize::MAX)).max(1);
        entries.sort_by(f64::total_cmp);
        own > entries[kept - 1]
    }
}

/// Refuses what no ladder can have.
pub(super) fn check_ladder(first: Option<u64>, factor: u64) -> Result<(), SearchError> {
    if let Some(first) = first {
        at_least_one("min_resource", usize::try_from(first).unwrap_or(usize::MAX))?;
    }
    if factor < 2 {
        let (value, problem) = (factor.to_string(), "it must be 2 or more");
        return Err(SearchError::BadSetting { setting: "reduction_factor", value, problem });
    }
    Ok(())
}

/// The first trial that is complete and reported anything, and how far it came: how long a trial is, as far as one can
/// know. The first one, so that the ladder stays where it is once it stands; as in Optuna, it and those before it have
/// no entries there.
pub(super) fn full_length(look: &Look<'_>) -> Option<(u64, u64)> {
    look.complete().find_map(|trial| trial.curve.last().map(|(step, _)| (trial.number, step)))
}
