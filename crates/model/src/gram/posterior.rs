//! The posterior of the process at one θ, and its update by fantasies at pending points.
//!
//! With L·Lᵀ = R + ηI, w = L⁻¹(y − m), v = L⁻¹k(X, x), for the latent function:
//! mean(x) = m + vᵀw,  var(x) = σ²·(k(x,x) − vᵀv)  [Rasmussen & Williams 2006, alg. 2.1].
//! A point in a group without rows has mean and variance of the prior. O(n_g²) per point, computed
//! for many points at once.
//!
//! **Scenarios.** Fantasies at pending points append rows to L and entries to w: one column of w
//! per scenario, all with the same factor. This is simple in whitened coordinates: an outcome at
//! its mean appends 0, a sampled one appends σ·z, and a fixed one appends its residual [Snoek et
//! al. 2012, §3.2; alg. of Schur].
use super::Level;
use super::evidence::LN_TWO_PI;
use super::groups::{Groups, Part};
use crate::error::FitError;
use crate::kernel::KernelBatch;
use crate::linalg::{Factor, Matrix, Scratch, column_products, dot, transposed_product};

/// Lower bound of a variance relative to the prior's: about the rounding error at an observed
/// point.
pub(super) const LEAST_VARIANCE: f64 = 1e-12;

/// The process at one θ, given rows and losses.
pub(crate) struct PlainPosterior {
    theta: Vec<f64>,
    level: Level,
    blocks: Vec<Block>,
}

/// One group: its triangle, w and L⁻ᵀw, with one column per scenario.
#[derive(Clone)]
struct Block {
    factor: Factor,
    whitened: Matrix,
    solved: Matrix,
}

/// The fantasies at pending points.
pub(crate) enum Outcomes<'a> {
    /// The predictive means.
    Means,
    /// One value for all points.
    Value(f64),
    /// Samples m + L·z from the joint predictive distribution: z is standard normal, with one row
    /// per pending point and one column per scenario.
    Normals(&'a Matrix),
}

/// Means and variances of the latent function at some points.
pub(crate) struct Normals {
    /// Points × scenarios.
    pub(crate) mean: Matrix,
    pub(crate) variance: Vec<f64>,
}

impl Normals {
    /// A placeholder for an interrupted prediction.
    pub(crate) fn placeholder(points: usize, scenarios: usize) -> Self {
        Self { mean: Matrix::zeros(points, scenarios), variance: vec![1.0; points] }
    }
}

/// Derivatives at one point with respect to some of its coordinates.
pub(crate) struct Slope {
    /// Coordinates × scenarios.
    pub(crate) mean: Matrix,
    pub(crate) variance: Vec<f64>,
}

impl Block {
    fn new(factor: Factor, whitened: Matrix) -> Self {
        let mut solved = whitened.clone();
        factor.solve_upper_many(&mut solved);
        Self { factor, whitened, solved }
    }
}

impl PlainPosterior {
    pub(crate) fn new(
        groups: &Groups,
        losses: &[f64],
        theta: &[f64],
        level: Level,
        scratch: &mut Scratch,
    ) -> Result<Self, FitError> {
        let mut blocks = Vec::with_capacity(groups.members.len());
        for group in &groups.members {
            let factor = factor_of(&*group.batch, theta, level, scratch)?;
            let mut whitened =
                Matrix::from_fn(group.rows.len(), 1, |i, _| losses[group.rows[i]] - level.mean);
            factor.solve_lower_many(&mut whitened);
            blocks.push(Block::new(factor, whitened));
        }
        Ok(Self { theta: theta.to_vec(), level, blocks })
    }

    /// ln p(y) of the training losses.
    pub(crate) fn evidence(&self) -> f64 {
        let share = |block: &Block| {
            let (w, size) = (block.whitened.col(0), block.factor.size() as f64);
            let volume = block.factor.log_det() + size * (LN_TWO_PI + libm::log(self.level.variance));
            -0.5 * (dot(w, w) / self.level.variance + volume)
        };
        self.blocks.iter().map(share).sum()
    }

