//! The active parameters of every old trial must stay the same.
//!
//! An unchanged condition is equivalent to itself as long as its deciders compare as before. A
//! rewritten condition is compared in all cases: the decisions that either condition depends on,
//! directly or through other deciders, are enumerated in the old space, with one value for each
//! possible result of the tests. New parameters have their defaults, as in adopted trials.
//! Constraints are ignored, so a condition that differs only where the old space forbids everything
//! is rejected. Cost: the number of cases, which is bounded.
use super::{adopt, refused};
use crate::build::Target;
use crate::condition::Test;
use crate::configuration::Configuration;
use crate::domain::Domain;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::spec::{ExpressionSource, Param};
use crate::value::Value;
use std::collections::{BTreeSet, HashMap};

/// More cases than hand-written conditions have, and few enough to check in a second.
const MAX_CASES: usize = 100_000;

/// Compares the conditions of all old parameters.
pub(super) fn check(old: &Space, new: &Space) -> Result<(), SpaceError> {
    let after: HashMap<&str, &Param> =
        new.spec().parameters.iter().map(|param| (param.name.as_str(), param)).collect();
    for before in &old.spec().parameters {
        if !is_untouched(old, new, before, after[before.name.as_str()])? {
            Comparison::of(old, new, &before.name).run()?;
        }
    }
    Ok(())
}

/// Is it the same condition, on deciders whose values compare as before?
fn is_untouched(old: &Space, new: &Space, before: &Param, after: &Param) -> Result<bool, SpaceError> {
    let read = |param: &Param| param.when.iter().map(ExpressionSource::read).collect::<Result<Vec<_>, _>>();
    let conditions = read(before)?;
    let is_steady = |name: &str| match (old.target(name), new.target(name)) {
        (Some(Target::Plain(a)), Some(Target::Plain(b))) => {
            compares_alike(old.parameter(a).domain(), new.parameter(b).domain())
        }
        (Some(Target::Optional { .. }), Some(Target::Optional { .. })) => true,
        _ => false,
    };
    Ok(conditions == read(after)? && conditions.iter().flat_map(|c| c.parameters()).all(is_steady))
}

fn compares_alike(old: &Domain, new: &Domain) -> bool {
    match (old, new) {
        (Domain::Labels(a), Domain::Labels(b)) if a.is_ordered() == b.is_ordered() => {
            !a.is_ordered() || b.values().starts_with(a.values())
        }
        (Domain::Real(_) | Domain::Lattice(_), Domain::Real(_) | Domain::Lattice(_)) => true,
        _ => false,
    }
}

/// One parameter's condition before and after.
struct Comparison<'a> {
    old: &'a Space,
    new: &'a Space,
    name: &'a str,
    /// The relevant old decisions, deciders first, each with one value per result of its tests.
    decisions: Vec<(ParamId, Vec<Value>)>,
    /// The new parameters that decide about this one, deciders first.
    after: Vec<ParamId>,
    cases: usize,
}

impl<'a> Comparison<'a> {
    fn of(old: &'a Space, new: &'a Space, name: &'a str) -> Self {
        let after = deciders(new, [gate(new, name)]);
        let known = after.iter().flat_map(|&id| counterparts(new, id, old));
        let known: Vec<ParamId> = known.chain(deciders(old, [gate(old, name)])).collect();
        let mut before = deciders(old, known.iter().copied());
        before.extend(known);
        let decisions = before.into_iter().map(|id| (id, outcomes(old, new, id))).collect();
        Self { old, new, name, decisions, after: after.into_iter().collect(), cases: 0 }
    }

    fn run(mut self) -> Result<(), SpaceError> {
        let decisions = std::mem::take(&mut self.decisions);
        self.walk(&decisions, Configuration::default())
    }

    fn walk(&mut self, left: &[(ParamId, Vec<Value>)], made: Configuration) -> Result<(), SpaceError> {
        let Some(((id, values), rest)) = left.split_first() else { return self.compare(&made) };
        if !self.old.is_active(*id, &made) {
            return self.walk(rest, made);
        }
        for value in values {
            let mut next = made.clone();
            next.push(*id, value.clone());
            self.walk(rest, next)?;
        }
        Ok(())
    }

