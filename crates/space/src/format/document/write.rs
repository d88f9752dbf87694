//! Writes a spec as a tree; keeps the order of parameters and fields.
use crate::error::SpaceError;
use crate::format::node::DocumentNode;
use crate::spec::{DomainSpec, ExpressionSource, Param, Prior, SpaceSpec};
use crate::value::Value;
use std::collections::HashSet;

type Entries = Vec<(&'static str, DocumentNode)>;

/// The document of a spec. Fails if two parameters have the same name.
pub(in crate::format) fn node_of(spec: &SpaceSpec) -> Result<DocumentNode, SpaceError> {
    let mut seen = HashSet::new();
    if let Some(twice) = spec.parameters.iter().find(|p| !seen.insert(p.name.as_str())) {
        return Err(SpaceError::DuplicateName { name: twice.name.clone() });
    }
    let mut document = Entries::new();
    for (name, written) in [("forbidden", &spec.forbidden), ("required", &spec.required)] {
        if !written.is_empty() {
            document.push((name, DocumentNode::list(written.iter().map(expression))));
        }
    }
    let parameters = spec.parameters.iter().map(|p| (p.name.as_str(), parameter(p)));
    document.push(("parameters", DocumentNode::table(parameters)));
    Ok(DocumentNode::table(document))
}

fn parameter(param: &Param) -> DocumentNode {
    let mut entries = domain(&param.domain);
    if let Some(value) = &param.default {
        entries.push(("default", DocumentNode::scalar(value.clone())));
    }
    entries.extend(prior(&param.prior));
    match param.when.as_slice() {
        [] => {}
        [only] => entries.push(("when", expression(only))),
        several => entries.push(("when", DocumentNode::list(several.iter().map(expression)))),
    }
    if let Some(chance) = param.none {
        entries.push((
            "none",
            if chance == 0.5 { DocumentNode::scalar(true) } else { DocumentNode::scalar(chance) },
        ));
    }
    if !param.retired.is_empty() {
        entries.push(("retired", DocumentNode::values(&param.retired)));
    }
    DocumentNode::table(entries)
}

fn domain(domain: &DomainSpec) -> Entries {
    match domain {
        DomainSpec::Real { low, high, log, step } => {
            range("real", (*low).into(), (*high).into(), *log, step.map(Value::from))
        }
        DomainSpec::Integer { low, high, log, step } => {
            range("integer", (*low).into(), (*high).into(), *log, step.map(Value::from))
        }
        DomainSpec::Choice(values) => vec![kind("choice"), ("choices", DocumentNode::values(values))],
        DomainSpec::Ordinal(values) => vec![kind("ordinal"), ("values", DocumentNode::values(values))],
        DomainSpec::Boolean => vec![kind("boolean")],
        DomainSpec::Constant(value) => vec![kind("constant"), ("value", DocumentNode::scalar(value.clone()))],
    }
}

fn kind(name: &'static str) -> (&'static str, DocumentNode) {
    ("type", DocumentNode::scalar(name))
}

fn range(name: &'static str, low: Value, high: Value, log: bool, step: Option<Value>) -> Entries {
    let mut entries =
        vec![kind(name), ("low", DocumentNode::scalar(low)), ("high", DocumentNode::scalar(high))];
    if log {
        entries.push(("log", DocumentNode::scalar(true)));
    }
    entries.extend(step.map(|by| ("step", DocumentNode::scalar(by))));
    entries
}

fn prior(prior: &Prior) -> Option<(&'static str, DocumentNode)> {
    let table = |kind: &str, numbers: [(&'static str, f64); 2]| {
        let numbers = numbers.map(|(name, x)| (name, DocumentNode::scalar(x)));
        DocumentNode::table([("kind", DocumentNode::scalar(kind))].into_iter().chain(numbers))
    };
    Some(match prior {
        Prior::Flat => return None,
        Prior::Weights(weights) => ("weights", DocumentNode::numbers(weights)),
        Prior::Uniform => ("prior", DocumentNode::scalar("uniform")),
        Prior::LogUniform => ("prior", DocumentNode::scalar("log-uniform")),
        Prior::Normal { mean, sd } => ("prior", table("normal", [("mean", *mean), ("sd", *sd)])),
        Prior::LogNormal { mu, sigma } => ("prior", table("log-normal", [("mu", *mu), ("sigma", *sigma)])),
    })
}

fn expression(written: &ExpressionSource) -> DocumentNode {
    DocumentNode::scalar(written.to_string())
}
