//! Context kernel: correlation also depends on how much of an evaluation was done.
//!
//! k((x,β), (x',β')) = k₀(x, x')·φ(β)ᵀΣφ(β'),  Σ = L·Lᵀ,  L = [[l₁, 0], [m, l₂]]
//! [Klein et al. 2017; Jenatton et al. 2017, §5]
//!
//! β ∈ [0, 1] is the fraction of the data, or of the training, that was used (the fidelity): one
//! column of the points. Losses flatten out, φ(β) = (1, (1 − β)²); log costs grow, φ(β) = (1, β).
//! Positive semi-definite as a product of kernels. With h(β) = Lᵀφ(β) the second factor is h·h'.
//! O(n²) in addition to k₀. Not for a β that other parameters depend on, or that some
//! configurations lack.
use super::{Component, Coupling, Kernel, KernelBatch, KernelContext, KernelSpec, Slopes, kept};
use crate::error::SpecError;
use crate::hyper::{Hyper, Transform, Update};
use crate::linalg::Matrix;
use crate::prior::HyperPrior;
use arbora_space::{Column, ColumnKind, Layout, Point, Points};
use serde::{Deserialize, Serialize};

/// How a quantity changes with β.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Like a loss: φ = (1, (1 − β)²).
    #[default]
    Loss,
    /// Like the logarithm of a cost: φ = (1, β).
    Cost,
}

impl Basis {
    /// The second entry of φ.
    fn at(self, beta: f64) -> f64 {
        match self {
            Basis::Loss => (1.0 - beta) * (1.0 - beta),
            Basis::Cost => beta,
        }
    }

    fn slope(self, beta: f64) -> f64 {
        match self {
            Basis::Loss => -2.0 * (1.0 - beta),
            Basis::Cost => 1.0,
        }
    }
}

/// Losses or costs of partial evaluations, as data; the fraction is one of the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextSpec {
    /// The kernel for all other columns.
    pub inner: KernelSpec,
    /// The parameter that holds the fraction β.
    pub column: String,
    /// How the quantity changes with it.
    #[serde(default)]
    pub basis: Basis,
}

impl Component<dyn Kernel> for ContextSpec {
    const KIND: &'static str = "context";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        context.expect_alone()?;
        let at = column(context.layout, &self.column)?;
        let rest = kept(context.layout, |other| other != at);
        let inner = self.inner.build(KernelContext { layout: &rest, ..context })?;
        Ok(Box::new(Context::new(inner, at, self.basis)))
    }
}

/// The index of this column, which must be a number that every configuration has and nothing
/// depends on.
fn column(layout: &Layout, name: &str) -> Result<usize, SpecError> {
    let is_it = |column: &Column| {
        let is_free = !column.is_conditional && !column.is_decider && !column.is_fixed;
        column.name == name && is_free && column.kind == ColumnKind::Numeric
    };
    layout.columns.iter().position(is_it).ok_or_else(|| SpecError::NoContext { column: name.to_owned() })
}

/// Number of own hypers, which come before those of the inner kernel.
const OWN: usize = 3;

pub(crate) struct Context {
    inner: Box<dyn Kernel>,
    factor: Contrast,
    hypers: Vec<Hyper>,
}

/// The second factor: its column and its basis.
#[derive(Clone, Copy)]
struct Contrast {
    column: usize,
    basis: Basis,
}

impl Context {
    /// Wraps a kernel that ignores the column.
    pub(crate) fn new(inner: Box<dyn Kernel>, column: usize, basis: Basis) -> Self {
        let hyper = |name: &str, transform, range, prior, start| Hyper {
            name: format!("context:{name}"),
            transform,
            range,
            prior,
            update: Update::Single,
            start,
        };
        let size = HyperPrior::LogNormal { mu: 0.0, sigma: 1.0 };
        let mut hypers = vec![
            hyper("level", Transform::Log, (1e-2, 1e2), size, 1.0),
            hyper("tilt", Transform::Natural, (-1e2, 1e2), HyperPrior::Normal { mean: 0.0, sd: 1.0 }, 0.0),
            hyper("change", Transform::Log, (1e-2, 1e2), size, 1.0),
        ];
        hypers.extend_from_slice(inner.hypers());
        Self { inner, factor: Contrast { column, basis }, hypers }
    }
}

