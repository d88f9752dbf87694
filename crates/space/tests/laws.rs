//! The laws of spaces, tested on random ones: activity, canonical form, branches, neighbours,
//! encoding.
#![allow(clippy::unwrap_used)]
use arbora_space::testing::random_spec;
use arbora_space::{
    Branching, Condition, Configuration, Domain, Encoding, Imputation, ParamId, Reach, Rng, Space,
    SpaceError, Value,
};
use std::collections::{HashMap, HashSet};

const SPACES: u64 = 150;

/// Random valid spaces, each with its own generator.
fn spaces() -> impl Iterator<Item = (Space, Rng)> {
    (0..SPACES).filter_map(|seed| {
        let mut rng = Rng::new(seed);
        Space::new(random_spec(&mut rng)).ok().map(|space| (space, rng))
    })
}

fn samples(space: &Space, rng: &mut Rng, count: usize) -> Vec<Configuration> {
    (0..count).map(|_| space.sample(rng).unwrap()).collect()
}

/// The definition, by recursion over the conditions: a test of an inactive parameter is false.
fn holds_by_definition(
    space: &Space,
    condition: &Condition,
    dense: &[Value],
    active: &dyn Fn(ParamId) -> bool,
) -> bool {
    match condition {
        Condition::Always => true,
        Condition::Is(decider, test) => {
            let value = &dense[decider.index()];
            let label = space.parameter(*decider).domain().labels().and_then(|labels| labels.index_of(value));
            active(*decider) && test.holds(value, label)
        }
        Condition::All(parts) => parts.iter().all(|p| holds_by_definition(space, p, dense, active)),
        Condition::Any(parts) => parts.iter().any(|p| holds_by_definition(space, p, dense, active)),
    }
}

fn is_active_by_definition(space: &Space, id: ParamId, dense: &[Value]) -> bool {
    let up = |decider: ParamId| is_active_by_definition(space, decider, dense);
    holds_by_definition(space, space.parameter(id).when(), dense, &up)
}

#[test]
fn activity_is_its_recursive_definition_and_ignores_inactive_values() {
    let mut checked = 0;
    for (space, mut rng) in spaces() {
        let width = space.parameters().len();
        for _ in 0..20 {
            let x: Vec<f64> = (0..width).map(|_| rng.unit()).collect();
            let dense: Vec<Value> =
                space.ids().map(|id| space.parameter(id).domain().decode(x[id.index()])).collect();
            let canonical = space.decode_dense(&x);
            for id in space.ids() {
                assert_eq!(canonical.is_active(id), is_active_by_definition(&space, id, &dense));
            }
            // Inactive coordinates do not affect the configuration.
            let other: Vec<f64> = space
                .ids()
                .map(|id| if canonical.is_active(id) { x[id.index()] } else { rng.unit() })
                .collect();
            assert_eq!(space.decode_dense(&other), canonical);
            checked += 1;
        }
    }
    assert!(checked > 1000, "most random spaces should be usable");
}

#[test]
fn canonical_form_is_idempotent_and_comes_back_by_name() {
    for (space, mut rng) in spaces() {
        for configuration in samples(&space, &mut rng, 10) {
            space.check(&configuration).unwrap();
            let named = space.named(&configuration);
            assert_eq!(space.configuration(named.clone()).unwrap(), configuration);
            assert_eq!(space.canonical(named).unwrap(), configuration);
            assert_eq!(HashSet::from([configuration.clone()]).len(), 1);
        }
    }
}

#[test]
fn equal_branches_have_equal_activity_and_keys_tell_decisions_apart() {
    for (space, mut rng) in spaces() {
        let mut masks: HashMap<_, Vec<ParamId>> = HashMap::new();
        let mut decisions: HashMap<_, Vec<(ParamId, String)>> = HashMap::new();
        for configuration in samples(&space, &mut rng, 40) {
            let active: Vec<ParamId> = configuration.iter().map(|(id, _)| id).collect();
            for branching in [Branching::Literal, Branching::SameChildren] {
                let key = (branching == Branching::Literal, space.branch(&configuration, branching));
                assert_eq!(*masks.entry(key).or_insert_with(|| active.clone()), active);
            }
            let is_label = |id: &ParamId| matches!(space.parameter(*id).domain(), Domain::Labels(_));
            let taken: Vec<(ParamId, String)> = configuration
                .iter()
                .filter(|(id, _)| space.is_decider(*id) && is_label(id))
                .map(|(id, value)| (id, value.to_string()))
                .collect();
            let key = space.branch(&configuration, Branching::Literal);
            assert_eq!(*decisions.entry(key).or_insert_with(|| taken.clone()), taken);
        }
    }
}

