//! Tests of the process from outside: laws, units, memory, fantasies, threads.
use crate::dataset::Dataset;
use crate::hyper_spec::HyperSpec;
use crate::infer::{Estimate, Fixed, InferenceSpec, Map, Slice};
use crate::kernel::{ConditionalSpec, Kernel, KernelContext, KernelSpec, Matern52};
use crate::surrogate::{GpSpec, Memory, Model, PendingOutcomes, Surrogate};
use crate::testing::{World, assert_order_does_not_matter, assert_surrogate_laws};
use crate::workers::Workers;
use crate::{FitError, Prediction};
use arbora_space::{ColumnKind, Layout, Points, Rng};

pub(super) fn fixed() -> InferenceSpec {
    InferenceSpec::new(Fixed {})
}
pub(super) fn slice() -> InferenceSpec {
    InferenceSpec::new(Slice { draws: 3, burn_in: 4, width: 1.0, settled: 200 })
}
pub(super) fn map() -> InferenceSpec {
    InferenceSpec::new(Map { starts: 2, estimate: Estimate::Posterior })
}

fn matern(is_conditional: bool) -> KernelSpec {
    let inner = KernelSpec::new(Matern52::default());
    if is_conditional { KernelSpec::new(ConditionalSpec { inner }) } else { inner }
}

fn gp(infer: InferenceSpec, is_conditional: bool, layout: &Layout) -> Box<dyn Surrogate> {
    let spec = GpSpec { kernel: matern(is_conditional), infer, ..GpSpec::default() };
    Box::new(spec.build(layout, &Workers::serial()).unwrap())
}

pub(super) fn data(world: &World, rows: usize, rng: &mut Rng) -> Dataset {
    let points = world.points(rows, rng);
    let loss =
        |i: usize, rng: &mut Rng| 20.0 + 3.0 * points.row(i).x().iter().sum::<f64>() + 0.2 * rng.normal();
    let losses = (0..rows).map(|i| loss(i, rng)).collect();
    Dataset::new(points, losses).unwrap()
}

fn world(seed: u64) -> (World, Rng) {
    let mut rng = Rng::new(seed);
    (World::random(&mut rng), rng)
}

#[test]
fn every_inference_keeps_the_laws() {
    for infer in [fixed(), slice(), map()] {
        for is_conditional in [false, true] {
            assert_surrogate_laws(&|layout| gp(infer.clone(), is_conditional, layout));
        }
    }
}

#[test]
fn the_order_of_observations_does_not_matter() {
    for is_conditional in [false, true] {
        assert_order_does_not_matter(&|layout| gp(fixed(), is_conditional, layout));
    }
}

#[test]
fn a_model_of_nothing_is_the_prior() {
    let (world, mut rng) = world(1);
    let nothing = Dataset::new(Points::new(world.layout.width()), vec![]).unwrap();
    let model = gp(slice(), true, &world.layout).fit(&nothing, None, &mut rng).unwrap();
    let said = model.predict(&world.points(5, &mut rng));
    assert_eq!(said.draws(), 1);
    assert!(said.mean(0, 0).iter().all(|mean| *mean == 0.0));
    assert!(said.variance(0).iter().all(|variance| (variance - 1.0).abs() < 1e-15));
    assert_eq!(model.memory(), None);
}

