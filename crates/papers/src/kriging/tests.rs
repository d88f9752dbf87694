//! Tests of Kriging from outside: laws, estimates, brute force, corrections.
use super::correction::{Corrected, flip};
use super::target::{Estimates, Target};
use super::*;
use crate::global_search::GlobalSearch;
use arbora_model::Interrupt;
use arbora_model::PendingOutcomes;
use arbora_model::infer::{Fixed, InferenceSpec, LogDensity};
use arbora_model::kernel::KernelSpec;
use arbora_model::linalg::{Matrix, Scratch, Spectrum};
use arbora_model::testing::{World, assert_order_does_not_matter, assert_surrogate_laws};
use arbora_space::{BranchKey, Column, ColumnKind, Layout, Points};

fn fixed() -> InferenceSpec {
    InferenceSpec::new(Fixed {})
}
const CORRECTIONS: [Correction; 4] =
    [Correction::None, Correction::Linear, Correction::Augmented, Correction::AugmentedConsistent];

fn kernel(rule: &str) -> KernelSpec {
    crate::register().unwrap();
    serde_json::from_str(&format!("\"{rule}\"")).unwrap()
}

/// With length-scales of about the size of the box, where θ is not estimated.
fn spec(rule: &str, infer: InferenceSpec) -> KrigingSpec {
    let plain = KrigingSpec::default();
    let length = HyperSpec { start: 0.4, ..plain.length };
    let nugget = HyperSpec { start: 0.01, ..plain.nugget };
    KrigingSpec { kernel: kernel(rule), infer, length, nugget, ..KrigingSpec::default() }
}

fn search(evaluations: usize) -> InferenceSpec {
    let estimate = arbora_model::infer::Estimate::Likelihood;
    InferenceSpec::new(GlobalSearch { evaluations, per_hyper: false, estimate, polish: true })
}

fn recipe(spec: &KrigingSpec, layout: &Layout) -> (Kriging, Recipe) {
    let kriging = spec.build(layout).unwrap();
    let recipe = Recipe {
        kernel: kriging.kernel.clone(),
        correction: spec.correction,
        reinterpolate: spec.reinterpolate,
    };
    (kriging, recipe)
}

/// x₂ is active if x₁ > ½  [the test functions of Zaefferer & Horn 2018].
fn layout() -> Layout {
    let column = |name: &str, is_conditional: bool| Column {
        place: arbora_space::ColumnPlace::default(),
        name: name.into(),
        kind: ColumnKind::Numeric,
        is_fixed: false,
        is_decider: !is_conditional,
        is_conditional,
        levels: None,
        default: 0.5,
    };
    Layout { columns: vec![column("x1", false), column("x2", true)] }
}

fn points(count: usize, seed: u64) -> Points {
    let mut rng = Rng::new(seed);
    let mut points = Points::new(2);
    for _ in 0..count {
        let x = [rng.unit(), rng.unit()];
        let is_upper = x[0] > 0.5;
        points.push_parts(&x, &[true, is_upper], BranchKey::ROOT.then(0, u64::from(is_upper)));
    }
    points
}

fn losses(points: &Points, offset: f64) -> Vec<f64> {
    let loss =
        |x: &[f64]| (x[0] - 0.7).powi(2) + if x[0] > 0.5 { (x[1] - 0.5).powi(2) + offset } else { 0.0 };
    points.iter().map(|row| loss(row.x())).collect()
}

#[test]
fn laws_hold() {
    for rule in ["arc", "imp", "standard"] {
        assert_surrogate_laws(&|layout| Box::new(spec(rule, search(60)).build(layout).unwrap()));
        // Points far enough apart that R without its nugget keeps nine digits.
        let length = HyperSpec { start: 0.1, ..KrigingSpec::default().length };
        let apart = KrigingSpec { length, ..spec(rule, fixed()) };
        assert_order_does_not_matter(&|layout| Box::new(apart.build(layout).unwrap()));
        let doubtful = KrigingSpec { reinterpolate: false, ..spec(rule, fixed()) };
        assert_order_does_not_matter(&|layout| Box::new(doubtful.build(layout).unwrap()));
    }
    let plain = KrigingSpec { reinterpolate: false, ..spec("imp_arc", search(30)) };
    assert_surrogate_laws(&|layout| Box::new(plain.build(layout).unwrap()));
}

