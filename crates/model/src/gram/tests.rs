//! Compares blocks with the dense matrix, cached values with recomputed ones, and appending with
//! refitting.
use super::evidence::PlainEvidence;
use super::posterior::PlainPosterior;
use super::*;
use crate::hyper_spec::HyperSpec;
use crate::kernel::{ConditionalSpec, Kernel, KernelBatch, KernelContext, KernelSpec, Matern52};
use crate::linalg::{Matrix, Scratch};
use crate::testing::World;
use arbora_space::{BranchKey, Column, ColumnKind, Layout, Point, Points, Rng};
use std::sync::Arc;

/// A kernel without block structure: all rows in one group, every entry computed by `cov`.
struct Dense(Arc<dyn Kernel>);

struct Entries {
    kernel: Arc<dyn Kernel>,
    rows: Points,
}

impl Kernel for Dense {
    fn hypers(&self) -> &[crate::hyper::Hyper] {
        self.0.hypers()
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        self.0.cov(theta, a, b)
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(Entries { kernel: self.0.clone(), rows: rows.clone() })
    }
}

impl KernelBatch for Entries {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn depends_on(&self, _: usize) -> bool {
        true
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        self.cross(theta, &self.rows, out);
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        *out =
            Matrix::from_fn(self.len(), at.len(), |i, j| self.kernel.cov(theta, self.rows.row(i), at.row(j)));
    }
}

struct Case {
    kernel: Arc<dyn Kernel>,
    world: World,
    points: Points,
    losses: Vec<f64>,
    theta: Vec<f64>,
    level: Level,
}

fn case(seed: u64, rows: usize) -> Case {
    let mut rng = Rng::for_trial(53, seed);
    let world = World::random(&mut rng);
    let inner = KernelSpec::new(Matern52::default());
    let spec = if seed.is_multiple_of(3) { inner } else { KernelSpec::new(ConditionalSpec { inner }) };
    let kernel: Arc<dyn Kernel> =
        spec.build(KernelContext::new(&world.layout, &HyperSpec::length())).unwrap().into();
    let points = world.points(rows, &mut rng);
    let losses = (0..rows).map(|_| rng.normal()).collect();
    let theta = kernel.hypers().iter().map(|_| 0.5 * rng.normal()).collect();
    let level = Level { mean: 0.3, variance: 1.7, ratio: 0.02 };
    Case { kernel, world, points, losses, theta, level }
}

fn groups(case: &Case) -> (Groups, Groups) {
    let dense: Arc<dyn Kernel> = Arc::new(Dense(case.kernel.clone()));
    (Groups::new(case.kernel.clone(), &case.points), Groups::new(dense, &case.points))
}

fn posterior(groups: &Groups, case: &Case) -> PlainPosterior {
    PlainPosterior::new(groups, &case.losses, &case.theta, case.level, &mut Scratch::default()).unwrap()
}

/// Means of one scenario and variances at points, in the order of the points.
fn predict(
    posterior: &PlainPosterior,
    groups: &Groups,
    at: &Points,
    scenarios: usize,
) -> Vec<(Vec<f64>, f64)> {
    let mut predicted = vec![(vec![], 0.0); at.len()];
    for part in groups.parts(at) {
        let Normals { mean, variance } = posterior.predict(groups, &part, scenarios);
        for (i, &row) in part.rows.iter().enumerate() {
            predicted[row] = ((0..scenarios).map(|s| mean.at(i, s)).collect(), variance[i]);
        }
    }
    predicted
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1.0)
}

#[test]
fn blocked_equals_dense() {
    for seed in 0..60 {
        let case = case(seed, 1 + seed as usize % 24);
        let (blocked, dense) = groups(&case);
        let likelihoods =
            [&blocked, &dense].map(|g| PlainEvidence::new(g, &case.losses).at(&case.theta, case.level));
        assert!(near(likelihoods[0], likelihoods[1], 1e-10), "{likelihoods:?}");
        let at = case.world.points(20, &mut Rng::new(seed));
        let by_block = predict(&posterior(&blocked, &case), &blocked, &at, 1);
        let by_row = predict(&posterior(&dense, &case), &dense, &at, 1);
        for (a, b) in by_block.iter().zip(&by_row) {
            assert!(near(a.0[0], b.0[0], 1e-10) && near(a.1, b.1, 1e-10), "{a:?} {b:?}");
        }
    }
}