#[test]
fn a_rough_prediction_is_that_of_a_few_draws_once_there_are_many_rows() {
    let (world, mut rng) = world(21);
    let slice = InferenceSpec::new(Slice { draws: 10, burn_in: 2, width: 1.0, settled: 100 });
    let points = world.points(7, &mut rng);
    let few = data(&world, 100, &mut rng);
    let model = gp(slice.clone(), true, &world.layout).fit(&few, None, &mut rng).unwrap();
    assert_eq!(model.predict_approximately(&points), None);
    let many = data(&world, 101, &mut rng);
    let model = gp(slice.clone(), true, &world.layout).fit(&many, None, &mut rng).unwrap();
    let pending = world.points(2, &mut rng);
    let fantasized = model
        .joint()
        .unwrap()
        .fantasize(&pending, &PendingOutcomes::Fantasies { count: 3 }, &mut rng)
        .unwrap();
    for model in [&*model, &*fantasized] {
        let (full, rough) = (model.predict(&points), model.predict_approximately(&points).unwrap());
        assert_eq!((rough.draws(), rough.scenarios()), (3, full.scenarios()));
        for (few, all) in [(0, 1), (1, 5), (2, 8)] {
            assert_eq!(rough.variance(few), full.variance(all));
            for scenario in 0..full.scenarios() {
                assert_eq!(rough.mean(few, scenario), full.mean(all, scenario));
                assert_eq!(rough.best_fantasy(few, scenario), full.best_fantasy(all, scenario));
            }
        }
    }
}

