//! Encoded configurations, as models see them.
use crate::branch::BranchKey;

/// Which columns of a row are active, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity<'a> {
    words: &'a [u64],
    width: usize,
}

impl<'a> Activity<'a> {
    /// Is the parameter of this column active?
    pub fn is_active(self, column: usize) -> bool {
        self.words[column / 64] >> (column % 64) & 1 == 1
    }

    /// The active columns, ascending.
    pub fn columns(self) -> impl Iterator<Item = usize> + 'a {
        self.words.iter().enumerate().flat_map(|(w, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    w * 64 + bit
                })
            })
        })
    }

    /// Number of columns, active or not.
    pub fn width(self) -> usize {
        self.width
    }
}

/// One encoded row.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    x: &'a [f64],
    active: Activity<'a>,
    branch: BranchKey,
    path: &'a [BranchKey],
}

impl<'a> Point<'a> {
    /// Coordinates; active ones are in [0, 1], inactive ones have an imputed value.
    pub fn x(self) -> &'a [f64] {
        self.x
    }

    /// Which coordinates are active.
    pub fn active(self) -> Activity<'a> {
        self.active
    }

    /// The key of the branch; equal keys mean the same branch.
    pub fn branch(self) -> BranchKey {
        self.branch
    }

    /// The branch after each decision, one entry per active decider in column order: two points
    /// share their first k decisions if and only if their k-th entries are equal.
    pub fn path(self) -> &'a [BranchKey] {
        self.path
    }
}

/// Encoded rows of one space. Only a space creates them.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    width: usize,
    words: usize,
    x: Vec<f64>,
    active: Vec<u64>,
    branch: Vec<BranchKey>,
    /// All paths concatenated, and the end of each.
    path: Vec<BranchKey>,
    ends: Vec<usize>,
}

impl Points {
    /// No rows, with `width` columns.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            words: width.div_ceil(64),
            x: Vec::new(),
            active: Vec::new(),
            branch: Vec::new(),
            path: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.branch.len()
    }

    /// Are there no rows?
    pub fn is_empty(&self) -> bool {
        self.branch.is_empty()
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// One row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, i: usize) -> Point<'_> {
        Point { x: self.x(i), active: self.active(i), branch: self.branch[i], path: self.path(i) }
    }

    /// Every row, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Point<'_>> {
        (0..self.len()).map(|i| self.row(i))
    }

    /// Branch keys, one per row.
    pub fn branches(&self) -> &[BranchKey] {
        &self.branch
    }

    /// Appends a copy of a row of the same space.
    pub fn push(&mut self, row: Point<'_>) {
        assert_eq!(row.x.len(), self.width, "a point of another space");
        self.x.extend_from_slice(row.x);
        self.active.extend_from_slice(row.active.words);
        self.branch.push(row.branch);
        self.path.extend_from_slice(row.path);
        self.ends.push(self.path.len());
    }

    /// Appends all rows of another set of the same space.
    pub fn extend(&mut self, other: &Points) {
        assert_eq!(other.width, self.width, "points of another space");
        self.x.extend_from_slice(&other.x);
        self.active.extend_from_slice(&other.active);
        self.branch.extend_from_slice(&other.branch);
        let before = self.path.len();
        self.path.extend_from_slice(&other.path);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// The rows with these indices, in this order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Points {
        let mut chosen = Points::new(self.width);
        for &i in rows {
            chosen.push(self.row(i));
        }
        chosen
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.x.clear();
        self.active.clear();
        self.branch.clear();
        self.path.clear();
        self.ends.clear();
    }

    /// Appends a copy of a row with other coordinates in some active columns. The caller guarantees
    /// that no decision changes; used to move within a branch.
    pub fn push_moved(&mut self, row: Point<'_>, columns: &[usize], to: &[f64]) {
        self.push(row);
        let start = self.x.len() - self.width;
        for (&c, &u) in columns.iter().zip(to) {
            debug_assert!(row.active.is_active(c), "moved along an inactive coordinate");
            self.x[start + c] = u;
        }
    }

    /// Appends a row with coordinates `x` and nothing active; the space that encodes it does the
    /// rest.
    pub(crate) fn push_blank(&mut self, x: &[f64]) -> RowMut<'_> {
        self.x.extend_from_slice(x);
        self.active.resize(self.active.len() + self.words, 0);
        self.branch.push(BranchKey::ROOT);
        self.ends.push(self.path.len());
        let (row, word) = (self.x.len() - self.width, self.active.len() - self.words);
        RowMut {
            x: &mut self.x[row..],
            active: &mut self.active[word..],
            branch: self.branch.last_mut().expect("a branch was just pushed"),
            path: &mut self.path,
            end: self.ends.last_mut().expect("an end was just pushed"),
        }
    }

    /// A row made by hand; only for tests of crates without a space.
    #[cfg(feature = "testing")]
    pub fn push_parts(&mut self, x: &[f64], active: &[bool], branch: BranchKey) {
        let path = [branch];
        self.push_decided(x, active, if branch == BranchKey::ROOT { &[] } else { &path });
    }

    /// A row made by hand, with the branch after each of its decisions; only for tests of crates
    /// without a space.
    #[cfg(feature = "testing")]
    pub fn push_decided(&mut self, x: &[f64], active: &[bool], path: &[BranchKey]) {
        let mut row = self.push_blank(x);
        for (column, &is_active) in active.iter().enumerate() {
            if is_active {
                row.activate(column);
            }
        }
        for &branch in path {
            row.decide(branch);
        }
    }

    fn x(&self, i: usize) -> &[f64] {
        &self.x[i * self.width..(i + 1) * self.width]
    }

    fn path(&self, i: usize) -> &[BranchKey] {
        &self.path[i.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[i]]
    }

    fn active(&self, i: usize) -> Activity<'_> {
        Activity { words: &self.active[i * self.words..(i + 1) * self.words], width: self.width }
    }
}

