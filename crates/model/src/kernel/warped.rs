//! Input warping: transforms every number by a learnt curve before points are compared.
//!
//! k(x, x') = k₀(w(x), w(x')),  w(u) = 1 − (1 − u^a)^b per column
//! [Kumaraswamy 1980; Snoek et al. 2014]
//! w' = a·b·u^{a−1}(1 − u^a)^{b−1},  ∂w/∂ln a = a·b·(1 − p)^{b−1}·p·ln u,
//! ∂w/∂ln b = −b·(1 − p)^b·ln(1 − p),  p = u^a
//!
//! ln a, ln b ~ N(0, ¾), both starting at one, the identity. Positive semi-definite: a kernel after
//! a map. Adds two hypers per number to those of k₀, and moving one of them costs a whole matrix,
//! O(n²·d). For losses that change fast near one end of a range; if you know that a log scale fits,
//! it has the same effect at no cost.
use super::{Component, Coupling, Kernel, KernelBatch, KernelContext, KernelSpec, Slopes};
use crate::error::SpecError;
use crate::hyper::{Hyper, Update};
use crate::hyper_spec::HyperSpec;
use crate::linalg::Matrix;
use crate::prior::HyperPrior;
use arbora_space::{ColumnKind, Layout, Point, Points};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Powers of exactly 0 and 1 have no derivative.
const EDGE: f64 = 1e-9;

/// Numbers warped by learnt curves before they are compared, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarpedSpec {
    /// The kernel that compares warped points.
    pub inner: KernelSpec,
}

impl Component<dyn Kernel> for WarpedSpec {
    const KIND: &'static str = "warped";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        context.expect_alone()?;
        Ok(Box::new(Warped::new(context.layout, self.inner.build(context)?)))
    }
}

pub(crate) struct Warped {
    inner: Arc<dyn Kernel>,
    columns: Arc<[usize]>,
    hypers: Vec<Hyper>,
}

impl Warped {
    /// Wraps a kernel over the same layout.
    pub(crate) fn new(layout: &Layout, inner: Box<dyn Kernel>) -> Self {
        let is_number = |column: &usize| layout.columns[*column].kind == ColumnKind::Numeric;
        let columns: Arc<[usize]> = layout.varying().filter(is_number).collect();
        let prior = HyperPrior::LogNormal { mu: 0.0, sigma: 0.75_f64.sqrt() };
        let spec = HyperSpec { prior, low: 0.1, high: 10.0, start: 1.0 };
        let mut hypers = Vec::new();
        for &column in columns.iter() {
            let name = &layout.columns[column].name;
            hypers.push(spec.hyper(format!("bend_low:{name}"), Update::Single));
            hypers.push(spec.hyper(format!("bend_high:{name}"), Update::Single));
        }
        hypers.extend_from_slice(inner.hypers());
        Self { inner: inner.into(), columns, hypers }
    }
}

/// One column's curve.
#[derive(Clone, Copy)]
struct Curve {
    a: f64,
    b: f64,
}

impl Curve {
    fn of(theta: &[f64], k: usize) -> Self {
        Self { a: libm::exp(theta[2 * k]), b: libm::exp(theta[2 * k + 1]) }
    }

    fn at(self, u: f64) -> f64 {
        let p = libm::pow(u.clamp(EDGE, 1.0 - EDGE), self.a);
        -libm::expm1(self.b * libm::log1p(-p))
    }

    /// ∂w/∂u, ∂w/∂ln a, ∂w/∂ln b.
    fn slopes(self, u: f64) -> [f64; 3] {
        let Self { a, b } = self;
        let u = u.clamp(EDGE, 1.0 - EDGE);
        let p = libm::pow(u, a);
        let rest = libm::log1p(-p);
        let outer = a * b * libm::exp((b - 1.0) * rest) * p;
        [outer / u, outer * libm::log(u), -b * libm::exp(b * rest) * rest]
    }
}

/// The same points with their active numbers warped.
fn bent(theta: &[f64], columns: &[usize], points: &Points) -> Points {
    let mut bent = Points::new(points.width());
    for row in points.iter() {
        let mine = columns.iter().enumerate().filter(|(_, column)| row.active().is_active(**column));
        let (at, to): (Vec<usize>, Vec<f64>) =
            mine.map(|(k, &column)| (column, Curve::of(theta, k).at(row.x()[column]))).unzip();
        bent.push_moved(row, &at, &to);
    }
    bent
}

fn bent_one(theta: &[f64], columns: &[usize], at: Point<'_>) -> Points {
    let mut one = Points::new(at.x().len());
    one.push(at);
    bent(theta, columns, &one)
}

impl Kernel for Warped {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let (a, b) = (bent_one(theta, &self.columns, a), bent_one(theta, &self.columns, b));
        self.inner.cov(&theta[2 * self.columns.len()..], a.row(0), b.row(0))
    }

    fn coupling(&self) -> Coupling {
        self.inner.coupling()
    }

    fn diagonal(&self, theta: &[f64], at: &Points, out: &mut [f64]) {
        self.inner.diagonal(&theta[2 * self.columns.len()..], &bent(theta, &self.columns, at), out);
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        let has_slopes = self.inner.batch(&Points::new(rows.width())).slopes().is_some();
        let (inner, columns) = (self.inner.clone(), self.columns.clone());
        let plain = self.inner.batch(rows);
        Box::new(WarpedBatch { inner, plain, columns, rows: rows.clone(), has_slopes })
    }
}

