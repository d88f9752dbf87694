//! What splitting may know about data: how many rows, their classes, their groups. Never their features.
use crate::error::EvaluationError;

/// Rows of a data set, seen from the outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    count: usize,
    classes: Option<Vec<u32>>,
    groups: Option<Vec<u32>>,
}

impl Rows {
    /// So many rows, nothing known about them.
    pub fn new(count: usize) -> Self {
        Self { count, classes: None, groups: None }
    }

    /// Their classes: parts get equal shares of each.
    pub fn with_classes(mut self, classes: Vec<u32>) -> Result<Self, EvaluationError> {
        self.classes = Some(self.one_each("classes", classes)?);
        Ok(self)
    }

    /// Their groups: rows of one group stay together.
    pub fn with_groups(mut self, groups: Vec<u32>) -> Result<Self, EvaluationError> {
        self.groups = Some(self.one_each("groups", groups)?);
        Ok(self)
    }

    fn one_each(&self, what: &'static str, list: Vec<u32>) -> Result<Vec<u32>, EvaluationError> {
        if list.len() == self.count {
            return Ok(list);
        }
        Err(EvaluationError::Length { what, given: list.len(), rows: self.count })
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The class of a row; zero for all if classes are not known.
    pub(crate) fn class(&self, row: usize) -> u32 {
        self.classes.as_ref().map_or(0, |classes| classes[row])
    }

    /// Groups, if rows have some.
    pub(crate) fn groups(&self) -> Option<&[u32]> {
        self.groups.as_deref()
    }
}
