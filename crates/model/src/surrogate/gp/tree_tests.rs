//! Tests of the tree model from outside: laws, its two limits, gradients, fantasies.
use super::features::Nodes;
use super::tests::{data, fixed, map, slice};
use crate::Prediction;
use crate::hyper_spec::HyperSpec;
use crate::infer::InferenceSpec;
use crate::kernel::{Kernel, KernelContext, KernelSpec, MarginalSpec, Matern52, Shared};
use crate::surrogate::{GpSpec, Memory, PendingOutcomes, Surrogate, TreeGpSpec};
use crate::testing::{World, assert_order_does_not_matter, assert_surrogate_laws};
use crate::workers::Workers;
use arbora_space::{ColumnKind, Layout, Points, Rng};

const KINDS: [Nodes; 3] = [Nodes::Constant, Nodes::Linear, Nodes::Fourier { waves: 8, length: 0.5 }];

fn tree(infer: InferenceSpec, nodes: Nodes, layout: &Layout) -> Box<dyn Surrogate> {
    with_offsets(true, infer, nodes, layout)
}

fn with_offsets(offsets: bool, infer: InferenceSpec, nodes: Nodes, layout: &Layout) -> Box<dyn Surrogate> {
    let spec = TreeGpSpec { nodes, offsets, infer, ..TreeGpSpec::default() };
    Box::new(spec.build(layout, &Workers::serial()).unwrap())
}

#[test]
fn every_kind_keeps_the_laws() {
    for nodes in KINDS {
        for infer in [fixed(), slice(), map()] {
            assert_surrogate_laws(&|layout| tree(infer.clone(), nodes, layout));
        }
        assert_order_does_not_matter(&|layout| tree(fixed(), nodes, layout));
    }
}

/// A memory in which a function of the name gives the value of every hyper.
fn memory(names: &[String], value: impl Fn(&str) -> f64) -> Memory {
    let values: Vec<f64> = names.iter().map(|name| value(name)).collect();
    serde_json::from_value(serde_json::json!({ "names": names, "states": [values] })).unwrap()
}

fn names(kernel: &dyn Kernel) -> Vec<String> {
    let level = ["mean", "amplitude", "noise"].map(String::from);
    level.into_iter().chain(kernel.hypers().iter().map(|hyper| hyper.name.clone())).collect()
}

fn assert_same(a: &Prediction, b: &Prediction, tolerance: f64) {
    for i in 0..a.len() {
        assert!((a.mean(0, 0)[i] - b.mean(0, 0)[i]).abs() < tolerance, "mean {i}");
        assert!((a.variance(0)[i] - b.variance(0)[i]).abs() < tolerance, "variance {i}");
    }
}

/// At the same θ, the tree model and a process with the marginal kernel have the same posterior.
#[test]
fn the_marginal_kernel_has_the_same_posterior() {
    for seed in 0..10 {
        let mut rng = Rng::for_trial(61, seed);
        let world = World::random(&mut rng);
        let (data, at) = (data(&world, 20, &mut rng), world.points(15, &mut rng));
        let (plain, linear) = ((Nodes::Constant, Shared::Inside), (Nodes::Linear, Shared::Linear));
        for ((nodes, shared), offsets) in [(plain, false), (plain, true), (linear, false), (linear, true)] {
            let inner = KernelSpec::new(Matern52::default());
            let kernel = KernelSpec::new(MarginalSpec { inner, shared, offsets });
            let spec = GpSpec { kernel, infer: fixed(), ..GpSpec::default() };
            let kernel = spec.kernel.build(KernelContext::new(&world.layout, &HyperSpec::length())).unwrap();
            let known = memory(&names(&*kernel), |name| match name {
                "mean" => 0.1,
                "amplitude" => 1.0,
                "noise" => 0.2,
                _ => 0.2 + 0.1 * (name.len() % 7) as f64,
            });
            let gp = spec.build(&world.layout, &Workers::serial()).unwrap();
            let joint = gp.fit(&data, Some(&known), &mut rng).unwrap();
            let tree = with_offsets(offsets, fixed(), nodes, &world.layout);
            let tree = tree.fit(&data, Some(&known), &mut rng).unwrap();
            assert_eq!(joint.memory().unwrap().value("node:root"), tree.memory().unwrap().value("node:root"));
            assert_same(&joint.predict(&at), &tree.predict(&at), 1e-7);
            let (a, b) =
                (joint.joint().unwrap().covariance(0, &at), tree.joint().unwrap().covariance(0, &at));
            for i in 0..at.len() {
                (0..at.len()).for_each(|j| assert!((a.at(i, j) - b.at(i, j)).abs() < 1e-7));
            }
            let (pending, how) = (world.points(3, &mut rng), PendingOutcomes::Fantasies { count: 4 });
            let fantasize = |model: &dyn crate::Model| {
                let fantasized = model.joint().unwrap().fantasize(&pending, &how, &mut Rng::new(3)).unwrap();
                fantasized
                    .joint()
                    .unwrap()
                    .fantasize(&at, &PendingOutcomes::Believer, &mut Rng::new(3))
                    .unwrap()
                    .predict(&at)
            };
            assert_same(&believed(&*joint, &at), &believed(&*tree, &at), 1e-7);
            assert_eq!(fantasize(&*tree).scenarios(), 4);
        }
    }
}