#[test]
fn equal_losses_say_nothing_about_theta() {
    let (world, mut rng) = world(2);
    let data = Dataset::new(world.points(6, &mut rng), vec![4.0; 6]).unwrap();
    let remembered: Memory = serde_json::from_str(r#"{"names":["noise"],"states":[[0.3]]}"#).unwrap();
    let model = gp(slice(), true, &world.layout).fit(&data, Some(&remembered), &mut rng).unwrap();
    assert_eq!(model.memory(), Some(&remembered));
    let said = model.predict(data.points());
    assert_eq!(said.draws(), 1);
    assert!(said.mean(0, 0).iter().all(|mean| (mean - 4.0).abs() < 1e-9));
}

#[test]
fn points_of_another_space_are_refused() {
    let (world, mut rng) = world(3);
    let data = Dataset::new(Points::new(99), vec![]).unwrap();
    let error = gp(fixed(), true, &world.layout).fit(&data, None, &mut rng).err();
    assert_eq!(error, Some(FitError::WrongWidth { expected: world.layout.width(), found: 99 }));
}

#[test]
fn a_chain_goes_on_where_it_stopped() {
    let (world, mut rng) = world(4);
    let (surrogate, data) = (gp(slice(), true, &world.layout), data(&world, 12, &mut rng));
    let first = surrogate.fit(&data, None, &mut Rng::new(1)).unwrap();
    let memory = first.memory().unwrap();
    let text = serde_json::to_string(memory).unwrap();
    assert_eq!(&serde_json::from_str::<Memory>(&text).unwrap(), memory);
    for name in ["mean", "amplitude", "noise", "length:depth"] {
        assert!(memory.value(name).is_some(), "{name}");
    }
    let second = surrogate.fit(&data, Some(memory), &mut Rng::new(2)).unwrap();
    assert_ne!(second.memory(), Some(memory), "it moves");
    let fixed = gp(fixed(), true, &world.layout).fit(&data, Some(memory), &mut Rng::new(2)).unwrap();
    for name in ["mean", "amplitude", "noise", "length:depth"] {
        let (kept, given) = (fixed.memory().unwrap().value(name).unwrap(), memory.value(name).unwrap());
        assert!((kept - given).abs() <= 1e-12 * given.abs(), "{name}: it starts from memory");
    }
}

#[test]
fn a_mean_that_no_loss_supports_starts_anew() {
    let (world, mut rng) = world(4);
    let data = data(&world, 12, &mut rng);
    let memory: Memory =
        serde_json::from_str(r#"{"names":["mean","noise","gone"],"states":[[50.0,0.2,1.0]]}"#).unwrap();
    let model = gp(fixed(), true, &world.layout).fit(&data, Some(&memory), &mut rng).unwrap();
    assert_eq!(model.memory().unwrap().value("mean"), Some(0.0));
    assert!((model.memory().unwrap().value("noise").unwrap() - 0.2).abs() < 1e-15);
    assert_eq!(model.memory().unwrap().value("gone"), None);
}

/// The conditional kernel equals independent processes, one per branch, with tied hypers.
#[test]
fn conditional_equals_independent_processes_with_tied_hypers() {
    let (world, mut rng) = world(6);
    let kernel = matern(true).build(KernelContext::new(&world.layout, &HyperSpec::length())).unwrap();
    let data = data(&world, 20, &mut rng);
    let at = world.points(20, &mut rng);
    let whole = gp(fixed(), true, &world.layout).fit(&data, None, &mut rng).unwrap().predict(&at);
    let spread = (whole.variance(0).iter().copied().fold(0.0, f64::max)).max(1.0);
    for i in 0..at.len() {
        let mine: Vec<usize> =
            (0..20).filter(|&r| data.points().row(r).branch() == at.row(i).branch()).collect();
        let (mean, variance) = alone(&*kernel, &data, &mine, &at, i);
        assert!((whole.mean(0, 0)[i] - mean).abs() < 1e-9 * spread);
        assert!((whole.variance(0)[i] - variance).abs() < 1e-9 * spread);
    }
}

/// One branch computed by hand: a process over its rows only, at the starts of the hypers, with
/// losses standardised together.
fn alone(kernel: &dyn Kernel, data: &Dataset, mine: &[usize], at: &Points, i: usize) -> (f64, f64) {
    let count = data.len() as f64;
    let shift = data.losses().iter().sum::<f64>() / count;
    let spread = (data.losses().iter().map(|y| (y - shift).powi(2)).sum::<f64>() / count).sqrt();
    let theta = vec![0.0; kernel.hypers().len()];
    let row = |k: usize| data.points().row(mine[k]);
    // Conditions on one observation after the other, without factoring a matrix.
    let size = mine.len() + 1;
    let place = |k: usize| if k < mine.len() { row(k) } else { at.row(i) };
    let mut mean = vec![0.0; size];
    let mut cov: Vec<Vec<f64>> =
        (0..size).map(|a| (0..size).map(|b| kernel.cov(&theta, place(a), place(b))).collect()).collect();
    for k in 0..mine.len() {
        let (surprise, total) = ((data.losses()[mine[k]] - shift) / spread - mean[k], cov[k][k] + 1e-3);
        let gain: Vec<f64> = (0..size).map(|a| cov[a][k] / total).collect();
        for a in 0..size {
            mean[a] += gain[a] * surprise;
        }
        let column: Vec<f64> = cov[k].clone();
        for a in 0..size {
            for b in 0..size {
                cov[a][b] -= gain[a] * column[b];
            }
        }
    }
    (shift + spread * mean[size - 1], spread * spread * cov[size - 1][size - 1])
}

#[test]
fn slopes_equal_central_differences() {
    for seed in 0..10 {
        let (world, mut rng) = world(seed);
        let data = data(&world, 15, &mut rng);
        let model = gp(slice(), seed % 2 == 0, &world.layout).fit(&data, None, &mut rng).unwrap();
        let fantasies = PendingOutcomes::Fantasies { count: 2 };
        let model =
            model.joint().unwrap().fantasize(&world.points(2, &mut rng), &fantasies, &mut rng).unwrap();
        let at = world.points(6, &mut rng);
        for i in 0..at.len() {
            let row = at.row(i);
            let numeric = |c: &usize| world.layout.columns[*c].kind == ColumnKind::Numeric;
            let columns: Vec<usize> = row.active().columns().filter(numeric).collect();
            let slope = model.gradients().unwrap().slope(row, &columns);
            let here = model.predict(&at.select(&[i]));
            for (c, &column) in columns.iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = Points::new(at.width());
                    moved.push_moved(row, &[column], &[row.x()[column] + step]);
                    model.predict(&moved)
                };
                let (up, down) = (moved(1e-5), moved(-1e-5));
                for d in 0..here.draws() {
                    assert_eq!(slope.prediction.variance(d), here.variance(d));
                    for s in 0..2 {
                        let difference = (up.mean(d, s)[0] - down.mean(d, s)[0]) / 2e-5;
                        assert_close(slope.mean[d].at(c, s), difference);
                    }
                    assert_close(slope.variance[d][c], (up.variance(d)[0] - down.variance(d)[0]) / 2e-5);
                }
            }
        }
    }
}

