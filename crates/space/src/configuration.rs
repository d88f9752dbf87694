//! A configuration: values of the active parameters and nothing else.
//!
//! Kept as (parameter, value) pairs rather than one slot per parameter: a space of 786 parameters has a dozen
//! active ones, and copying, comparing and hashing should cost that dozen.
use crate::id::ParamId;
use crate::value::Value;

/// Values of the active parameters, in the order of the parameters.
///
/// Equality and hash are those of the configuration: two settings that differ only in parameters that do not
/// take part are one configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Configuration {
    entries: Vec<(ParamId, Value)>,
}

impl Configuration {
    /// The value of a parameter; `None` where it is inactive.
    pub fn get(&self, id: ParamId) -> Option<&Value> {
        let found = self.entries.binary_search_by_key(&id, |entry| entry.0).ok()?;
        Some(&self.entries[found].1)
    }

    /// Does this parameter take part?
    pub fn is_active(&self, id: ParamId) -> bool {
        self.get(id).is_some()
    }

    /// Active parameters and their values, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ParamId, &Value)> {
        self.entries.iter().map(|(id, value)| (*id, value))
    }

    /// How many parameters are active.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if no parameter is active.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends the next active parameter; ids must ascend.
    pub(crate) fn push(&mut self, id: ParamId, value: Value) {
        debug_assert!(self.entries.last().is_none_or(|last| last.0 < id), "entries ascend");
        self.entries.push((id, value));
    }

    /// Replaces the value of an active parameter.
    pub(crate) fn set(&mut self, id: ParamId, value: Value) {
        if let Ok(found) = self.entries.binary_search_by_key(&id, |entry| entry.0) {
            self.entries[found].1 = value;
        }
    }
}