/// The model's prediction after conditioning on its own means.
fn believed(model: &dyn crate::Model, at: &Points) -> Prediction {
    let fantasized =
        model.joint().unwrap().fantasize(at, &PendingOutcomes::Believer, &mut Rng::new(3)).unwrap();
    fantasized.predict(at)
}

/// With weights of almost zero variance, branches are independent processes.
#[test]
fn without_weights_branches_are_independent() {
    let mut rng = Rng::new(5);
    let world = World::random(&mut rng);
    let (data, at) = (data(&world, 20, &mut rng), world.points(15, &mut rng));
    let spec = GpSpec { infer: fixed(), ..GpSpec::default() };
    let apart = spec.build(&world.layout, &Workers::serial()).unwrap().fit(&data, None, &mut rng).unwrap();
    let weights = ["mean", "node:root", "node:kind", "node:depth", "offset"];
    let known = memory(&weights.map(String::from), |name| if name == "mean" { 0.0 } else { 1e-4 });
    let tied = tree(fixed(), Nodes::Constant, &world.layout).fit(&data, Some(&known), &mut rng).unwrap();
    let (a, b) = (apart.predict(&at), tied.predict(&at));
    let spread = a.variance(0).iter().copied().fold(0.0, f64::max).sqrt();
    for i in 0..at.len() {
        assert!((a.mean(0, 0)[i] - b.mean(0, 0)[i]).abs() < 5e-3 * spread);
    }
}

#[test]
fn slopes_equal_central_differences() {
    for seed in 0..9 {
        let mut rng = Rng::for_trial(67, seed);
        let world = World::random(&mut rng);
        let data = data(&world, 15, &mut rng);
        let model =
            tree(slice(), KINDS[seed as usize % 3], &world.layout).fit(&data, None, &mut rng).unwrap();
        let fantasies = PendingOutcomes::Fantasies { count: 2 };
        let model =
            model.joint().unwrap().fantasize(&world.points(2, &mut rng), &fantasies, &mut rng).unwrap();
        let at = world.points(6, &mut rng);
        for row in at.iter() {
            let numeric = |c: &usize| world.layout.columns[*c].kind == ColumnKind::Numeric;
            let columns: Vec<usize> = row.active().columns().filter(numeric).collect();
            let slope = model.gradients().unwrap().slope(row, &columns);
            for (c, &column) in columns.iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = Points::new(at.width());
                    moved.push_moved(row, &[column], &[row.x()[column] + step]);
                    model.predict(&moved)
                };
                let (up, down) = (moved(1e-5), moved(-1e-5));
                let close = |analytic: f64, up: f64, down: f64| {
                    let difference = (up - down) / 2e-5;
                    assert!(
                        (analytic - difference).abs() <= 1e-5 * analytic.abs().max(0.1),
                        "{analytic} {difference}"
                    );
                };
                for d in 0..up.draws() {
                    (0..2).for_each(|s| close(slope.mean[d].at(c, s), up.mean(d, s)[0], down.mean(d, s)[0]));
                    close(slope.variance[d][c], up.variance(d)[0], down.variance(d)[0]);
                }
            }
        }
    }
}

