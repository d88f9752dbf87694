use super::OutlineKind;
use crate::encode::Branching;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
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
            let drawn = space.sample_unconstrained(&mut rng);
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
            space.enumerate().unwrap().map(|c| space.branch(&c.unwrap(), Branching::Literal)).collect();
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
            space.enumerate().unwrap().map(|c| space.branch(&c.unwrap(), Branching::Literal)).collect();
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
        Param::integer("leaf", 1, 5).or_none(),
        Param::real("y", 0.0, 1.0).when("x <= 0.25 or depth == none"),
    ])
    .unwrap();
    // An optional number without dependents is one line; a condition not implied by any place is
    // shown.
    let expected = "\
x     0 … 1
leaf  1 … 5, or none
y     0 … 1  when x <= 0.25 or depth == none
├─ x <= 0.25
├─ 0.25 < x <= 0.5
└─ x > 0.5
   │ k  0 … 9
   ├─ k <= 1 or 4 <= k <= 6 or k >= 8
   └─ k = 2 or k = 3 or k = 7
      │ depth  1 … 5, or none
      ├─ depth = none
      └─ depth = a number
";
    assert_eq!(space.outline().to_string(), expected);
}

#[test]
fn decisions_that_stand_side_by_side_are_drawn_apart_and_forbidden_ones_not_at_all() {
    let spec = SpaceSpec::new([
        Param::choice("scaler", ["none", "box", "rank"]),
        Param::choice("model", ["svm", "forest", "\u{1b}[31mnet"]),
        Param::choice("kernel", ["rbf", "poly", "odd"]).when("model == 'svm'"),
        Param::integer("degree", 2, 5).when("kernel == 'poly'"),
        Param::real("gamma", 1e-3, 1.0).log().when("kernel in ['rbf', 'poly']"),
        Param::boolean("wide").when("scaler != 'none' and model == 'forest'"),
        Param::integer("bins", 2, 9).when("scaler == 'rank'"),
    ]);
    let space = Space::new(spec.forbid("kernel == 'odd'").forbid("scaler == 'box'")).unwrap();
    let expected = "\
├─ scaler = none
└─ scaler = rank
     bins  2 … 9

├─ model = svm
│  │ gamma  0.001 … 1, log
│  ├─ kernel = rbf
│  └─ kernel = poly
│       degree  2 … 5
├─ model = forest
│    wide  false | true  when scaler != 'none' and model == 'forest'
└─ model = \\u{1b}[31mnet
";
    // Without the forbidden kernel, all others have a gamma: no condition is needed.
    assert_eq!(space.outline().to_string(), expected);
}

/// Every parameter has one place; if no condition is shown there, the place alone implies activity.
#[test]
fn an_outline_says_when_parameters_are_active() {
    let mut rng = Rng::new(35);
    let (mut said, mut written) = (0, 0);
    for _ in 0..200 {
        let space = Space::new(testing::random_spec(&mut rng)).unwrap();
        let outline = space.outline();
        let mut seen: Vec<ParamId> = Vec::new();
        for item in outline.items() {
            match &item.kind {
                OutlineKind::Parameter { id, .. } => seen.push(*id),
                OutlineKind::Decision { decision, .. } => seen.push(decision.parameter()),
            }
        }
        let is_hidden = |id: &ParamId| matches!(space.parameter(*id).role(), Role::Switch { .. });
        assert!(space.ids().all(|id| seen.contains(&id) || is_hidden(&id)), "{outline}");
        for _ in 0..20 {
            let Ok(drawn) = space.sample(&mut rng) else { continue };
            let taken = outline.taken(&space, &drawn);
            for (at, item) in outline.items().iter().enumerate() {
                let stands = item.parent.is_none_or(|parent| taken.contains(&parent));
                let (is_active, when) = match &item.kind {
                    // An optional number is one parameter: its switch is active.
                    OutlineKind::Parameter { id, when, .. } => match space.parameter(*id).role() {
                        Role::Number { switch } => (drawn.is_active(switch), when),
                        _ => (drawn.is_active(*id), when),
                    },
                    OutlineKind::Decision { decision, when } => {
                        assert!(!taken.contains(&at) || drawn.is_active(decision.parameter()));
                        let number =
                            matches!(space.parameter(decision.parameter()).role(), Role::Number { .. });
                        if number {
                            continue;
                        }
                        (drawn.is_active(decision.parameter()), when)
                    }
                };
                assert!(stands || !is_active, "active elsewhere: {item:?}\n{outline}");
                if when.is_none() {
                    assert_eq!(stands, is_active, "{item:?}\n{outline}");
                    said += 1;
                } else {
                    written += 1;
                }
            }
        }
    }
    assert!(said > 1000 && written > 100, "{said} {written}");
}

#[test]
fn an_outline_has_the_alternatives_that_the_constraints_leave() {
    let mut rng = Rng::new(36);
    let (mut open, mut closed) = (0, 0);
    for _ in 0..150 {
        let space = Space::new(testing::random_finite_spec(&mut rng)).unwrap();
        let outline = space.outline();
        let valid: Vec<Vec<usize>> = space
            .enumerate()
            .unwrap()
            .map(|configuration| outline.taken(&space, &configuration.unwrap()))
            .collect();
        let decisions =
            outline.items().iter().filter(|i| matches!(i.kind, OutlineKind::Decision { .. })).count();
        let taken: BTreeSet<usize> = valid.iter().flatten().copied().collect();
        assert_eq!(taken.len(), decisions, "{outline}\n{:?}", space.spec());
        open += taken.len();
        let mut free = space.spec().clone();
        (free.forbidden, free.required) = (Vec::new(), Vec::new());
        closed += Space::new(free).unwrap().outline().items().len() - outline.items().len();
    }
    assert!(open > 200 && closed > 5, "{open} {closed}");
}

#[test]
fn a_long_chain_of_conditions_is_drawn_without_growing_lines() {
    let mut params = vec![Param::boolean("p0")];
    for i in 1..600 {
        params.push(Param::boolean(format!("p{i}")).when(format!("p{} == true", i - 1)));
    }
    let drawn = Space::new(params).unwrap().outline().to_string();
    assert_eq!(drawn.lines().count(), 2 * 599 + 1);
    assert!(drawn.lines().all(|line| line.chars().count() < 150));
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
