//! Laws of every kernel.
use super::World;
use crate::hyper::Hyper;
use crate::kernel::{Coupling, Kernel, KernelBatch, PartialGram};
use crate::linalg::{Factor, Matrix, Scratch};
use arbora_space::{ColumnKind, Layout, Points, Rng};

/// Tolerance between batch and `cov`: the rounding error of a few dozen operations on numbers near
/// one.
const SAME: f64 = 1e-13;

/// Runs all laws on 200 random spaces, point sets and θ.
///
/// # Panics
/// If a law is broken.
pub fn assert_kernel_laws(build: &dyn Fn(&Layout) -> Box<dyn Kernel>) {
    for seed in 0..200 {
        let mut rng = Rng::for_trial(41, seed);
        let world = World::random(&mut rng);
        let kernel = build(&world.layout);
        let count = 1 + rng.below(18);
        let points = world.points(count, &mut rng);
        let case = Case { kernel: &*kernel, theta: theta(&*kernel, &mut rng), points };
        case.is_symmetric();
        if kernel.is_definite() {
            case.is_semi_definite();
        }
        case.separates_branches(&world, &mut rng);
        for group in case.groups() {
            let alike = case.points.select(&group);
            let batch = kernel.batch(&alike);
            case.batch_equals_law(&*batch, &alike);
            case.moved_equals_law(&*batch, &mut rng);
            case.theta_slopes_are_differences(&*batch, &alike, &mut rng);
            case.place_slopes_are_differences(&*batch, &alike, &world);
        }
    }
}

/// θ near its start, far enough inside the range for a finite difference.
fn theta(kernel: &dyn Kernel, rng: &mut Rng) -> Vec<f64> {
    let draw = |hyper: &Hyper| {
        let (low, high) = hyper.bounds();
        (hyper.coordinate(hyper.start) + rng.normal()).clamp(low + 1e-4, high - 1e-4)
    };
    kernel.hypers().iter().map(draw).collect()
}

struct Case<'a> {
    kernel: &'a dyn Kernel,
    theta: Vec<f64>,
    points: Points,
}

