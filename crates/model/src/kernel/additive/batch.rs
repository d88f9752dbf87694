//! Matrices of a sum: every block of every term is added at its rows.
use super::shared_path::{Block, SharedPath};
use crate::kernel::{KernelBatch, PartialGram, Slopes};
use crate::linalg::Matrix;
use arbora_space::{Point, Points};
use std::ops::Range;

/// One term for these rows.
pub(super) struct Part {
    pub(super) shared: SharedPath,
    pub(super) weight: Option<usize>,
    /// The indices of its kernel in θ.
    pub(super) hypers: Range<usize>,
    pub(super) blocks: Vec<Block>,
}

pub(super) struct AdditiveBatch {
    pub(super) size: usize,
    pub(super) parts: Vec<Part>,
    pub(super) has_slopes: bool,
}

impl Part {
    fn weight(&self, theta: &[f64]) -> f64 {
        self.weight.map_or(1.0, |at| libm::exp(theta[at]))
    }

    fn owns(&self, hyper: usize) -> bool {
        self.weight == Some(hyper) || self.hypers.contains(&hyper)
    }

    /// Adds this term with a weight, in the lower triangle with diagonal.
    fn add_gram(&self, theta: &[f64], weight: f64, out: &mut Matrix) {
        let mut own = Matrix::default();
        for block in &self.blocks {
            own.reshape(block.rows.len(), block.rows.len());
            block.batch.gram(&theta[self.hypers.clone()], &mut own);
            for (j, &col) in block.rows.iter().enumerate() {
                let column = out.col_mut(col);
                for (&row, own) in block.rows[j..].iter().zip(&own.col(j)[j..]) {
                    column[row] += weight * own;
                }
            }
        }
    }

    fn block(&self, at: Point<'_>) -> Option<&Block> {
        let key = self.shared.key(at)?;
        self.blocks.iter().find(|block| block.key == key)
    }
}

impl AdditiveBatch {
    /// The sum of some of the terms, in the lower triangle with diagonal.
    fn gram_of(&self, theta: &[f64], out: &mut Matrix, is_wanted: impl Fn(&Part) -> bool) {
        (0..self.size).for_each(|j| out.col_mut(j)[j..].fill(0.0));
        for part in self.parts.iter().filter(|part| is_wanted(part)) {
            part.add_gram(theta, part.weight(theta), out);
        }
    }

    /// The lower triangle with diagonal, column by column.
    fn pack(matrix: &Matrix, into: &mut Vec<f64>) {
        into.clear();
        (0..matrix.cols()).for_each(|j| into.extend_from_slice(&matrix.col(j)[j..]));
    }
}

impl KernelBatch for AdditiveBatch {
    fn len(&self) -> usize {
        self.size
    }

