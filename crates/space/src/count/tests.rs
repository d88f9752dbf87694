//! Count = length of the enumeration = brute force over the dense product.
use super::Cardinality;
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::rng::Rng;
use crate::space::Space;
use crate::spec::{Param, SpaceSpec};
use crate::testing;
use crate::value::Value;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// Every dense assignment of proposable values, in canonical form and filtered.
fn brute_force(space: &Space) -> BTreeSet<Configuration> {
    let values: Vec<Vec<Value>> = space.parameters().iter().map(|p| offered(p.domain())).collect();
    let mut odometer = vec![0; values.len()];
    let mut found = BTreeSet::new();
    loop {
        let made = space.walk(|id, _| Ok::<_, Infallible>(values[id.index()][odometer[id.index()]].clone()));
        let Ok(made) = made;
        if space.violated(&made).is_none() {
            found.insert(made);
        }
        let Some(at) = (0..values.len()).rev().find(|&i| odometer[i] + 1 < values[i].len()) else {
            return found;
        };
        odometer[at] += 1;
        odometer[at + 1..].fill(0);
    }
}

fn offered(domain: &crate::domain::Domain) -> Vec<Value> {
    match domain.labels() {
        Some(labels) => labels.offered().map(|i| labels.value(i).clone()).collect(),
        None => (0..domain.levels().unwrap()).map(|i| domain.level(i)).collect(),
    }
}

/// Positions of the values in their domains, which define the order of an enumeration.
fn positions(space: &Space, configuration: &Configuration) -> Vec<(usize, usize)> {
    let place = |(id, value): (crate::id::ParamId, &Value)| {
        let all = offered(space.parameter(id).domain());
        (id.index(), all.iter().position(|v| v == value).unwrap())
    };
    configuration.iter().map(place).collect()
}

#[test]
fn counting_enumerating_and_brute_force_agree() {
    let mut rng = Rng::new(2024);
    let mut constrained = 0;
    for _ in 0..400 {
        let spec = testing::random_finite_spec(&mut rng);
        let space = Space::new(spec.clone()).unwrap();
        constrained += usize::from(!space.clauses().is_empty());
        let expected = brute_force(&space);
        let listed: Vec<Configuration> = space.enumerate().unwrap().map(Result::unwrap).collect();
        let order: Vec<_> = listed.iter().map(|c| positions(&space, c)).collect();
        assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "ascending, each once: {spec:?}");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected, "{spec:?}");
        assert_eq!(space.cardinality(), Cardinality::Finite(expected.len() as u128), "{spec:?}");
    }
    assert!(constrained > 100);
}

#[test]
fn samples_and_completions_of_random_spaces_are_valid() {
    let mut rng = Rng::new(7);
    for round in 0..200 {
        let space = Space::new(testing::random_spec(&mut rng)).unwrap();
        for _ in 0..4 {
            let by_search = crate::feasible::sample(&space, &mut rng).unwrap();
            assert_eq!(space.check(&by_search), Ok(()), "round {round}: {:?}", space.spec());
            let given: Vec<_> =
                by_search.iter().filter(|_| rng.unit() < 0.5).map(|(id, v)| (id, v.clone())).collect();
            let completed = space.complete(&given, &mut rng).unwrap();
            assert_eq!(space.check(&completed), Ok(()));
            assert!(given.iter().all(|(id, v)| completed.get(*id).is_none_or(|w| w == v)));
        }
        assert_eq!(space.check(&space.default_configuration().unwrap()), Ok(()));
    }
}

#[test]
fn every_valid_configuration_of_a_finite_space_can_be_sampled_and_nothing_else() {
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let space = Space::new(testing::random_finite_spec(&mut rng)).unwrap();
        let expected = brute_force(&space);
        if expected.len() > 40 {
            continue;
        }
        let mut left = expected.clone();
        for _ in 0..4000 {
            let found = crate::feasible::sample(&space, &mut rng).unwrap();
            assert!(expected.contains(&found));
            left.remove(&found);
            if left.is_empty() {
                break;
            }
        }
        assert!(left.is_empty(), "{left:?} never found in {:?}", space.spec());
    }
}

fn cardinality(spec: impl Into<SpaceSpec>) -> Cardinality {
    Space::new(spec).unwrap().cardinality()
}

