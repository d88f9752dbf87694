//! Compares the trend with the worked example and with the dense joint Gaussian.
use super::super::{Groups, Level};
use super::{Outcome, Query, TrendEvidence, TrendPosterior};
use crate::hyper_spec::HyperSpec;
use crate::kernel::{ConditionalSpec, Kernel, KernelContext, KernelSpec, Matern52};
use crate::linalg::{Factor, Matrix, Scratch, dot};
use crate::testing::World;
use arbora_space::{BranchKey, Column, ColumnKind, ColumnPlace, Layout, Points, Rng};
use std::sync::Arc;

fn conditional(layout: &Layout) -> Arc<dyn Kernel> {
    let inner = KernelSpec::new(Matern52::default());
    KernelSpec::new(ConditionalSpec { inner })
        .build(KernelContext::new(layout, &HyperSpec::length()))
        .unwrap()
        .into()
}

fn one_number() -> Layout {
    let (is_fixed, is_decider, is_conditional) = (false, false, false);
    let (kind, place) = (ColumnKind::Numeric, ColumnPlace::default());
    let name = "x".into();
    Layout {
        columns: vec![Column {
            name,
            kind,
            is_fixed,
            is_decider,
            is_conditional,
            levels: None,
            default: 0.5,
            place,
        }],
    }
}

/// Root and two inner nodes, four leaves on the paths {0,1}, {0,1}, {0,2}, {0,2}; Matérn 5/2 of
/// length ½ and variance one in every leaf, noise variance 0.01, weights of variance one, mean
/// zero.
#[test]
fn the_worked_tree_has_its_values() {
    let leaf = |p: u64| BranchKey::ROOT.then(0, p);
    let mut points = Points::new(1);
    for (p, x) in [(0, -0.5), (0, 0.2), (1, 0.1), (3, 0.4)] {
        points.push_parts(&[x], &[true], leaf(p));
    }
    let path = |p: usize| [1.0, f64::from(p < 2), f64::from(p >= 2)];
    let leaves = [0, 0, 1, 3];
    let features = Matrix::from_fn(4, 3, |i, v| path(leaves[i])[v]);
    let losses = [0.6, 0.3, 0.5, 0.9];
    let groups = Groups::new(conditional(&one_number()), &points);
    let (theta, level) = ([libm::log(0.5)], Level { mean: 0.0, variance: 1.0, ratio: 0.01 });
    let found = TrendEvidence::new(&groups, &losses, &features).at(&theta, level, &[1.0; 3]);
    assert!((found + 5.182_539_925_627).abs() < 1e-11, "{found}");
    let losses = Matrix::from_fn(4, 1, |i, _| losses[i]);
    let given = Outcome { theta: &theta, level, variances: &[1.0; 3], losses: &losses, features: &features };
    let posterior = TrendPosterior::new(&groups, &given).unwrap();
    for (p, mean, variance, path_mean, path_variance) in [
        (0, 0.372_209_564_9, 0.163_889_504_7, 0.436_719_969_8, 0.323_643_486_0),
        (1, 0.497_367_683_6, 0.072_840_098_8, 0.436_719_969_8, 0.323_643_486_0),
        (2, 0.625_714_575_6, 1.616_686_589_1, 0.625_714_575_6, 0.616_686_589_1),
        (3, 0.800_729_404_3, 0.669_567_501_7, 0.625_714_575_6, 0.616_686_589_1),
    ] {
        let mut at = Points::new(1);
        at.push_parts(&[0.0], &[true], leaf(p));
        let part = &groups.parts(&at)[0];
        let features = Matrix::from_fn(1, 3, |_, v| path(p as usize)[v]);
        let query = Query { part, features, unseen: &[] };
        let said = posterior.predict(&groups, &query);
        assert!((said.mean.at(0, 0) - mean).abs() < 1e-10, "leaf {p}");
        assert!((said.variance[0] - variance).abs() < 1e-10, "leaf {p}");
        let trend = posterior.predict_trend(&query);
        assert!((trend.mean.at(0, 0) - path_mean).abs() < 1e-10, "path {p}");
        assert!((trend.variance[0] - path_variance).abs() < 1e-10, "path {p}");
    }
}