impl Case<'_> {
    fn cov(&self, i: usize, j: usize) -> f64 {
        self.kernel.cov(&self.theta, self.points.row(i), self.points.row(j))
    }

    /// Rows that can be correlated.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for i in 0..self.points.len() {
            let is_mine = |group: &&mut Vec<usize>| {
                self.kernel.coupling() == Coupling::Everywhere
                    || self.points.row(group[0]).branch() == self.points.row(i).branch()
            };
            match groups.iter_mut().find(is_mine) {
                Some(group) => group.push(i),
                None => groups.push(vec![i]),
            }
        }
        groups
    }

    /// [`SAME`], scaled by the variance of the kernel.
    fn same(&self) -> f64 {
        (0..self.points.len()).map(|i| self.cov(i, i)).fold(1.0, f64::max) * SAME
    }

    fn is_symmetric(&self) {
        let same = self.same();
        let mut diagonal = vec![0.0; self.points.len()];
        self.kernel.diagonal(&self.theta, &self.points, &mut diagonal);
        for (i, diagonal) in diagonal.into_iter().enumerate() {
            assert!(diagonal >= 0.0);
            assert!(
                (self.cov(i, i) - diagonal).abs() <= same,
                "a point is as alike to itself as its diagonal says"
            );
            for j in 0..i {
                assert!((self.cov(i, j) - self.cov(j, i)).abs() <= same, "symmetric");
            }
        }
    }

    /// λ_min ≥ −10⁻⁸·trace/n: with that much added to the diagonal, no jitter is needed.
    fn is_semi_definite(&self) {
        let size = self.points.len();
        let trace: f64 = (0..size).map(|i| self.cov(i, i)).sum();
        let mut factor = Factor::default();
        let fill = &mut |out: &mut Matrix| *out = Matrix::from_fn(size, size, |i, j| self.cov(i, j));
        let formed = factor.form(size, 1e-8 * trace / size as f64, &mut Scratch::default(), fill);
        assert!(formed.is_ok() && factor.jitter() == 0.0, "positive semi-definite");
    }

    fn separates_branches(&self, world: &World, rng: &mut Rng) {
        if self.kernel.coupling() == Coupling::Everywhere {
            return;
        }
        let disguised = world.disguised(&self.points, rng);
        for i in 0..self.points.len() {
            for j in 0..self.points.len() {
                if self.points.row(i).branch() != self.points.row(j).branch() {
                    assert_eq!(self.cov(i, j).to_bits(), 0.0_f64.to_bits(), "zero across branches");
                }
                let blind = self.kernel.cov(&self.theta, disguised.row(i), disguised.row(j));
                assert_eq!(self.cov(i, j).to_bits(), blind.to_bits(), "blind to inactive values");
            }
        }
    }

    fn batch_equals_law(&self, batch: &dyn KernelBatch, rows: &Points) {
        let (size, same) = (rows.len(), self.same());
        assert_eq!(batch.len(), size);
        let law = |i: usize, j: usize| self.kernel.cov(&self.theta, rows.row(i), rows.row(j));
        let mut gram = Matrix::zeros(size, size);
        batch.gram(&self.theta, &mut gram);
        let mut cross = Matrix::default();
        batch.cross(&self.theta, rows, &mut cross);
        assert_eq!((cross.rows(), cross.cols()), (size, size));
        for j in 0..size {
            for i in 0..size {
                assert!((cross.at(i, j) - law(i, j)).abs() <= same, "cross equals law");
                assert!(i < j || (gram.at(i, j) - law(i, j)).abs() <= same, "gram equals law");
            }
        }
    }

    fn moved_equals_law(&self, batch: &dyn KernelBatch, rng: &mut Rng) {
        let size = batch.len();
        let (mut partial, mut moved) = (PartialGram::default(), Matrix::zeros(size, size));
        let mut gram = Matrix::zeros(size, size);
        for hyper in 0..self.theta.len() {
            let mut theta = self.theta.clone();
            let (low, high) = self.kernel.hypers()[hyper].bounds();
            theta[hyper] = (theta[hyper] + rng.normal()).clamp(low, high);
            batch.gram(&theta, &mut gram);
            let same = (0..size).map(|i| gram.at(i, i)).fold(1.0, f64::max) * SAME;
            batch.prepare_hyper(&self.theta, hyper, &mut partial);
            batch.gram_moved(&mut partial, theta[hyper], &mut moved);
            let mut unmoved = Matrix::zeros(size, size);
            batch.gram(&self.theta, &mut unmoved);
            for j in 0..size {
                for i in j..size {
                    let (moved, law) = (moved.at(i, j), gram.at(i, j));
                    let name = &self.kernel.hypers()[hyper].name;
                    assert!((moved - law).abs() <= same, "moved {name}: {moved} instead of {law}");
                    assert!(batch.depends_on(hyper) || unmoved.at(i, j).to_bits() == gram.at(i, j).to_bits());
                }
            }
        }
    }

    /// Compares Σ W∘∂K/∂θ with central differences of Σ W∘K.
    fn theta_slopes_are_differences(&self, batch: &dyn KernelBatch, rows: &Points, rng: &mut Rng) {
        let Some(slopes) = batch.slopes() else { return };
        let size = rows.len();
        let mut weights = Matrix::zeros(size, size);
        for j in 0..size {
            for i in 0..=j {
                let weight = rng.normal();
                weights.set(i, j, weight);
                weights.set(j, i, weight);
            }
        }
        let contracted = |theta: &[f64]| -> f64 {
            let pairs = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
            pairs.map(|(i, j)| weights.at(i, j) * self.kernel.cov(theta, rows.row(i), rows.row(j))).sum()
        };
        let pairs = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
        let size_of_sum: f64 = pairs
            .map(|(i, j)| (weights.at(i, j) * self.kernel.cov(&self.theta, rows.row(i), rows.row(j))).abs())
            .sum();
        let mut gradient = vec![0.0; self.theta.len()];
        slopes.by_theta(&self.theta, &weights, &mut gradient);
        for hyper in 0..self.theta.len() {
            let difference = central(|step| {
                let mut theta = self.theta.clone();
                theta[hyper] += step;
                contracted(&theta)
            });
            assert_close(gradient[hyper], difference, size_of_sum, "∂/∂θ");
        }
    }

    /// Derivatives with respect to the last row, treated as a free point.
    fn place_slopes_are_differences(&self, batch: &dyn KernelBatch, rows: &Points, world: &World) {
        let Some(slopes) = batch.slopes() else { return };
        let last = rows.row(rows.len() - 1);
        let is_number = |&column: &usize| {
            world.layout.columns[column].kind == ColumnKind::Numeric && !world.layout.columns[column].is_fixed
        };
        let columns: Vec<usize> = last.active().columns().filter(is_number).collect();
        let mut found = Matrix::default();
        slopes.by_place(&self.theta, last, &columns, &mut found);
        let mut diagonal = vec![0.0; columns.len()];
        slopes.diagonal_by_place(&self.theta, last, &columns, &mut diagonal);
        for (k, &column) in columns.iter().enumerate() {
            let moved = |step: f64| {
                let mut moved = Points::new(rows.width());
                moved.push_moved(last, &[column], &[last.x()[column] + step]);
                moved
            };
            for i in 0..rows.len() - 1 {
                let difference =
                    central(|step| self.kernel.cov(&self.theta, rows.row(i), moved(step).row(0)));
                assert_close(found.at(i, k), difference, 1.0, "∂/∂x");
            }
            let difference =
                central(|step| self.kernel.cov(&self.theta, moved(step).row(0), moved(step).row(0)));
            assert_close(diagonal[k], difference, 1.0, "∂/∂x of the diagonal");
        }
    }
}

const STEP: f64 = 1e-5;

fn central(at: impl Fn(f64) -> f64) -> f64 {
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

/// Relative tolerance of 10⁻⁵, where a derivative below 10⁻³ counts as 10⁻³. A difference cannot be
/// more accurate than the rounding of its terms, `size` in total.
fn assert_close(analytic: f64, difference: f64, size: f64, what: &str) {
    let rounding = f64::EPSILON * size / STEP;
    let allowed = 1e-5 * analytic.abs().max(1e-3) + rounding;
    assert!((analytic - difference).abs() <= allowed, "{what}: {analytic} against {difference}");
}
