//! Is an existing study the one somebody describes?
use super::DurableStudy;
use crate::error::StoreError;
use arbora_search::{Direction, SearchError, StrategySpec, StudyOptions};
use arbora_space::{Param, Prior, Space, SpaceSpec};
use serde::Deserialize;

impl DurableStudy {
    /// Space, strategy, seed, direction, pruner and repeats must be the same. The number of threads changes
    /// no suggestion.
    pub(super) fn check_same_study(&self, space: &Space, options: &StudyOptions) -> Result<(), StoreError> {
        let ours = self.options();
        let (stored, given) = (as_stored(self.space())?, as_stored(space)?);
        if given != stored {
            let (stored, given) = difference(&Space::new(stored)?, &Space::new(given)?);
            return Err(self.disagreement("space", stored, given));
        }
        let (stored, given) = (&ours.strategy, &options.strategy);
        self.check_same("strategy", (stored, given), StrategySpec::describe)?;
        self.check_same("seed", (&ours.seed, &options.seed), ToString::to_string)?;
        self.check_same("direction", (&ours.direction, &options.direction), |direction| match direction {
            Direction::Minimize => "minimize".to_owned(),
            Direction::Maximize => "maximize".to_owned(),
        })?;
        self.check_same("pruner", (&ours.pruner, &options.pruner), |pruner| pruner.kind().to_owned())?;
        self.check_same("setting of repeats", (&ours.repeats, &options.repeats), ToString::to_string)
    }

    fn check_same<T: PartialEq>(
        &self,
        what: &'static str,
        (stored, given): (&T, &T),
        text: impl Fn(&T) -> String,
    ) -> Result<(), StoreError> {
        if stored == given {
            return Ok(());
        }
        let (stored, given) = (text(stored), text(given));
        let is_told = stored != given;
        let given = if is_told { given } else { "another one of that kind".to_owned() };
        Err(self.disagreement(what, stored, given))
    }

    fn disagreement(&self, what: &'static str, stored: String, given: String) -> StoreError {
        StoreError::Disagrees { study: self.name().to_owned(), what, stored, given }
    }
}

/// A space as it comes back from where it is stored: expressions are equal if they are written
/// alike.
fn as_stored(space: &Space) -> Result<SpaceSpec, StoreError> {
    let unreadable =
        |error: serde_json::Error| SearchError::BadSpec { what: "space", problem: error.to_string() };
    let written = serde_json::to_value(space.spec()).map_err(unreadable)?;
    Ok(SpaceSpec::deserialize(written).map_err(unreadable)?)
}

/// What differs first, in words: as stored, as given.
fn difference(stored: &Space, given: &Space) -> (String, String) {
    let only_in = |one: &Space, other: &Space| {
        let is_new = |param: &&Param| other.spec().parameters.iter().all(|p| p.name != param.name);
        let names = one.spec().parameters.iter().filter(is_new).map(|param| format!("`{}`", param.name));
        names.collect::<Vec<_>>()
    };
    let parameters = |names: &[String]| match names {
        [one] => format!("a parameter {one}"),
        several => format!("parameters {}", several.join(", ")),
    };
    match (only_in(stored, given).as_slice(), only_in(given, stored).as_slice()) {
        ([], []) => {}
        (missing, []) => return (parameters(missing), "none of that name".to_owned()),
        ([], new) => return ("none of that name".to_owned(), parameters(new)),
        (missing, new) => return (parameters(missing), parameters(new)),
    }
    let (ours, theirs) = (&stored.spec().parameters, &given.spec().parameters);
    let mut pairs =
        ours.iter().filter_map(|a| theirs.iter().find(|b| a.name == b.name && *b != a).map(|b| (a, b)));
    if let Some((a, b)) = pairs.next() {
        let more = pairs.count();
        let more = if more > 0 { format!(" (and {more} more that differ)") } else { String::new() };
        let (one, other) = (aspects(stored, a), aspects(given, b));
        let differing = || one.iter().zip(&other).filter(|(one, other)| one != other);
        let listed = |texts: Vec<&str>| format!("`{}`: {}", a.name, texts.join("; "));
        return (
            listed(differing().map(|(one, _)| one.as_str()).collect()),
            listed(differing().map(|(_, other)| other.as_str()).collect()) + &more,
        );
    }
    match ours.iter().zip(theirs).find(|(a, b)| a.name != b.name) {
        Some((a, b)) => (format!("`{}` first", a.name), format!("`{}` first", b.name)),
        None => (constraints(stored), constraints(given)),
    }
}

/// Everything about a parameter, in words.
fn aspects(space: &Space, param: &Param) -> [String; 5] {
    let id = space.id(&param.name);
    let prior = match &param.prior {
        Prior::Flat => "no prior".to_owned(),
        other => format!("prior {other:?}"),
    };
    let none = param.none.map(|chance| format!(", none with probability {chance}")).unwrap_or_default();
    let retired: Vec<String> = param.retired.iter().map(ToString::to_string).collect();
    [
        id.map(|id| space.describe(id) + &none).unwrap_or_default(),
        param.default.as_ref().map_or("no default".to_owned(), |value| format!("default {value}")),
        prior,
        id.and_then(|id| space.describe_when(id))
            .map_or("always there".to_owned(), |when| format!("when {when}")),
        format!("retired: {}", if retired.is_empty() { "none".to_owned() } else { retired.join(", ") }),
    ]
}

fn constraints(space: &Space) -> String {
    let forbidden = space.spec().forbidden.iter().map(|clause| format!("forbidden {clause}"));
    let required = space.spec().required.iter().map(|relation| format!("required {relation}"));
    let all: Vec<String> = forbidden.chain(required).collect();
    if all.is_empty() { "no constraint".to_owned() } else { all.join("; ") }
}
