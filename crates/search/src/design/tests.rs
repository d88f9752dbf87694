use super::latin::places;
use super::*;
use arbora_space::{Branching, Param, SpaceSpec};
use std::collections::HashSet;

fn tree() -> Space {
    Space::new([
        Param::choice("model", ["svm", "forest", "bayes"]),
        Param::choice("kernel", ["rbf", "linear"]).when("model == 'svm'"),
        Param::real("gamma", 1e-3, 1e3).log().when("kernel == 'rbf'"),
        Param::integer("trees", 1, 100).when("model == 'forest'"),
    ])
    .unwrap()
}

fn all_points(design: &dyn Design, space: &Space, seed: u64) -> Vec<Configuration> {
    (0..).map_while(|i| design.point(space, i, seed).unwrap()).collect()
}

#[test]
fn designs_are_valid_complete_and_functions_of_their_index() {
    let designs: [(Box<dyn Design>, usize); 5] = [
        (Box::new(RandomDesign { count: 7 }), 7),
        (Box::new(Sobol { count: 7 }), 7),
        (Box::new(LatinHypercube { count: 7 }), 7),
        (Box::new(OnePerBranch { at_least: 6, at_most: 20 }), 6),
        (Box::new(DefaultsFirst { then: Box::new(RandomDesign { count: 2 }) }), 3),
    ];
    let space = tree();
    for (design, count) in designs {
        let points = all_points(design.as_ref(), &space, 3);
        assert_eq!(points.len(), count);
        for (i, point) in points.iter().enumerate() {
            space.check(point).unwrap();
            assert_eq!(design.point(&space, i, 3).unwrap().as_ref(), Some(point));
        }
        assert_ne!(points, all_points(design.as_ref(), &space, 4));
    }
}

#[test]
fn one_per_branch_visits_every_branch_once() {
    let space = tree();
    let points = all_points(&OnePerBranch { at_least: 0, at_most: 20 }, &space, 1);
    let branches: HashSet<_> = points.iter().map(|p| space.branch(p, Branching::Literal)).collect();
    assert_eq!((points.len(), branches.len()), (4, 4));
}

#[test]
fn a_space_of_too_many_branches_is_sampled() {
    let space = tree();
    assert_eq!(all_points(&OnePerBranch { at_least: 0, at_most: 3 }, &space, 1).len(), 3);
}

#[test]
fn one_per_branch_passes_over_what_is_forbidden() {
    let spec = SpaceSpec::new([Param::choice("a", [0, 1, 2]), Param::real("x", 0.0, 1.0).when("a == 1")]);
    let space = Space::new(spec.forbid("a == 2")).unwrap();
    for point in all_points(&OnePerBranch { at_least: 3, at_most: 9 }, &space, 5) {
        space.check(&point).unwrap();
    }
}

#[test]
fn latin_hypercube_has_one_point_per_stratum() {
    let places = places(12, 5, 9);
    for dimension in 0..5 {
        let strata: HashSet<usize> = places.iter().map(|p| (p[dimension] * 12.0) as usize).collect();
        assert_eq!(strata.len(), 12);
    }
}

#[test]
fn sobol_fills_more_evenly_than_chance() {
    // The first 2^k points of a digital net put one in each of 2^k strata of every dimension.
    let space =
        Space::new((0..6).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect::<Vec<_>>()).unwrap();
    let points = all_points(&Sobol { count: 32 }, &space, 11);
    for id in space.ids() {
        let strata: HashSet<usize> =
            points.iter().map(|p| (p.get(id).unwrap().as_f64().unwrap() * 32.0) as usize).collect();
        assert_eq!(strata.len(), 32);
    }
}
