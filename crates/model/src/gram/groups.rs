//! Groups: rows that can be correlated, kept together.
use crate::kernel::{Coupling, Kernel, KernelBatch};
use arbora_space::{BranchKey, Points};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Points handled by one solve: enough to run at the speed of a matrix product, few enough to stay
/// in cache.
const PART: usize = 128;

/// The rows of one group, in their original order.
pub(crate) struct Group {
    /// Their indices among all rows.
    pub(super) rows: Vec<usize>,
    pub(super) points: Points,
    pub(super) batch: Box<dyn KernelBatch>,
}

/// All rows, group by group.
pub(crate) struct Groups {
    pub(super) kernel: Arc<dyn Kernel>,
    pub(super) members: Vec<Group>,
    size: usize,
    width: usize,
    by_branch: BTreeMap<BranchKey, usize>,
}

/// Points to be predicted together: all from the same group, or all from branches without rows.
pub(crate) struct Part {
    /// Their indices among all requested points.
    pub(crate) rows: Vec<usize>,
    pub(crate) points: Points,
    pub(super) group: Option<usize>,
}

impl Groups {
    pub(crate) fn new(kernel: Arc<dyn Kernel>, points: &Points) -> Self {
        let empty =
            Self { kernel, members: Vec::new(), size: 0, width: points.width(), by_branch: BTreeMap::new() };
        empty.grown(points)
    }

    /// Adds rows. Every group keeps its index, and its old rows come first.
    pub(crate) fn grown(&self, more: &Points) -> Self {
        let mut chosen: Vec<(Vec<usize>, Points)> =
            self.members.iter().map(|group| (group.rows.clone(), group.points.clone())).collect();
        let mut by_branch = self.by_branch.clone();
        for i in 0..more.len() {
            let group = *by_branch.entry(self.key(more.row(i).branch())).or_insert(chosen.len());
            if group == chosen.len() {
                chosen.push((Vec::new(), Points::new(self.width)));
            }
            chosen[group].0.push(self.size + i);
            chosen[group].1.push(more.row(i));
        }
        let group =
            |(rows, points): (Vec<usize>, Points)| Group { batch: self.kernel.batch(&points), rows, points };
        let members = chosen.into_iter().map(group).collect();
        Self {
            kernel: self.kernel.clone(),
            members,
            size: self.size + more.len(),
            width: self.width,
            by_branch,
        }
    }

    /// All rows, in their original order.
    pub(crate) fn points(&self) -> Points {
        let mut places = vec![(0, 0); self.size];
        for (g, group) in self.members.iter().enumerate() {
            group.rows.iter().enumerate().for_each(|(i, &row)| places[row] = (g, i));
        }
        let mut points = Points::new(self.width);
        for (g, i) in places {
            points.push(self.members[g].points.row(i));
        }
        points
    }

    /// Number of rows.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Floating-point operations to predict these parts with one draw: n² per point in a group of n
    /// rows.
    pub(crate) fn work(&self, parts: &[Part]) -> usize {
        let rows = |part: &Part| part.group.map_or(0, |group| self.members[group].rows.len());
        parts.iter().map(|part| part.rows.len() * rows(part).pow(2)).sum()
    }

    /// Approximate operations of one likelihood: n³/3 to factor a group of n rows, and some for
    /// each pair.
    pub(crate) fn likelihood_work(&self) -> f64 {
        let work = |n: f64| n * n * (n / 3.0 + 12.0);
        self.members.iter().map(|group| work(group.rows.len() as f64)).sum()
    }

    /// True if the kernel has gradients.
    pub(crate) fn has_slopes(&self) -> bool {
        self.kernel.batch(&Points::new(self.width)).slopes().is_some()
    }

    /// Points sorted by group, in parts of limited size. The parts depend on the points alone.
    pub(crate) fn parts(&self, at: &Points) -> Vec<Part> {
        let mut members: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for i in 0..at.len() {
            members.entry(self.group_of(at.row(i).branch())).or_default().push(i);
        }
        let chunks =
            members.iter().flat_map(|(group, rows)| rows.chunks(PART).map(move |rows| (*group, rows)));
        chunks.map(|(group, rows)| Part { rows: rows.to_vec(), points: at.select(rows), group }).collect()
    }

    /// The same without a size limit: one part per group.
    pub(crate) fn whole_parts(&self, at: &Points) -> Vec<Part> {
        let mut members: BTreeMap<BranchKey, Vec<usize>> = BTreeMap::new();
        for i in 0..at.len() {
            members.entry(self.key(at.row(i).branch())).or_default().push(i);
        }
        let part = |rows: Vec<usize>| Part {
            points: at.select(&rows),
            group: self.group_of(at.row(rows[0]).branch()),
            rows,
        };
        members.into_values().map(part).collect()
    }

    fn group_of(&self, branch: BranchKey) -> Option<usize> {
        self.by_branch.get(&self.key(branch)).copied()
    }

    /// The key of a branch's group: branches that can be correlated share one.
    fn key(&self, branch: BranchKey) -> BranchKey {
        match self.kernel.coupling() {
            Coupling::Everywhere => BranchKey::ROOT,
            Coupling::SameBranch => branch,
        }
    }
}
