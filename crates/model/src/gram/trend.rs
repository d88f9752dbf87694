//! A process with a linear trend whose weights are integrated out, and its likelihood.
//!
//! y = g(x) + zᵀc + ε,  c ~ N(0, diag s),  g ~ GP(m, σ²·k),  ε ~ N(0, ησ²)
//! [Jenatton et al. 2017, §4]
//!
//! With M_p = σ²·L_p·L_pᵀ the matrix of group p, U_p = L_p⁻¹Z_p/σ, v_p = L_p⁻¹(y_p − m)/σ,
//! G = Σ U_pᵀU_p, f = Σ U_pᵀv_p, q = Σ‖v_p‖², D = diag √s, B = I + D·G·D = L_B·L_Bᵀ, w = L_B⁻¹D·f:
//!
//! ln p(y) = −½(q − ‖w‖²) − ½(Σ ln|M_p| + ln|B|) − (n/2) ln 2π
//!
//! Nothing is divided by s, so a weight of variance zero is fine. Only c couples the groups: the
//! cost is O(Σ n_p³ + n·d² + d³), where the dense matrix costs n³. A group whose hypers are
//! unchanged keeps L_p⁻¹[Z y 1] and the products among these columns, which are all that the level
//! and s need.
mod posterior;
#[cfg(test)]
mod tests;

use super::Level;
use super::evidence::{LN_TWO_PI, LevelSlope};
use super::groups::{Group, Groups};
use crate::error::FitError;
use crate::linalg::{Factor, Matrix, Scratch, dot, transposed_product};
pub(crate) use posterior::{Outcome, Query, TrendPosterior};

/// The likelihood of θ, the level and the variances of the weights.
pub(crate) struct TrendEvidence<'a> {
    groups: &'a Groups,
    terms: Vec<GroupTerm>,
    features: usize,
    scratch: Scratch,
}

/// One group: its columns [Z y 1], whitened at the last θ and η.
struct GroupTerm {
    hypers: Vec<usize>,
    columns: Matrix,
    factor: Factor,
    whitened: Matrix,
    products: Matrix,
    key: Option<(Vec<f64>, f64)>,
    is_formed: bool,
}

/// Derivatives with respect to the level and to ln s of every feature. Those with respect to θ are
/// added to the caller's gradient.
pub(crate) struct EvidenceSlope {
    pub(crate) level: LevelSlope,
    pub(crate) by_log_variance: Vec<f64>,
}

/// The posterior of the weights, in the whitened coordinates of B.
struct Weights {
    /// √s.
    roots: Vec<f64>,
    factor: Factor,
    /// Σ UᵀU.
    gram: Matrix,
    /// Σ Uᵀv.
    pull: Vec<f64>,
    /// L_B⁻¹·D·f.
    whitened: Vec<f64>,
}

impl Weights {
    /// From the products of [Z y 1] in units of σ, with residuals y − m.
    fn new(
        products: &Matrix,
        level: Level,
        variances: &[f64],
        scratch: &mut Scratch,
    ) -> Result<Self, FitError> {
        let features = variances.len();
        let roots: Vec<f64> = variances.iter().map(|variance| variance.sqrt()).collect();
        let gram = Matrix::from_fn(features, features, |i, j| products.at(i, j) / level.variance);
        let residual = |i: usize| products.at(i, features) - level.mean * products.at(i, features + 1);
        let pull: Vec<f64> = (0..features).map(|i| residual(i) / level.variance).collect();
        let mut factor = Factor::default();
        factor.form(features, 1.0, scratch, &mut |out| {
            *out = Matrix::from_fn(features, features, |i, j| roots[i] * gram.at(i, j) * roots[j]);
        })?;
        let mut whitened: Vec<f64> = pull.iter().zip(&roots).map(|(pull, root)| pull * root).collect();
        factor.solve_lower(&mut whitened);
        Ok(Self { roots, factor, gram, pull, whitened })
    }

    /// ĉ = D·L_B⁻ᵀ·w.
    fn mean(&self) -> Vec<f64> {
        let mut mean = self.whitened.clone();
        self.factor.solve_upper(&mut mean);
        mean.iter_mut().zip(&self.roots).for_each(|(mean, root)| *mean *= root);
        mean
    }

