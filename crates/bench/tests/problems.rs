//! Optima are where the papers say, and nothing is better.
#![allow(clippy::unwrap_used)]
use arbora_bench::BenchError;
use arbora_bench::problem::{
    Problem, Situation, branin, by_name, hartmann6, names, zaefferer, zaefferer_grid,
};
use arbora_space::{Rng, Value};

fn at(problem: &Problem, values: &[(&str, Value)]) -> f64 {
    problem.loss(&problem.space().configuration(values.iter().cloned()).unwrap())
}

#[test]
fn printed_values() {
    let loss = at(&branin(), &[("x", 2.5.into()), ("y", 7.5.into())]);
    assert!((loss - 24.129_964_413_622).abs() < 1e-11, "{loss}");
    for (x, y) in [(-std::f64::consts::PI, 12.275), (std::f64::consts::PI, 2.275), (9.42478, 2.475)] {
        assert!((at(&branin(), &[("x", x.into()), ("y", y.into())]) - branin().optimum()).abs() < 1e-5);
    }
    let hartmann = |x: [f64; 6]| {
        let names: Vec<String> = (0..6).map(|i| format!("x{i}")).collect();
        let values: Vec<(&str, Value)> = names.iter().zip(x).map(|(n, x)| (n.as_str(), x.into())).collect();
        at(&hartmann6(), &values)
    };
    assert!((hartmann([0.5; 6]) + 0.505_314_991_702).abs() < 1e-11);
    let best = hartmann([0.201_69, 0.150_011, 0.476_874, 0.275_332, 0.311_652, 0.6573]);
    assert!((best - hartmann6().optimum()).abs() < 1e-6, "{best}");
}

#[test]
fn nothing_is_better_than_the_optimum() {
    for name in names() {
        let problem = by_name(&name).unwrap();
        assert_eq!(problem.name(), name);
        let mut rng = Rng::new(1);
        let least = (0..3000).map(|_| problem.regret(&problem.space().sample(&mut rng).unwrap()));
        let least = least.fold(f64::INFINITY, f64::min);
        assert!(least >= -1e-9, "{name}: {least}");
        assert!(least < 2.0, "{name}: random search comes near, {least}");
    }
}

#[test]
fn the_optimum_of_a_tree_is_its_first_leaf() {
    for (name, leaf) in
        [("tree-small-shared", "leaf00"), ("tree-large", "leaf000"), ("chain-large-shifted", "leaf0")]
    {
        let problem = by_name(name).unwrap();
        let place = if name.ends_with("shifted") { 0.7 * 5.0_f64.sin() } else { 0.0 };
        let mut rng = Rng::new(2);
        let drawn = (0..2000).map(|_| problem.space().sample(&mut rng).unwrap());
        let mut in_leaf = drawn.map(|c| problem.space().named(&c));
        let mut found = in_leaf.find(|c| c.get(leaf).is_some()).unwrap();
        for (name, value) in &mut found.0 {
            match name.as_str() {
                n if n == leaf => *value = place.into(),
                "r0" | "r1" => *value = 0.0.into(),
                _ => {}
            }
        }
        let configuration = problem.space().configuration(found).unwrap();
        assert!(problem.regret(&configuration).abs() < 1e-12, "{name}");
    }
}

#[test]
fn the_forty_settings_fall_into_the_five_situations() {
    let count = |s: Situation| zaefferer_grid().iter().filter(|setting| setting.situation() == s).count();
    assert_eq!(Situation::ALL.map(count), [10, 10, 10, 3, 7]);
    for setting in zaefferer_grid() {
        let problem = zaefferer(setting);
        let grid = (0..=200).flat_map(|i| (0..=20).map(move |j| (f64::from(i) / 200.0, f64::from(j) / 20.0)));
        let loss = |(x1, x2): (f64, f64)| {
            let both = [("x1", Value::from(x1)), ("x2", Value::from(x2))];
            problem.loss(&problem.space().canonical(both).unwrap())
        };
        let least = grid.map(loss).fold(f64::INFINITY, f64::min);
        assert!((least - problem.optimum()).abs() < 1e-12, "{setting:?}: {least}");
    }
}

#[test]
fn an_unknown_problem_is_named_with_those_there_are() {
    let error = by_name("brannin").err().unwrap();
    assert!(matches!(&error, BenchError::UnknownProblem { name, .. } if name == "brannin"));
    assert!(error.to_string().contains("branin, hartmann6"), "{error}");
}
