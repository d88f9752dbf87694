//! Every value that a parameter could have must stay a value of it.
use super::refused;
use crate::domain::Domain;
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::{Param, SpaceSpec};
use crate::value::Value;
use std::collections::HashMap;

/// Compares parameter by parameter, before the new space is built: of all that a lost value breaks, it is the cause.
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

/// A value of the old domain that the new one lacks, if any.
fn lost(old: &Domain, new: &Domain) -> Option<Value> {
    let witnesses = match old {
        Domain::Labels(labels) => labels.values().to_vec(),
        // Evenly spaced values all lie on another even grid if the first two do, and reach no further than the last.
        Domain::Lattice(lattice) if matches!(new, Domain::Real(_) | Domain::Lattice(_)) => {
            [0, 1, lattice.count() - 1]
                .into_iter()
                .filter(|&i| i < lattice.count())
                .map(|i| old.level(i))
                .collect()
        }
        Domain::Lattice(lattice) => {
            // One more than the alternatives there are: some value must be missing, and is found.
            let enough = lattice.count().min(new.levels().unwrap_or(0) + 1);
            (0..enough).map(|i| old.level(i)).collect()
        }
        Domain::Real(real) if real.is_single() || matches!(new, Domain::Real(_)) => {
            vec![real.low().into(), real.high().into()]
        }
        // No grid and no list holds a continuum; name a value in its midst.
        Domain::Real(_) => return Some(old.decode(0.381_966)),
    };
    witnesses.into_iter().find(|value| !new.canonical(value).is_some_and(|kept| kept.means(value)))
}
