//! Single changes to a spec. Whether old trials stay valid is checked afterwards, for all changes
//! together.
use super::refused;
use crate::error::SpaceError;
use crate::spec::{DomainSpec, ExpressionSource, Param, Prior, SpaceSpec};
use crate::value::Value;

/// One change to a space.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Add a parameter. If it is active in old trials, they take its default, the value it
    /// implicitly had.
    AddParameter(Param),
    /// Add an alternative at the end; for an ordinal, it is the greatest.
    AddChoice {
        /// The parameter.
        parameter: String,
        /// The alternative.
        value: Value,
        /// Its prior weight; by default the mean of the others.
        weight: Option<f64>,
    },
    /// Stop proposing an alternative; old trials keep it.
    Retire {
        /// The parameter.
        parameter: String,
        /// The alternative.
        value: Value,
    },
    /// Propose a retired alternative again.
    Restore {
        /// The parameter.
        parameter: String,
        /// The alternative.
        value: Value,
    },
    /// Extend the range of a number; a grid must keep its steps.
    Widen {
        /// The parameter.
        parameter: String,
        /// The new lower bound, if it changes.
        low: Option<f64>,
        /// The new upper bound, if it changes.
        high: Option<f64>,
    },
    /// Change the default.
    SetDefault {
        /// The parameter.
        parameter: String,
        /// The first value to try.
        value: Value,
    },
    /// Change the prior.
    SetPrior {
        /// The parameter.
        parameter: String,
        /// The new prior.
        prior: Prior,
    },
    /// Forbid configurations that satisfy this.
    AddForbidden(ExpressionSource),
    /// Require this of all configurations.
    AddRequired(ExpressionSource),
    /// Remove the forbidden or required constraint with this expression.
    Lift(ExpressionSource),
}

impl Change {
    pub(super) fn apply(&self, spec: &mut SpaceSpec) -> Result<(), SpaceError> {
        match self {
            Change::AddParameter(param) => add_parameter(spec, param)?,
            Change::AddChoice { parameter, value, weight } => {
                add_choice(find(spec, parameter)?, value, *weight)?;
            }
            Change::Retire { parameter, value } => retire(find(spec, parameter)?, value)?,
            Change::Restore { parameter, value } => restore(find(spec, parameter)?, value)?,
            Change::Widen { parameter, low, high } => widen(find(spec, parameter)?, *low, *high)?,
            Change::SetDefault { parameter, value } => find(spec, parameter)?.default = Some(value.clone()),
            Change::SetPrior { parameter, prior } => find(spec, parameter)?.prior = prior.clone(),
            Change::AddForbidden(clause) => spec.forbidden.push(clause.clone()),
            Change::AddRequired(relation) => spec.required.push(relation.clone()),
            Change::Lift(constraint) => lift(spec, constraint)?,
        }
        Ok(())
    }
}

fn find<'a>(spec: &'a mut SpaceSpec, name: &str) -> Result<&'a mut Param, SpaceError> {
    let Some(at) = spec.parameters.iter().position(|param| param.name == name) else {
        let known = spec.parameters.iter().map(|param| param.name.as_str());
        return Err(crate::build::unknown("change of the space".to_owned(), name, known));
    };
    Ok(&mut spec.parameters[at])
}

fn add_parameter(spec: &mut SpaceSpec, param: &Param) -> Result<(), SpaceError> {
    if spec.parameters.iter().any(|known| known.name == param.name) {
        return Err(SpaceError::DuplicateName { name: param.name.clone() });
    }
    spec.parameters.push(param.clone());
    Ok(())
}

fn add_choice(param: &mut Param, value: &Value, weight: Option<f64>) -> Result<(), SpaceError> {
    let mut values = alternatives(param)?;
    let mut weights = match (&param.prior, weight) {
        (Prior::Weights(weights), _) => weights.clone(),
        (_, Some(_)) => vec![1.0; values.len()],
        (_, None) => Vec::new(),
    };
    if !weights.is_empty() {
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        weights.push(weight.unwrap_or(mean));
        param.prior = Prior::Weights(weights);
    }
    values.push(value.clone());
    let is_ordinal = matches!(param.domain, DomainSpec::Ordinal(_));
    param.domain = if is_ordinal { DomainSpec::Ordinal(values) } else { DomainSpec::Choice(values) };
    Ok(())
}

fn alternatives(param: &Param) -> Result<Vec<Value>, SpaceError> {
    match &param.domain {
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => Ok(values.clone()),
        DomainSpec::Boolean => Ok(vec![false.into(), true.into()]),
        DomainSpec::Constant(value) => Ok(vec![value.clone()]),
        DomainSpec::Real { .. } | DomainSpec::Integer { .. } => Err(refused(format!(
            "parameter `{}` is a number and has no alternatives; widen its range instead",
            param.name
        ))),
    }
}

fn retire(param: &mut Param, value: &Value) -> Result<(), SpaceError> {
    let values = alternatives(param)?;
    if !values.iter().any(|known| known.means(value)) {
        let name = &param.name;
        return Err(refused(format!("parameter `{name}` has no alternative `{value}` to retire")));
    }
    if !param.retired.iter().any(|known| known.means(value)) {
        param.retired.push(value.clone());
    }
    if values.iter().all(|known| param.retired.iter().any(|retired| retired.means(known))) {
        let name = &param.name;
        return Err(refused(format!(
            "retiring `{value}` would leave parameter `{name}` nothing to offer; add an alternative first"
        )));
    }
    if param.default.as_ref().is_some_and(|default| default.means(value)) {
        param.default = None;
    }
    Ok(())
}

fn restore(param: &mut Param, value: &Value) -> Result<(), SpaceError> {
    let before = param.retired.len();
    param.retired.retain(|known| !known.means(value));
    if param.retired.len() == before {
        return Err(refused(format!("`{value}` of parameter `{}` is not retired", param.name)));
    }
    Ok(())
}

fn widen(param: &mut Param, to_low: Option<f64>, to_high: Option<f64>) -> Result<(), SpaceError> {
    let name = &param.name;
    match &mut param.domain {
        DomainSpec::Real { low, high, .. } => {
            *low = to_low.unwrap_or(*low);
            *high = to_high.unwrap_or(*high);
        }
        DomainSpec::Integer { low, high, .. } => {
            *low = to_low.map_or(Ok(*low), |bound| whole(name, bound))?;
            *high = to_high.map_or(Ok(*high), |bound| whole(name, bound))?;
        }
        _ => {
            return Err(refused(format!("parameter `{name}` is not a number; add alternatives instead")));
        }
    }
    Ok(())
}

fn whole(name: &str, bound: f64) -> Result<i64, SpaceError> {
    Value::Real(bound)
        .as_i64()
        .ok_or_else(|| refused(format!("parameter `{name}` is a whole number, but its new bound is {bound}")))
}

fn lift(spec: &mut SpaceSpec, constraint: &ExpressionSource) -> Result<(), SpaceError> {
    let wanted = constraint.read()?;
    let same = |written: &ExpressionSource| written.read().is_ok_and(|known| known == wanted);
    let before = spec.forbidden.len() + spec.required.len();
    spec.forbidden.retain(|written| !same(written));
    spec.required.retain(|written| !same(written));
    if spec.forbidden.len() + spec.required.len() == before {
        return Err(refused(format!("there is no constraint `{constraint}` to lift")));
    }
    Ok(())
}
