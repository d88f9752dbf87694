//! Is the objective noisy? If not, the best observed value is certain.
use arbora_search::{History, StudyOptions};
use arbora_space::Configuration;
use std::collections::HashMap;

/// Noise below this share of the spread of losses counts as none. It is a hundred times the
/// smallest noise a model can detect, and a tenth of the noise that redrawn rows give to any score.
const NONE: f64 = 1e-3;

/// This many pairs of equal losses for equal configurations are no coincidence.
const PAIRS: usize = 2;

/// Decided by the user's setting, by repeated configurations, or by the model's `noise` (a share of
/// the spread of losses; meaningless for a single loss).
pub(super) fn is_noiseless(options: &StudyOptions, history: &History, noise: f64) -> bool {
    let losses = history.trials().iter().filter(|trial| trial.effort.is_full() && trial.loss().is_some());
    options.deterministic || repeated(history).unwrap_or(noise < NONE && losses.count() > 1)
}

/// Did repeated configurations always give equal losses? `None` if there are too few repeats.
fn repeated(history: &History) -> Option<bool> {
    let mut first: HashMap<&Configuration, f64> = HashMap::new();
    let mut pairs = 0;
    for trial in history.trials().iter().filter(|trial| trial.effort.is_full()) {
        let Some(loss) = trial.loss() else { continue };
        match first.get(&trial.configuration) {
            Some(known) if known.to_bits() != loss.to_bits() => return Some(false),
            Some(_) => pairs += 1,
            None => drop(first.insert(&trial.configuration, loss)),
        }
    }
    (pairs >= PAIRS).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_search::Study;
    use arbora_space::{Param, Space};

    fn history(losses: &[(i64, f64)]) -> History {
        let space = Space::new([Param::integer("k", 0, 9)]).unwrap();
        let mut study = Study::new(space, StudyOptions::default()).unwrap();
        for (k, loss) in losses {
            let one = study.space().configuration([("k", (*k).into())]).unwrap();
            study.add(one, *loss).unwrap();
        }
        study.history().clone()
    }

    #[test]
    fn repeats_decide_and_else_the_model_does() {
        let options = StudyOptions::default();
        let same = history(&[(1, 0.5), (2, 0.7), (1, 0.5), (2, 0.7)]);
        assert!(is_noiseless(&options, &same, 0.3));
        let differs = history(&[(1, 0.5), (2, 0.7), (1, 0.5), (2, 0.8)]);
        assert!(!is_noiseless(&options, &differs, 1e-5));
        let single = history(&[(1, 0.5), (2, 0.7), (1, 0.5)]);
        assert!(is_noiseless(&options, &single, 1e-4) && !is_noiseless(&options, &single, 0.1));
        assert!(!is_noiseless(&options, &history(&[(1, 0.5)]), 1e-5), "one loss says nothing of noise");
        let declared = StudyOptions { deterministic: true, ..StudyOptions::default() };
        assert!(is_noiseless(&declared, &differs, 0.5), "who says so, says so");
    }
}
