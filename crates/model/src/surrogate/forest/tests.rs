use super::*;
use crate::testing::{World, assert_surrogate_laws};

fn forest(layout: &Layout, spec: &ForestSpec) -> Forest {
    spec.build(layout, &Workers::serial()).unwrap()
}

fn observed(seed: u64, count: usize) -> (World, Dataset, Points) {
    let mut rng = Rng::new(seed);
    let world = World::random(&mut rng);
    let rows = world.points(count, &mut rng);
    let losses = rows.iter().map(|p| 1.0 + p.x()[1] + 3.0 * p.x()[0] + 0.05 * rng.unit()).collect();
    let at = world.points(30, &mut rng);
    (world, Dataset::new(rows, losses).unwrap(), at)
}

#[test]
fn laws_hold() {
    for variance in [VarianceRule::OfMeans, VarianceRule::Total] {
        let spec = ForestSpec { variance, ..ForestSpec::default() };
        assert_surrogate_laws(&|layout| Box::new(forest(layout, &spec)));
    }
}

#[test]
fn the_mean_is_the_average_of_the_trees_and_the_variance_follows_its_rule() {
    let (world, data, at) = observed(1, 60);
    for variance in [VarianceRule::OfMeans, VarianceRule::Total] {
        let spec = ForestSpec { variance, ..ForestSpec::default() };
        let model = forest(&world.layout, &spec).grow(&data, &mut Rng::new(2)).unwrap();
        let said = model.predict(&at);
        for (i, point) in at.iter().enumerate() {
            let leaves: Vec<ForestLeaf> = model.trees().iter().map(|tree| *tree.leaf(point.x())).collect();
            let b = leaves.len() as f64;
            let raw = |m: f64| model.scale.raw(m);
            let mean = leaves.iter().map(|l| raw(l.mean)).sum::<f64>() / b;
            let second = leaves
                .iter()
                .map(|l| {
                    raw(l.mean).powi(2)
                        + f64::from(u8::from(variance == VarianceRule::Total))
                            * l.variance
                            * model.scale.spread.powi(2)
                })
                .sum::<f64>()
                / b;
            assert!((said.mean(0, 0)[i] - mean).abs() < 1e-12);
            let floor = FLOOR * model.scale.spread.powi(2);
            assert!((said.variance(0)[i] - (second - mean * mean).max(floor)).abs() < 1e-12);
        }
    }
}

/// Each leaf has the statistics of the rows in its cell; cells are disjoint and fill the cube.
#[test]
fn leaves_partition_the_cube_and_keep_to_the_limits() {
    let (world, data, at) = observed(3, 80);
    let spec = ForestSpec { least_leaf: 4, ..ForestSpec::default() };
    let recipe = forest(&world.layout, &spec);
    let model = recipe.grow(&data, &mut Rng::new(5)).unwrap();
    for tree in model.trees() {
        let cells = tree.cells(&recipe.growth.kinds);
        let volume = |cell: &tree::ForestCell| -> f64 {
            (0..world.layout.width()).map(|c| cell.side(c).length()).product()
        };
        let total: f64 = cells.iter().map(|(cell, _)| volume(cell)).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        assert!(cells.iter().all(|(_, leaf)| leaf.count >= 4));
        for point in at.iter() {
            let holding: Vec<&ForestLeaf> = cells
                .iter()
                .filter(|(cell, _)| (0..world.layout.width()).all(|c| cell.side(c).holds(point.x()[c])))
                .map(|(_, leaf)| leaf)
                .collect();
            assert_eq!(holding, [tree.leaf(point.x())]);
        }
    }
}

#[test]
fn a_step_in_a_category_and_a_number_is_found() {
    let mut rng = Rng::new(7);
    let world = World::random(&mut rng);
    let rows = world.points(300, &mut rng);
    let step = |x: &[f64]| f64::from(u8::from(x[0] == 0.0)) + 2.0 * f64::from(u8::from(x[1] > 0.5));
    let losses = rows.iter().map(|p| step(p.x())).collect();
    let data = Dataset::new(rows, losses).unwrap();
    let model = forest(&world.layout, &ForestSpec::default()).grow(&data, &mut rng).unwrap();
    let at = world.points(200, &mut rng);
    let said = model.predict(&at).mixture_mean();
    let near = at.iter().zip(said).filter(|(p, mean)| (step(p.x()) - mean).abs() < 0.2).count();
    assert!(near > 190, "{near}");
}

#[test]
fn log_losses_average_on_the_original_scale() {
    let (world, data, at) = observed(9, 50);
    let spec = ForestSpec { log_losses: true, trees: 1, least_split: 1000, ..ForestSpec::default() };
    let model = forest(&world.layout, &spec).grow(&data, &mut Rng::new(1)).unwrap();
    // One tree, one leaf: the mean of its bootstrap sample, times the log-normal's e^{σ²/2} of the
    // minimum variance.
    let mut rng = Rng::new(1).fork();
    let rows: Vec<usize> = (0..50).map(|_| rng.below(50)).collect();
    let mean = rows.iter().map(|&i| data.losses()[i]).sum::<f64>() / 50.0;
    let floor = FLOOR * model.scale.spread.powi(2);
    let said = model.predict(&at).mixture_mean()[0];
    assert!((said / (mean * libm::exp(0.5 * floor)) - 1.0).abs() < 1e-12, "{said} {mean}");
    let negative = Dataset::new(data.points().select(&[0]), vec![-1.0]).unwrap();
    let error = forest(&world.layout, &spec).grow(&negative, &mut rng).unwrap_err();
    assert_eq!(error, FitError::LossNotPositive { row: 0, value: -1.0 });
}