struct WarpedBatch {
    inner: Arc<dyn Kernel>,
    /// The unwarped rows: used to decide which hypers matter.
    plain: Box<dyn KernelBatch>,
    columns: Arc<[usize]>,
    rows: Points,
    has_slopes: bool,
}

impl WarpedBatch {
    fn own(&self) -> usize {
        2 * self.columns.len()
    }

    fn bent(&self, theta: &[f64]) -> Box<dyn KernelBatch> {
        self.inner.batch(&bent(theta, &self.columns, &self.rows))
    }
}

impl KernelBatch for WarpedBatch {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn depends_on(&self, hyper: usize) -> bool {
        match hyper.checked_sub(self.own()) {
            Some(inner) => self.plain.depends_on(inner),
            None => self.rows.iter().any(|row| row.active().is_active(self.columns[hyper / 2])),
        }
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        self.bent(theta).gram(&theta[self.own()..], out);
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        self.bent(theta).cross(&theta[self.own()..], &bent(theta, &self.columns, at), out);
    }

    fn slopes(&self) -> Option<&dyn Slopes> {
        self.has_slopes.then_some(self)
    }
}

const SLOPES: &str = "slopes are offered only if the kernel inside has them";

impl Slopes for WarpedBatch {
    /// For a curve: Σᵢⱼ Wᵢⱼ·∂kᵢⱼ = Σᵢ ∂wᵢ·(2 Σⱼ≠ᵢ Wᵢⱼ·∂k(xⱼ, xᵢ)/∂xᵢ + Wᵢᵢ·∂k(xᵢ, xᵢ)/∂xᵢ).
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]) {
        let rows = bent(theta, &self.columns, &self.rows);
        let batch = self.inner.batch(&rows);
        let (slopes, inner) = (batch.slopes().expect(SLOPES), &theta[self.own()..]);
        slopes.by_theta(inner, weights, &mut gradient[self.own()..]);
        let (mut by, mut alone) = (Matrix::default(), vec![0.0; self.columns.len()]);
        for (i, row) in rows.iter().enumerate() {
            slopes.by_place(inner, row, &self.columns, &mut by);
            slopes.diagonal_by_place(inner, row, &self.columns, &mut alone);
            for (k, &column) in self.columns.iter().enumerate() {
                if !row.active().is_active(column) {
                    continue;
                }
                let others = (0..rows.len()).filter(|&j| j != i);
                let pulled: f64 = others.map(|j| weights.at(i.max(j), i.min(j)) * by.at(j, k)).sum();
                let pulled = 2.0 * pulled + weights.at(i, i) * alone[k];
                let [_, by_a, by_b] = Curve::of(theta, k).slopes(self.rows.row(i).x()[column]);
                gradient[2 * k] += pulled * by_a;
                gradient[2 * k + 1] += pulled * by_b;
            }
        }
    }

    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix) {
        let (batch, place) = (self.bent(theta), bent_one(theta, &self.columns, at));
        batch.slopes().expect(SLOPES).by_place(&theta[self.own()..], place.row(0), columns, out);
        for (c, &column) in columns.iter().enumerate() {
            let stretch = self.stretch(theta, at, column);
            out.col_mut(c).iter_mut().for_each(|slope| *slope *= stretch);
        }
    }

    fn diagonal_by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut [f64]) {
        let (batch, place) = (self.bent(theta), bent_one(theta, &self.columns, at));
        batch.slopes().expect(SLOPES).diagonal_by_place(&theta[self.own()..], place.row(0), columns, out);
        for (out, &column) in out.iter_mut().zip(columns) {
            *out *= self.stretch(theta, at, column);
        }
    }
}

impl WarpedBatch {
    /// w' of a column; one where it is not warped.
    fn stretch(&self, theta: &[f64], at: Point<'_>, column: usize) -> f64 {
        let mine = self.columns.iter().position(|own| *own == column);
        mine.map_or(1.0, |k| Curve::of(theta, k).slopes(at.x()[column])[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_ones_bends_nothing_and_ends_stay() {
        let straight = Curve { a: 1.0, b: 1.0 };
        for u in [0.0, 0.1, 0.5, 0.9, 1.0] {
            assert!((straight.at(u) - u).abs() < 2e-9);
            assert!(Curve { a: 0.4, b: 3.0 }.at(u) >= 0.0 && Curve { a: 0.4, b: 3.0 }.at(u) <= 1.0);
        }
        // 1 − (1 − ½²)³ by hand.
        assert!((Curve { a: 2.0, b: 3.0 }.at(0.5) - (1.0 - 0.75_f64.powi(3))).abs() < 1e-15);
    }

    #[test]
    fn slopes_of_a_curve_are_central_differences() {
        for (a, b) in [(1.0, 1.0), (0.3, 2.0), (4.0, 0.5)] {
            for u in [0.05, 0.4, 0.93] {
                let curve = |step: [f64; 3]| {
                    Curve { a: a * libm::exp(step[1]), b: b * libm::exp(step[2]) }.at(u + step[0])
                };
                for (k, slope) in (Curve { a, b }).slopes(u).into_iter().enumerate() {
                    let step = |h: f64| std::array::from_fn(|i| if i == k { h } else { 0.0 });
                    let difference = (curve(step(1e-5)) - curve(step(-1e-5))) / 2e-5;
                    assert!((slope - difference).abs() < 1e-5 * slope.abs().max(1e-3), "{a} {b} {u}");
                }
            }
        }
    }
}
