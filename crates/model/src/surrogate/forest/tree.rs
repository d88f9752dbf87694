//! A fitted tree: splits on columns, and leaves.
use arbora_space::ColumnKind;

/// Statistics of the losses in a leaf, standardised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForestLeaf {
    /// Mean.
    pub mean: f64,
    /// Variance.
    pub variance: f64,
    /// Number of losses.
    pub count: usize,
}

/// A split or a leaf; children come after their parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    ForestLeaf(ForestLeaf),
    /// Left if x ≤ threshold.
    Number {
        column: usize,
        threshold: f64,
        left: usize,
        right: usize,
    },
    /// Left if the category is marked.
    Category {
        column: usize,
        goes_left: Vec<bool>,
        left: usize,
        right: usize,
    },
}

/// A regression tree over encoded points.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeModel {
    pub(super) nodes: Vec<Node>,
}

/// The category of a code; an inactive parameter gets the index after the last category.
pub(super) fn category(code: f64, categories: usize) -> usize {
    let steps = (categories.max(2) - 1) as f64;
    ((code * steps).round().max(0.0) as usize).min(categories)
}

impl TreeModel {
    /// The leaf of a point.
    pub fn leaf(&self, x: &[f64]) -> &ForestLeaf {
        let mut at = 0;
        loop {
            at = match &self.nodes[at] {
                Node::ForestLeaf(leaf) => return leaf,
                Node::Number { column, threshold, left, right } => {
                    if x[*column] <= *threshold {
                        *left
                    } else {
                        *right
                    }
                }
                Node::Category { column, goes_left, left, right } => {
                    // The last mark is for inactive parameters, so there is one more than
                    // categories.
                    let is_left = goes_left[category(x[*column], goes_left.len() - 1)];
                    if is_left { *left } else { *right }
                }
            };
        }
    }

    /// Every leaf and its cell: the box that the splits cut out of the unit cube.
    pub fn cells(&self, kinds: &[ColumnKind]) -> Vec<(ForestCell, ForestLeaf)> {
        let whole = ForestCell {
            sides: kinds
                .iter()
                .map(|kind| match kind {
                    ColumnKind::Numeric => Side::Interval(0.0, 1.0),
                    ColumnKind::Categories(k) => Side::Categories(vec![true; *k]),
                })
                .collect(),
        };
        let mut found = Vec::new();
        let mut open = vec![(0, whole)];
        while let Some((at, cell)) = open.pop() {
            match &self.nodes[at] {
                Node::ForestLeaf(leaf) => found.push((cell, *leaf)),
                Node::Number { column, threshold, left, right } => {
                    open.push((*right, cell.above(*column, *threshold)));
                    open.push((*left, cell.below(*column, *threshold)));
                }
                Node::Category { column, goes_left, left, right } => {
                    open.push((*right, cell.with(*column, |i| !goes_left[i])));
                    open.push((*left, cell.with(*column, |i| goes_left[i])));
                }
            }
        }
        found
    }
}

/// A box: an interval per number, a set per category.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestCell {
    sides: Vec<Side>,
}

/// One side of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// Lower and upper end; empty if the upper end is not larger.
    Interval(f64, f64),
    /// The categories it contains.
    Categories(Vec<bool>),
}

impl Side {
    /// Its length as a fraction of the whole side.
    pub fn length(&self) -> f64 {
        match self {
            Side::Interval(low, high) => (high - low).max(0.0),
            Side::Categories(marks) => {
                marks.iter().filter(|mark| **mark).count() as f64 / marks.len().max(1) as f64
            }
        }
    }

    /// Does it contain this code?
    pub fn holds(&self, code: f64) -> bool {
        match self {
            // A cell is closed above, like the splits; the lowest one is also closed below.
            Side::Interval(low, high) => (code > *low || (*low <= 0.0 && code >= *low)) && code <= *high,
            Side::Categories(marks) => marks.get(category(code, marks.len())).copied().unwrap_or(false),
        }
    }
}

impl ForestCell {
    /// The side along a column.
    pub fn side(&self, column: usize) -> &Side {
        &self.sides[column]
    }

    fn below(&self, column: usize, threshold: f64) -> Self {
        self.replaced(column, |side| match side {
            Side::Interval(low, high) => Side::Interval(*low, high.min(threshold)),
            other @ Side::Categories(_) => other.clone(),
        })
    }

    fn above(&self, column: usize, threshold: f64) -> Self {
        self.replaced(column, |side| match side {
            Side::Interval(low, high) => Side::Interval(low.max(threshold), *high),
            other @ Side::Categories(_) => other.clone(),
        })
    }

    fn with(&self, column: usize, keep: impl Fn(usize) -> bool) -> Self {
        self.replaced(column, |side| match side {
            Side::Categories(marks) => {
                Side::Categories(marks.iter().enumerate().map(|(i, mark)| *mark && keep(i)).collect())
            }
            other @ Side::Interval(..) => other.clone(),
        })
    }

    fn replaced(&self, column: usize, by: impl Fn(&Side) -> Side) -> Self {
        let mut sides = self.sides.clone();
        sides[column] = by(&sides[column]);
        Self { sides }
    }
}