#[test]
fn laws_hold_for_every_correction() {
    for correction in CORRECTIONS {
        let spec = KrigingSpec { correction, ..spec("ico", search(30)) };
        assert_surrogate_laws(&|layout| Box::new(spec.build(layout).unwrap()));
    }
}

/// n·ln σ̂² + ln|R_η|, compared with the normal density maximised numerically over μ and σ².
#[test]
fn estimates_are_the_top_of_the_likelihood() {
    let rows = points(8, 1);
    let (kriging, _) = recipe(&spec("arc", fixed()), &layout());
    let theta: Vec<f64> = kriging.kernel.hypers().iter().map(|h| h.coordinate(h.start)).collect();
    let (mut gram, nugget) = (Matrix::zeros(8, 8), 0.05);
    kriging.kernel.batch(&rows).gram(&theta, &mut gram);
    let losses = losses(&rows, 0.1);
    let estimates = Estimates::new(&gram, nugget, &losses, &mut Scratch::default()).unwrap();
    let density = |mean: f64, variance: f64| {
        let mut off: Vec<f64> = losses.iter().map(|loss| loss - mean).collect();
        estimates.factor.solve_lower(&mut off);
        let misfit: f64 = off.iter().map(|v| v * v).sum();
        -0.5 * (misfit / variance + 8.0 * variance.ln() + estimates.factor.log_det())
    };
    let top = density(estimates.mean, estimates.variance);
    assert!((top + 0.5 * (8.0 * estimates.variance.ln() + estimates.factor.log_det() + 8.0)).abs() < 1e-12);
    for (mean, variance) in [(1e-4, 0.0), (-1e-4, 0.0), (0.0, 1e-4), (0.0, -1e-4)] {
        assert!(density(estimates.mean + mean, estimates.variance * (1.0 + variance)) < top);
    }
}

#[test]
fn the_likelihood_has_the_slopes_it_says() {
    for correction in CORRECTIONS {
        for rule in ["arc", "ico", "imp_arc"] {
            let (rows, spec) = (points(14, 2), KrigingSpec { correction, ..spec(rule, fixed()) });
            let (kriging, recipe) = recipe(&spec, &layout());
            let (hypers, losses) = (kriging.hypers(), losses(&rows, 0.1));
            let mut target = Target::new(&recipe, &hypers, &rows, &losses, Interrupt::never());
            let mut theta: Vec<f64> = hypers.iter().map(|h| h.coordinate(h.start)).collect();
            if rule == "ico" {
                theta[2] = 0.3; // far from definite
            }
            *theta.last_mut().unwrap() = 0.5_f64.ln();
            let mut gradient = vec![0.0; hypers.len()];
            let value = target.with_gradient(&theta, &mut gradient).unwrap();
            assert!((value - target.at(&theta)).abs() < 1e-9, "{correction:?} {rule}");
            for (hyper, slope) in gradient.iter().enumerate() {
                let (step, mut along) = (1e-5, target.along(&theta, hyper));
                let difference = (along(theta[hyper] + step) - along(theta[hyper] - step)) / (2.0 * step);
                let scale = slope.abs().max(1e-2);
                assert!(
                    (slope - difference).abs() < 1e-5 * scale,
                    "{correction:?} {rule}: {slope} {difference}"
                );
            }
        }
    }
}

fn fitted(spec: &KrigingSpec, rows: &Points, losses: Vec<f64>) -> Box<dyn Model> {
    let data = Dataset::new(rows.clone(), losses).unwrap();
    spec.build(&layout()).unwrap().fit(&data, None, &mut Rng::new(0)).unwrap()
}

