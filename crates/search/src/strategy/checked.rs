//! What a strategy from outside suggests by name, checked before anybody evaluates it.
use super::Ask;
use crate::error::SearchError;
use crate::unseen::Taken;
use arbora_space::{Configuration, Named};

/// Values that a message shows.
const SHOWN: usize = 8;

impl Ask<'_> {
    /// The configuration that a strategy suggests by name. Every active parameter must be set and no other, the whole
    /// must be allowed, and it must not be taken unless repeats are wanted.
    ///
    /// # Errors
    /// [`SearchError::BadSuggestion`], which names the strategy, the parameter and the value.
    pub fn checked(&self, strategy: &str, suggested: &Named) -> Result<Configuration, SearchError> {
        let refused = |problem: String| SearchError::BadSuggestion {
            strategy: strategy.to_owned(),
            suggested: shown(suggested),
            problem,
        };
        let values = suggested.iter().map(|(name, value)| (name, value.clone()));
        let made = self.space.configuration(values).map_err(|error| refused(error.to_string()))?;
        if Taken::of(self.history, self.repeats).contains(&made) {
            let is_first = |trial: &&crate::trial::Trial| trial.configuration == made;
            let trial = self.history.trials().iter().find(is_first).map_or(0, |trial| trial.number);
            return Err(refused(format!(
                "trial {trial} has it already; suggest another one, or allow repeats if the objective is noisy"
            )));
        }
        Ok(made)
    }
}

fn shown(suggested: &Named) -> String {
    let values: Vec<String> =
        suggested.iter().take(SHOWN).map(|(name, value)| format!("{name} = {value}")).collect();
    match (values.len(), suggested.0.len()) {
        (0, _) => "nothing".to_owned(),
        (shown, all) if shown < all => format!("{}, … ({all} values)", values.join(", ")),
        _ => values.join(", "),
    }
}