    /// Σᵢ ln p(yᵢ | all others). With c the diagonal of the inverse and a = (R + ηI)⁻¹(y − m), the
    /// i-th term has precision cᵢ/σ² and residual aᵢ/cᵢ  [Rasmussen & Williams 2006, eq. 5.12].
    pub(crate) fn leave_one_out(&self) -> f64 {
        let (mut inverse, mut scratch) = (Matrix::default(), Scratch::default());
        let mut sum = 0.0;
        for block in &self.blocks {
            block.factor.inverse(&mut inverse, &mut scratch);
            for (i, a) in block.solved.col(0).iter().enumerate() {
                let precision = inverse.at(i, i) / self.level.variance;
                let miss = a / inverse.at(i, i);
                sum += 0.5 * (libm::log(precision) - precision * miss * miss - LN_TWO_PI);
            }
        }
        sum
    }

    /// Means and variances of the latent function at the points of one part.
    pub(crate) fn predict(&self, groups: &Groups, part: &Part, scenarios: usize) -> Normals {
        self.normals(groups, part, scenarios, self.whiten(groups, part).as_ref())
    }

    fn normals(
        &self,
        groups: &Groups,
        part: &Part,
        scenarios: usize,
        known: Option<&(&Block, Matrix)>,
    ) -> Normals {
        let count = part.points.len();
        let mut variance = vec![0.0; count];
        groups.kernel.diagonal(&self.theta, &part.points, &mut variance);
        let mut mean = Matrix::zeros(count, scenarios);
        let mut explained = vec![0.0; count];
        if let Some((block, v)) = known {
            column_products(v, block.whitened.col(0), &mut explained, mean.col_mut(0));
            if scenarios > 1 {
                mean = transposed_product(v, &block.whitened);
            }
        }
        for s in 0..scenarios {
            mean.col_mut(s).iter_mut().for_each(|mean| *mean += self.level.mean);
        }
        for (variance, explained) in variance.iter_mut().zip(explained) {
            *variance = self.level.variance * (*variance - explained).max(LEAST_VARIANCE * *variance);
        }
        Normals { mean, variance }
    }

    /// Covariances of the latent function among the points of one part: the lower triangle with
    /// diagonal.
    pub(crate) fn covariance(&self, groups: &Groups, part: &Part) -> Matrix {
        let count = part.points.len();
        let mut covariance = Matrix::zeros(count, count);
        groups.kernel.batch(&part.points).gram(&self.theta, &mut covariance);
        let explained = self.whiten(groups, part).map(|(_, v)| transposed_product(&v, &v));
        for j in 0..count {
            for i in j..count {
                let known = explained.as_ref().map_or(0.0, |explained| explained.at(i, j));
                covariance.set(i, j, self.level.variance * (covariance.at(i, j) - known));
            }
        }
        covariance
    }

    /// L⁻¹·k(X, x) for the points of a part, and the block it belongs to; `None` if the group has
    /// no rows.
    fn whiten(&self, groups: &Groups, part: &Part) -> Option<(&Block, Matrix)> {
        let (group, block) = part.group.map(|g| (&groups.members[g], &self.blocks[g]))?;
        let mut v = Matrix::default();
        group.batch.cross(&self.theta, &part.points, &mut v);
        block.factor.solve_lower_many(&mut v);
        Some((block, v))
    }

    /// Mean and variance at the single point of a part, and their derivatives with respect to some
    /// coordinates:
    /// ∂mean/∂x_c = Σᵢ ∂k(xᵢ,x)/∂x_c·(L⁻ᵀw)ᵢ,
    /// ∂var/∂x_c = σ²·(∂k(x,x)/∂x_c − 2·Σᵢ ∂k(xᵢ,x)/∂x_c·(L⁻ᵀv)ᵢ).
    /// `None` if the kernel has no gradient.
    pub(crate) fn slope(
        &self,
        groups: &Groups,
        part: &Part,
        columns: &[usize],
        scenarios: usize,
    ) -> Option<(Normals, Slope)> {
        let at = part.points.row(0);
        let alone = groups.kernel.batch(&part.points);
        let mut variance = vec![0.0; columns.len()];
        alone.slopes()?.diagonal_by_place(&self.theta, at, columns, &mut variance);
        let mut mean = Matrix::zeros(columns.len(), scenarios);
        let known = self.whiten(groups, part);
        let normals = self.normals(groups, part, scenarios, known.as_ref());
        if let (Some((block, mut v)), Some(g)) = (known, part.group) {
            let mut slopes = Matrix::default();
            groups.members[g].batch.slopes()?.by_place(&self.theta, at, columns, &mut slopes);
            block.factor.solve_upper_many(&mut v);
            mean = transposed_product(&slopes, &block.solved);
            let explained = transposed_product(&slopes, &v);
            variance.iter_mut().zip(explained.col(0)).for_each(|(variance, known)| *variance -= 2.0 * known);
        }
        let variance = variance.iter().map(|variance| self.level.variance * variance).collect();
        Some((normals, Slope { mean, variance }))
    }

