//! What splits may depend on: the number of rows, their classes and their groups, never their
//! features.
use crate::error::EvaluationError;

/// The rows of a data set, without their features.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    count: usize,
    classes: Option<Vec<u32>>,
    groups: Option<Vec<u32>>,
}

impl Rows {
    /// This many rows, with no classes or groups.
    pub fn new(count: usize) -> Self {
        Self { count, classes: None, groups: None }
    }

    /// Adds classes; splits are stratified by them.
    pub fn with_classes(mut self, classes: Vec<u32>) -> Result<Self, EvaluationError> {
        self.classes = Some(self.one_each("classes", classes)?);
        Ok(self)
    }

    /// Adds groups; rows of one group stay together.
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

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The class of a row; zero for all rows if no classes were given.
    pub(crate) fn class(&self, row: usize) -> u32 {
        self.classes.as_ref().map_or(0, |classes| classes[row])
    }

    /// The groups, if there are any.
    pub(crate) fn groups(&self) -> Option<&[u32]> {
        self.groups.as_deref()
    }
}
