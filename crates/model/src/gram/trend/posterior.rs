//! The posterior of the process with a trend at one θ.
//!
//! With u = L_p⁻¹k(X, x) and t = z − (L_p⁻¹Z_p)ᵀu: mean(x) = m + uᵀL_p⁻¹(y_p − m) + tᵀĉ,
//! var(x) = σ²·(k(x,x) − uᵀu) + ‖L_B⁻¹D·t‖². The trend alone has mean m + zᵀĉ and variance
//! ‖L_B⁻¹D·z‖². Features that no row has keep their prior. O(n_p² + d²) per point.
use super::super::Level;
use super::super::groups::{Groups, Part};
use super::super::posterior::{LEAST_VARIANCE, Normals, Slope};
use super::Weights;
use crate::error::FitError;
use crate::linalg::{Factor, Matrix, Scratch, dot, transposed_product};

/// A part and the features of its points, those that also occur in rows first.
pub(crate) struct Query<'a> {
    pub(crate) part: &'a Part,
    /// One row per point.
    pub(crate) features: Matrix,
    /// Variances of the features that occur in no row.
    pub(crate) unseen: &'a [f64],
}

/// The data and θ to condition on.
pub(crate) struct Outcome<'a> {
    pub(crate) theta: &'a [f64],
    pub(crate) level: Level,
    /// One per feature.
    pub(crate) variances: &'a [f64],
    /// One row per observation, one column per scenario.
    pub(crate) losses: &'a Matrix,
    /// One row per observation.
    pub(crate) features: &'a Matrix,
}

/// The process at one θ.
pub(crate) struct TrendPosterior {
    theta: Vec<f64>,
    level: Level,
    weights: Weights,
    /// ĉ, one column per scenario.
    means: Matrix,
    blocks: Vec<Block>,
    /// The losses it was conditioned on.
    losses: Matrix,
}

/// One group: its triangle, and the whitened features and residuals.
struct Block {
    factor: Factor,
    features: Matrix,
    residuals: Matrix,
}

impl TrendPosterior {
    pub(crate) fn new(groups: &Groups, given: &Outcome<'_>) -> Result<Self, FitError> {
        let (level, features, scenarios) = (given.level, given.features.cols(), given.losses.cols());
        let mut scratch = Scratch::default();
        let mut blocks = Vec::with_capacity(groups.members.len());
        let mut gram = Matrix::zeros(features + 2, features + 2);
        let mut pulls = Matrix::zeros(features, scenarios);
        for group in &groups.members {
            let mut factor = Factor::default();
            let fill = &mut |out: &mut Matrix| group.batch.gram(given.theta, out);
            factor.form(group.rows.len(), level.ratio, &mut scratch, fill)?;
            let mut block = Block {
                features: Matrix::from_fn(group.rows.len(), features, |i, v| {
                    given.features.at(group.rows[i], v)
                }),
                residuals: Matrix::from_fn(group.rows.len(), scenarios, |i, s| {
                    given.losses.at(group.rows[i], s) - level.mean
                }),
                factor,
            };
            block.factor.solve_lower_many(&mut block.features);
            block.factor.solve_lower_many(&mut block.residuals);
            let own = transposed_product(&block.features, &block.features);
            let pull = transposed_product(&block.features, &block.residuals);
            for j in 0..features {
                (0..features).for_each(|i| gram.set(i, j, gram.at(i, j) + own.at(i, j)));
            }
            for s in 0..scenarios {
                (0..features).for_each(|i| pulls.set(i, s, pulls.at(i, s) + pull.at(i, s)));
            }
            blocks.push(block);
        }
        let weights = Weights::new(&gram, level, given.variances, &mut scratch)?;
        let mut means =
            Matrix::from_fn(features, scenarios, |v, s| weights.roots[v] * pulls.at(v, s) / level.variance);
        weights.factor.solve_lower_many(&mut means);
        weights.factor.solve_upper_many(&mut means);
        for s in 0..scenarios {
            means.col_mut(s).iter_mut().zip(&weights.roots).for_each(|(mean, root)| *mean *= root);
        }
        Ok(Self { theta: given.theta.to_vec(), level, weights, means, blocks, losses: given.losses.clone() })
    }

    /// The variance of the noise.
    pub(crate) fn noise(&self) -> f64 {
        self.level.variance * self.level.ratio
    }

