//! One finished run: who searched what, from which seed, and what came of it.
//!
//! A run is a pure function of its key, apart from the seconds it took. It is one line of JSON in the log:
//!
//! ```json
//! {"experiment":"x4","problem":"tree-small","method":"tree","seed":0,"trials":100,
//!  "best":[[0,0.81],[3,0.42]],"chosen":"n=0, n0=0","seconds":0.71,"last":0.012}
//! ```
//!
//! `best` lists every improvement as the number of the trial and the loss it reached; the incumbent after trial i is the
//! last entry not beyond i. Where a problem adds noise, the incumbent is chosen by what the search was told, and listed
//! with its loss without noise, so the list may rise. Fields that are empty or zero are left out.
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which run: everything it depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// Such as `x4`.
    pub experiment: String,
    /// What is searched.
    pub problem: String,
    /// Who searches.
    pub method: String,
    /// The source of all randomness; methods with the same seed see the same draws.
    pub seed: u64,
    /// How many trials.
    pub trials: usize,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} by {}, seed {}", self.experiment, self.problem, self.method, self.seed)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Which run.
    #[serde(flatten)]
    pub key: Key,
    /// Every improvement: number of the trial, loss.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<(usize, f64)>,
    /// Error on rows nobody has seen, of what was chosen in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<f64>,
    /// The decisions of what was chosen in the end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub chosen: String,
    /// CPU seconds of all suggestions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seconds: f64,
    /// CPU seconds of the last suggestion.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub last: f64,
    /// Trials that tried a configuration again.
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    pub repeats: usize,
    /// Trials without a loss.
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    pub failures: usize,
    /// Other figures, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, f64>,
    /// Why there is no run: a method that is not installed, say. Such a line is no result and is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
fn is_none_of_them(n: &usize) -> bool {
    *n == 0
}

impl Run {
    /// Nothing yet.
    pub fn new(key: Key) -> Self {
        Self {
            key,
            best: Vec::new(),
            test: None,
            chosen: String::new(),
            seconds: 0.0,
            last: 0.0,
            repeats: 0,
            failures: 0,
            values: BTreeMap::new(),
            missing: None,
        }
    }

    /// The same as a line that says why there is nothing.
    #[must_use]
    pub fn missing(mut self, why: String) -> Self {
        self.missing = Some(why);
        self
    }

    /// A figure beside losses.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.values.insert(name.to_owned(), value);
        self
    }

    /// Takes in the loss of a trial; true if it is the best so far.
    pub fn observe(&mut self, trial: usize, loss: f64) -> bool {
        let is_better = loss.is_finite() && self.loss().is_none_or(|best| loss < best);
        if is_better {
            self.best.push((trial, loss));
        }
        is_better
    }

    /// The best loss of all.
    pub fn loss(&self) -> Option<f64> {
        self.best.last().map(|(_, loss)| *loss)
    }

    /// The best loss after the trial of this number, the first being 0.
    pub fn loss_after(&self, trial: usize) -> Option<f64> {
        self.best.iter().take_while(|(i, _)| *i <= trial).last().map(|(_, loss)| *loss)
    }

    /// The same run as it would be on any machine: without the time it took.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        (self.seconds, self.last) = (0.0, 0.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        let text = |s: &str| s.to_owned();
        Key { experiment: text("x4"), problem: text("tree"), method: text("random"), seed: 3, trials: 9 }
    }

    #[test]
    fn only_improvements_are_kept_and_every_trial_can_be_read_back() {
        let losses = [3.0, 4.0, f64::NAN, 2.0, 2.0, 1.0];
        let mut run = Run::new(key());
        let better: Vec<bool> = losses.iter().enumerate().map(|(i, loss)| run.observe(i, *loss)).collect();
        assert_eq!(better, [true, false, false, true, false, true]);
        let read: Vec<f64> = (0..6).map(|i| run.loss_after(i).unwrap()).collect();
        assert_eq!(read, [3.0, 3.0, 3.0, 2.0, 2.0, 1.0]);
    }

    #[test]
    fn a_run_is_its_line() {
        let mut run = Run::new(key()).with("rmse", 0.1);
        run.observe(0, 0.1 + 0.2);
        let line = serde_json::to_string(&run).unwrap();
        assert!(!line.contains("repeats"), "{line}");
        assert_eq!(serde_json::from_str::<Run>(&line).unwrap(), run);
    }
}
