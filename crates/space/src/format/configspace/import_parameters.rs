//! Converts `ConfigSpace` hyperparameters to our parameters.
//!
//! In `ConfigSpace`, a normal distribution on a log scale is normal in ln x with mean ln μ and
//! standard deviation |ln(lower + σ)|, truncated to the range; that is our log-normal prior.
use crate::error::SpaceError;
use crate::format::view::{Fields, View};
use crate::spec::{DomainSpec, Param, Prior};
use crate::value::Value;

/// All fields that any version writes for a hyperparameter.
const FIELDS: [&str; 18] = [
    "type",
    "name",
    "lower",
    "upper",
    "default_value",
    "default",
    "log",
    "q",
    "meta",
    "mu",
    "sigma",
    "alpha",
    "beta",
    "choices",
    "weights",
    "probabilities",
    "sequence",
    "value",
];

const TYPES: [&str; 10] = [
    "uniform_float",
    "uniform_int",
    "normal_float",
    "normal_int",
    "beta_float",
    "beta_int",
    "categorical",
    "ordinal",
    "constant",
    "unparametrized",
];

pub(super) fn param(item: &View<'_>) -> Result<Param, SpaceError> {
    let fields = item.fields()?;
    fields.only(&FIELDS)?;
    let kind = fields.required("type")?;
    let (domain, prior) = match kind.text()? {
        "uniform_float" => (real(&fields)?, Prior::Flat),
        "uniform_int" => (integer(&fields)?, Prior::Flat),
        "normal_float" => (real(&fields)?, normal(&fields)?),
        "normal_int" => (integer(&fields)?, normal(&fields)?),
        beta @ ("beta_float" | "beta_int") => {
            let problem = format!("`{beta}`: there is no beta prior here; use a uniform or normal one");
            return Err(kind.fail(problem));
        }
        "categorical" => (DomainSpec::Choice(fields.required("choices")?.values()?), weights(&fields)?),
        "ordinal" => (DomainSpec::Ordinal(fields.required("sequence")?.values()?), Prior::Flat),
        "constant" | "unparametrized" => {
            (DomainSpec::Constant(fields.required("value")?.value()?), Prior::Flat)
        }
        other => return Err(kind.unknown(other, &TYPES)),
    };
    let mut param = Param::new(fields.required("name")?.text()?, domain).prior(prior);
    param.default = default(&fields, &param.domain)?;
    Ok(param)
}

/// `default_value`, called `default` in 0.x. Null means missing, unless none is an alternative.
fn default(fields: &Fields<'_>, domain: &DomainSpec) -> Result<Option<Value>, SpaceError> {
    let given = fields.optional("default_value").or_else(|| fields.optional("default"));
    let value = given.map(|view| view.value()).transpose()?;
    let none_is_offered = match domain {
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => values.contains(&Value::None),
        _ => false,
    };
    Ok(value.filter(|value| none_is_offered || !value.is_none()))
}

fn log(fields: &Fields<'_>) -> Result<bool, SpaceError> {
    fields.present("log").map_or(Ok(false), |view| view.boolean())
}

/// `q`, the distance between values in 0.x, becomes a step.
fn real(fields: &Fields<'_>) -> Result<DomainSpec, SpaceError> {
    Ok(DomainSpec::Real {
        low: fields.required("lower")?.real()?,
        high: fields.required("upper")?.real()?,
        log: log(fields)?,
        step: fields.present("q").map(|view| view.real()).transpose()?,
    })
}

fn integer(fields: &Fields<'_>) -> Result<DomainSpec, SpaceError> {
    Ok(DomainSpec::Integer {
        low: fields.required("lower")?.integer()?,
        high: fields.required("upper")?.integer()?,
        log: log(fields)?,
        step: fields.present("q").map(|view| view.integer()).transpose()?,
    })
}

fn normal(fields: &Fields<'_>) -> Result<Prior, SpaceError> {
    let (mu, sigma) = (fields.required("mu")?.real()?, fields.required("sigma")?.real()?);
    if !log(fields)? {
        return Ok(Prior::Normal { mean: mu, sd: sigma });
    }
    let lower = fields.required("lower")?.real()?;
    Ok(Prior::LogNormal { mu: libm::log(mu), sigma: libm::log(lower + sigma).abs() })
}

/// `weights`, called `probabilities` in 0.x.
fn weights(fields: &Fields<'_>) -> Result<Prior, SpaceError> {
    let given = fields.present("weights").or_else(|| fields.present("probabilities"));
    given.map_or(Ok(Prior::Flat), |view| view.reals().map(Prior::Weights))
}
