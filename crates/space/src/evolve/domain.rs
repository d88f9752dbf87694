//! Every possible value of an old parameter must stay valid.
use super::refused;
use crate::domain::Domain;
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::{Param, SpaceSpec};
use crate::value::Value;
use std::collections::HashMap;

/// Compares parameters one by one, before the new space is built: a lost value is the root cause of
/// the other errors it leads to.
pub(super) fn check(old: &Space, new: &SpaceSpec) -> Result<(), SpaceError> {
    let after: HashMap<&str, &Param> =
        new.parameters.iter().map(|param| (param.name.as_str(), param)).collect();
    for before in &old.spec().parameters {
        let name = &before.name;
        let Some(after) = after.get(name.as_str()) else {
            return Err(refused(format!(
                "parameter `{name}` is gone, but old trials have it; keep it (alternatives can be retired)"
            )));
        };
        if before.none.is_some() && after.none.is_none() {
            return Err(refused(format!("parameter `{name}` can no longer be none, but old trials may be")));
        }
        let (before, after) = (Domain::build(before)?, Domain::build(after)?);
        if let Some(lost) = lost(&before, &after) {
            return Err(refused(format!(
                "parameter `{name}`: old trials may have {lost}, which is lost between {before} and {after}; \
                 only widen ranges, by whole steps on a grid, and retire alternatives instead of removing them"
            )));
        }
    }
    Ok(())
}

/// A value of the old domain that the new one does not have, if any.
fn lost(old: &Domain, new: &Domain) -> Option<Value> {
    let witnesses = match old {
        Domain::Labels(labels) => labels.values().to_vec(),
        // Evenly spaced values are all on another grid if the first two are and the last is in
        // range.
        Domain::Lattice(lattice) if matches!(new, Domain::Real(_) | Domain::Lattice(_)) => {
            [0, 1, lattice.count() - 1]
                .into_iter()
                .filter(|&i| i < lattice.count())
                .map(|i| old.level(i))
                .collect()
        }
        Domain::Lattice(lattice) => {
            // One more than the number of alternatives: at least one of these values must be
            // missing.
            let enough = lattice.count().min(new.levels().unwrap_or(0) + 1);
            (0..enough).map(|i| old.level(i)).collect()
        }
        Domain::Real(real) if real.is_single() || matches!(new, Domain::Real(_)) => {
            vec![real.low().into(), real.high().into()]
        }
        // No grid or list contains a continuum; report a value inside it.
        Domain::Real(_) => return Some(old.decode(0.381_966)),
    };
    witnesses.into_iter().find(|value| !new.canonical(value).is_some_and(|kept| kept.means(value)))
}