/// Conditions the joint normal of (y, f) entry by entry, with the estimated μ̂ and σ̂².
#[test]
fn predictions_condition_the_joint_normal() {
    let (rows, at) = (points(7, 3), points(5, 4));
    let spec = KrigingSpec { reinterpolate: false, ..spec("imp_arc", fixed()) };
    let losses = losses(&rows, 0.1);
    let said = fitted(&spec, &rows, losses.clone()).predict(&at);
    let (kriging, _) = recipe(&spec, &layout());
    let theta: Vec<f64> = kriging.kernel.hypers().iter().map(|h| h.coordinate(h.start)).collect();
    let entry = |i: usize, j: usize| {
        kriging.kernel.cov(&theta, rows.row(i), rows.row(j)) + if i == j { 0.01 } else { 0.0 }
    };
    let whole = Spectrum::of(&Matrix::from_fn(7, 7, entry)).unwrap().map(f64::recip);
    let apply =
        |v: &[f64]| -> Vec<f64> { (0..7).map(|i| (0..7).map(|j| whole.at(i, j) * v[j]).sum()).collect() };
    let (ones, solved) = (apply(&[1.0; 7]), apply(&losses));
    let mean = solved.iter().sum::<f64>() / ones.iter().sum::<f64>();
    let off: Vec<f64> = losses.iter().map(|loss| loss - mean).collect();
    let a = apply(&off);
    let variance = off.iter().zip(&a).map(|(e, a)| e * a).sum::<f64>() / 7.0;
    for j in 0..at.len() {
        let r: Vec<f64> = (0..7).map(|i| kriging.kernel.cov(&theta, rows.row(i), at.row(j))).collect();
        let expected = mean + r.iter().zip(&a).map(|(r, a)| r * a).sum::<f64>();
        let explained: f64 = r.iter().zip(apply(&r)).map(|(r, v)| r * v).sum();
        assert!((said.mean(0, 0)[j] - expected).abs() < 1e-9);
        assert!((said.variance(0)[j] - variance * (1.0 - explained)).abs() < 1e-9 * variance);
    }
}

#[test]
fn reinterpolation_leaves_no_doubt_where_something_was_seen() {
    let (rows, noisy) = (points(12, 5), KrigingSpec { reinterpolate: false, ..spec("arc", fixed()) });
    let mut rng = Rng::new(1);
    let losses: Vec<f64> = losses(&rows, 0.1).iter().map(|loss| loss + 0.1 * rng.normal()).collect();
    let prior = fitted(&spec("arc", fixed()), &rows, losses.clone());
    let (certain, doubtful) = (prior.predict(&rows), fitted(&noisy, &rows, losses.clone()).predict(&rows));
    let away = prior.predict(&points(40, 6)).variance(0).iter().copied().fold(0.0, f64::max);
    for i in 0..rows.len() {
        assert!(certain.variance(0)[i] < 1e-6 * away, "{} of {away}", certain.variance(0)[i]);
        assert!(doubtful.variance(0)[i] > 1e-4 * away);
        assert!((certain.mean(0, 0)[i] - doubtful.mean(0, 0)[i]).abs() < 1e-12, "the mean is the same");
    }
    assert!((0..12).any(|i| (certain.mean(0, 0)[i] - losses[i]).abs() > 1e-4), "the nugget smooths");
}

#[test]
fn without_a_nugget_it_interpolates() {
    let rows = points(9, 7);
    let plain = spec("arc", fixed());
    let nugget = HyperSpec { start: 1e-9, low: 1e-9, ..plain.nugget.clone() };
    let losses = losses(&rows, 0.1);
    let said = fitted(&KrigingSpec { nugget, ..plain }, &rows, losses.clone()).predict(&rows);
    for (mean, loss) in said.mean(0, 0).iter().zip(losses) {
        assert!((mean - loss).abs() < 1e-5, "{mean} {loss}");
    }
}