    /// Conditions on more rows at the same θ. `groups` and `features` contain the old rows first,
    /// then those with these outcomes. A process with one scenario gets as many scenarios as the
    /// outcomes have.
    pub(crate) fn grown(
        &self,
        groups: &Groups,
        variances: &[f64],
        outcomes: &Matrix,
        features: &Matrix,
    ) -> Result<Self, FitError> {
        let (known, scenarios) = (&self.losses, outcomes.cols());
        let source = |s: usize| if known.cols() == scenarios { s } else { 0 };
        let losses = Matrix::from_fn(known.rows() + outcomes.rows(), scenarios, |i, s| {
            if i < known.rows() { known.at(i, source(s)) } else { outcomes.at(i - known.rows(), s) }
        });
        let given = Outcome { theta: &self.theta, level: self.level, variances, losses: &losses, features };
        Self::new(groups, &given)
    }

    /// Means and variances of the latent function.
    pub(crate) fn predict(&self, groups: &Groups, query: &Query<'_>) -> Normals {
        let count = query.part.points.len();
        let mut variance = vec![0.0; count];
        groups.kernel.diagonal(&self.theta, &query.part.points, &mut variance);
        let (block, u, t) = self.whiten(groups, query);
        let mut mean = transposed_product(&transposed(&t), &self.means);
        if let (Some(block), Some(u)) = (block, &u) {
            let known = transposed_product(u, &block.residuals);
            for s in 0..mean.cols() {
                mean.col_mut(s).iter_mut().zip(known.col(s)).for_each(|(mean, known)| *mean += known);
            }
        }
        (0..mean.cols()).for_each(|s| mean.col_mut(s).iter_mut().for_each(|mean| *mean += self.level.mean));
        let trend = self.weights.whiten(&t);
        for (i, variance) in variance.iter_mut().enumerate() {
            let explained = u.as_ref().map_or(0.0, |u| dot(u.col(i), u.col(i)));
            let own = (*variance - explained).max(LEAST_VARIANCE * *variance);
            *variance = self.level.variance * own + dot(trend.col(i), trend.col(i)) + query.surprise(i, i);
        }
        Normals { mean, variance }
    }

    /// Means and variances of the trend alone.
    pub(crate) fn predict_trend(&self, query: &Query<'_>) -> Normals {
        let seen = query.seen(self.means.rows());
        let mut mean = transposed_product(&transposed(&seen), &self.means);
        (0..mean.cols()).for_each(|s| mean.col_mut(s).iter_mut().for_each(|mean| *mean += self.level.mean));
        let whitened = self.weights.whiten(&seen);
        let variance = |i: usize| dot(whitened.col(i), whitened.col(i)) + query.surprise(i, i);
        Normals { mean, variance: (0..seen.rows()).map(variance).collect() }
    }

    /// The trend at the single point of a query and its derivatives. `by_place` holds ∂z, one row
    /// per coordinate: ∂mean = ∂z·ĉ, ∂variance = 2·∂z·Λ⁻¹z.
    pub(crate) fn trend_slope(&self, query: &Query<'_>, by_place: &Matrix) -> (Normals, Slope) {
        let pull = self.weights.pull(&query.seen(self.means.rows()));
        let by_feature = transposed(by_place);
        let mean = transposed_product(&by_feature, &self.means);
        let variance = (0..by_feature.cols()).map(|c| 2.0 * dot(by_feature.col(c), pull.col(0)));
        (self.predict_trend(query), Slope { mean, variance: variance.collect() })
    }

    /// Covariances of the latent function between the points of two parts: the lower triangle with
    /// diagonal.
    pub(crate) fn covariance(&self, groups: &Groups, a: &Query<'_>, b: &Query<'_>, is_same: bool) -> Matrix {
        let ((_, u, t), (_, u_b, t_b)) = (self.whiten(groups, a), self.whiten(groups, b));
        let mut covariance = transposed_product(&self.weights.whiten(&t), &self.weights.whiten(&t_b));
        let (rows, cols) = (a.part.points.len(), b.part.points.len());
        let mut own = Matrix::zeros(rows, cols);
        if is_same {
            groups.kernel.batch(&a.part.points).gram(&self.theta, &mut own);
            if let (Some(u), Some(u_b)) = (&u, &u_b) {
                let explained = transposed_product(u, u_b);
                own = Matrix::from_fn(rows, cols, |i, j| own.at(i.max(j), i.min(j)) - explained.at(i, j));
            } else {
                own = Matrix::from_fn(rows, cols, |i, j| own.at(i.max(j), i.min(j)));
            }
        }
        for j in 0..cols {
            for i in 0..rows {
                let surprise = a.surprise_with(i, b, j);
                let entry = covariance.at(i, j) + self.level.variance * own.at(i, j) + surprise;
                covariance.set(i, j, entry);
            }
        }
        covariance
    }

