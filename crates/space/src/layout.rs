//! Layout: all that numerics may know of a space.

/// What the numbers in one column mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ordered: differences have a size (real, integer, ordinal).
    Numeric,
    /// Unordered: two entries are the same or they are not. Category i of k is written i/(k−1).
    Categories(usize),
}

/// One column of encoded points; column i belongs to parameter i.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The parameter's name, for messages and for memory that must survive a changed space.
    pub name: String,
    /// Numbers or categories.
    pub kind: ColumnKind,
    /// Only one value is possible: the column never varies and kernels drop it.
    pub is_fixed: bool,
    /// Other parameters depend on this one.
    pub is_decider: bool,
    /// The parameter exists in some configurations only.
    pub is_conditional: bool,
    /// How many distinct values there are, if finitely many.
    pub levels: Option<u64>,
    /// The encoded default value: one of the stand-ins for an inactive coordinate.
    pub default: f64,
    /// Where it stands in the tree of decisions.
    pub place: ColumnPlace,
}

/// Where a column stands in the tree of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnPlace {
    /// Columns of one group have the same condition: they are active in the same configurations. Unconditional
    /// columns are group 0.
    pub group: usize,
    /// It exists in several branches; claimed of every column where branches are too many to count.
    pub is_shared: bool,
    /// Columns that vary in the widest branch that has this one, itself included and labels that decide left out;
    /// 0 where branches are too many to count.
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