/// An inactive value and {0, ½, 1}: indefinite for a suitable scale, for any distance to inactive.
fn indefinite(seed: u64) -> (Points, Kriging, Matrix) {
    let rows = points(10, seed);
    let length = HyperSpec { start: 1.0, ..KrigingSpec::default().length };
    let (kriging, _) = recipe(&KrigingSpec { length, ..spec("ico", fixed()) }, &layout());
    let mut gram = Matrix::zeros(10, 10);
    kriging.kernel.batch(&rows).gram(&[2.0, -0.5, 1.5], &mut gram);
    (rows, kriging, gram)
}

#[test]
fn a_flip_repairs_and_keeps_the_eigenvectors() {
    let (mut seen, seeds) = (0, 0..20);
    for seed in seeds {
        let (_, _, gram) = indefinite(seed);
        let before = Spectrum::of(&gram).unwrap();
        for correction in [Correction::Linear, Correction::Augmented] {
            let after = Corrected::of(&gram, correction).unwrap();
            assert!(Spectrum::of(&after.matrix).unwrap().least() > -1e-8);
            if correction == Correction::Linear {
                let expected = before.map(flip);
                let same = |k: usize| (after.matrix.at(k / 10, k % 10) - expected.at(k / 10, k % 10)).abs();
                assert!((0..100).all(|k| same(k) < 1e-6));
            } else if before.least() < -1e-8 {
                assert!((0..10).all(|i| (after.matrix.at(i, i) - 1.0).abs() < 1e-12));
            }
        }
        seen += usize::from(before.least() < -1e-6);
    }
    assert!(seen > 3, "something had to be repaired: {seen}");
}

/// Training inputs predict row i of K⁺·(K⁺ + ηI)⁻¹, in every mode that does not depend on the test
/// point.
#[test]
fn a_corrected_model_smooths_its_training_points() {
    for seed in 0..10 {
        let (rows, kriging, gram) = indefinite(seed);
        let (losses, nugget) = (losses(&rows, 0.1), 0.02_f64);
        let recipe =
            Recipe { kernel: kriging.kernel.clone(), correction: Correction::Linear, reinterpolate: false };
        let theta = [2.0, -0.5, 1.5, nugget.ln()];
        let fitted = Fitted::new(recipe, &rows, &losses, &theta).unwrap();
        let said = fitted.predict(&rows);
        let smoother = Spectrum::of(&gram).unwrap().map(|value| flip(value) / (flip(value) + nugget));
        for i in 0..10 {
            let off = |j: usize| losses[j] - fitted.level.mean;
            let expected = fitted.level.mean + (0..10).map(|j| smoother.at(i, j) * off(j)).sum::<f64>();
            assert!((said.mean.at(i, 0) - expected).abs() < 1e-6, "{} {expected}", said.mean.at(i, 0));
        }
    }
}

/// The matrix of K⁺, A·k and κ⁺ is positive semi-definite: variances are not negative even before
/// clamping.
#[test]
fn linear_extensions_are_definite() {
    for seed in 0..10 {
        let (rows, kriging, gram) = indefinite(seed);
        let spectrum = Spectrum::of(&gram).unwrap();
        let plus = spectrum.map(flip);
        let at = points(20, 100 + seed);
        let mut cross = Matrix::default();
        kriging.kernel.batch(&rows).cross(&[2.0, -0.5, 1.5], &at, &mut cross);
        let sign = spectrum.map(|value| if value < -1e-8 { -1.0 } else { 1.0 });
        let inverse = |f: fn(f64) -> f64| spectrum.map(|v| if v.abs() > 1e-8 { f(v).recip() } else { 0.0 });
        let (of_plus, of_raw) = (inverse(f64::abs), inverse(|value| value));
        for j in 0..at.len() {
            let form = |m: &Matrix| -> f64 {
                (0..100).map(|k| cross.at(k / 10, j) * m.at(k / 10, k % 10) * cross.at(k % 10, j)).sum()
            };
            let own = form(&of_plus) + (1.0 - form(&of_raw)).abs();
            let test: Vec<f64> =
                (0..10).map(|i| (0..10).map(|k| sign.at(i, k) * cross.at(k, j)).sum()).collect();
            let extended = Matrix::from_fn(11, 11, |i, k| match (i == 10, k == 10) {
                (true, true) => own,
                (true, false) => test[k],
                (false, true) => test[i],
                _ => plus.at(i, k),
            });
            assert!(Spectrum::of(&extended).unwrap().least() > -1e-6);
        }
    }
}

