//! Converts our parameters to `ConfigSpace` hyperparameters.
use super::inexpressible;
use crate::error::SpaceError;
use crate::format::node::DocumentNode;
use crate::id::ParamId;
use crate::parameter::Parameter;
use crate::space::Space;
use crate::spec::{DomainSpec, Param, Prior};
use crate::value::Value;

type Fields = Vec<(&'static str, DocumentNode)>;

/// All hyperparameters, in the order of declaration.
pub(super) fn items(space: &Space) -> Result<Vec<DocumentNode>, SpaceError> {
    space.spec().parameters.iter().map(|param| item(param, built(space, param))).collect()
}

fn built<'s>(space: &'s Space, param: &Param) -> &'s Parameter {
    let id: ParamId = space.id(&param.name).expect("a built space holds every parameter of its spec");
    space.parameter(id)
}

fn item(param: &Param, built: &Parameter) -> Result<DocumentNode, SpaceError> {
    let fail = |problem: &str| Err(inexpressible(&format!("parameter `{}`", param.name), problem));
    if param.none.is_some() {
        return fail("it may be none, which has no counterpart; declare a choice and a number under it");
    }
    if !param.retired.is_empty() {
        return fail("retired alternatives have no counterpart; remove them first");
    }
    let (kind, mut fields) = match &param.domain {
        DomainSpec::Real { step: Some(_), .. } | DomainSpec::Integer { step: Some(2..), .. } => {
            return fail("steps have no counterpart; list the values as an ordinal");
        }
        // `ConfigSpace` rejects a range with a single value.
        DomainSpec::Real { low, high, .. } if low == high => constant(&(*low).into()),
        DomainSpec::Integer { low, high, .. } if low == high => constant(&(*low).into()),
        DomainSpec::Real { low, high, log, .. } => {
            range(param, [*low, *high], ["uniform_float", "normal_float"], *log, Value::from)?
        }
        DomainSpec::Integer { low, high, log, .. } => {
            let whole = |x: f64| Value::from(x as i64);
            range(param, [*low as f64, *high as f64], ["uniform_int", "normal_int"], *log, whole)?
        }
        DomainSpec::Choice(choices) => alternatives(choices, &param.prior),
        DomainSpec::Boolean => alternatives(&[false.into(), true.into()], &param.prior),
        DomainSpec::Ordinal(_) if param.prior != Prior::Flat => {
            return fail("weights of ordered alternatives have no counterpart");
        }
        DomainSpec::Ordinal(values) => ("ordinal", vec![("sequence", DocumentNode::values(values))]),
        DomainSpec::Constant(value) => constant(value),
    };
    if kind != "constant" {
        fields.push(("default_value", DocumentNode::scalar(built.default().clone())));
    }
    fields.push(("meta", DocumentNode::null()));
    let head = [("type", DocumentNode::scalar(kind)), ("name", DocumentNode::scalar(param.name.as_str()))];
    Ok(DocumentNode::table(head.into_iter().chain(fields)))
}

fn constant(value: &Value) -> (&'static str, Fields) {
    ("constant", vec![("value", DocumentNode::scalar(value.clone()))])
}

fn alternatives(choices: &[Value], prior: &Prior) -> (&'static str, Fields) {
    let weights = match prior {
        Prior::Weights(weights) => DocumentNode::numbers(weights),
        _ => DocumentNode::null(),
    };
    ("categorical", vec![("choices", DocumentNode::values(choices)), ("weights", weights)])
}

/// In `ConfigSpace` one scale is used for search and prior, so a prior must be on the parameter's
/// own scale.
fn range(
    param: &Param,
    [low, high]: [f64; 2],
    [uniform, normal]: [&'static str; 2],
    log: bool,
    value: impl Fn(f64) -> Value,
) -> Result<(&'static str, Fields), SpaceError> {
    let distribution = match (&param.prior, log) {
        (Prior::Flat, _) | (Prior::Uniform, false) | (Prior::LogUniform, true) => None,
        (Prior::Normal { mean, sd }, false) => Some((*mean, *sd)),
        (Prior::LogNormal { mu, sigma }, true) => {
            size_of(*sigma, low).map(|size| Some((libm::exp(*mu), size))).ok_or_else(|| {
                inexpressible(
                    &format!("parameter `{}`", param.name),
                    "this log-normal prior is too narrow for its lower bound to have a counterpart",
                )
            })?
        }
        _ => {
            return Err(inexpressible(
                &format!("parameter `{}`", param.name),
                "a prior on another scale than the parameter's has no counterpart; change `log` or the prior",
            ));
        }
    };
    let mut fields: Fields = Vec::new();
    if let Some((mu, sigma)) = distribution {
        fields.extend([("mu", DocumentNode::scalar(mu)), ("sigma", DocumentNode::scalar(sigma))]);
    }
    fields.extend([
        ("lower", DocumentNode::scalar(value(low))),
        ("upper", DocumentNode::scalar(value(high))),
        ("log", DocumentNode::scalar(log)),
    ]);
    Ok((if distribution.is_some() { normal } else { uniform }, fields))
}

/// The σ for which |ln(lower + σ)| is the given standard deviation, if there is a positive one.
fn size_of(sigma: f64, lower: f64) -> Option<f64> {
    [libm::exp(sigma) - lower, libm::exp(-sigma) - lower].into_iter().find(|size| *size > 0.0)
}