    /// L_B⁻¹·D·Zᵀ for the rows z of Z, one column each.
    fn whiten(&self, rows: &Matrix) -> Matrix {
        let mut whitened =
            Matrix::from_fn(self.roots.len(), rows.rows(), |i, j| self.roots[i] * rows.at(j, i));
        self.factor.solve_lower_many(&mut whitened);
        whitened
    }

    /// Λ⁻¹z = D·L_B⁻ᵀ·L_B⁻¹·D·z for the rows z, one column each.
    fn pull(&self, rows: &Matrix) -> Matrix {
        let mut pull = self.whiten(rows);
        self.factor.solve_upper_many(&mut pull);
        for j in 0..pull.cols() {
            pull.col_mut(j).iter_mut().zip(&self.roots).for_each(|(pull, root)| *pull *= root);
        }
        pull
    }
}

impl<'a> TrendEvidence<'a> {
    /// `features` has one row per loss.
    pub(crate) fn new(groups: &'a Groups, losses: &[f64], features: &Matrix) -> Self {
        let count = groups.kernel.hypers().len();
        let term = |group: &Group| GroupTerm::new(group, losses, features, count);
        let terms = groups.members.iter().map(term).collect();
        Self { groups, terms, features: features.cols(), scratch: Scratch::default() }
    }

    /// ln p(y); −∞ if it cannot be computed.
    pub(crate) fn at(&mut self, theta: &[f64], level: Level, variances: &[f64]) -> f64 {
        self.weigh(theta, level, variances).map_or(f64::NEG_INFINITY, |(value, _)| value)
    }

    fn weigh(&mut self, theta: &[f64], level: Level, variances: &[f64]) -> Option<(f64, Weights)> {
        let size = self.features + 2;
        let (mut products, mut log_det, mut rows) = (Matrix::zeros(size, size), 0.0, 0.0);
        for (term, group) in self.terms.iter_mut().zip(&self.groups.members) {
            if !term.refresh(group, theta, level, &mut self.scratch) {
                return None;
            }
            for j in 0..size {
                let sum = products.col_mut(j).iter_mut().zip(term.products.col(j));
                sum.for_each(|(sum, product)| *sum += product);
            }
            log_det += term.factor.log_det();
            rows += term.columns.rows() as f64;
        }
        let weights = Weights::new(&products, level, variances, &mut self.scratch).ok()?;
        let [y, one] = [self.features, self.features + 1];
        let square = products.at(y, y) - 2.0 * level.mean * products.at(y, one)
            + level.mean * level.mean * products.at(one, one);
        let misfit = square / level.variance - dot(&weights.whitened, &weights.whitened);
        let volume = rows * (LN_TWO_PI + libm::log(level.variance)) + log_det + weights.factor.log_det();
        let value = -0.5 * (misfit + volume);
        value.is_finite().then_some((value, weights))
    }

    /// ln p(y). Adds its derivatives with respect to θ to `gradient` and returns the others; `None`
    /// if the kernel has no gradient.
    ///
    /// With α_p = M_p⁻¹(y_p − m − Z_p·ĉ) and A_p = α_p·α_pᵀ − (C⁻¹)_pp, where C is the dense
    /// matrix: ∂/∂θ = ½ Σ A_p∘∂K_p, ∂/∂m = Σ 1ᵀα_p, ∂/∂ln s = ½ s·[(f − G·ĉ)² − diag(G − G·Λ⁻¹·G)].
    pub(crate) fn with_gradient(
        &mut self,
        theta: &[f64],
        level: Level,
        variances: &[f64],
        gradient: &mut [f64],
    ) -> Option<(f64, EvidenceSlope)> {
        let mut slope =
            EvidenceSlope { level: LevelSlope::default(), by_log_variance: vec![0.0; self.features] };
        let Some((value, weights)) = self.weigh(theta, level, variances) else {
            return Some((f64::NEG_INFINITY, slope));
        };
        let mean = weights.mean();
        for (term, group) in self.terms.iter().zip(&self.groups.members) {
            let pairs = term.differentiate(level, &weights, &mean, &mut slope.level, &mut self.scratch);
            group.batch.slopes()?.by_theta(theta, &pairs, gradient);
        }
        let seen = weights.whiten(&weights.gram);
        for (v, by) in slope.by_log_variance.iter_mut().enumerate() {
            let left = weights.pull[v] - dot(weights.gram.col(v), &mean);
            let known = weights.gram.at(v, v) - dot(seen.col(v), seen.col(v));
            *by = 0.5 * variances[v] * (left * left - known);
        }
        Some((value, slope))
    }
}

