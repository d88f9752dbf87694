//! Compares the result for arbitrary changes with trying every configuration of small finite
//! spaces.
use crate::random::{self, chance};
use arbora_space::{Configuration, DomainSpec, Param, Rng, Space, SpaceSpec, Value};
use std::collections::BTreeSet;

/// All configurations, as the canonical forms of all dense assignments.
fn all(space: &Space) -> BTreeSet<Configuration> {
    let mut assignments: Vec<Vec<(String, Value)>> = vec![Vec::new()];
    for param in &space.spec().parameters {
        let domain = space.parameter(space.id(&param.name).unwrap()).domain();
        let mut values: Vec<Value> = (0..domain.levels().unwrap()).map(|i| domain.level(i)).collect();
        values.extend(param.none.map(|_| Value::None));
        let extended = assignments.iter().flat_map(|so_far| {
            values.iter().map(|value| {
                let mut next = so_far.clone();
                next.push((param.name.clone(), value.clone()));
                next
            })
        });
        assignments = extended.collect();
    }
    assignments.into_iter().map(|values| space.canonical(values).unwrap()).collect()
}

fn every_parameter_is_reached(space: &Space) -> bool {
    let reached: BTreeSet<_> =
        all(space).iter().flat_map(|c| c.iter().map(|(id, _)| id).collect::<Vec<_>>()).collect();
    reached.len() == space.parameters().len()
}

/// Is every old configuration still valid?
fn verdict(old: &Space, new: &Space) -> bool {
    all(old).iter().all(|trial| {
        new.adopt(old, trial).is_ok_and(|adopted| {
            let same = |param: &Param| {
                let (had, has) = (old.value(trial, &param.name), new.value(&adopted, &param.name));
                had.is_some() == has.is_some() && had.iter().zip(&has).all(|(had, has)| had.means(has))
            };
            old.spec().parameters.iter().all(same)
        })
    })
}

/// One to three mutations, valid or not.
fn mutated(spec: &SpaceSpec, rng: &mut Rng) -> SpaceSpec {
    let mut spec = spec.clone();
    for i in 0..=rng.below(3) {
        let at = rng.below(spec.parameters.len());
        let earlier = spec.parameters[..at].to_vec();
        let param = &mut spec.parameters[at];
        match rng.below(8) {
            0 if at > 0 => param.when = vec![random::expression(&earlier, rng).into()],
            1 if at > 0 => param.when.push(random::expression(&earlier, rng).into()),
            2 => param.when.clear(),
            3 => param.none = if param.none.is_none() && is_number(param) { Some(0.5) } else { None },
            4 => remove_or_reorder(&mut param.domain, rng),
            5 => param.domain = random::param("x", rng, true).domain,
            _ => {
                let mut root = random::param(&format!("root{i}"), rng, true);
                let condition = random::expression(std::slice::from_ref(&root), rng);
                if chance(0.5, rng) {
                    root.when.clone_from(&param.when);
                }
                param.when.push(condition.into());
                spec.parameters.insert(0, root);
            }
        }
        spec.parameters.iter_mut().filter(|p| !matches!(p.domain, DomainSpec::Choice(_))).for_each(|p| {
            p.prior = arbora_space::Prior::Flat;
        });
    }
    spec
}

fn is_number(param: &Param) -> bool {
    matches!(param.domain, DomainSpec::Integer { .. })
}

fn remove_or_reorder(domain: &mut DomainSpec, rng: &mut Rng) {
    match domain {
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) if chance(0.3, rng) => {
            values.pop();
        }
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => rng.shuffle(values),
        DomainSpec::Integer { low, high, .. } => {
            (*low, *high) = (rng.below(3) as i64, 2 + rng.below(4) as i64);
        }
        other => *other = DomainSpec::Choice(vec![false.into(), "auto".into(), true.into()]),
    }
}

#[test]
fn the_verdict_is_that_of_trying_everything() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let Ok(old) = Space::new(random::spec(&mut rng, true)) else { continue };
        if !every_parameter_is_reached(&old) {
            continue;
        }
        let spec = mutated(old.spec(), &mut rng);
        let Ok(new) = Space::new(spec.clone()) else { continue };
        let expected = verdict(&old, &new);
        let found = old.evolve_to(spec);
        *if found.is_ok() { &mut accepted } else { &mut refused } += 1;
        assert_eq!(
            found.is_ok(),
            expected,
            "seed {seed}: {:?}\n{:?}\n{:?}",
            found.err(),
            old.spec(),
            new.spec()
        );
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}
