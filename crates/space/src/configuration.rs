//! A configuration: the values of the active parameters, and nothing else.
//!
//! It is a list of (parameter, value) pairs instead of one entry per parameter: a space of 786
//! parameters has a dozen active ones, and copying, comparing and hashing should cost only that
//! dozen.
use crate::id::ParamId;
use crate::value::Value;

/// Values of the active parameters, in the order of the parameters.
///
/// Equality and hash ignore inactive parameters: two settings that differ only in them are the same
/// configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Configuration {
    entries: Vec<(ParamId, Value)>,
}

impl Configuration {
    /// The value of a parameter, or `None` if it is inactive.
    pub fn get(&self, id: ParamId) -> Option<&Value> {
        let found = self.entries.binary_search_by_key(&id, |entry| entry.0).ok()?;
        Some(&self.entries[found].1)
    }

    /// Is this parameter active?
    pub fn is_active(&self, id: ParamId) -> bool {
        self.get(id).is_some()
    }

    /// Active parameters and their values, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ParamId, &Value)> {
        self.entries.iter().map(|(id, value)| (*id, value))
    }

    /// Number of active parameters.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is no parameter active?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends the next active parameter; ids must be ascending.
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
