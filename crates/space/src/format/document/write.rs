//! From a space as written to the tree; the order of parameters and fields is kept.
use crate::error::SpaceError;
use crate::format::node::Node;
use crate::spec::{DomainSpec, Param, Prior, SpaceSpec, Written};
use crate::value::Value;
use std::collections::HashSet;

type Entries = Vec<(&'static str, Node)>;

/// The document that holds a space. Two parameters of one name have no place in it.
pub(in crate::format) fn node_of(spec: &SpaceSpec) -> Result<Node, SpaceError> {
    let mut seen = HashSet::new();
    if let Some(twice) = spec.parameters.iter().find(|p| !seen.insert(p.name.as_str())) {
        return Err(SpaceError::DuplicateName { name: twice.name.clone() });
    }
    let mut document = Entries::new();
    for (name, written) in [("forbidden", &spec.forbidden), ("required", &spec.required)] {
        if !written.is_empty() {
            document.push((name, Node::list(written.iter().map(expression))));
        }
    }
    let parameters = spec.parameters.iter().map(|p| (p.name.as_str(), parameter(p)));
    document.push(("parameters", Node::table(parameters)));
    Ok(Node::table(document))
}

fn parameter(param: &Param) -> Node {
    let mut entries = domain(&param.domain);
    if let Some(value) = &param.default {
        entries.push(("default", Node::scalar(value.clone())));
    }
    entries.extend(prior(&param.prior));
    match param.when.as_slice() {
        [] => {}
        [only] => entries.push(("when", expression(only))),
        several => entries.push(("when", Node::list(several.iter().map(expression)))),
    }
    if let Some(chance) = param.none {
        entries.push(("none", if chance == 0.5 { Node::scalar(true) } else { Node::scalar(chance) }));
    }
    if !param.retired.is_empty() {
        entries.push(("retired", Node::values(&param.retired)));
    }
    Node::table(entries)
}

fn domain(domain: &DomainSpec) -> Entries {
    match domain {
        DomainSpec::Real { low, high, log, step } => {
            range("real", (*low).into(), (*high).into(), *log, step.map(Value::from))
        }
        DomainSpec::Integer { low, high, log, step } => {
            range("integer", (*low).into(), (*high).into(), *log, step.map(Value::from))
        }
        DomainSpec::Choice(values) => vec![kind("choice"), ("choices", Node::values(values))],
        DomainSpec::Ordinal(values) => vec![kind("ordinal"), ("values", Node::values(values))],
        DomainSpec::Boolean => vec![kind("boolean")],
        DomainSpec::Constant(value) => vec![kind("constant"), ("value", Node::scalar(value.clone()))],
    }
}

fn kind(name: &'static str) -> (&'static str, Node) {
    ("type", Node::scalar(name))
}

fn range(name: &'static str, low: Value, high: Value, log: bool, step: Option<Value>) -> Entries {
    let mut entries = vec![kind(name), ("low", Node::scalar(low)), ("high", Node::scalar(high))];
    if log {
        entries.push(("log", Node::scalar(true)));
    }
    entries.extend(step.map(|by| ("step", Node::scalar(by))));
    entries
}

fn prior(prior: &Prior) -> Option<(&'static str, Node)> {
    let table = |kind: &str, numbers: [(&'static str, f64); 2]| {
        let numbers = numbers.map(|(name, x)| (name, Node::scalar(x)));
        Node::table([("kind", Node::scalar(kind))].into_iter().chain(numbers))
    };
    Some(match prior {
        Prior::Flat => return None,
        Prior::Weights(weights) => ("weights", Node::numbers(weights)),
        Prior::Uniform => ("prior", Node::scalar("uniform")),
        Prior::LogUniform => ("prior", Node::scalar("log-uniform")),
        Prior::Normal { mean, sd } => ("prior", table("normal", [("mean", *mean), ("sd", *sd)])),
        Prior::LogNormal { mu, sigma } => ("prior", table("log-normal", [("mu", *mu), ("sigma", *sigma)])),
    })
}

fn expression(written: &Written) -> Node {
    Node::scalar(written.to_string())
}