/// A random world, random features and the equivalent dense matrix.
struct Case {
    kernel: Arc<dyn Kernel>,
    points: Points,
    features: Matrix,
    losses: Vec<f64>,
    theta: Vec<f64>,
    variances: Vec<f64>,
    level: Level,
}

impl Case {
    fn random(seed: u64, rows: usize) -> Self {
        let mut rng = Rng::for_trial(59, seed);
        let world = World::random(&mut rng);
        let kernel = conditional(&world.layout);
        // Sometimes more features than rows, and one feature with weight variance zero.
        let features = 1 + rng.below(12);
        Self {
            points: world.points(rows, &mut rng),
            features: Matrix::from_fn(rows, features, |_, _| rng.normal() * f64::from(rng.below(3) > 0)),
            losses: (0..rows).map(|_| rng.normal()).collect(),
            theta: kernel.hypers().iter().map(|_| 0.5 * rng.normal()).collect(),
            variances: (0..features).map(|v| if v == 1 { 0.0 } else { libm::exp(rng.normal()) }).collect(),
            level: Level { mean: 0.3, variance: 1.7, ratio: 0.05 },
            kernel,
        }
    }

    /// Prior covariance of the latent function between two rows.
    fn prior(&self, i: usize, j: usize) -> f64 {
        let trend: f64 = (0..self.variances.len())
            .map(|v| self.features.at(i, v) * self.variances[v] * self.features.at(j, v))
            .sum();
        let own = self.kernel.cov(&self.theta, self.points.row(i), self.points.row(j));
        trend + self.level.variance * own
    }

    /// The factor of the first rows' dense matrix, including noise.
    fn dense(&self, rows: usize) -> Factor {
        let (mut factor, noise) = (Factor::default(), self.level.variance * self.level.ratio);
        let fill = &mut |out: &mut Matrix| *out = Matrix::from_fn(rows, rows, |i, j| self.prior(i, j));
        factor.form(rows, noise, &mut Scratch::default(), fill).unwrap();
        assert_eq!(factor.jitter(), 0.0);
        factor
    }

    fn log_density(&self, rows: usize) -> f64 {
        let factor = self.dense(rows);
        let mut left: Vec<f64> = self.losses[..rows].iter().map(|loss| loss - self.level.mean).collect();
        factor.solve_lower(&mut left);
        -0.5 * (dot(&left, &left) + factor.log_det() + rows as f64 * super::LN_TWO_PI)
    }
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found} against {expected}");
}

#[test]
fn the_likelihood_is_that_of_the_dense_gaussian() {
    for seed in 0..40 {
        let case = Case::random(seed, 8);
        let groups = Groups::new(case.kernel.clone(), &case.points);
        let mut evidence = TrendEvidence::new(&groups, &case.losses, &case.features);
        let found = evidence.at(&case.theta, case.level, &case.variances);
        assert_near(found, case.log_density(8), "ln p");
    }
}