#[test]
fn along_one_hyper_equals_a_fresh_evaluation() {
    for seed in 0..30 {
        let case = case(seed, 18);
        let (blocked, dense) = groups(&case);
        for groups in [&blocked, &dense] {
            let mut evidence = PlainEvidence::new(groups, &case.losses);
            let mut theta = case.theta.clone();
            for hyper in 0..theta.len() {
                for value in [-0.4, 0.9, theta[hyper], 0.2] {
                    let along = evidence.along(&theta, case.level, hyper)(value);
                    let mut moved = theta.clone();
                    moved[hyper] = value;
                    let fresh = PlainEvidence::new(groups, &case.losses).at(&moved, case.level);
                    assert!(near(along, fresh, 1e-12), "{along} {fresh}");
                    assert!(near(evidence.at(&moved, case.level), fresh, 1e-12));
                }
                theta[hyper] = 0.2;
            }
        }
    }
}

#[test]
fn changing_the_level_reuses_nothing_stale() {
    let case = case(4, 20);
    let (blocked, _) = groups(&case);
    let mut evidence = PlainEvidence::new(&blocked, &case.losses);
    for step in 0..12 {
        let mut theta = case.theta.clone();
        theta[0] += f64::from(step / 4);
        let level =
            Level { mean: 0.1 * f64::from(step % 2), ratio: 0.01 * f64::from(1 + step % 3), ..case.level };
        let fresh = PlainEvidence::new(&blocked, &case.losses).at(&theta, level);
        assert!(near(evidence.at(&theta, level), fresh, 1e-13));
    }
}

#[test]
fn gradients_equal_central_differences() {
    for seed in 0..20 {
        let case = case(seed, 15);
        let (blocked, _) = groups(&case);
        let mut evidence = PlainEvidence::new(&blocked, &case.losses);
        let mut gradient = vec![0.0; case.theta.len()];
        let (value, slope) = evidence.with_gradient(&case.theta, case.level, &mut gradient).unwrap();
        assert!(near(value, evidence.at(&case.theta, case.level), 1e-12));
        let mut central = |moved: &dyn Fn(f64, &mut Vec<f64>, &mut Level)| {
            let mut at = |step: f64| {
                let (mut theta, mut level) = (case.theta.clone(), case.level);
                moved(step, &mut theta, &mut level);
                evidence.at(&theta, level)
            };
            (at(1e-5) - at(-1e-5)) / 2e-5
        };
        for hyper in 0..gradient.len() {
            let difference = central(&|step, theta, _| theta[hyper] += step);
            assert!(near(gradient[hyper], difference, 1e-5), "{} {difference}", gradient[hyper]);
        }
        assert!(near(slope.mean, central(&|step, _, level| level.mean += step), 1e-5));
        let by_amplitude = central(&|step, _, level| {
            level.variance *= (2.0 * step).exp();
            level.ratio *= (-2.0 * step).exp();
        });
        assert!(near(slope.log_amplitude, by_amplitude, 1e-5), "{} {by_amplitude}", slope.log_amplitude);
        let by_noise = central(&|step, _, level| level.ratio *= (2.0 * step).exp());
        assert!(near(slope.log_noise, by_noise, 1e-5), "{} {by_noise}", slope.log_noise);
    }
}

/// Solves A·X = B by elimination with pivoting, independently of our factors. Also returns ln |det
/// A|.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<Vec<f64>>) -> (Vec<Vec<f64>>, f64) {
    let (size, mut log_det) = (a.len(), 0.0);
    for k in 0..size {
        let pivot = (k..size).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        log_det += a[k][k].abs().ln();
        for i in (0..size).filter(|&i| i != k) {
            let ratio = a[i][k] / a[k][k];
            let (pivot_row, pivot_right) = (a[k].clone(), b[k].clone());
            a[i].iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= ratio * pivot);
            b[i].iter_mut().zip(&pivot_right).for_each(|(entry, pivot)| *entry -= ratio * pivot);
        }
    }
    for k in 0..size {
        b[k].iter_mut().for_each(|x| *x /= a[k][k]);
    }
    (b, log_det)
}

