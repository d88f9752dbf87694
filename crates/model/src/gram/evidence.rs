//! The likelihood of θ, group by group, recomputing only what changed.
//!
//! ln p(y) = −½ Σ_g [ ‖L_g⁻¹(y_g − m)‖²/σ² + ln|L_g·L_gᵀ| + n_g·ln(2πσ²) ]
//! [Rasmussen & Williams 2006, eq. 2.30]
//!
//! Each group caches its last evaluation. If its hypers and the level are unchanged, it costs
//! nothing; if only its hypers are unchanged, it keeps its matrix and is just factored again; if a
//! single hyper moves, the distances of all other hypers are kept. So a slice along one
//! length-scale recomputes only the groups in which its column is active.
//!
//! With a = (R + ηI)⁻¹(y − m), W = ½(a·aᵀ/σ² − (R + ηI)⁻¹) and tr the trace of the inverse:
//! ∂/∂θ = Σ W∘∂R, ∂/∂ln σ = (aᵀ(y−m) − η·aᵀa)/σ² − n + η·tr, ∂/∂ln σ_n = η·(aᵀa/σ² − tr),
//! ∂/∂m = Σa/σ². O(Σ n_g³); no matrix is allocated after the first evaluation.
use super::Level;
use super::groups::{Group, Groups};
use crate::kernel::PartialGram;
use crate::linalg::{Factor, Matrix, Scratch, dot};

pub(super) const LN_TWO_PI: f64 = 1.837_877_066_409_345_5;

/// The likelihood of θ given rows and losses.
pub(crate) struct PlainEvidence<'a> {
    groups: &'a Groups,
    terms: Vec<GroupTerm>,
    scratch: Scratch,
    inverse: Matrix,
}

/// Derivatives with respect to the mean, ln σ and ln σ_n.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LevelSlope {
    pub(crate) mean: f64,
    pub(crate) log_amplitude: f64,
    pub(crate) log_noise: f64,
}

/// One group's term of the sum, with everything its last evaluation computed.
struct GroupTerm {
    losses: Vec<f64>,
    /// The hypers that affect this group.
    hypers: Vec<usize>,
    correlation: Matrix,
    correlation_key: CacheKey,
    factor: Factor,
    whitened: Vec<f64>,
    partial: PartialGram,
    key: CacheKey,
    value: f64,
}

/// The arguments of the last evaluation: values of the group's hypers, and the level.
#[derive(Default)]
struct CacheKey {
    theta: Vec<f64>,
    level: Option<Level>,
}

impl CacheKey {
    fn is(&self, hypers: &[usize], theta: &[f64], level: Level) -> bool {
        self.level == Some(level) && self.is_at(hypers, theta)
    }

    fn is_at(&self, hypers: &[usize], theta: &[f64]) -> bool {
        let same = |(&hyper, at): (&usize, &f64)| theta[hyper].to_bits() == at.to_bits();
        self.level.is_some() && hypers.iter().zip(&self.theta).all(same)
    }

    fn set(&mut self, hypers: &[usize], theta: &[f64], level: Level) {
        self.theta.clear();
        self.theta.extend(hypers.iter().map(|&hyper| theta[hyper]));
        self.level = Some(level);
    }
}

impl<'a> PlainEvidence<'a> {
    pub(crate) fn new(groups: &'a Groups, losses: &[f64]) -> Self {
        let count = groups.kernel.hypers().len();
        let terms = groups.members.iter().map(|group| GroupTerm::new(group, losses, count)).collect();
        Self { groups, terms, scratch: Scratch::default(), inverse: Matrix::default() }
    }

    /// ln p(y); −∞ if it cannot be computed.
    pub(crate) fn at(&mut self, theta: &[f64], level: Level) -> f64 {
        let mut sum = 0.0;
        for (term, group) in self.terms.iter_mut().zip(&self.groups.members) {
            sum += term.at(group, theta, level, &mut self.scratch);
            if sum == f64::NEG_INFINITY {
                break;
            }
        }
        sum
    }

