//! The shape of the search distribution: a full matrix, or its diagonal where that is all one can afford.
use serde::{Deserialize, Serialize};

/// Rotations a Jacobi decomposition may take; seven sweeps suffice for a thousand dimensions.
const SWEEPS: usize = 30;

/// Axes shorter than this share of the longest count as this: the matrix stays invertible.
const FLATTEST: f64 = 1e-14;

/// C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Covariance {
    /// Row after row.
    Full(Vec<f64>),
    Diagonal(Vec<f64>),
}

/// C = B·D²·Bᵀ, ready to draw.
pub(super) struct Frame {
    /// Columns are axes; `None` if they are those of the cube.
    axes: Option<Vec<f64>>,
    /// Square roots of the eigenvalues.
    lengths: Vec<f64>,
}

impl Covariance {
    pub(super) fn identity(n: usize, is_full: bool) -> Self {
        if is_full {
            Covariance::Full((0..n * n).map(|k| f64::from(u8::from(k / n == k % n))).collect())
        } else {
            Covariance::Diagonal(vec![1.0; n])
        }
    }

    pub(super) fn is_full(&self) -> bool {
        matches!(self, Covariance::Full(_))
    }

    /// Largest variance along an axis of the cube.
    pub(super) fn widest(&self) -> f64 {
        let diagonal: Vec<f64> = match self {
            Covariance::Full(c) => {
                let n = width(c);
                (0..n).map(|i| c[i * n + i]).collect()
            }
            Covariance::Diagonal(c) => c.clone(),
        };
        diagonal.into_iter().fold(0.0, f64::max)
    }

    pub(super) fn scale(&mut self, by: f64) {
        let (Covariance::Full(c) | Covariance::Diagonal(c)) = self;
        for entry in c {
            *entry *= by;
        }
    }

    /// C + weight·y·yᵀ.
    pub(super) fn add(&mut self, weight: f64, y: &[f64]) {
        match self {
            Covariance::Full(c) => {
                for (row, yi) in c.chunks_exact_mut(y.len()).zip(y) {
                    row.iter_mut().zip(y).for_each(|(entry, yj)| *entry += weight * yi * yj);
                }
            }
            Covariance::Diagonal(c) => c.iter_mut().zip(y).for_each(|(entry, yi)| *entry += weight * yi * yi),
        }
    }

    pub(super) fn frame(&self) -> Frame {
        let (axes, values) = match self {
            Covariance::Full(c) => {
                let (axes, values) = decompose(c.clone());
                (Some(axes), values)
            }
            Covariance::Diagonal(c) => (None, c.clone()),
        };
        let longest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let lengths = values.iter().map(|v| v.max(FLATTEST * longest).sqrt()).collect();
        Frame { axes, lengths }
    }
}

impl Frame {
    /// B·D·z: a draw from N(0, C).
    pub(super) fn colour(&self, z: &[f64]) -> Vec<f64> {
        let stretched: Vec<f64> = z.iter().zip(&self.lengths).map(|(z, d)| z * d).collect();
        self.out_of_axes(&stretched)
    }

    /// C^{−½}·y = B·D⁻¹·Bᵀ·y.
    pub(super) fn whiten(&self, y: &[f64]) -> Vec<f64> {
        let n = y.len();
        let along: Vec<f64> = match &self.axes {
            Some(b) => (0..n).map(|j| (0..n).map(|i| b[i * n + j] * y[i]).sum()).collect(),
            None => y.to_vec(),
        };
        let shrunk: Vec<f64> = along.iter().zip(&self.lengths).map(|(a, d)| a / d).collect();
        self.out_of_axes(&shrunk)
    }

    fn out_of_axes(&self, along: &[f64]) -> Vec<f64> {
        match &self.axes {
            Some(b) => {
                let dot = |row: &[f64]| row.iter().zip(along).map(|(b, a)| b * a).sum();
                b.chunks_exact(along.len().max(1)).map(dot).collect()
            }
            None => along.to_vec(),
        }
    }
}

fn width(square: &[f64]) -> usize {
    square.len().isqrt()
}

/// Cyclic Jacobi  [Golub & Van Loan 2013, §8.5]: axes as columns, eigenvalues beside them. Chosen for its accuracy
/// on small eigenvalues and because it is the same on every machine.
fn decompose(mut a: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    let n = width(&a);
    let Covariance::Full(mut axes) = Covariance::identity(n, true) else { unreachable!("a full identity") };
    for _ in 0..SWEEPS {
        let off: f64 = (0..n * n).filter(|k| k / n != k % n).map(|k| a[k] * a[k]).sum();
        let on: f64 = (0..n).map(|i| a[i * n + i].powi(2)).sum();
        if off <= on * 1e-32 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut axes, n, (p, q));
            }
        }
    }
    (axes, (0..n).map(|i| a[i * n + i]).collect())
}

/// Zeroes the entry (p, q) by a rotation of two axes.
fn rotate(a: &mut [f64], axes: &mut [f64], n: usize, (p, q): (usize, usize)) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let tau = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = (1.0 + t * t).sqrt().recip();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (axes[k * n + p], axes[k * n + q]);
        (axes[k * n + p], axes[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Rng;

    #[test]
    fn a_decomposition_multiplies_back_and_its_axes_are_orthonormal() {
        let mut rng = Rng::new(1);
        for n in [1, 2, 5, 17] {
            let mut covariance = Covariance::identity(n, true);
            for _ in 0..2 * n {
                let y: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
                covariance.add(0.7, &y);
            }
            let Covariance::Full(c) = covariance else { panic!("it was full") };
            let (b, values) = decompose(c.clone());
            let sum = |f: &dyn Fn(usize) -> f64| (0..n).map(f).sum::<f64>();
            for i in 0..n {
                for j in 0..n {
                    let back = sum(&|k| b[i * n + k] * values[k] * b[j * n + k]);
                    assert!((back - c[i * n + j]).abs() < 1e-12 * (1.0 + c[i * n + i].abs()));
                    let one = sum(&|k| b[k * n + i] * b[k * n + j]);
                    assert!((one - f64::from(u8::from(i == j))).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn whitening_undoes_colouring() {
        let mut rng = Rng::new(2);
        for is_full in [true, false] {
            let mut covariance = Covariance::identity(6, is_full);
            for _ in 0..4 {
                let y: Vec<f64> = (0..6).map(|i| f64::from(i) * rng.normal()).collect();
                covariance.add(0.5, &y);
            }
            let frame = covariance.frame();
            // colour = B·D, whiten = B·D⁻¹·Bᵀ: whitening a coloured draw is a rotation, which keeps its length.
            let z: Vec<f64> = (0..6).map(|_| rng.normal()).collect();
            let back = frame.whiten(&frame.colour(&z));
            let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
            assert!((length(&back) / length(&z) - 1.0).abs() < 1e-12);
        }
    }
}
