//! The space of a study: every parameter with its widest range, and the conditions that its trials show.
use super::distribution::Distribution;
use super::file::{RawStudy, RawTrial};
use arbora_space::{Inferred, Observation, Param, SpaceSpec, infer_conditions};

/// A parameter seen in complete trials.
struct Seen {
    name: String,
    distribution: Distribution,
}

/// The space that the complete trials were drawn from. What no condition explains is an error, not a guess.
pub(super) fn infer(study: &RawStudy) -> Result<SpaceSpec, String> {
    let trials: Vec<&RawTrial> = study.trials.iter().filter(|trial| trial.state == "COMPLETE").collect();
    if trials.is_empty() {
        return Err("no trial is complete, so the space is not known; give it with --space".to_owned());
    }
    let seen = seen(&trials)?;
    let mut parameters: Vec<Param> =
        seen.iter().map(|parameter| parameter.distribution.parameter(&parameter.name)).collect();
    let observed: Vec<Observation> =
        trials.iter().map(|trial| Observation { values: trial.values(), is_complete: true }).collect();
    let conditions = infer_conditions(&parameters, &observed);
    for (parameter, condition) in parameters.iter_mut().zip(conditions) {
        match condition {
            Inferred::Always => {}
            Inferred::When(condition) => parameter.when.push(condition.into()),
            Inferred::Unexplained => {
                let name = &parameter.name;
                return Err(format!(
                    "no parameter explains when `{name}` exists; give the space with --space"
                ));
            }
        }
    }
    Ok(SpaceSpec::new(parameters))
}

/// Every parameter once, those before which it was chosen after it.
fn seen(trials: &[&RawTrial]) -> Result<Vec<Seen>, String> {
    let mut seen: Vec<Seen> = Vec::new();
    for trial in trials {
        let mut after = 0;
        for (name, _, distribution) in &trial.parameters {
            match seen.iter().position(|known| known.name == *name) {
                Some(at) => {
                    let joined = seen[at].distribution.joined(distribution);
                    seen[at].distribution = joined.ok_or_else(|| {
                        format!("parameter `{name}` is of different kinds in different trials")
                    })?;
                    after = at + 1;
                }
                None => {
                    seen.insert(after, Seen { name: name.clone(), distribution: distribution.clone() });
                    after += 1;
                }
            }
        }
    }
    Ok(seen)
}