impl GroupTerm {
    fn new(group: &Group, losses: &[f64], features: &Matrix, hypers: usize) -> Self {
        let entry = |i: usize, j: usize| match j.checked_sub(features.cols()) {
            None => features.at(group.rows[i], j),
            Some(0) => losses[group.rows[i]],
            Some(_) => 1.0,
        };
        Self {
            hypers: (0..hypers).filter(|&hyper| group.batch.depends_on(hyper)).collect(),
            columns: Matrix::from_fn(group.rows.len(), features.cols() + 2, entry),
            factor: Factor::default(),
            whitened: Matrix::default(),
            products: Matrix::default(),
            key: None,
            is_formed: false,
        }
    }

    /// Whitens the columns, unless that was done for the same arguments. False if it cannot be
    /// computed.
    fn refresh(&mut self, group: &Group, theta: &[f64], level: Level, scratch: &mut Scratch) -> bool {
        let key = (self.hypers.iter().map(|&hyper| theta[hyper]).collect::<Vec<f64>>(), level.ratio);
        if self.key.as_ref() != Some(&key) {
            let fill = &mut |out: &mut Matrix| group.batch.gram(theta, out);
            self.is_formed = self.factor.form(self.columns.rows(), level.ratio, scratch, fill).is_ok();
            if self.is_formed {
                self.whitened.clone_from(&self.columns);
                self.factor.solve_lower_many(&mut self.whitened);
                self.products = transposed_product(&self.whitened, &self.whitened);
            }
            self.key = Some(key);
        }
        self.is_formed
    }

    /// The lower triangle of ½σ²·A_p with its diagonal. Adds to the derivatives with respect to the
    /// level.
    fn differentiate(
        &self,
        level: Level,
        weights: &Weights,
        mean: &[f64],
        slope: &mut LevelSlope,
        scratch: &mut Scratch,
    ) -> Matrix {
        let (size, features) = (self.columns.rows(), mean.len());
        let left = |matrix: &Matrix, i: usize| -> f64 {
            let trend: f64 = (0..features).map(|v| matrix.at(i, v) * mean[v]).sum();
            matrix.at(i, features) - level.mean * matrix.at(i, features + 1) - trend
        };
        let mut alpha: Vec<f64> = (0..size).map(|i| left(&self.whitened, i) / level.variance).collect();
        self.factor.solve_upper(&mut alpha);
        // M⁻¹Z, then T = M⁻¹Z·D·L_B⁻ᵀ as the columns of its transpose: C⁻¹ = M⁻¹ − T·Tᵀ.
        let mut solved = Matrix::from_fn(size, features, |i, v| self.whitened.at(i, v) / level.variance);
        self.factor.solve_upper_many(&mut solved);
        let (explained, rows) = (weights.whiten(&solved), weights.whiten(&self.columns));
        let overlap = transposed_product(&explained, &explained);
        let mut pairs = Matrix::default();
        self.factor.inverse(&mut pairs, scratch);
        let inverse = |pairs: &Matrix, i: usize, j: usize| pairs.at(i, j) / level.variance - overlap.at(i, j);
        let trace: f64 = (0..size).map(|i| alpha[i] * alpha[i] - inverse(&pairs, i, i)).sum();
        let fit: f64 = (0..size).map(|i| alpha[i] * left(&self.columns, i)).sum();
        let known: f64 = (0..size).map(|i| dot(explained.col(i), rows.col(i))).sum();
        let ridge = level.variance * (level.ratio + self.factor.jitter());
        slope.mean += alpha.iter().sum::<f64>();
        slope.log_amplitude += fit - (size as f64 - known) - ridge * trace;
        slope.log_noise += level.variance * level.ratio * trace;
        for j in 0..size {
            for i in j..size {
                let entry = alpha[i] * alpha[j] - inverse(&pairs, i, j);
                pairs.set(i, j, 0.5 * level.variance * entry);
            }
        }
        pairs
    }
}
