//! Reads a spec from a tree; errors of the space itself are found when it is built.
use super::COMMON;
use crate::error::SpaceError;
use crate::expression::{Comparison, Expression, Term};
use crate::format::view::{Fields, View};
use crate::spec::{DomainSpec, ExpressionSource, Param, Prior, SpaceSpec};

/// `none = true`: none is as likely as a number.
const EVEN_CHANCE: f64 = 0.5;

/// The spec in a document.
pub(in crate::format) fn spec_of(root: &View<'_>) -> Result<SpaceSpec, SpaceError> {
    let fields = root.fields()?;
    fields.only(&["parameters", "forbidden", "required"])?;
    let mut spec = SpaceSpec::default();
    for (name, view) in fields.required("parameters")?.fields()?.all() {
        spec.parameters.push(param(name, &view)?);
    }
    for (name, into) in [("forbidden", &mut spec.forbidden), ("required", &mut spec.required)] {
        if let Some(view) = fields.optional(name) {
            *into = conditions(&view)?;
        }
    }
    Ok(spec)
}

pub(super) fn param(name: &str, view: &View<'_>) -> Result<Param, SpaceError> {
    let fields = view.fields()?;
    let mut param = Param::new(name, domain(name, &fields)?);
    param.default = fields.optional("default").map(|v| v.value()).transpose()?;
    param.prior = prior(&fields)?;
    param.none = chance_of_none(&fields)?;
    if let Some(view) = fields.optional("when") {
        param.when = conditions(&view)?;
    }
    if let Some(view) = fields.optional("retired") {
        param.retired = view.values()?;
    }
    Ok(param)
}

fn domain(name: &str, fields: &Fields<'_>) -> Result<DomainSpec, SpaceError> {
    let Some(kind) = fields.optional("type") else { return Err(no_type(name, fields)) };
    let only = |own: &[&str]| fields.only(&[&["type"], own, &COMMON].concat());
    let log = || fields.optional("log").map_or(Ok(false), |v| v.boolean());
    Ok(match kind.text()? {
        "real" => {
            only(&["low", "high", "log", "step"])?;
            let (low, high) = (fields.required("low")?.real()?, fields.required("high")?.real()?);
            let step = fields.optional("step").map(|v| v.real()).transpose()?;
            DomainSpec::Real { low, high, log: log()?, step }
        }
        "integer" => {
            only(&["low", "high", "log", "step"])?;
            let (low, high) = (fields.required("low")?.integer()?, fields.required("high")?.integer()?);
            let step = fields.optional("step").map(|v| v.integer()).transpose()?;
            DomainSpec::Integer { low, high, log: log()?, step }
        }
        "choice" => {
            only(&["choices"])?;
            DomainSpec::Choice(fields.required("choices")?.values()?)
        }
        "ordinal" => {
            only(&["values"])?;
            DomainSpec::Ordinal(fields.required("values")?.values()?)
        }
        "boolean" => {
            only(&[])?;
            DomainSpec::Boolean
        }
        "constant" => {
            only(&["value"])?;
            DomainSpec::Constant(fields.required("value")?.value()?)
        }
        other => return Err(kind.unknown(other, &TYPES)),
    })
}

const TYPES: [&str; 6] = ["real", "integer", "choice", "ordinal", "boolean", "constant"];

/// In TOML, `[parameters.svm.C]` without quotes is a nested table: say so instead of asking for a
/// type.
fn no_type(name: &str, fields: &Fields<'_>) -> SpaceError {
    let nested = fields.all().find(|(field, view)| view.is_table() && !COMMON.contains(field));
    match nested {
        Some((field, _)) => fields.fail(format!(
            "field `type` is missing; if the name is `{name}.{field}`, put it in quotes: \"{name}.{field}\""
        )),
        None => fields.fail(format!("field `type` is missing; it is one of {}", TYPES.join(", "))),
    }
}

fn prior(fields: &Fields<'_>) -> Result<Prior, SpaceError> {
    let prior = fields.optional("prior");
    match (fields.optional("weights"), prior) {
        (Some(_), Some(prior)) => Err(prior.fail("`weights` are a prior too; give one of the two")),
        (Some(weights), None) => Ok(Prior::Weights(weights.reals()?)),
        (None, Some(prior)) => distribution(&prior),
        (None, None) => Ok(Prior::Flat),
    }
}

fn distribution(view: &View<'_>) -> Result<Prior, SpaceError> {
    if let Some(kind) = view.as_text() {
        return plain_prior(view, kind);
    }
    let fields = view.fields()?;
    let kind = fields.required("kind")?;
    let number = |name: &str| fields.required(name)?.real();
    match kind.text()? {
        "normal" => {
            fields.only(&["kind", "mean", "sd"])?;
            Ok(Prior::Normal { mean: number("mean")?, sd: number("sd")? })
        }
        "log-normal" => {
            fields.only(&["kind", "mu", "sigma"])?;
            Ok(Prior::LogNormal { mu: number("mu")?, sigma: number("sigma")? })
        }
        plain => {
            let prior = plain_prior(&kind, plain)?;
            fields.only(&["kind"])?;
            Ok(prior)
        }
    }
}

fn plain_prior(view: &View<'_>, kind: &str) -> Result<Prior, SpaceError> {
    match kind {
        "flat" => Ok(Prior::Flat),
        "uniform" => Ok(Prior::Uniform),
        "log-uniform" => Ok(Prior::LogUniform),
        "normal" => Err(view.fail("a normal prior needs numbers: { kind = \"normal\", mean = …, sd = … }")),
        "log-normal" => {
            Err(view.fail("a log-normal prior needs numbers: { kind = \"log-normal\", mu = …, sigma = … }"))
        }
        other => Err(view.unknown(other, &["flat", "uniform", "log-uniform", "normal", "log-normal"])),
    }
}

fn chance_of_none(fields: &Fields<'_>) -> Result<Option<f64>, SpaceError> {
    let Some(view) = fields.optional("none") else { return Ok(None) };
    match view.as_bool() {
        Some(true) => Ok(Some(EVEN_CHANCE)),
        Some(false) => Ok(None),
        None => view.real().map(Some),
    }
}

/// One condition, or a list of conditions that must all hold.
fn conditions(view: &View<'_>) -> Result<Vec<ExpressionSource>, SpaceError> {
    match view.as_list() {
        Some(items) => items.iter().map(condition).collect(),
        None => Ok(vec![condition(view)?]),
    }
}

/// Text is parsed once to report errors at their location, and kept as written.
fn condition(view: &View<'_>) -> Result<ExpressionSource, SpaceError> {
    if view.is_table() {
        return Ok(tests(view)?.to_string().into());
    }
    let text = view.text()?;
    text.parse::<Expression>().map_err(|e| view.fail(e.to_string()))?;
    Ok(text.into())
}

/// `{ model = "svm", kernel = ["rbf", "poly"] }`: each parameter has this value, or one of these.
fn tests(view: &View<'_>) -> Result<Expression, SpaceError> {
    let mut parts = Vec::new();
    for (name, wanted) in view.fields()?.all() {
        parts.push(match wanted.as_list() {
            Some(_) => Expression::In(name.to_owned(), wanted.values()?),
            None => Expression::Compare(
                Term::Parameter(name.to_owned()),
                Comparison::Equal,
                Term::Value(wanted.value()?),
            ),
        });
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
}
