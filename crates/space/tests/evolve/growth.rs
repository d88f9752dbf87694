//! Old trials survive any sequence of valid changes.
use crate::random::{self, chance, written};
use arbora_space::{Change, Configuration, DomainSpec, Param, Rng, Space, SpaceError};

/// A random change that keeps old trials valid.
fn change(space: &Space, step: usize, rng: &mut Rng) -> Option<Change> {
    let parameters = &space.spec().parameters;
    let param = &parameters[rng.below(parameters.len())];
    let parameter = param.name.clone();
    Some(match (rng.below(6), &param.domain) {
        (0, _) => {
            let mut new = random::param(&format!("new{step}"), rng, false);
            if chance(0.5, rng) {
                new = new.when(random::expression(parameters, rng));
            }
            Change::AddParameter(new)
        }
        (1, _) => {
            let (a, b) = (random::expression(parameters, rng), random::expression(parameters, rng));
            Change::AddForbidden(format!("({a}) and ({b})").into())
        }
        (2, DomainSpec::Choice(values) | DomainSpec::Ordinal(values)) => {
            let value = values[rng.below(values.len())].clone();
            match param.retired.contains(&value) {
                true => Change::Restore { parameter, value },
                false if param.retired.len() + 1 < values.len() => Change::Retire { parameter, value },
                false => return None,
            }
        }
        (_, DomainSpec::Choice(_) | DomainSpec::Ordinal(_) | DomainSpec::Boolean) => {
            let weight = chance(0.5, rng).then_some(0.5);
            Change::AddChoice { parameter, value: format!("more{step}").into(), weight }
        }
        (_, DomainSpec::Real { low, high, log, step }) => {
            let by = step.unwrap_or(0.3) * (1 + rng.below(3)) as f64;
            let further = if *log { low / 2.0 } else { ((low - by) * 10.0).round() / 10.0 };
            let high = chance(0.5, rng).then_some(((high + by) * 10.0).round() / 10.0);
            Change::Widen { parameter, low: chance(0.5, rng).then_some(further), high }
        }
        (_, DomainSpec::Integer { low, high, .. }) => {
            Change::Widen { parameter, low: Some((low - 1) as f64), high: Some((high + 2) as f64) }
        }
        _ => return None,
    })
}

/// Every parameter of the old trial keeps its value, and no other old parameter becomes active.
fn lives_on(old: &Space, trial: &Configuration, new: &Space, adopted: &Configuration) {
    for param in &old.spec().parameters {
        let (had, has) = (old.value(trial, &param.name), new.value(adopted, &param.name));
        assert_eq!(had.is_some(), has.is_some(), "{}", param.name);
        assert!(had.iter().zip(&has).all(|(had, has)| had.means(has)), "{}: {had:?} {has:?}", param.name);
    }
}

/// Active parameters are exactly those whose conditions hold, and every value is in its domain.
fn is_consistent(space: &Space, configuration: &Configuration) {
    for id in space.ids() {
        let active = space.is_active(id, configuration);
        assert_eq!(active, configuration.is_active(id), "{}", space.parameter(id).name());
        if let Some(value) = configuration.get(id) {
            assert_eq!(space.parameter(id).domain().canonical(value).as_ref(), Some(value));
        }
    }
}

#[test]
fn old_trials_survive_every_legal_change() {
    let mut evolved = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let Ok(first) = Space::new(random::spec(&mut rng, false)) else { continue };
        let (mut space, mut trials) = (first.clone(), Vec::new());
        for step in 0..6 {
            trials.extend((0..10).filter_map(|_| space.sample(&mut rng).ok()));
            let Some(change) = change(&space, step, &mut rng) else { continue };
            let next = match space.evolve(std::slice::from_ref(&change)) {
                Ok(next) => next,
                // Only changes that leave nothing to propose, or make a parameter unreachable, may
                // fail.
                Err(SpaceError::Unsatisfiable { .. } | SpaceError::NeverActive { .. }) => continue,
                Err(problem) => panic!("seed {seed}: {change:?}: {problem}\n{:?}", space.spec()),
            };
            for trial in &mut trials {
                let adopted =
                    next.adopt(&space, trial).unwrap_or_else(|e| panic!("seed {seed}: {change:?}: {e}"));
                lives_on(&space, trial, &next, &adopted);
                is_consistent(&next, &adopted);
                *trial = adopted;
            }
            space = next;
            evolved += 1;
        }
        if let Ok(sample) = space.sample(&mut rng) {
            space.check(&sample).unwrap();
        }
    }
    assert!(evolved > 1000, "only {evolved} changes were tried");
}

#[test]
fn a_space_is_its_own_evolution() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let Ok(space) = Space::new(random::spec(&mut rng, false)) else { continue };
        let same = space.evolve(&[]).unwrap();
        let trial = space.sample(&mut rng).unwrap();
        assert_eq!(same.adopt(&space, &trial).unwrap(), trial);
    }
}

#[test]
fn what_is_retired_is_not_proposed_and_what_is_forbidden_neither() {
    let old =
        Space::new([Param::choice("model", ["svm", "forest", "knn"]), Param::integer("k", 1, 9)]).unwrap();
    let svm = old.configuration([("model", "svm".into()), ("k", 9.into())]).unwrap();
    let new = old
        .evolve(&[
            Change::Retire { parameter: "model".into(), value: "svm".into() },
            Change::AddForbidden(format!("model == {} and k > 3", written(&"knn".into())).into()),
        ])
        .unwrap();
    assert_eq!(new.named(&new.adopt(&old, &svm).unwrap()), old.named(&svm));
    let knn = old.configuration([("model", "knn".into()), ("k", 9.into())]).unwrap();
    assert_eq!(new.adopt(&old, &knn).unwrap(), knn, "an old trial stays though it is forbidden now");
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let sample = new.sample(&mut rng).unwrap();
        let (model, k) = (new.value(&sample, "model").unwrap(), new.value(&sample, "k").unwrap());
        assert_ne!(model, "svm".into());
        assert!(model != "knn".into() || k.as_i64().unwrap() <= 3);
    }
}