#[test]
fn posteriors_equal_the_conditioned_joint_gaussian() {
    for seed in 0..40 {
        let case = case(seed, 1 + seed as usize % 8);
        let (blocked, _) = groups(&case);
        let at = case.world.points(5, &mut Rng::new(seed));
        let (rows, level) = (&case.points, case.level);
        let cov = |a: Point<'_>, b: Point<'_>| level.variance * case.kernel.cov(&case.theta, a, b);
        let noise = |i: usize, j: usize| if i == j { level.variance * level.ratio } else { 0.0 };
        let n = rows.len();
        let joint =
            (0..n).map(|i| (0..n).map(|j| cov(rows.row(i), rows.row(j)) + noise(i, j)).collect()).collect();
        let right = (0..n)
            .map(|i| {
                let mut row: Vec<f64> = (0..at.len()).map(|j| cov(rows.row(i), at.row(j))).collect();
                row.push(case.losses[i] - level.mean);
                row
            })
            .collect();
        let (solved, log_det) = eliminate(joint, right);
        let weight = |i: usize, f: &dyn Fn(usize) -> f64| {
            (0..n).map(|k| cov(rows.row(k), at.row(i)) * f(k)).sum::<f64>()
        };
        let misfit: f64 = (0..n).map(|k| (case.losses[k] - level.mean) * solved[k][at.len()]).sum();
        let likelihood = -0.5 * (misfit + log_det + n as f64 * (2.0 * std::f64::consts::PI).ln());
        assert!(near(PlainEvidence::new(&blocked, &case.losses).at(&case.theta, level), likelihood, 1e-9));
        let posterior = posterior(&blocked, &case);
        for (i, (mean, variance)) in predict(&posterior, &blocked, &at, 1).iter().enumerate() {
            assert!(near(mean[0], level.mean + weight(i, &|k| solved[k][at.len()]), 1e-9));
            assert!(near(*variance, cov(at.row(i), at.row(i)) - weight(i, &|k| solved[k][i]), 1e-9));
        }
        for part in blocked.whole_parts(&at) {
            let covariance = posterior.covariance(&blocked, &part);
            for j in 0..part.rows.len() {
                for i in j..part.rows.len() {
                    let (a, b) = (part.rows[i], part.rows[j]);
                    let exact = cov(at.row(a), at.row(b)) - weight(a, &|k| solved[k][b]);
                    assert!(near(covariance.at(i, j), exact, 1e-9));
                }
            }
        }
    }
}

/// The same process fitted to the old rows and to the pending ones with these outcomes.
fn refitted(case: &Case, pending: &Points, outcomes: &[f64]) -> (Groups, PlainPosterior) {
    let mut points = case.points.clone();
    points.extend(pending);
    let losses = [&case.losses[..], outcomes].concat();
    let groups = Groups::new(case.kernel.clone(), &points);
    let posterior =
        PlainPosterior::new(&groups, &losses, &case.theta, case.level, &mut Scratch::default()).unwrap();
    (groups, posterior)
}

#[test]
fn fantasizing_equals_refitting() {
    for seed in 0..40 {
        let mut case = case(seed, 12);
        let mut rng = Rng::new(seed);
        let mut pending = case.world.points(3, &mut rng);
        pending.push(case.points.row(0));
        pending.push(pending.clone().row(1));
        // A tenth of the cases have so little noise that duplicates lose their pivots. Only jitter
        // is left then, and its inverse amplifies rounding.
        case.level.ratio = if seed % 10 == 0 { 1e-14 } else { 1e-4 };
        let (blocked, _) = groups(&case);
        let start = posterior(&blocked, &case);
        let grown = blocked.grown(&pending);
        let (liar, best) = start.fantasize(&blocked, &grown, &Outcomes::Value(-0.7), 1).unwrap();
        assert!(near(best[0], -0.7, 1e-9));
        let at = case.world.points(15, &mut rng);
        let (again, refit) = refitted(&case, &pending, &[-0.7; 5]);
        let tolerance = if seed % 10 == 0 { 1e-6 } else { 1e-9 };
        for (a, b) in predict(&liar, &grown, &at, 1).iter().zip(&predict(&refit, &again, &at, 1)) {
            assert!(near(a.0[0], b.0[0], tolerance) && near(a.1, b.1, tolerance), "seed {seed}: {a:?} {b:?}");
        }
    }
}