    fn compare(&mut self, made: &Configuration) -> Result<(), SpaceError> {
        self.cases += 1;
        let name = self.name;
        if self.cases > MAX_CASES {
            return Err(refused(format!(
                "the condition of `{name}` was rewritten, and to compare it with the old one takes more than \
                 {MAX_CASES} cases; keep it as it was"
            )));
        }
        let mut adopted = Configuration::default();
        for &id in &self.after {
            if self.new.is_active(id, &adopted) {
                adopted.push(id, adopt::value(self.old, self.new, id, made)?);
            }
        }
        let was = self.old.is_active(gate(self.old, name), made);
        if was == self.new.is_active(gate(self.new, name), &adopted) {
            return Ok(());
        }
        let case: Vec<String> =
            self.old.named(made).iter().map(|(name, v)| format!("{name} = {v}")).collect();
        let case =
            if case.is_empty() { "in every trial".to_owned() } else { format!("with {}", case.join(", ")) };
        let (then, now) = if was { ("active", "inactive") } else { ("inactive", "active") };
        Err(refused(format!(
            "parameter `{name}` was {then} {case} and would become {now}; keep its condition, or add a parameter \
             of another name"
        )))
    }
}

/// The parameter that has the condition of this name.
fn gate(space: &Space, name: &str) -> ParamId {
    match space.target(name).expect("both spaces have every old name, checked before") {
        Target::Plain(id) | Target::Optional { switch: id, .. } => id,
    }
}

/// All parameters that these depend on, directly or indirectly.
fn deciders(space: &Space, of: impl IntoIterator<Item = ParamId>) -> BTreeSet<ParamId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<ParamId> = of.into_iter().collect();
    while let Some(id) = open.pop() {
        for (decider, _) in space.parameter(id).when().tests() {
            if found.insert(decider) {
                open.push(decider);
            }
        }
    }
    found
}

/// The parameters of another space with the same user-visible name.
fn counterparts(space: &Space, id: ParamId, other: &Space) -> Vec<ParamId> {
    let shown = match space.parameter(id).role() {
        Role::Switch { number } => number,
        _ => id,
    };
    match other.target(space.parameter(shown).name()) {
        None => Vec::new(),
        Some(Target::Plain(id)) => vec![id],
        Some(Target::Optional { switch, number }) => vec![switch, number],
    }
}

/// Values of an old parameter, one for each result of the old and new tests.
fn outcomes(old: &Space, new: &Space, id: ParamId) -> Vec<Value> {
    let after = counterparts(old, id, new);
    let mut values = candidates(old, id, new, &after);
    let mut seen = BTreeSet::new();
    values.retain(|value| {
        let mut outcome: Vec<bool> = passes(old, id, value);
        for &id in &after {
            if let Some(value) = new.parameter(id).domain().canonical(value) {
                outcome.extend(passes(new, id, &value));
            }
        }
        // The two values of a hidden switch differ in whether the number is active.
        matches!(old.parameter(id).role(), Role::Switch { .. }) || seen.insert(outcome)
    });
    values
}

fn passes(space: &Space, id: ParamId, value: &Value) -> Vec<bool> {
    space.tests(id).iter().map(|test| test.holds(value, space.label(id, value))).collect()
}

/// Values that cover all results of the tests.
fn candidates(old: &Space, id: ParamId, new: &Space, after: &[ParamId]) -> Vec<Value> {
    let domain = old.parameter(id).domain();
    let is_list = |id: &ParamId| {
        new.parameter(*id).role() == Role::Plain && new.parameter(*id).domain().labels().is_some()
    };
    let tests = old.tests(id).iter().chain(after.iter().flat_map(|&id| new.tests(id)));
    match domain {
        Domain::Labels(labels) => labels.values().to_vec(),
        Domain::Lattice(lattice) if after.iter().any(is_list) => {
            (0..lattice.count()).map(|i| lattice.value(i)).collect()
        }
        Domain::Lattice(lattice) => {
            let near = |x: f64| {
                let at = lattice.first_at_least(x);
                [at.saturating_sub(1), at, at + 1]
            };
            let mut places: Vec<u64> = ends(tests).into_iter().flat_map(near).collect();
            places.extend([0, lattice.count() - 1]);
            places.retain(|&i| i < lattice.count());
            places.into_iter().map(|i| lattice.value(i)).collect()
        }
        Domain::Real(real) => {
            let mut places = ends(tests);
            places.retain(|end| (real.low()..=real.high()).contains(end));
            places.extend([real.low(), real.high()]);
            places.sort_by(f64::total_cmp);
            let between: Vec<f64> =
                places.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 2.0).collect();
            places.into_iter().chain(between).map(Value::from).collect()
        }
    }
}

/// The points where the results of numeric tests change.
fn ends<'a>(tests: impl Iterator<Item = &'a Test>) -> Vec<f64> {
    let of_one = |test: &'a Test| match test {
        Test::Numbers(intervals) => intervals.iter().flat_map(|i| [i.low, i.high]).collect(),
        Test::Labels(_) => Vec::new(),
    };
    tests.flat_map(of_one).filter(|end| end.is_finite()).collect()
}
