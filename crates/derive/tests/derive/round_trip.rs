//! Sample → value → configuration is the identity.
use crate::{Kernel, Learner, Level, NeighbourParameters, Pipeline};
use arbora::{Param, Rng, Space, TypedSpace, Value};
use std::fmt::Debug;

fn comes_back<T: TypedSpace + PartialEq + Debug>(samples: u64) {
    let space = T::space().unwrap();
    for seed in 0..samples {
        let configuration = space.sample(&mut Rng::new(seed)).unwrap();
        let value = T::from_configuration(&space, &configuration).unwrap();
        assert_eq!(value.to_configuration(&space).unwrap(), configuration);
    }
}

#[test]
fn samples_come_back() {
    comes_back::<Learner>(500);
    comes_back::<Kernel>(50);
    comes_back::<NeighbourParameters>(100);
    comes_back::<Level>(20);
    comes_back::<Option<Kernel>>(100);
}

#[test]
fn values_come_back_where_singles_lose_digits() {
    let space = Pipeline::space().unwrap();
    for seed in 0..500 {
        let configuration = space.sample(&mut Rng::new(seed)).unwrap();
        let value = Pipeline::from_configuration(&space, &configuration).unwrap();
        let rounded = value.to_configuration(&space).unwrap();
        assert_eq!(Pipeline::from_configuration(&space, &rounded).unwrap(), value);
    }
}

#[derive(Space, Debug, PartialEq)]
struct Single {
    #[space(low = 0.1, high = 0.7)]
    x: f32,
}

#[test]
fn a_single_rounded_over_its_bound_is_the_bound() {
    let own = Single::space().unwrap();
    // A file may use bounds for the same parameter that no `f32` can represent.
    let other = Space::new([Param::real("x", 0.1, 0.123_456_789_012)]).unwrap();
    for (space, bound) in [(&own, 0.1), (&own, 0.7), (&other, 0.123_456_789_012)] {
        let configuration = space.configuration([("x", Value::from(bound))]).unwrap();
        let value = Single::from_configuration(space, &configuration).unwrap();
        assert_eq!(value.to_configuration(space).unwrap(), configuration);
    }
}

type Rate = f64;
const HIGHEST: Rate = 0.5;

#[derive(Space, Debug, PartialEq)]
struct Both<A: TypedSpace, const N: usize> {
    first: A,
    #[space(low = 0.0, high = HIGHEST)]
    rate: Rate,
    #[space(low = 0, high = N)]
    count: usize,
}

#[test]
fn generic_types_aliases_and_constants_work() {
    comes_back::<Both<Learner, 3>>(100);
    let expected = [
        Param::ordinal("first", ["low", "middle", "high"]).default("middle"),
        Param::real("rate", 0.0, 0.5),
        Param::integer("count", 0, 7),
    ];
    assert_eq!(Both::<Level, 7>::spec().parameters, expected);
}