fn assert_close(analytic: f64, difference: f64) {
    assert!(
        (analytic - difference).abs() <= 1e-5 * analytic.abs().max(0.1),
        "{analytic} against {difference}"
    );
}

#[test]
fn threads_change_no_bit() {
    let (world, mut rng) = world(9);
    let data = data(&world, 25, &mut rng);
    let (at, pending) = (world.points(300, &mut rng), world.points(3, &mut rng));
    let predictions = [1, 2, 3].map(|threads| {
        let spec = GpSpec { infer: slice(), ..GpSpec::default() };
        let surrogate = spec.build(&world.layout, &Workers::new(threads)).unwrap();
        let model = surrogate.fit(&data, None, &mut Rng::new(3)).unwrap();
        let how = PendingOutcomes::Fantasies { count: 5 };
        let fantasized = model.joint().unwrap().fantasize(&pending, &how, &mut Rng::new(4)).unwrap();
        (model.predict(&at), fantasized.predict(&at))
    });
    assert_eq!(predictions[0], predictions[1]);
    assert_eq!(predictions[0], predictions[2]);
}

#[test]
fn fantasies_show_in_scenarios_and_their_best() {
    let (world, mut rng) = world(11);
    let data = data(&world, 15, &mut rng);
    let model = gp(slice(), true, &world.layout).fit(&data, None, &mut rng).unwrap();
    let (joint, pending, at) = (model.joint().unwrap(), world.points(3, &mut rng), world.points(4, &mut rng));
    let nothing =
        joint.fantasize(&Points::new(at.width()), &PendingOutcomes::Believer, &mut rng).unwrap().predict(&at);
    assert_eq!(nothing, model.predict(&at));
    let lie = joint.fantasize(&pending, &PendingOutcomes::Liar(-3.0), &mut rng).unwrap().predict(&at);
    assert!((0..lie.draws()).all(|d| (lie.best_fantasy(d, 0).unwrap() + 3.0).abs() < 1e-9));
    let how = PendingOutcomes::Fantasies { count: 7 };
    let fantasies = joint.fantasize(&pending, &how, &mut rng).unwrap();
    assert_eq!(fantasies.predict(&at).scenarios(), 7);
    let twice = fantasies.joint().unwrap().fantasize(&pending, &PendingOutcomes::Believer, &mut rng).unwrap();
    assert_eq!(twice.predict(&at).scenarios(), 7);
    let best = |said: &Prediction, s: usize| said.best_fantasy(1, s).unwrap();
    assert!((0..7).all(|s| best(&twice.predict(&at), s) <= best(&fantasies.predict(&at), s)));
}