/// Siblings tie if leaves have no offsets, and differ if they have  [Jenatton et al. 2017, eq. 6].
#[test]
fn offsets_tell_siblings_apart() {
    let mut rng = Rng::new(9);
    let world = World::random(&mut rng);
    let data = data(&world, 15, &mut rng);
    let at = world.points(30, &mut rng);
    for offsets in [false, true] {
        let model = with_offsets(offsets, slice(), Nodes::Constant, &world.layout);
        let model = model.fit(&data, None, &mut rng).unwrap();
        let said = model.branches().unwrap().predict_branches(&at);
        for i in 0..at.len() {
            for j in 0..at.len() {
                let (a, b) = (at.row(i).path(), at.row(j).path());
                let is_sibling = if offsets { a == b } else { a[..a.len() - 1] == b[..b.len() - 1] };
                let (here, there) = (said.mean(0, 0)[i], said.mean(0, 0)[j]);
                assert_eq!(is_sibling, (here - there).abs() < 1e-12, "{offsets} {a:?} {b:?}");
            }
        }
    }
}

/// A path depends only on the columns it names, and its slopes are its derivatives.
#[test]
fn paths_see_their_columns_and_have_slopes() {
    for seed in 0..9 {
        let mut rng = Rng::for_trial(71, seed);
        let world = World::random(&mut rng);
        let nodes = KINDS[seed as usize % 3];
        let data = data(&world, 15, &mut rng);
        let model = tree(slice(), nodes, &world.layout).fit(&data, None, &mut rng).unwrap();
        let paths = model.branches().unwrap();
        assert_eq!(nodes == Nodes::Constant, paths.columns().is_empty(), "the world has a shared number");
        let at = world.points(6, &mut rng);
        for row in at.iter() {
            let numeric = |c: &usize| world.layout.columns[*c].kind == ColumnKind::Numeric;
            let columns: Vec<usize> = row.active().columns().filter(numeric).collect();
            let slope = paths.branch_slope(row, &columns);
            for (c, &column) in columns.iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = Points::new(at.width());
                    moved.push_moved(row, &[column], &[row.x()[column] + step]);
                    paths.predict_branches(&moved)
                };
                let (up, down) = (moved(1e-5), moved(-1e-5));
                if !paths.columns().contains(&column) {
                    assert_eq!(up, down, "column {column} is none of the path's");
                }
                for d in 0..up.draws() {
                    let pairs = [
                        (slope.mean[d].at(c, 0), up.mean(d, 0)[0] - down.mean(d, 0)[0]),
                        (slope.variance[d][c], up.variance(d)[0] - down.variance(d)[0]),
                    ];
                    for (analytic, change) in pairs {
                        let error = (analytic - change / 2e-5).abs();
                        assert!(error <= 1e-5 * analytic.abs().max(0.1), "{analytic} {change}");
                    }
                }
            }
        }
    }
}

/// The average over points has the mean of their means and the mean of their covariances.
#[test]
fn averages_are_those_of_the_joint_distribution() {
    let mut rng = Rng::new(13);
    let world = World::random(&mut rng);
    let data = data(&world, 15, &mut rng);
    let model = tree(slice(), Nodes::Constant, &world.layout).fit(&data, None, &mut rng).unwrap();
    let at = world.points(40, &mut rng);
    let branch = at.row(0).branch();
    let inside: Vec<usize> = (0..at.len()).filter(|&i| at.row(i).branch() == branch).collect();
    let over = at.select(&inside);
    let (said, each) = (model.branches().unwrap().predict_average(&over), model.predict(&over));
    let count = over.len() as f64;
    for d in 0..said.draws() {
        let mean = each.mean(d, 0).iter().sum::<f64>() / count;
        assert!((said.mean(d, 0)[0] - mean).abs() < 1e-12 * mean.abs().max(1.0));
        let covariance = model.joint().unwrap().covariance(d, &over);
        let sum: f64 = (0..over.len()).flat_map(|j| covariance.col(j).to_vec()).sum();
        assert!((said.variance(d)[0] - sum / (count * count)).abs() < 1e-10 * said.variance(d)[0]);
    }
}