#[test]
fn sampled_outcomes_follow_their_own_scenario() {
    for seed in 0..20 {
        let case = case(seed, 10);
        let mut rng = Rng::new(seed);
        let pending = case.world.points(1, &mut rng);
        let (blocked, _) = groups(&case);
        let (start, grown) = (posterior(&blocked, &case), blocked.grown(&pending));
        let normals = Matrix::from_fn(1, 4, |_, _| rng.normal());
        let (fantasized, best) = start.fantasize(&blocked, &grown, &Outcomes::Normals(&normals), 4).unwrap();
        let (mean, variance) = predict(&start, &blocked, &pending, 1).remove(0);
        let spread = (variance + case.level.variance * case.level.ratio).sqrt();
        let at = case.world.points(10, &mut rng);
        let predicted = predict(&fantasized, &grown, &at, 4);
        for (s, &best) in best.iter().enumerate() {
            assert!(near(best, mean[0] + spread * normals.at(0, s), 1e-9), "an outcome with its noise");
            let (again, refit) = refitted(&case, &pending, &[best]);
            for (a, b) in predicted.iter().zip(&predict(&refit, &again, &at, 1)) {
                assert!(near(a.0[s], b.0[0], 1e-9) && near(a.1, b.1, 1e-9));
            }
        }
    }
}

#[test]
fn believing_moves_no_mean() {
    let case = case(5, 10);
    let (blocked, _) = groups(&case);
    let (start, pending) = (posterior(&blocked, &case), case.world.points(4, &mut Rng::new(1)));
    let grown = blocked.grown(&pending);
    let (believer, _) = start.fantasize(&blocked, &grown, &Outcomes::Means, 1).unwrap();
    let at = case.world.points(20, &mut Rng::new(2));
    for (a, b) in predict(&believer, &grown, &at, 1).iter().zip(&predict(&start, &blocked, &at, 1)) {
        assert!(near(a.0[0], b.0[0], 1e-9) && a.1 <= b.1 + 1e-12);
    }
}

/// Matérn 5/2, ℓ = 0.4, σ_f² = 1.5, ν = 0.01, m = 0.1; X = (0, .3, .7, 1), y = (.2, −.4, .1, .9).
#[test]
fn the_worked_example_has_its_values() {
    let kind = ColumnKind::Numeric;
    let (is_fixed, is_decider, is_conditional) = (false, false, false);
    let place = arbora_space::ColumnPlace::default();
    let column = Column {
        name: "x".into(),
        kind,
        is_fixed,
        is_decider,
        is_conditional,
        levels: None,
        default: 0.5,
        place,
    };
    let spec = KernelSpec::new(Matern52::default());
    let layout = Layout { columns: vec![column] };
    let kernel = spec.build(KernelContext::new(&layout, &HyperSpec::length())).unwrap();
    let line = |places: &[f64]| {
        let mut points = Points::new(1);
        for &x in places {
            points.push_parts(&[x], &[true], BranchKey::ROOT);
        }
        points
    };
    let groups = Groups::new(kernel.into(), &line(&[0.0, 0.3, 0.7, 1.0]));
    let losses = [0.2, -0.4, 0.1, 0.9];
    let (theta, level) = ([0.4_f64.ln()], Level { mean: 0.1, variance: 1.5, ratio: 0.01 / 1.5 });
    let likelihood = PlainEvidence::new(&groups, &losses).at(&theta, level);
    assert!((likelihood + 4.221_558_658_909).abs() < 1e-11, "{likelihood}");
    let posterior = PlainPosterior::new(&groups, &losses, &theta, level, &mut Scratch::default()).unwrap();
    let predicted = predict(&posterior, &groups, &line(&[0.15, 0.5, 0.85]), 1);
    let expected =
        [(-0.121_865_1, 0.061_155_42), (-0.343_789_12, 0.117_823_39), (0.560_067_95, 0.061_155_42)];
    for ((mean, variance), (expected_mean, expected_variance)) in predicted.iter().zip(expected) {
        assert!((mean[0] - expected_mean).abs() < 6e-9 && (variance - expected_variance).abs() < 6e-9);
    }
}