    /// ln p(y) as a function of one hyper, the others at θ.
    pub(crate) fn along(
        &mut self,
        theta: &[f64],
        level: Level,
        hyper: usize,
    ) -> impl FnMut(f64) -> f64 + use<'_> {
        let Self { groups, terms, scratch, .. } = self;
        let mut others = 0.0;
        let mut moving = Vec::new();
        for (term, group) in terms.iter_mut().zip(&groups.members) {
            if term.hypers.contains(&hyper) {
                group.batch.prepare_hyper(theta, hyper, &mut term.partial);
                moving.push((term, group));
            } else {
                others += term.at(group, theta, level, scratch);
            }
        }
        let mut theta = theta.to_vec();
        move |value| {
            theta[hyper] = value;
            let terms = moving.iter_mut();
            others + terms.map(|(term, group)| term.moved_at(group, &theta, level, scratch)).sum::<f64>()
        }
    }

    /// ln p(y). Adds its derivatives with respect to θ to `gradient` and returns those with respect
    /// to the level; `None` if the kernel has no gradient.
    pub(crate) fn with_gradient(
        &mut self,
        theta: &[f64],
        level: Level,
        gradient: &mut [f64],
    ) -> Option<(f64, LevelSlope)> {
        let value = self.at(theta, level);
        let mut slope = LevelSlope::default();
        if value == f64::NEG_INFINITY {
            return Some((value, slope));
        }
        for (term, group) in self.terms.iter_mut().zip(&self.groups.members) {
            term.factor.inverse(&mut self.inverse, &mut self.scratch);
            term.differentiate(level, &mut self.inverse, &mut slope);
            group.batch.slopes()?.by_theta(theta, &self.inverse, gradient);
        }
        Some((value, slope))
    }
}

impl GroupTerm {
    fn new(group: &Group, losses: &[f64], hypers: usize) -> Self {
        Self {
            losses: group.rows.iter().map(|&row| losses[row]).collect(),
            hypers: (0..hypers).filter(|&hyper| group.batch.depends_on(hyper)).collect(),
            correlation: Matrix::zeros(group.rows.len(), group.rows.len()),
            correlation_key: CacheKey::default(),
            factor: Factor::default(),
            whitened: Vec::new(),
            partial: PartialGram::default(),
            key: CacheKey::default(),
            value: f64::NEG_INFINITY,
        }
    }

    fn at(&mut self, group: &Group, theta: &[f64], level: Level, scratch: &mut Scratch) -> f64 {
        if !self.key.is(&self.hypers, theta, level) {
            if !self.correlation_key.is_at(&self.hypers, theta) {
                group.batch.gram(theta, &mut self.correlation);
                self.correlation_key.set(&self.hypers, theta, level);
            }
            let correlation = &self.correlation;
            let size = self.losses.len();
            let formed = self.factor.form(size, level.ratio, scratch, &mut |out| out.copy_lower(correlation));
            self.conclude(theta, level, formed.is_ok());
        }
        self.value
    }

    /// The same when only the batch's prepared hyper has changed; θ already holds its new value.
    fn moved_at(&mut self, group: &Group, theta: &[f64], level: Level, scratch: &mut Scratch) -> f64 {
        if !self.key.is(&self.hypers, theta, level) {
            let (size, value) = (self.losses.len(), theta[self.partial.hyper]);
            let partial = &mut self.partial;
            let mut fill = |out: &mut Matrix| group.batch.gram_moved(partial, value, out);
            let formed = self.factor.form(size, level.ratio, scratch, &mut fill);
            self.conclude(theta, level, formed.is_ok());
        }
        self.value
    }

    /// Computes the term from the factor.
    fn conclude(&mut self, theta: &[f64], level: Level, is_formed: bool) {
        self.key.set(&self.hypers, theta, level);
        self.value = f64::NEG_INFINITY;
        if is_formed {
            self.whitened.clear();
            self.whitened.extend(self.losses.iter().map(|loss| loss - level.mean));
            self.factor.solve_lower(&mut self.whitened);
            let misfit = dot(&self.whitened, &self.whitened) / level.variance;
            let volume = self.losses.len() as f64 * (LN_TWO_PI + libm::log(level.variance));
            let value = -0.5 * (misfit + self.factor.log_det() + volume);
            self.value = if value.is_finite() { value } else { f64::NEG_INFINITY };
        }
    }

    /// Turns `whitened` into a = (R + ηI)⁻¹(y − m) and `inverse` into W, and adds to the
    /// derivatives with respect to the level.
    fn differentiate(&mut self, level: Level, inverse: &mut Matrix, slope: &mut LevelSlope) {
        let misfit = dot(&self.whitened, &self.whitened);
        let mut a = std::mem::take(&mut self.whitened);
        self.factor.solve_upper(&mut a);
        let (size, ridge) = (a.len(), level.ratio + self.factor.jitter());
        let trace: f64 = (0..size).map(|i| inverse.at(i, i)).sum();
        let square = dot(&a, &a);
        slope.mean += a.iter().sum::<f64>() / level.variance;
        slope.log_amplitude += (misfit - ridge * square) / level.variance - size as f64 + ridge * trace;
        slope.log_noise += level.ratio * (square / level.variance - trace);
        for j in 0..size {
            let factor = a[j] / level.variance;
            for (entry, a) in inverse.col_mut(j)[j..].iter_mut().zip(&a[j..]) {
                *entry = 0.5 * (factor * a - *entry);
            }
        }
        self.whitened = a;
        // `whitened` was overwritten, so the next evaluation must recompute it.
        self.key.level = None;
    }
}
