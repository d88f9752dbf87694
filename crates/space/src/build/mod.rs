//! Builds a space from a spec: resolves names, sorts parameters, and reports every error.
mod atoms;
mod order;
mod rules;

pub(crate) use order::unknown;

use crate::condition::Condition;
use crate::constraint::Clause;
use crate::domain::Domain;
use crate::error::SpaceError;
use crate::expression::Expression;
use crate::id::ParamId;
use crate::parameter::{Parameter, Role};
use crate::prior_sampling;
use crate::spec::{DomainSpec, Param, Prior, SpaceSpec};
use crate::value::Value;
use std::collections::HashMap;

/// What a name refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// One parameter.
    Plain(ParamId),
    /// An optional number: the switch between none and the number, and the number.
    Optional { switch: ParamId, number: ParamId },
}

/// The parts of a space.
pub(crate) struct Built {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) names: HashMap<String, Target>,
    pub(crate) clauses: Vec<Clause>,
}

/// Checks and compiles a spec.
pub(crate) fn build(spec: &SpaceSpec) -> Result<Built, SpaceError> {
    check_names(&spec.parameters)?;
    let conditions: Vec<Expression> = spec.parameters.iter().map(condition_of).collect::<Result<_, _>>()?;
    let order = order::topological(&spec.parameters, &conditions)?;
    let mut parameters = Vec::new();
    let mut names = HashMap::new();
    for &at in &order {
        declare(&spec.parameters[at], &mut parameters, &mut names)?;
    }
    for &at in &order {
        let name = &spec.parameters[at].name;
        let when = rules::condition(&names, &parameters, &conditions[at], &format!("condition of `{name}`"))?;
        let gate = match names[name] {
            Target::Plain(id) => id,
            Target::Optional { switch, .. } => switch,
        };
        parameters[gate.index()].when = when;
    }
    let clauses = rules::clauses(spec, &names, &parameters)?;
    Ok(Built { parameters, names, clauses })
}

fn check_names(parameters: &[Param]) -> Result<(), SpaceError> {
    if parameters.is_empty() {
        return Err(SpaceError::NoParameters);
    }
    let mut seen = std::collections::HashSet::new();
    for (i, param) in parameters.iter().enumerate() {
        if param.name.is_empty() {
            return Err(SpaceError::EmptyName { position: i + 1 });
        }
        if !seen.insert(param.name.as_str()) {
            return Err(SpaceError::DuplicateName { name: param.name.clone() });
        }
    }
    Ok(())
}

fn condition_of(param: &Param) -> Result<Expression, SpaceError> {
    let place = format!("condition of `{}`", param.name);
    let mut parts: Vec<Expression> =
        param.when.iter().map(|written| written.read_at(&place)).collect::<Result<_, _>>()?;
    parts.retain(|part| !part.is_always());
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
}

fn declare(
    param: &Param,
    parameters: &mut Vec<Parameter>,
    names: &mut HashMap<String, Target>,
) -> Result<(), SpaceError> {
    let domain = Domain::build(param)?;
    prior_sampling::check(&param.name, &param.prior, &domain)?;
    let next = ParamId::new(parameters.len());
    let Some(chance) = param.none else {
        let default = default_of(param, &domain)?;
        names.insert(param.name.clone(), Target::Plain(next));
        parameters.push(Parameter::new(&param.name, domain, param.prior.clone(), default, Role::Plain));
        return Ok(());
    };
    let (switch, number) = (next, ParamId::new(parameters.len() + 1));
    parameters.push(switch_of(param, chance, number)?);
    let default = match &param.default {
        Some(Value::None) | None => domain.middle(),
        Some(_) => default_of(param, &domain)?,
    };
    names.insert(param.name.clone(), Target::Optional { switch, number });
    let mut value =
        Parameter::new(&param.name, domain, param.prior.clone(), default, Role::Number { switch });
    value.when = Condition::Is(switch, crate::condition::Test::Labels(vec![false, true]));
    parameters.push(value);
    Ok(())
}

fn default_of(param: &Param, domain: &Domain) -> Result<Value, SpaceError> {
    let Some(value) = &param.default else { return Ok(domain.middle()) };
    let canonical = domain.canonical(value).filter(|v| {
        domain.labels().is_none_or(|labels| labels.index_of(v).is_some_and(|i| !labels.is_retired(i)))
    });
    canonical.ok_or_else(|| SpaceError::ValueOutsideDomain {
        name: param.name.clone(),
        value: value.to_string(),
        domain: domain.to_string(),
    })
}

/// An optional number has a decision of its own: a hidden choice that activates the number.
fn switch_of(param: &Param, chance: f64, number: ParamId) -> Result<Parameter, SpaceError> {
    let fail =
        |problem: &str| Err(SpaceError::BadPrior { name: param.name.clone(), problem: problem.to_owned() });
    if !matches!(param.domain, DomainSpec::Real { .. } | DomainSpec::Integer { .. }) {
        return fail("only numbers can also be none; list none among the choices instead");
    }
    if !(chance > 0.0 && chance < 1.0) {
        return fail("the probability of none must lie strictly between 0 and 1");
    }
    let choice = Param::choice(format!("{}?", param.name), ["none", "number"]);
    let default = if matches!(param.default, Some(Value::None)) { "none" } else { "number" };
    Ok(Parameter::new(
        &choice.name,
        Domain::build(&choice)?,
        Prior::Weights(vec![chance, 1.0 - chance]),
        default.into(),
        Role::Switch { number },
    ))
}
