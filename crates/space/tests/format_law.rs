//! The law of all writable formats: a space that is accepted reads back as the same space; any
//! other is rejected with the name of what the format cannot express.
#![allow(clippy::unwrap_used)]
use arbora_space::format::Format;
use arbora_space::testing::random_spec;
use arbora_space::{Named, Param, Rng, Space, SpaceError, SpaceSpec, Value};
use std::collections::BTreeMap;

const SPACES: u64 = 2000;

/// The configuration of values for all parameters, by name in any order; `None` if it is forbidden.
fn meant(space: &Space, values: &Named) -> Option<BTreeMap<String, Value>> {
    space.canonical(values.clone()).ok().map(|made| space.named(&made).into_iter().collect())
}

/// A value for every parameter, active or not.
fn dense(space: &Space, rng: &mut Rng) -> Named {
    let value = |name: &str, rng: &mut Rng| {
        let id = space.id(name).unwrap();
        space.parameter(id).domain().decode(rng.unit())
    };
    space.spec().parameters.iter().map(|param| (param.name.as_str(), value(&param.name, rng))).collect()
}

fn assert_same(space: &Space, back: &Space, rng: &mut Rng, text: &str) {
    for _ in 0..16 {
        let values = dense(space, rng);
        assert_eq!(meant(space, &values), meant(back, &values), "{values:?}\n{text}");
    }
    for _ in 0..4 {
        let ours = space.named(&space.sample(rng).unwrap());
        assert!(back.configuration(ours.clone()).is_ok(), "{ours:?}\n{text}");
        let theirs = back.named(&back.sample(rng).unwrap());
        assert!(space.configuration(theirs.clone()).is_ok(), "{theirs:?}\n{text}");
    }
    for name in space.spec().parameters.iter().map(|param| &param.name) {
        let default = |space: &Space| space.parameter(space.id(name).unwrap()).default().clone();
        assert_eq!(default(space), default(back), "default of {name}\n{text}");
    }
}

#[test]
fn every_accepted_space_survives_writing_and_reading() {
    let mut written: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..SPACES {
        let mut rng = Rng::new(seed);
        let Ok(space) = Space::new(random_spec(&mut rng)) else { continue };
        for format in Format::ALL.iter().filter(|format| format.is_writable()) {
            match format.write(&space) {
                Ok(text) => {
                    let read = format.read(&text).and_then(Space::new);
                    let back = read.unwrap_or_else(|refusal| panic!("{format}: {refusal}\n{text}"));
                    assert_same(&space, &back, &mut rng, &text);
                    *written.entry(format.name()).or_default() += 1;
                }
                Err(SpaceError::Format { place, .. }) if *format == Format::ConfigSpace => {
                    assert!(names_something(&space, &place), "seed {seed}: `{place}` names nothing");
                }
                Err(refusal) => panic!("{format}, seed {seed}: {refusal}"),
            }
        }
    }
    assert!(written.values().all(|count| *count > 30), "{written:?}");
}

/// Is this a parameter, the text of a constraint, or the one thing without a name?
fn names_something(space: &Space, place: &str) -> bool {
    let rules = || space.spec().forbidden.iter().chain(&space.spec().required);
    space.spec().parameters.iter().any(|param| place.contains(&format!("`{}`", param.name)))
        || rules().any(|rule| place.contains(&rule.to_string()))
        || place == "default configuration"
}

#[test]
fn numbers_that_never_change_stay_comparable() {
    // The relation, and a default of `k` that it allows.
    for (relation, k) in
        [("n > n", 2), ("n < x", 2), ("n == k", 1), ("n != k", 2), ("k >= n", 1), ("n > k", 3)]
    {
        let k = Param::integer("k", 1, 3).default(k);
        let params = [Param::integer("n", 2, 2), Param::real("x", 0.5, 3.0).default(0.5), k];
        let space = Space::new(SpaceSpec::new(params).forbid(relation)).unwrap();
        let text = space.to_configspace().unwrap();
        assert_same(&space, &Space::from_configspace(&text).unwrap(), &mut Rng::new(1), &text);
    }
}