/// One outcome per draw of θ: a single scenario, and over many generators each draw's outcome has the moments of its
/// predictive distribution, noise included; the draws of one generator cover it.
#[test]
fn one_outcome_per_draw_follows_what_each_draw_predicts() {
    let (world, mut rng) = world(14);
    let data = data(&world, 15, &mut rng);
    for surrogate in [gp(slice(), true, &world.layout), gp(slice(), false, &world.layout)] {
        let model = surrogate.fit(&data, None, &mut rng).unwrap();
        let (joint, pending) = (model.joint().unwrap(), world.points(1, &mut rng));
        let (said, draws) = (model.predict(&pending), model.draws());
        let noise = model.memory().unwrap().values("noise");
        let spread = crate::surrogate::Scale::of(data.losses()).spread;
        let count = 4000;
        let mut outcomes = vec![Vec::new(); draws];
        for _ in 0..count {
            let imagined = joint.fantasize(&pending, &PendingOutcomes::OnePerDraw, &mut rng).unwrap();
            let prediction = imagined.predict(&pending);
            assert_eq!((prediction.scenarios(), prediction.draws()), (1, draws));
            (0..draws).for_each(|d| outcomes[d].push(prediction.best_fantasy(d, 0).unwrap()));
        }
        for (d, outcomes) in outcomes.iter().enumerate() {
            let variance = said.variance(d)[0] + (spread * noise[d]).powi(2);
            let (count, expected) = (f64::from(count), said.mean(d, 0)[0]);
            let mean = outcomes.iter().sum::<f64>() / count;
            let square = outcomes.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / count;
            assert!((mean - expected).abs() < 4.0 * (variance / count).sqrt(), "{d}: {mean} {expected}");
            assert!((square / variance - 1.0).abs() < 4.0 * (2.0 / count).sqrt(), "{d}: {square} {variance}");
        }
        // Three strata in every generator: the standardised outcomes of the draws sum to nearly nothing.
        let sums = (0..100).map(|k| {
            let z = |d: usize| {
                let variance = said.variance(d)[0] + (spread * noise[d]).powi(2);
                (outcomes[d][k] - said.mean(d, 0)[0]) / variance.sqrt()
            };
            (0..draws).map(z).sum::<f64>()
        });
        let square = sums.map(|sum| sum * sum).sum::<f64>() / 100.0;
        assert!(square < 0.6 * draws as f64, "independent draws would have {draws}: {square}");
    }
}

/// Sample mean and covariance against the model's own, four standard errors.
#[test]
fn joint_samples_have_the_joint_moments() {
    let (world, mut rng) = world(12);
    let data = data(&world, 10, &mut rng);
    let model = gp(fixed(), true, &world.layout).fit(&data, None, &mut rng).unwrap();
    let (joint, at) = (model.joint().unwrap(), world.points(5, &mut rng));
    let (said, cov) = (model.predict(&at), joint.covariance(0, &at));
    let count = 20_000;
    let samples: Vec<Vec<f64>> = (0..count).map(|_| joint.sample(&at, &mut rng).unwrap()).collect();
    let count = f64::from(count);
    for i in 0..at.len() {
        let mean = samples.iter().map(|s| s[i]).sum::<f64>() / count;
        assert!((mean - said.mean(0, 0)[i]).abs() <= 4.0 * (cov.at(i, i) / count).sqrt());
        assert!((cov.at(i, i) - said.variance(0)[i]).abs() < 1e-9 * said.variance(0)[i].max(1.0));
        for j in 0..=i {
            let off = |s: &[f64], k: usize| s[k] - said.mean(0, 0)[k];
            let found = samples.iter().map(|s| off(s, i) * off(s, j)).sum::<f64>() / count;
            let error = ((cov.at(i, i) * cov.at(j, j) + cov.at(i, j).powi(2)) / count).sqrt();
            assert!((found - cov.at(i, j)).abs() <= 4.0 * error, "{i} {j}: {found} {}", cov.at(i, j));
        }
    }
}

#[test]
fn more_noise_free_data_narrows_the_belief() {
    let (world, mut rng) = world(13);
    let data = data(&world, 30, &mut rng);
    let model = gp(map(), false, &world.layout).fit(&data, None, &mut rng).unwrap();
    let said = model.predict(data.points());
    let worst =
        said.mean(0, 0).iter().zip(data.losses()).map(|(mean, loss)| (mean - loss).abs()).fold(0.0, f64::max);
    assert!(worst < 1.0, "means lie near the losses they were fitted to: {worst}");
    let far: Box<dyn Model> = gp(fixed(), false, &world.layout).fit(&data, None, &mut rng).unwrap();
    assert!(far.predict(data.points()).variance(0).iter().all(|variance| *variance < 1.0));
}