/// A row under construction.
pub(crate) struct RowMut<'a> {
    pub(crate) x: &'a mut [f64],
    active: &'a mut [u64],
    branch: &'a mut BranchKey,
    path: &'a mut Vec<BranchKey>,
    end: &'a mut usize,
}

impl RowMut<'_> {
    pub(crate) fn activate(&mut self, column: usize) {
        self.active[column / 64] |= 1 << (column % 64);
    }

    /// Records one more decision, which leads to this branch.
    pub(crate) fn decide(&mut self, branch: BranchKey) {
        *self.branch = branch;
        self.path.push(branch);
        *self.end = self.path.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_written() {
        let mut points = Points::new(70);
        let x: Vec<f64> = (0..70).map(|i| f64::from(i) / 70.0).collect();
        let mut row = points.push_blank(&x);
        row.activate(0);
        row.activate(65);
        row.decide(BranchKey::ROOT.then(1, 2));
        let row = points.row(0);
        assert_eq!(row.x(), &x[..]);
        assert_eq!(row.active().columns().collect::<Vec<_>>(), vec![0, 65]);
        assert!(row.active().is_active(65) && !row.active().is_active(64));
        let copy = points.select(&[0, 0]);
        assert_eq!(copy.len(), 2);
        assert_eq!(copy.row(1).branch(), BranchKey::ROOT.then(1, 2));
        assert_eq!(copy.row(1).path(), [BranchKey::ROOT.then(1, 2)]);
        let mut more = copy.clone();
        more.push_blank(&x);
        more.extend(&copy);
        assert_eq!((more.row(2).path(), more.row(4).path()), (&[][..], copy.row(1).path()));
    }

    #[test]
    fn moving_keeps_the_branch() {
        let mut points = Points::new(2);
        points.push_blank(&[0.1, 0.2]).activate(1);
        let base = points.clone();
        points.push_moved(base.row(0), &[1], &[0.9]);
        assert_eq!(points.row(1).x(), &[0.1, 0.9]);
        assert_eq!(points.row(1).branch(), base.row(0).branch());
    }
}