impl Contrast {
    /// h(β) = (l₁ + m·φ₂, l₂·φ₂).
    fn features(self, theta: &[f64], at: Point<'_>) -> [f64; 2] {
        let second = self.basis.at(at.x()[self.column]);
        [libm::exp(theta[0]) + theta[1] * second, libm::exp(theta[2]) * second]
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

impl Kernel for Context {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let own = dot(self.factor.features(theta, a), self.factor.features(theta, b));
        // Adding zero turns a negative zero, from a negative factor across branches, into zero.
        own * self.inner.cov(&theta[OWN..], a, b) + 0.0
    }

    fn coupling(&self) -> Coupling {
        self.inner.coupling()
    }

    fn diagonal(&self, theta: &[f64], at: &Points, out: &mut [f64]) {
        self.inner.diagonal(&theta[OWN..], at, out);
        for (out, row) in out.iter_mut().zip(at.iter()) {
            let own = self.factor.features(theta, row);
            *out *= dot(own, own);
        }
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(ContextBatch { inner: self.inner.batch(rows), factor: self.factor, rows: rows.clone() })
    }
}

struct ContextBatch {
    inner: Box<dyn KernelBatch>,
    factor: Contrast,
    rows: Points,
}

impl ContextBatch {
    fn features(&self, theta: &[f64]) -> Vec<[f64; 2]> {
        self.rows.iter().map(|row| self.factor.features(theta, row)).collect()
    }
}

impl KernelBatch for ContextBatch {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn depends_on(&self, hyper: usize) -> bool {
        hyper < OWN || self.inner.depends_on(hyper - OWN)
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        self.inner.gram(&theta[OWN..], out);
        let own = self.features(theta);
        for (j, here) in own.iter().enumerate() {
            out.col_mut(j)[j..].iter_mut().zip(&own[j..]).for_each(|(out, there)| *out *= dot(*here, *there));
        }
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        self.inner.cross(&theta[OWN..], at, out);
        let own = self.features(theta);
        for (j, row) in at.iter().enumerate() {
            let there = self.factor.features(theta, row);
            out.col_mut(j).iter_mut().zip(&own).for_each(|(out, here)| *out *= dot(*here, there));
        }
    }

    fn slopes(&self) -> Option<&dyn Slopes> {
        self.inner.slopes().map(|_| self as &dyn Slopes)
    }
}

impl ContextBatch {
    fn inner_slopes(&self) -> &dyn Slopes {
        self.inner.slopes().expect("slopes are offered only if the kernel inside has them")
    }
}

impl Slopes for ContextBatch {
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]) {
        let (size, own) = (self.len(), self.features(theta));
        let second: Vec<f64> =
            self.rows.iter().map(|row| self.factor.basis.at(row.x()[self.factor.column])).collect();
        let (level, change) = (libm::exp(theta[0]), libm::exp(theta[2]));
        let mut inner = Matrix::zeros(size, size);
        self.inner.gram(&theta[OWN..], &mut inner);
        let mut weighed = Matrix::zeros(size, size);
        for j in 0..size {
            for i in j..size {
                // A pair off the diagonal counts twice.
                let weight = weights.at(i, j) * inner.at(i, j) * if i == j { 1.0 } else { 2.0 };
                gradient[0] += weight * level * (own[i][0] + own[j][0]);
                gradient[1] += weight * (second[i] * own[j][0] + second[j] * own[i][0]);
                gradient[2] += weight * change * (second[i] * own[j][1] + second[j] * own[i][1]);
                weighed.set(i, j, weights.at(i, j) * dot(own[i], own[j]));
            }
        }
        self.inner_slopes().by_theta(&theta[OWN..], &weighed, &mut gradient[OWN..]);
    }

    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix) {
        self.inner_slopes().by_place(&theta[OWN..], at, columns, out);
        let (own, there) = (self.features(theta), self.factor.features(theta, at));
        let by_second = self.factor.basis.slope(at.x()[self.factor.column]);
        let slope = [theta[1] * by_second, libm::exp(theta[2]) * by_second];
        let mut point = Points::new(self.rows.width());
        point.push(at);
        let mut inner = Matrix::default();
        self.inner.cross(&theta[OWN..], &point, &mut inner);
        for (k, &column) in columns.iter().enumerate() {
            let is_mine = column == self.factor.column;
            for (i, out) in out.col_mut(k).iter_mut().enumerate() {
                let by_own = if is_mine { inner.at(i, 0) * dot(own[i], slope) } else { 0.0 };
                *out = *out * dot(own[i], there) + by_own;
            }
        }
    }

    fn diagonal_by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut [f64]) {
        self.inner_slopes().diagonal_by_place(&theta[OWN..], at, columns, out);
        let there = self.factor.features(theta, at);
        let by_second = self.factor.basis.slope(at.x()[self.factor.column]);
        let slope = [theta[1] * by_second, libm::exp(theta[2]) * by_second];
        let (mut point, mut inner) = (Points::new(self.rows.width()), Matrix::default());
        point.push(at);
        self.inner.cross(&theta[OWN..], &point, &mut inner);
        let place = (0..self.len()).find(|&i| self.rows.row(i).x() == at.x());
        let size = place.map_or(1.0, |i| inner.at(i, 0));
        for (out, &column) in out.iter_mut().zip(columns) {
            let by_own = if column == self.factor.column { 2.0 * size * dot(there, slope) } else { 0.0 };
            *out = *out * dot(there, there) + by_own;
        }
    }
}
