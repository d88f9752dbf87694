//! Growing one tree: at each node, the split with the largest variance reduction.
//!
//! A split into parts with sums S_L, S_R and sizes n_L, n_R gains S_L²/n_L + S_R²/n_R − S²/n;
//! prefix sums over sorted rows give all thresholds of a column in O(n log n).
use super::Limits;
use super::tree::{ForestLeaf, Node, TreeModel, category};
use arbora_space::{ColumnKind, Points, Rng};

/// A node whose losses vary less than this fraction of all losses is pure.
const PURE: f64 = 1e-8;

/// The mean loss of some rows, on the scale on which the forest averages.
pub(super) type Mean<'a> = dyn Fn(&[usize]) -> f64 + 'a;

/// The columns a tree may split on, and its limits.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    pub(super) kinds: Vec<ColumnKind>,
    pub(super) varying: Vec<usize>,
    pub(super) limits: Limits,
}

/// A split and its gain.
struct Split {
    gain: f64,
    rule: SplitRule,
}

enum SplitRule {
    Number { column: usize, threshold: f64 },
    Category { column: usize, goes_left: Vec<bool> },
}

impl SplitRule {
    fn is_left(&self, x: &[f64]) -> bool {
        match self {
            SplitRule::Number { column, threshold } => x[*column] <= *threshold,
            SplitRule::Category { column, goes_left } => goes_left[category(x[*column], goes_left.len() - 1)],
        }
    }
}

impl Growth {
    /// A tree fitted to these rows, which may repeat.
    pub(super) fn tree(
        &self,
        points: &Points,
        targets: &[f64],
        rows: &mut [usize],
        mean: &Mean<'_>,
        rng: &mut Rng,
    ) -> TreeModel {
        let mut nodes = Vec::new();
        self.node(&mut nodes, &Sample { points, targets, mean }, rows, 0, rng);
        TreeModel { nodes }
    }

    fn node(
        &self,
        nodes: &mut Vec<Node>,
        sample: &Sample<'_>,
        rows: &mut [usize],
        depth: usize,
        rng: &mut Rng,
    ) -> usize {
        let at = nodes.len();
        let leaf = sample.leaf(rows);
        nodes.push(Node::ForestLeaf(leaf));
        let is_done =
            rows.len() < self.limits.least_split || depth >= self.limits.depth || leaf.variance <= PURE;
        let Some(split) = (if is_done { None } else { self.best_split(sample, rows, rng) }) else {
            return at;
        };
        let middle = partition(rows, |&i| split.rule.is_left(sample.points.row(i).x()));
        let (first, second) = rows.split_at_mut(middle);
        let left = self.node(nodes, sample, first, depth + 1, rng);
        let right = self.node(nodes, sample, second, depth + 1, rng);
        nodes[at] = match split.rule {
            SplitRule::Number { column, threshold } => Node::Number { column, threshold, left, right },
            SplitRule::Category { column, goes_left } => Node::Category { column, goes_left, left, right },
        };
        at
    }

    /// The best split among a random subset of the columns. The other columns are tried only if
    /// none of these can split.
    fn best_split(&self, sample: &Sample<'_>, rows: &[usize], rng: &mut Rng) -> Option<Split> {
        let mut columns = self.varying.clone();
        rng.shuffle(&mut columns);
        let competing = ((self.limits.features * columns.len() as f64) as usize).max(1);
        let mut best: Option<Split> = None;
        for (tried, &column) in columns.iter().enumerate() {
            if tried >= competing && best.is_some() {
                break;
            }
            let split = match self.kinds[column] {
                ColumnKind::Numeric => self.split_number(sample, rows, column, rng),
                ColumnKind::Categories(k) => self.split_categories(sample, rows, column, k, rng),
            };
            if let Some(split) = split.filter(|s| best.as_ref().is_none_or(|b| s.gain > b.gain)) {
                best = Some(split);
            }
        }
        best
    }

