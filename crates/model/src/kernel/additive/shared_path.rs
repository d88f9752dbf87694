//! The part of the tree of decisions that two points share.
use crate::kernel::KernelBatch;
use arbora_space::{BranchKey, Layout, Point, Points};
use std::collections::BTreeMap;

/// What two points must share. This is an equivalence among the points that have it at all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SharedPath {
    /// Nothing: any two points.
    Everywhere,
    /// Both have this column.
    Column(usize),
    /// The same decisions, up to and including the one of this decider.
    Decision(DecisionNode),
    /// The same, and further decisions follow.
    InnerDecision(DecisionNode),
    /// The same branch.
    Branch,
}

/// A decider and the deciders before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecisionNode {
    decider: usize,
    before: Vec<usize>,
}

impl DecisionNode {
    /// One for each decider of a layout.
    pub(crate) fn all(layout: &Layout) -> Vec<Self> {
        let is_decider = |&column: &usize| layout.columns[column].is_decider;
        let deciders: Vec<usize> = (0..layout.width()).filter(is_decider).collect();
        let decision =
            |(i, &decider): (usize, &usize)| DecisionNode { decider, before: deciders[..i].to_vec() };
        deciders.iter().enumerate().map(decision).collect()
    }

    /// The decider's column.
    pub(crate) fn decider(&self) -> usize {
        self.decider
    }

    /// The position of this decision on the path of a point.
    fn position(&self, at: Point<'_>) -> Option<usize> {
        let active = at.active();
        active.is_active(self.decider).then(|| self.before.iter().filter(|&&c| active.is_active(c)).count())
    }
}

impl SharedPath {
    /// Points with equal keys share it; a point without a key does not have it.
    pub(crate) fn key(&self, at: Point<'_>) -> Option<BranchKey> {
        match self {
            SharedPath::Everywhere => Some(BranchKey::ROOT),
            SharedPath::Column(column) => at.active().is_active(*column).then_some(BranchKey::ROOT),
            SharedPath::Decision(decision) => at.path().get(decision.position(at)?).copied(),
            SharedPath::InnerDecision(decision) => {
                let position = decision.position(at)?;
                (position + 1 < at.path().len()).then(|| at.path()[position])
            }
            SharedPath::Branch => Some(at.branch()),
        }
    }

    /// Rows grouped by key; rows without a key are left out.
    pub(super) fn sorted(&self, rows: &Points) -> BTreeMap<BranchKey, Vec<usize>> {
        let mut sorted: BTreeMap<BranchKey, Vec<usize>> = BTreeMap::new();
        for i in 0..rows.len() {
            if let Some(key) = self.key(rows.row(i)) {
                sorted.entry(key).or_default().push(i);
            }
        }
        sorted
    }

    pub(super) fn blocks(
        &self,
        rows: &Points,
        batch: impl Fn(&Points) -> Box<dyn KernelBatch>,
    ) -> Vec<Block> {
        let block = |(key, rows_here): (BranchKey, Vec<usize>)| Block {
            key,
            batch: batch(&rows.select(&rows_here)),
            rows: rows_here,
        };
        self.sorted(rows).into_iter().map(block).collect()
    }
}

/// Rows with the same key, ascending.
pub(super) struct Block {
    pub(super) key: BranchKey,
    pub(super) rows: Vec<usize>,
    pub(super) batch: Box<dyn KernelBatch>,
}
