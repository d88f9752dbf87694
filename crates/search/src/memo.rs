//! Memos: what a strategy wants to remember travels with the trial and comes back in the history.
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;

/// Notes by name, stored with a trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memo(BTreeMap<String, serde_json::Value>);

impl Memo {
    /// Nothing to remember.
    pub fn new() -> Self {
        Self::default()
    }

    /// The note of a name, if there is one and it reads as `T`.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.0.get(name).and_then(|note| serde_json::from_value(note.clone()).ok())
    }

    /// Adds a note. What cannot be written as JSON is left out.
    #[must_use]
    pub fn with<T: Serialize>(mut self, name: &str, note: &T) -> Self {
        if let Ok(value) = serde_json::to_value(note) {
            self.0.insert(name.to_owned(), value);
        }
        self
    }

    /// This note alone, if there is one.
    #[must_use]
    pub fn only(&self, name: &str) -> Self {
        Self(self.0.get(name).map(|note| (name.to_owned(), note.clone())).into_iter().collect())
    }

    /// True if there is nothing to remember.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_to_the_last_bit() {
        let numbers = vec![0.1 + 0.2, 1e-308, -7.0 / 3.0];
        let memo = Memo::new().with("chain", &numbers);
        let text = serde_json::to_string(&memo).unwrap();
        let back: Memo = serde_json::from_str(&text).unwrap();
        assert_eq!(back.read::<Vec<f64>>("chain"), Some(numbers));
        assert_eq!(back.read::<String>("chain"), None);
    }
}