/// If the kernel happens to be definite on training and test points, all modes agree.
#[test]
fn corrections_change_nothing_that_is_definite() {
    let (rows, at) = (points(8, 9), points(6, 10));
    let losses = losses(&rows, 0.1);
    let predict = |correction: Correction| {
        let length = HyperSpec { start: 0.05, ..KrigingSpec::default().length };
        let spec = KrigingSpec { length, correction, ..spec("ico", fixed()) };
        fitted(&spec, &rows, losses.clone()).predict(&at)
    };
    let plain = predict(Correction::None);
    for correction in CORRECTIONS {
        let said = predict(correction);
        for j in 0..at.len() {
            assert!((said.mean(0, 0)[j] - plain.mean(0, 0)[j]).abs() < 1e-9, "{correction:?}");
            assert!((said.variance(0)[j] - plain.variance(0)[j]).abs() < 1e-9, "{correction:?}");
        }
    }
}

/// On a function whose inactive part equals x₂ = ½, the imputation finds ½  [Zaefferer & Horn 2018,
/// §6]: the median of nine fits.
#[test]
fn imputation_finds_where_absence_lies() {
    let spec = KrigingSpec { kernel: kernel("imp"), ..KrigingSpec::default() };
    let fit = |seed: u64| {
        let rows = points(24, seed);
        let model = fitted(&spec, &rows, losses(&rows, 0.0));
        model.memory().unwrap().value("stand_in:x2").unwrap()
    };
    let mut found: Vec<f64> = (20..29).map(fit).collect();
    found.sort_by(f64::total_cmp);
    assert!((found[4] - 0.5).abs() < 0.05, "{found:?}");
}

#[test]
fn fantasies_come_true() {
    let (rows, pending) = (points(8, 12), points(3, 13));
    let model = fitted(&spec("arc", fixed()), &rows, losses(&rows, 0.1));
    let joint = model.joint().unwrap();
    let mut rng = Rng::new(3);
    let lied = joint.fantasize(&pending, &PendingOutcomes::Liar(-1.0), &mut rng).unwrap().predict(&pending);
    assert!(lied.mean(0, 0).iter().all(|mean| *mean < -0.5) && lied.best_fantasy(0, 0) == Some(-1.0));
    assert!(lied.variance(0).iter().all(|variance| *variance < 1e-6));
    let believed = joint.fantasize(&pending, &PendingOutcomes::Believer, &mut rng).unwrap().predict(&pending);
    let expected = model.predict(&pending);
    for i in 0..3 {
        assert!((believed.mean(0, 0)[i] - expected.mean(0, 0)[i]).abs() < 1e-9);
    }
    let many = joint.fantasize(&pending, &PendingOutcomes::Fantasies { count: 7 }, &mut rng).unwrap();
    assert_eq!(many.predict(&pending).scenarios(), 7);
    let ico = fitted(&spec("ico", fixed()), &rows, losses(&rows, 0.1));
    assert!(ico.joint().is_none());
}

#[test]
fn other_worlds_are_refused() {
    let world = World::random(&mut Rng::new(4));
    let kriging = spec("arc", fixed()).build(&world.layout).unwrap();
    let elsewhere = Dataset::new(Points::new(99), vec![]).unwrap();
    let error = kriging.fit(&elsewhere, None, &mut Rng::new(0)).err();
    assert_eq!(error, Some(FitError::WrongWidth { expected: world.layout.width(), found: 99 }));
}
