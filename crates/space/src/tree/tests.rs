use crate::encode::Branching;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::rng::Rng;
use crate::space::Space;
use crate::spec::{Param, SpaceSpec};
use crate::testing;
use std::collections::BTreeSet;

#[test]
fn every_sample_falls_on_a_leaf_with_the_same_active_parameters() {
    let mut rng = Rng::new(31);
    for _ in 0..200 {
        let space = Space::new(testing::random_spec(&mut rng)).unwrap();
        let tree = space.tree().unwrap();
        for _ in 0..20 {
            let drawn = space.sample_freely(&mut rng);
            let leaf =
                tree.leaf_of(space.branch(&drawn, Branching::Literal)).expect("a leaf for every branch");
            let active: Vec<ParamId> = drawn.iter().map(|(id, _)| id).collect();
            assert_eq!(tree.leaves()[leaf].active(), active);
        }
    }
}

#[test]
fn leaves_are_exactly_the_branches_of_a_finite_space() {
    let mut rng = Rng::new(32);
    for _ in 0..150 {
        let mut spec = testing::random_finite_spec(&mut rng);
        (spec.forbidden, spec.required) = (Vec::new(), Vec::new());
        let space = Space::new(spec).unwrap();
        let branches: BTreeSet<_> =
            space.enumerate().unwrap().map(|c| space.branch(&c, Branching::Literal)).collect();
        let tree = space.tree().unwrap();
        let leaves: BTreeSet<_> = tree.leaves().iter().map(super::Leaf::branch).collect();
        assert_eq!(leaves.len(), tree.leaves().len(), "no branch twice");
        assert_eq!(leaves, branches);
    }
}

#[test]
fn representatives_lie_on_their_leaf_unless_constraints_forbid_it() {
    let mut rng = Rng::new(33);
    let (mut found, mut closed) = (0, 0);
    for _ in 0..150 {
        let space = Space::new(testing::random_finite_spec(&mut rng)).unwrap();
        let valid: BTreeSet<_> =
            space.enumerate().unwrap().map(|c| space.branch(&c, Branching::Literal)).collect();
        let tree = space.tree().unwrap();
        for (at, leaf) in tree.leaves().iter().enumerate() {
            match tree.representative(&space, at, &mut rng) {
                Ok(made) => {
                    assert_eq!(space.check(&made), Ok(()));
                    assert_eq!(space.branch(&made, Branching::Literal), leaf.branch());
                    found += 1;
                }
                Err(error) => {
                    assert!(matches!(error, SpaceError::NoCompletion { .. }), "{error}");
                    assert!(!valid.contains(&leaf.branch()), "{:?}", space.spec());
                    closed += 1;
                }
            }
        }
    }
    assert!(found > 200 && closed > 20, "{found} {closed}");
}

#[test]
fn shared_parameters_stand_at_the_deepest_common_node() {
    let mut rng = Rng::new(34);
    for _ in 0..200 {
        let space = Space::new(testing::random_spec(&mut rng)).unwrap();
        let tree = space.tree().unwrap();
        let paths: Vec<Vec<usize>> = tree.leaves().iter().map(|leaf| nodes_to(&tree, leaf.node())).collect();
        for id in space.ids() {
            let on: Vec<usize> =
                (0..paths.len()).filter(|l| tree.leaves()[*l].active().contains(&id)).collect();
            let is_fixed = space.is_decider(id) && space.parameter(id).domain().labels().is_some();
            let private: Vec<usize> =
                (0..paths.len()).filter(|l| tree.leaves()[*l].private().contains(&id)).collect();
            let shared: Vec<usize> =
                (0..tree.nodes().len()).filter(|n| tree.nodes()[*n].shared().contains(&id)).collect();
            if is_fixed || on.is_empty() {
                assert!(private.is_empty() && shared.is_empty());
            } else if on.len() == 1 {
                assert_eq!((private, shared), (on, vec![]));
            } else {
                let mut common =
                    paths[on[0]].iter().rev().filter(|n| on.iter().all(|l| paths[*l].contains(n)));
                assert_eq!((private, shared), (vec![], vec![*common.next().unwrap()]));
            }
        }
    }
}

fn nodes_to(tree: &super::Tree, node: usize) -> Vec<usize> {
    let mut path: Vec<usize> = std::iter::successors(Some(node), |at| tree.nodes()[*at].parent()).collect();
    path.reverse();
    path
}

#[test]
fn numbers_and_optional_numbers_read_well() {
    let space = Space::new([
        Param::real("x", 0.0, 1.0),
        Param::integer("k", 0, 9).when("x > 0.5"),
        Param::integer("depth", 1, 5).or_none().when("k in [2, 3, 7]"),
        Param::real("y", 0.0, 1.0).when("x <= 0.25 or depth == none"),
    ])
    .unwrap();
    // `y` is on two leaves that part at the root, so the root has it.
    let expected = "\
x, y
x <= 0.25
0.25 < x <= 0.5
x > 0.5
  k
  k <= 1 or 4 <= k <= 6 or k >= 8
  k = 2 or k = 3 or k = 7
    depth = none
    depth = a number
      depth
";
    assert_eq!(space.tree().unwrap().to_string(), expected);
}

#[test]
fn too_many_branches_are_an_error() {
    let mut params = Vec::new();
    for i in 0..20 {
        params.push(Param::boolean(format!("s{i}")));
        params.push(Param::boolean(format!("t{i}")).when(format!("s{i} == true")));
    }
    let space = Space::new(SpaceSpec::new(params)).unwrap();
    assert_eq!(space.tree_of(1000).unwrap_err(), SpaceError::TooManyBranches { limit: 1000 });
}

#[test]
fn columns_know_their_place() {
    let space = Space::new([
        Param::real("rate", 0.0, 1.0),
        Param::choice("model", ["svm", "forest", "bayes"]),
        Param::real("C", 0.0, 1.0).when("model == 'svm'"),
        Param::real("share", 0.0, 1.0).when("model != 'bayes'"),
        Param::real("gamma", 0.0, 1.0).when("model == 'svm'"),
    ])
    .unwrap();
    let places: Vec<_> =
        space.layout().columns.iter().map(|c| (c.place.group, c.place.is_shared, c.place.beside)).collect();
    assert_eq!(places, [(0, true, 4), (0, true, 4), (1, false, 4), (2, true, 4), (1, false, 4)]);
}