    /// Mean and variance at the single point of a query, and their derivatives. `by_place` holds
    /// ∂z, one row per coordinate.
    pub(crate) fn slope(
        &self,
        groups: &Groups,
        query: &Query<'_>,
        columns: &[usize],
        by_place: &Matrix,
    ) -> Option<(Normals, Slope)> {
        let (at, features) = (query.part.points.row(0), self.means.rows());
        let mut variance = vec![0.0; columns.len()];
        let alone = groups.kernel.batch(&query.part.points);
        alone.slopes()?.diagonal_by_place(&self.theta, at, columns, &mut variance);
        let (block, u, t) = self.whiten(groups, query);
        let pull = self.weights.pull(&t);
        let mut by_feature = Matrix::from_fn(features, columns.len(), |v, c| by_place.at(c, v));
        let mut mean = Matrix::zeros(columns.len(), self.means.cols());
        for variance in &mut variance {
            *variance *= self.level.variance;
        }
        if let (Some(block), Some(u), Some(g)) = (block, u, query.part.group) {
            let mut slopes = Matrix::default();
            groups.members[g].batch.slopes()?.by_place(&self.theta, at, columns, &mut slopes);
            block.factor.solve_lower_many(&mut slopes);
            let seen = transposed_product(&block.features, &slopes);
            mean = transposed_product(&slopes, &block.residuals);
            for (c, variance) in variance.iter_mut().enumerate() {
                *variance -= 2.0 * self.level.variance * dot(slopes.col(c), u.col(0));
                by_feature.col_mut(c).iter_mut().zip(seen.col(c)).for_each(|(by, seen)| *by -= seen);
            }
        }
        let trend = transposed_product(&by_feature, &self.means);
        for (c, variance) in variance.iter_mut().enumerate() {
            *variance += 2.0 * dot(by_feature.col(c), pull.col(0));
            (0..mean.cols()).for_each(|s| mean.set(c, s, mean.at(c, s) + trend.at(c, s)));
        }
        Some((self.predict(groups, query), Slope { mean, variance }))
    }

    /// The block of a part, u, and t of its points as rows.
    fn whiten(&self, groups: &Groups, query: &Query<'_>) -> (Option<&Block>, Option<Matrix>, Matrix) {
        let mut t = query.seen(self.means.rows());
        let Some(g) = query.part.group else { return (None, None, t) };
        let (group, block) = (&groups.members[g], &self.blocks[g]);
        let mut u = Matrix::default();
        group.batch.cross(&self.theta, &query.part.points, &mut u);
        block.factor.solve_lower_many(&mut u);
        let known = transposed_product(&u, &block.features);
        for v in 0..t.cols() {
            t.col_mut(v).iter_mut().zip(known.col(v)).for_each(|(t, known)| *t -= known);
        }
        (Some(block), Some(u), t)
    }
}

impl Query<'_> {
    /// The features that occur in rows.
    fn seen(&self, features: usize) -> Matrix {
        Matrix::from_fn(self.features.rows(), features, |i, v| self.features.at(i, v))
    }

    /// The contribution of features that occur in no row to a covariance.
    fn surprise(&self, i: usize, j: usize) -> f64 {
        self.surprise_with(i, self, j)
    }

    fn surprise_with(&self, i: usize, other: &Query<'_>, j: usize) -> f64 {
        let seen = self.features.cols() - self.unseen.len();
        let unseen = self.unseen.iter().enumerate();
        unseen.map(|(e, s)| s * self.features.at(i, seen + e) * other.features.at(j, seen + e)).sum()
    }
}

fn transposed(matrix: &Matrix) -> Matrix {
    Matrix::from_fn(matrix.cols(), matrix.rows(), |i, j| matrix.at(j, i))
}