#[test]
fn neighbours_are_valid_other_and_one_exchange_away() {
    for (space, mut rng) in spaces() {
        for origin in samples(&space, &mut rng, 5) {
            for reach in [Reach::default(), Reach::Step(0.05)] {
                let around = space.neighbours(&origin, reach, &mut rng);
                for neighbour in &around {
                    space.check(neighbour).unwrap();
                    assert_ne!(*neighbour, origin);
                    let exchanged: Vec<ParamId> = origin
                        .iter()
                        .filter(|(id, value)| neighbour.get(*id).is_some_and(|v| v != *value))
                        .map(|(id, _)| id)
                        .collect();
                    assert_eq!(exchanged.len(), 1, "exactly one shared parameter differs");
                    for (id, value) in neighbour.iter().filter(|(id, _)| !origin.is_active(*id)) {
                        assert_eq!(
                            value,
                            space.parameter(id).default(),
                            "what becomes active takes its default"
                        );
                    }
                }
                assert_symmetric(&space, &origin, &around, reach, &mut rng);
            }
        }
    }
}

/// A change of a label that does not change activity can be undone by one change.
fn assert_symmetric(
    space: &Space,
    origin: &Configuration,
    around: &[Configuration],
    reach: Reach,
    rng: &mut Rng,
) {
    let same_activity =
        |a: &Configuration, b: &Configuration| a.iter().map(|e| e.0).eq(b.iter().map(|e| e.0));
    let discrete = |id: ParamId| matches!(space.parameter(id).domain(), Domain::Labels(_));
    for neighbour in around.iter().filter(|n| same_activity(n, origin)) {
        let exchanged = origin.iter().find(|(id, value)| neighbour.get(*id) != Some(value)).unwrap().0;
        if discrete(exchanged) && !space.has_retired(origin) {
            assert!(space.neighbours(neighbour, reach, rng).contains(origin));
        }
    }
}

#[test]
fn encoding_is_a_function_of_the_canonical_configuration() {
    let imputations = [
        Imputation::Midpoint,
        Imputation::Default,
        Imputation::OutOfRange,
        Imputation::Lower,
        Imputation::Upper,
    ];
    for (space, mut rng) in spaces() {
        let drawn = samples(&space, &mut rng, 8);
        for imputation in &imputations {
            let encoding = Encoding { imputation: imputation.clone(), branching: Branching::Literal };
            let points = space.encode(&drawn, &encoding);
            let imputed = space.imputed_values(imputation);
            for (configuration, row) in drawn.iter().zip(points.iter()) {
                for id in space.ids() {
                    let u = row.x()[id.index()];
                    assert_eq!(row.active().is_active(id.index()), configuration.is_active(id));
                    match configuration.get(id) {
                        Some(_) => assert!((0.0..=1.0).contains(&u)),
                        None => assert_eq!(u, imputed[id.index()]),
                    }
                }
                assert_eq!(row.branch(), space.branch(configuration, Branching::Literal));
            }
            let decoded: Vec<Configuration> = points.iter().map(|row| space.decode(row)).collect();
            assert_eq!(space.encode(&decoded, &encoding).branches(), points.branches());
        }
    }
}

#[test]
fn decoding_snaps_and_encoding_comes_back() {
    for (space, mut rng) in spaces() {
        for configuration in samples(&space, &mut rng, 8) {
            for (id, value) in configuration.iter() {
                let domain = space.parameter(id).domain();
                let back = domain.decode(domain.encode(value));
                match domain {
                    Domain::Real(_) => {
                        let (a, b) = (value.as_f64().unwrap(), back.as_f64().unwrap());
                        assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{a} {b}");
                    }
                    _ => assert_eq!(back, *value),
                }
                let u = rng.unit();
                assert_eq!(domain.snap(domain.snap(u)), domain.snap(u));
            }
        }
    }
}

#[test]
fn the_figure_of_the_conditional_kernel_paper() {
    // Lévesque et al. 2017, fig. 1: the second parameter exists if the first is a, the fifth if the
    // second is c.
    let space = Space::new([
        arbora_space::Param::choice("g1", ["a", "b"]),
        arbora_space::Param::choice("g2", ["c", "d"]).when("g1 == 'a'"),
        arbora_space::Param::real("g3", 0.0, 1.0).when("g1 == 'b'"),
        arbora_space::Param::real("g4", 0.0, 1.0),
        arbora_space::Param::real("g5", 0.0, 1.0).when("g2 == 'c'"),
    ])
    .unwrap();
    let key = |values: &[(&str, Value)]| {
        space.branch(&space.canonical(values.iter().cloned()).unwrap(), Branching::Literal)
    };
    let (a, b, c, d) = (Value::from("a"), Value::from("b"), Value::from("c"), Value::from("d"));
    let ac = key(&[("g1", a.clone()), ("g2", c.clone()), ("g4", 0.1.into()), ("g5", 0.2.into())]);
    let same = key(&[("g1", a.clone()), ("g2", c), ("g4", 0.9.into()), ("g5", 0.7.into())]);
    let ad = key(&[("g1", a), ("g2", d), ("g4", 0.1.into())]);
    let b = key(&[("g1", b), ("g3", 0.3.into()), ("g4", 0.1.into())]);
    assert_eq!(ac, same);
    assert_eq!(HashSet::from([ac, ad, b]).len(), 3);
}

#[test]
fn dense_assignments_reject_unknown_names() {
    let (space, _) = spaces().next().unwrap();
    let unknown = space.canonical([("no such parameter", Value::Int(1))]).unwrap_err();
    assert!(matches!(unknown, SpaceError::UnknownParameter { .. }));
}