/// Rows 0..8 are observed, rows 8..14 are predicted.
#[test]
fn the_posterior_is_that_of_the_dense_gaussian() {
    for seed in 0..40 {
        let case = Case::random(seed, 14);
        let first: Vec<usize> = (0..8).collect();
        let groups = Groups::new(case.kernel.clone(), &case.points.select(&first));
        let features = Matrix::from_fn(8, case.features.cols(), |i, v| case.features.at(i, v));
        let losses = Matrix::from_fn(8, 1, |i, _| case.losses[i]);
        let given = Outcome {
            theta: &case.theta,
            level: case.level,
            variances: &case.variances,
            losses: &losses,
            features: &features,
        };
        let posterior = TrendPosterior::new(&groups, &given).unwrap();
        let at = case.points.select(&(8..14).collect::<Vec<_>>());
        let dense = case.dense(8);
        let whitened = |i: usize| {
            let mut column: Vec<f64> = (0..8).map(|j| case.prior(8 + i, j)).collect();
            dense.solve_lower(&mut column);
            column
        };
        let mut left: Vec<f64> = case.losses[..8].iter().map(|loss| loss - case.level.mean).collect();
        dense.solve_lower(&mut left);
        let parts = groups.whole_parts(&at);
        let query = |p: usize| Query {
            part: &parts[p],
            features: Matrix::from_fn(parts[p].rows.len(), features.cols(), |i, v| {
                case.features.at(8 + parts[p].rows[i], v)
            }),
            unseen: &[],
        };
        for p in 0..parts.len() {
            let said = posterior.predict(&groups, &query(p));
            for (i, &row) in parts[p].rows.iter().enumerate() {
                let column = whitened(row);
                assert_near(said.mean.at(i, 0), case.level.mean + dot(&column, &left), "mean");
                let expected = case.prior(8 + row, 8 + row) - dot(&column, &column);
                assert_near(said.variance[i], expected, "variance");
                for (other, part) in parts.iter().enumerate() {
                    let found = posterior.covariance(&groups, &query(p), &query(other), p == other);
                    for (j, &col) in part.rows.iter().enumerate() {
                        let expected = case.prior(8 + row, 8 + col) - dot(&column, &whitened(col));
                        assert_near(found.at(i, j), expected, "covariance");
                    }
                }
            }
        }
    }
}

#[test]
fn gradients_are_central_differences() {
    for seed in 0..20 {
        let case = Case::random(seed, 12);
        let groups = Groups::new(case.kernel.clone(), &case.points);
        let mut evidence = TrendEvidence::new(&groups, &case.losses, &case.features);
        let mut gradient = vec![0.0; case.theta.len()];
        let (_, slope) =
            evidence.with_gradient(&case.theta, case.level, &case.variances, &mut gradient).unwrap();
        let mut check = |found: f64, at: &mut dyn FnMut(&mut TrendEvidence<'_>, f64) -> f64, what: &str| {
            let difference = (at(&mut evidence, 1e-5) - at(&mut evidence, -1e-5)) / 2e-5;
            assert!(
                (found - difference).abs() <= 1e-5 * found.abs().max(1e-2),
                "{what}: {found} {difference}"
            );
        };
        for hyper in 0..case.theta.len() {
            let at = &mut |evidence: &mut TrendEvidence<'_>, step: f64| {
                let mut theta = case.theta.clone();
                theta[hyper] += step;
                evidence.at(&theta, case.level, &case.variances)
            };
            check(gradient[hyper], at, "θ");
        }
        for v in 0..case.variances.len() {
            let at = &mut |evidence: &mut TrendEvidence<'_>, step: f64| {
                let mut variances = case.variances.clone();
                variances[v] *= libm::exp(step);
                evidence.at(&case.theta, case.level, &variances)
            };
            check(slope.by_log_variance[v], at, "ln s");
        }
        let Level { mean, variance, ratio } = case.level;
        let level = slope.level;
        let mut moved = |found: f64, to: &dyn Fn(f64) -> Level, what: &str| {
            check(found, &mut |evidence, step| evidence.at(&case.theta, to(step), &case.variances), what);
        };
        moved(level.mean, &|h| Level { mean: mean + h, variance, ratio }, "m");
        let grown = |h: f64| Level {
            mean,
            variance: variance * libm::exp(2.0 * h),
            ratio: ratio * libm::exp(-2.0 * h),
        };
        moved(level.log_amplitude, &grown, "ln σ");
        moved(level.log_noise, &|h| Level { mean, variance, ratio: ratio * libm::exp(2.0 * h) }, "ln σ_n");
    }
}
