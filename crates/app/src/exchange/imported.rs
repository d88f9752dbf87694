//! A study of another tool, in our words.
use arbora_search::Direction;
use arbora_space::{Configuration, Space};
use arbora_store::Telling;

/// What came in.
pub(crate) struct Imported {
    /// The name it had.
    pub(crate) name: String,
    pub(crate) space: Space,
    pub(crate) direction: Direction,
    pub(crate) results: Vec<(Configuration, Telling)>,
    /// What was left out: why, and how many.
    pub(crate) left_out: Vec<(String, usize)>,
}

impl Imported {
    /// Counts something that was left out.
    pub(super) fn leave_out(&mut self, why: impl Into<String>) {
        let why = why.into();
        match self.left_out.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.left_out.push((why, 1)),
        }
    }
}
