//! The layout: everything that models may know about a space.

/// The meaning of the numbers in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ordered: differences are meaningful (real, integer, ordinal).
    Numeric,
    /// Unordered: two entries are equal or not. Category i of k is encoded as i/(k−1).
    Categories(usize),
}

/// One column of encoded points; column i is parameter i.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The parameter's name, for messages and for stored state that must survive a change of the
    /// space.
    pub name: String,
    /// Numbers or categories.
    pub kind: ColumnKind,
    /// Only one value is possible: the column never varies, and kernels drop it.
    pub is_fixed: bool,
    /// Do other parameters depend on this one?
    pub is_decider: bool,
    /// Is the parameter inactive in some configurations?
    pub is_conditional: bool,
    /// Number of distinct values, if finite.
    pub levels: Option<u64>,
    /// The encoded default value, one possible imputation for an inactive coordinate.
    pub default: f64,
    /// Its place in the decision tree.
    pub place: ColumnPlace,
}

/// The place of a column in the decision tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnPlace {
    /// Columns of one group have the same condition, so they are active in the same configurations.
    /// Group 0 has the unconditional columns.
    pub group: usize,
    /// It is active in several branches; true for all columns if there are too many branches to
    /// count.
    pub is_shared: bool,
    /// Number of varying columns in the widest branch with this column, including itself but not
    /// categorical deciders; 0 if there are too many branches to count.
    pub beside: usize,
}

/// All columns, in the order of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// One per parameter.
    pub columns: Vec<Column>,
}

impl Layout {
    /// Number of columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Columns that can vary, ascending.
    pub fn varying(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns.iter().enumerate().filter(|(_, c)| !c.is_fixed).map(|(i, _)| i)
    }
}