    fn split_number(
        &self,
        sample: &Sample<'_>,
        rows: &[usize],
        column: usize,
        rng: &mut Rng,
    ) -> Option<Split> {
        let mut pairs: Vec<(f64, f64)> =
            rows.iter().map(|&i| (sample.points.row(i).x()[column], sample.targets[i])).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let blocks: Vec<Block> = blocks(&pairs);
        let (cut, gain) = self.best_cut(&blocks, rows.len())?;
        let (low, high) = (blocks[cut].value, blocks[cut + 1].value);
        let threshold = low + rng.unit() * (high - low);
        Some(Split { gain, rule: SplitRule::Number { column, threshold: threshold.min(high.next_down()) } })
    }

    fn split_categories(
        &self,
        sample: &Sample<'_>,
        rows: &[usize],
        column: usize,
        categories: usize,
        rng: &mut Rng,
    ) -> Option<Split> {
        let mut all: Vec<Block> =
            (0..=categories).map(|i| Block { value: i as f64, sum: 0.0, count: 0 }).collect();
        for &i in rows {
            let block = &mut all[category(sample.points.row(i).x()[column], categories)];
            block.sum += sample.targets[i];
            block.count += 1;
        }
        let (mut present, absent): (Vec<Block>, Vec<Block>) = all.into_iter().partition(|b| b.count > 0);
        rng.shuffle(&mut present);
        present.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
        let (cut, gain) = self.best_cut(&present, rows.len())?;
        let mut goes_left = vec![false; categories + 1];
        present[..=cut].iter().for_each(|block| goes_left[block.value as usize] = true);
        // Categories that are absent from this node go to a random side.
        for block in &absent {
            goes_left[block.value as usize] = rng.below(2) == 0;
        }
        Some(Split { gain, rule: SplitRule::Category { column, goes_left } })
    }

    /// The block after which to cut, and the gain.
    fn best_cut(&self, blocks: &[Block], rows: usize) -> Option<(usize, f64)> {
        let total: f64 = blocks.iter().map(|b| b.sum).sum();
        let base = total * total / rows as f64;
        let (mut sum, mut count) = (0.0, 0);
        let mut best = None;
        for (i, block) in blocks.iter().enumerate().take(blocks.len().saturating_sub(1)) {
            sum += block.sum;
            count += block.count;
            if count.min(rows - count) < self.limits.least_leaf {
                continue;
            }
            let gain = sum * sum / count as f64 + (total - sum).powi(2) / (rows - count) as f64 - base;
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((i, gain));
            }
        }
        best
    }
}

struct Sample<'a> {
    points: &'a Points,
    targets: &'a [f64],
    mean: &'a Mean<'a>,
}

impl Sample<'_> {
    fn leaf(&self, rows: &[usize]) -> ForestLeaf {
        let n = rows.len() as f64;
        let centre = rows.iter().map(|&i| self.targets[i]).sum::<f64>() / n;
        let variance = rows.iter().map(|&i| (self.targets[i] - centre).powi(2)).sum::<f64>() / n;
        ForestLeaf { mean: (self.mean)(rows), variance, count: rows.len() }
    }
}

/// Rows with the same value or category.
struct Block {
    value: f64,
    sum: f64,
    count: usize,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

fn blocks(sorted: &[(f64, f64)]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for &(value, target) in sorted {
        match blocks.last_mut().filter(|last| last.value == value) {
            Some(last) => {
                last.sum += target;
                last.count += 1;
            }
            None => blocks.push(Block { value, sum: target, count: 1 }),
        }
    }
    blocks
}

/// Moves rows that satisfy a test to the front, preserving order, and returns their number.
fn partition(rows: &mut [usize], test: impl Fn(&usize) -> bool) -> usize {
    let (left, right): (Vec<usize>, Vec<usize>) = rows.iter().copied().partition(|i| test(i));
    rows[..left.len()].copy_from_slice(&left);
    rows[left.len()..].copy_from_slice(&right);
    left.len()
}