    fn depends_on(&self, hyper: usize) -> bool {
        self.parts.iter().any(|part| {
            let has_rows = part.weight == Some(hyper) && !part.blocks.is_empty();
            let is_inside = part.hypers.contains(&hyper)
                && part.blocks.iter().any(|block| block.batch.depends_on(hyper - part.hypers.start));
            has_rows || is_inside
        })
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        self.gram_of(theta, out, |_| true);
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.size, at.len());
        (0..at.len()).for_each(|j| out.col_mut(j).fill(0.0));
        let mut own = Matrix::default();
        for part in &self.parts {
            let (sorted, weight) = (part.shared.sorted(at), part.weight(theta));
            for block in &part.blocks {
                let Some(places) = sorted.get(&block.key) else { continue };
                block.batch.cross(&theta[part.hypers.clone()], &at.select(places), &mut own);
                for (j, &col) in places.iter().enumerate() {
                    let column = out.col_mut(col);
                    block.rows.iter().zip(own.col(j)).for_each(|(&row, own)| column[row] += weight * own);
                }
            }
        }
    }

    fn prepare_hyper(&self, theta: &[f64], hyper: usize, partial: &mut PartialGram) {
        partial.theta.clear();
        partial.theta.extend_from_slice(theta);
        partial.hyper = hyper;
        let mut matrix = Matrix::zeros(self.size, self.size);
        self.gram_of(theta, &mut matrix, |part| !part.owns(hyper));
        Self::pack(&matrix, &mut partial.others);
        partial.own.clear();
        if let Some(part) = self.parts.iter().find(|part| part.weight == Some(hyper)) {
            (0..self.size).for_each(|j| matrix.col_mut(j).fill(0.0));
            part.add_gram(theta, 1.0, &mut matrix);
            Self::pack(&matrix, &mut partial.own);
        }
    }

    fn gram_moved(&self, partial: &mut PartialGram, value: f64, out: &mut Matrix) {
        partial.theta[partial.hyper] = value;
        let mut others = &partial.others[..];
        for j in 0..self.size {
            let (column, after) = others.split_at(self.size - j);
            out.col_mut(j)[j..].copy_from_slice(column);
            others = after;
        }
        let Some(part) = self.parts.iter().find(|part| part.owns(partial.hyper)) else { return };
        if partial.own.is_empty() {
            return part.add_gram(&partial.theta, part.weight(&partial.theta), out);
        }
        let (mut own, weight) = (&partial.own[..], libm::exp(value));
        for j in 0..self.size {
            let (column, after) = own.split_at(self.size - j);
            out.col_mut(j)[j..].iter_mut().zip(column).for_each(|(out, own)| *out += weight * own);
            own = after;
        }
    }

    fn slopes(&self) -> Option<&dyn Slopes> {
        self.has_slopes.then_some(self)
    }
}

/// The gradients of a block, which it has if the sum has them.
fn slopes_of(block: &Block) -> &dyn Slopes {
    block.batch.slopes().expect("a sum offers slopes only if all its terms have them")
}

impl Slopes for AdditiveBatch {
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]) {
        let (mut own, mut inner) = (Matrix::default(), Matrix::default());
        for part in &self.parts {
            let (weight, mut slopes) = (part.weight(theta), vec![0.0; part.hypers.len()]);
            for block in &part.blocks {
                let size = block.rows.len();
                inner.reshape(size, size);
                for (j, &col) in block.rows.iter().enumerate() {
                    let from = weights.col(col);
                    let into = &mut inner.col_mut(j)[j..];
                    into.iter_mut().zip(&block.rows[j..]).for_each(|(into, &row)| *into = from[row]);
                }
                slopes_of(block).by_theta(&theta[part.hypers.clone()], &inner, &mut slopes);
                let Some(at) = part.weight else { continue };
                own.reshape(size, size);
                block.batch.gram(&theta[part.hypers.clone()], &mut own);
                // ∂w/∂ln w = w; pairs above the diagonal count too.
                for j in 0..size {
                    let below = own.col(j)[j + 1..].iter().zip(&inner.col(j)[j + 1..]);
                    let below: f64 = below.map(|(own, weight)| own * weight).sum();
                    gradient[at] += weight * (own.at(j, j) * inner.at(j, j) + 2.0 * below);
                }
            }
            for (into, slope) in gradient[part.hypers.clone()].iter_mut().zip(slopes) {
                *into += weight * slope;
            }
        }
    }

    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix) {
        out.reshape(self.size, columns.len());
        (0..columns.len()).for_each(|k| out.col_mut(k).fill(0.0));
        let mut own = Matrix::default();
        for part in &self.parts {
            let Some(block) = part.block(at) else { continue };
            slopes_of(block).by_place(&theta[part.hypers.clone()], at, columns, &mut own);
            let weight = part.weight(theta);
            for k in 0..columns.len() {
                let column = out.col_mut(k);
                block.rows.iter().zip(own.col(k)).for_each(|(&row, own)| column[row] += weight * own);
            }
        }
    }

    fn diagonal_by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut [f64]) {
        out.fill(0.0);
        let mut own = vec![0.0; columns.len()];
        for part in &self.parts {
            let Some(block) = part.block(at) else { continue };
            slopes_of(block).diagonal_by_place(&theta[part.hypers.clone()], at, columns, &mut own);
            let weight = part.weight(theta);
            out.iter_mut().zip(&own).for_each(|(out, own)| *out += weight * own);
        }
    }
}