    /// Conditions on fantasies at the rows that `grown` has beyond `groups`. Also returns the
    /// lowest fantasy of each scenario. A process that already has fantasies keeps its scenarios.
    pub(crate) fn fantasize(
        &self,
        groups: &Groups,
        grown: &Groups,
        outcomes: &Outcomes<'_>,
        scenarios: usize,
    ) -> Result<(Self, Vec<f64>), FitError> {
        let mut best = vec![f64::INFINITY; scenarios];
        let mut blocks = Vec::with_capacity(grown.members.len());
        for (g, group) in grown.members.iter().enumerate() {
            let known = self
                .blocks
                .get(g)
                .cloned()
                .unwrap_or_else(|| Block::new(Factor::default(), Matrix::zeros(0, 1)));
            let known_rows = known.factor.size();
            let (factor, mut whitened) = self.grow(known, groups, grown, g)?;
            whitened = widen(&whitened, group.rows.len(), scenarios);
            for (i, &row) in group.rows.iter().enumerate().skip(known_rows) {
                self.append_outcome(&factor, &mut whitened, (i, row - groups.size()), outcomes, &mut best);
            }
            blocks.push(Block::new(factor, whitened));
        }
        Ok((Self { theta: self.theta.clone(), level: self.level, blocks }, best))
    }

    /// The factor of a group with its new rows, and w of the old rows with that factor.
    fn grow(
        &self,
        known: Block,
        groups: &Groups,
        grown: &Groups,
        g: usize,
    ) -> Result<(Factor, Matrix), FitError> {
        let (group, size) = (&grown.members[g], known.factor.size());
        if group.rows.len() == size {
            return Ok((known.factor, known.whitened));
        }
        let new = group.points.select(&(size..group.rows.len()).collect::<Vec<_>>());
        let mut corner = Matrix::zeros(new.len(), new.len());
        groups.kernel.batch(&new).gram(&self.theta, &mut corner);
        let mut cross = Matrix::zeros(0, new.len());
        if let Some(old) = groups.members.get(g) {
            old.batch.cross(&self.theta, &new, &mut cross);
        }
        if let Some(factor) = known.factor.extended(&cross, &corner, self.level.ratio) {
            return Ok((factor, known.whitened));
        }
        let factor = factor_of(&*group.batch, &self.theta, self.level, &mut Scratch::default())?;
        let mut residual = known.factor.lower_product(&known.whitened);
        factor.solve_leading(&mut residual);
        Ok((factor, residual))
    }

    /// Fills row `i` of w. This determines the fantasy of pending point `pending`, which may be the
    /// lowest so far.
    fn append_outcome(
        &self,
        factor: &Factor,
        whitened: &mut Matrix,
        (i, pending): (usize, usize),
        outcomes: &Outcomes<'_>,
        best: &mut [f64],
    ) {
        let lower = factor.lower();
        for (s, best) in best.iter_mut().enumerate() {
            let w = whitened.col_mut(s);
            let mean = self.level.mean + (0..i).map(|j| lower.at(i, j) * w[j]).sum::<f64>();
            w[i] = match *outcomes {
                Outcomes::Means => 0.0,
                Outcomes::Value(value) => (value - mean) / lower.at(i, i),
                Outcomes::Normals(z) => self.level.variance.sqrt() * z.at(pending, s),
            };
            *best = best.min(mean + lower.at(i, i) * w[i]);
        }
    }
}

/// L·Lᵀ = R + ηI for the rows of a batch.
fn factor_of(
    batch: &dyn KernelBatch,
    theta: &[f64],
    level: Level,
    scratch: &mut Scratch,
) -> Result<Factor, FitError> {
    let mut factor = Factor::default();
    factor.form(batch.len(), level.ratio, scratch, &mut |out| batch.gram(theta, out))?;
    Ok(factor)
}

/// Appends rows of zeros and copies of the single column.
fn widen(matrix: &Matrix, rows: usize, cols: usize) -> Matrix {
    let source = |col: usize| if matrix.cols() == cols { col } else { 0 };
    Matrix::from_fn(rows, cols, |i, j| if i < matrix.rows() { matrix.at(i, source(j)) } else { 0.0 })
}
