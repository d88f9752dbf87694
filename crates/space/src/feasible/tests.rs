use crate::error::SpaceError;
use crate::rng::Rng;
use crate::space::Space;
use crate::spec::{Param, SpaceSpec};

/// Every sample of a thin space is valid.
fn samples(spec: SpaceSpec) -> Space {
    let space = Space::new(spec).unwrap();
    let mut rng = Rng::new(11);
    for _ in 0..20 {
        let found = super::sample(&space, &mut rng).unwrap();
        assert_eq!(space.check(&found), Ok(()));
    }
    space
}

fn real(name: &str, low: f64, high: f64) -> Param {
    Param::real(name, low, high)
}

#[test]
fn thin_relations_between_numbers() {
    samples(SpaceSpec::new([real("a", 0.0, 1e6), real("b", 0.0, 1.0)]).require("a < b"));
    samples(SpaceSpec::new([real("a", 0.0, 1e6), real("b", 0.0, 1e6)]).require("a * b <= 10"));
    samples(
        SpaceSpec::new([real("a", 0.0, 1.0), real("b", 0.0, 1.0), real("c", 0.0, 1.0)])
            .require("a + b + c <= 0.001"),
    );
    samples(SpaceSpec::new([real("x", 0.0, 1.0)]).require("abs(x - 0.5) < 1e-6"));
    samples(SpaceSpec::new([real("x", 0.0, 1.0), real("y", 0.0, 1.0)]).require("(x - y) * (x - y) < 1e-9"));
    samples(SpaceSpec::new([real("a", 0.0, 1.0), real("b", 0.0, 1.0)]).require("a / b < 0.0001"));
    samples(SpaceSpec::new([real("a", 0.0, 1.0), real("b", 0.0, 1.0)]).require("a + b == 1"));
    samples(SpaceSpec::new([real("a", 1.0, 9.0), real("b", 1.0, 9.0)]).require("log(a) + sqrt(b) > 5.19"));
    samples(
        SpaceSpec::new([real("a", -9.0, 9.0), real("b", -9.0, 9.0)])
            .require("max(a, exp(b)) < -8.99 or min(a, b) > 8.99"),
    );
}

#[test]
fn chains_of_relations() {
    let names: Vec<String> = (1..=8).map(|i| format!("x{i}")).collect();
    let mut spec = SpaceSpec::new(names.iter().map(|n| real(n, 0.0, 1.0)));
    for pair in names.windows(2) {
        spec = spec.require(format!("{} < {}", pair[0], pair[1]));
    }
    samples(spec);
    let mut spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 1, 8)));
    for pair in names.windows(2) {
        spec = spec.require(format!("{} < {}", pair[0], pair[1]));
    }
    let space = samples(spec);
    let only = super::sample(&space, &mut Rng::new(0)).unwrap();
    assert!(only.iter().enumerate().all(|(i, (_, value))| value.as_i64() == Some(i as i64 + 1)));
}

#[test]
fn one_of_a_million_combinations() {
    let names: Vec<String> = (0..6).map(|i| format!("c{i}")).collect();
    let mut spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 0, 9)));
    for (i, name) in names.iter().enumerate() {
        spec = spec.forbid(format!("{name} != {}", (7 * i + 3) % 10));
    }
    samples(spec);
    // The same through sums that intervals cannot see through.
    let spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 0, 9)))
        .require("100000*c0 + 10000*c1 + 1000*c2 + 100*c3 + 10*c4 + c5 == 314159");
    samples(spec);
}

#[test]
fn relations_bind_where_their_parameters_are_active() {
    let space = samples(
        SpaceSpec::new([
            Param::choice("model", ["a", "b", "c"]),
            real("x", 0.0, 1e6).when("model != 'c'"),
            real("y", 0.0, 1.0).when("model in ['a', 'c']"),
        ])
        .require("x < y")
        .forbid("model == 'b'"),
    );
    let model = space.id("model").unwrap();
    let mut rng = Rng::new(4);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        seen.insert(super::sample(&space, &mut rng).unwrap().get(model).cloned());
    }
    assert_eq!(seen.len(), 2, "both branches left are found: {seen:?}");
}

#[test]
fn a_contradictory_branch_is_backed_out_of() {
    let space = samples(
        SpaceSpec::new([
            Param::choice("model", ["dead", "alive"]).weights([1e9, 1.0]),
            Param::integer("a", 0, 1000).when("model == 'dead'"),
            Param::integer("b", 0, 1000).when("model == 'dead'"),
        ])
        .require("a < b")
        .require("b < a"),
    );
    let found = super::sample(&space, &mut Rng::new(1)).unwrap();
    assert_eq!(space.value(&found, "model"), Some("alive".into()));
}

#[test]
fn equal_labels() {
    let space = samples(
        SpaceSpec::new(
            (0..5)
                .map(|i| Param::integer(format!("n{i}"), 0, 1))
                .chain((0..5).map(|i| Param::choice(format!("l{i}"), ["p", "q", "r", "s", "t"]))),
        )
        .require("l0 == l1")
        .require("l1 == l2")
        .require("l3 != l2")
        .require("l4 == l3"),
    );
    let found = space.sample(&mut Rng::new(2)).unwrap();
    assert_eq!(space.value(&found, "l0"), space.value(&found, "l2"));
}

#[test]
fn what_is_not_a_number_is_not_forbidden() {
    // log(x) is NaN below zero, and NaN ≥ −30 is false: the literal does not hold.
    samples(SpaceSpec::new([real("x", -1.0, 1.0)]).require("log(x) < -30"));
}

#[test]
fn completing_keeps_what_is_given() {
    let space = Space::new(
        SpaceSpec::new([
            Param::choice("model", ["a", "b", "gone"]).retire("gone"),
            real("x", 0.0, 1e6).when("model == 'a'"),
            real("y", 0.0, 1.0),
            Param::integer("k", 0, 9),
        ])
        .require("x < y")
        .forbid("model == 'a' and k > 3"),
    )
    .unwrap();
    let id = |name: &str| space.id(name).unwrap();
    let mut rng = Rng::new(9);
    let made = space.complete(&[(id("model"), "a".into()), (id("y"), 1e-5.into())], &mut rng).unwrap();
    assert_eq!(space.check(&made), Ok(()));
    assert_eq!(made.get(id("y")), Some(&1e-5.into()));
    assert_eq!(made.get(id("model")), Some(&"a".into()));
    let made = space.complete(&[(id("k"), 7.into()), (id("x"), 3.into())], &mut rng).unwrap();
    assert_eq!(made.get(id("model")), Some(&"b".into()), "x would be too large and k forbids a");
    let made = space.complete(&[(id("model"), "gone".into())], &mut rng).unwrap();
    assert_eq!(made.get(id("model")), Some(&"gone".into()));
    let none = space.complete(&[(id("k"), 7.into()), (id("model"), "a".into())], &mut rng);
    assert_eq!(none, Err(SpaceError::NoCompletion { given: "k = 7, model = a".into() }));
    assert!(matches!(
        space.complete(&[(id("k"), 70.into())], &mut rng),
        Err(SpaceError::ValueOutsideDomain { .. })
    ));
}
