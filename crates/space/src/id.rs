//! Parameter ids.

/// The id of a parameter: parameter i is column i and activity bit i. Parents come before children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(u32);

impl ParamId {
    pub(crate) fn new(index: usize) -> Self {
        ParamId(u32::try_from(index).expect("a space has far fewer than 2³² parameters"))
    }

    /// Position among the parameters.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