#[test]
fn large_spaces_are_counted_without_listing() {
    let grid = |i: usize| Param::integer(format!("k{i}"), 1, 1_000_000);
    assert_eq!(cardinality((0..6).map(grid).collect::<Vec<_>>()), Cardinality::Finite(10u128.pow(36)));
    assert_eq!(cardinality((0..7).map(grid).collect::<Vec<_>>()), Cardinality::Beyond);
    // Thirty independent switches under one branch: 2 + 3³⁰ ways, not 2^30 steps.
    let mut params = vec![Param::choice("root", ["on", "off", "idle"])];
    for i in 0..30 {
        params.push(Param::boolean(format!("s{i}")).when("root == 'on'"));
        params.push(Param::boolean(format!("t{i}")).when(format!("s{i} == true")));
    }
    assert_eq!(cardinality(params), Cardinality::Finite(2 + 3u128.pow(30)));
    let two = SpaceSpec::new([grid(0), grid(1)]);
    assert_eq!(
        cardinality(two.clone().require("k0 < k1").forbid("k0 > 1000")),
        Cardinality::Finite(1000 * 1_000_000 - 1000 * 1001 / 2)
    );
    assert_eq!(cardinality(two.forbid("k0 == 5 and k1 > 5")), Cardinality::Finite(10u128.pow(12) - 999_995));
}

#[test]
fn a_long_chain_of_conditions_is_counted() {
    let mut params = vec![Param::boolean("b0")];
    for i in 1..786 {
        params.push(Param::boolean(format!("b{i}")).when(format!("b{} == true", i - 1)));
    }
    assert_eq!(cardinality(params), Cardinality::Finite(787));
}

#[test]
fn entangled_sums_are_given_up() {
    let names: Vec<String> = (0..24).map(|i| format!("k{i}")).collect();
    let spec = SpaceSpec::new(names.iter().map(|n| Param::integer(n, 0, 100)));
    let space = Space::new(spec.require(format!("{} == 1200", names.join(" + ")))).unwrap();
    assert_eq!(super::counted(&space, 100_000, u64::MAX), Cardinality::Unknown);
}

#[test]
fn continuous_parameters_that_take_part_are_infinitely_many() {
    let spec = || {
        SpaceSpec::new([
            Param::choice("c", ["p", "q", "r"]).retire("r"),
            Param::real("x", 0.0, 1.0).when("c == 'q'"),
            Param::real("y", 0.0, 1.0).when("c == 'r'"),
        ])
    };
    let space = Space::new(spec()).unwrap();
    assert_eq!(space.cardinality(), Cardinality::Infinite);
    assert_eq!(space.enumerate().map(|_| ()).unwrap_err(), SpaceError::NotFinite { name: "x".into() });
    let closed = Space::new(spec().forbid("c == 'q' and x >= 0")).unwrap();
    assert_eq!(closed.cardinality(), Cardinality::Finite(1));
    assert_eq!(closed.enumerate().unwrap().count(), 1);
    assert_eq!(cardinality(SpaceSpec::new([Param::real("x", 2.0, 2.0)])), Cardinality::Finite(1));
}

#[test]
fn counting_what_costs_too_much_is_given_up() {
    let params = [Param::integer("x", 2, 1 << 40), Param::integer("y", 1, 1 << 40)];
    let space = Space::new(SpaceSpec::new(params).require("x * x - 61 * y * y == 1")).unwrap();
    assert_eq!(super::counted(&space, super::STEPS, 1 << 16), Cardinality::Unknown);
}

#[test]
fn whole_numbers_beyond_two_to_the_53_are_counted_exactly() {
    let around = |low: i64| Param::integer(format!("x{low}"), low, low + 99);
    let spec = SpaceSpec::new([around(999_999_880), around(999_999_890)]);
    let space = Space::new(spec.require("x999999880 * x999999890 == 999999866000004473")).unwrap();
    let listed: Vec<_> = space.enumerate().unwrap().map(Result::unwrap).collect();
    let exact = |c: &Configuration| {
        let factor = |name: &str| space.value(c, name).unwrap().as_i64().unwrap();
        factor("x999999880") * factor("x999999890") == 999_999_866_000_004_473
    };
    assert!(!listed.is_empty() && listed.iter().all(exact), "{listed:?}");
    assert_eq!(space.cardinality(), Cardinality::Finite(listed.len() as u128));
    let drawn = space.sample(&mut Rng::new(5)).unwrap();
    assert!(exact(&drawn));
}

/// Each parameter decides about the next.
fn chain(length: usize) -> Space {
    let link = |i: usize| match i {
        0 => Param::boolean("b0"),
        _ => Param::boolean(format!("b{i}")).when(format!("b{}", i - 1)),
    };
    Space::new((0..length).map(link).collect::<Vec<_>>()).unwrap()
}

#[test]
fn chains_of_any_depth_need_no_stack() {
    let counting = || {
        assert_eq!(chain(3000).cardinality(), Cardinality::Finite(3001));
        // Too many steps, but no deep recursion.
        assert_eq!(chain(100_000).cardinality(), Cardinality::Unknown);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(counting).unwrap();
    assert!(thread.join().is_ok());
}
