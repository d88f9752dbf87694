//! Small random spaces with nested conditions, and expressions about them.
use arbora_space::{DomainSpec, Param, Rng, SpaceSpec, Value};

pub(crate) fn chance(p: f64, rng: &mut Rng) -> bool {
    rng.unit() < p
}

/// Two to six parameters, each conditional on earlier ones half the time.
pub(crate) fn spec(rng: &mut Rng, finite: bool) -> SpaceSpec {
    let mut parameters: Vec<Param> = Vec::new();
    for i in 0..2 + rng.below(5) {
        let mut param = param(&format!("p{i}"), rng, finite);
        if i > 0 && chance(0.6, rng) {
            param = param.when(expression(&parameters, rng));
        }
        parameters.push(param);
    }
    SpaceSpec::new(parameters)
}

pub(crate) fn param(name: &str, rng: &mut Rng, finite: bool) -> Param {
    match rng.below(if finite { 6 } else { 9 }) {
        0 => Param::boolean(name),
        1 => Param::choice(name, ["a", "b", "c"]),
        2 => Param::ordinal(name, ["low", "middle", "high"]),
        3 => Param::integer(name, 1, 3),
        4 => Param::integer(name, 1, 3).or_none(),
        5 => Param::choice(name, [1, 2, 3]).weights([1.0, 2.0, 3.0]),
        6 => Param::real(name, 0.1, 10.0).log(),
        7 => Param::real(name, 0.0, 1.0).step(0.1),
        _ => Param::real(name, -1.0, 1.0).or_none(),
    }
}

/// A boolean expression about some of these parameters: tests joined by `and`, `or`, `not`.
pub(crate) fn expression(about: &[Param], rng: &mut Rng) -> String {
    nested(about, 2, rng)
}

fn nested(about: &[Param], depth: usize, rng: &mut Rng) -> String {
    let inner = |rng: &mut Rng| nested(about, depth - 1, rng);
    match if depth == 0 { 3 } else { rng.below(6) } {
        0 => format!("({}) and ({})", inner(rng), inner(rng)),
        1 => format!("({}) or ({})", inner(rng), inner(rng)),
        2 => format!("not ({})", inner(rng)),
        _ => test(&about[rng.below(about.len())], rng),
    }
}

/// A test that some value of the parameter passes and some value fails.
fn test(param: &Param, rng: &mut Rng) -> String {
    let name = &param.name;
    if param.none.is_some() && chance(0.4, rng) {
        return format!("{name} {} none", if chance(0.5, rng) { "==" } else { "!=" });
    }
    match &param.domain {
        DomainSpec::Real { low, high, .. } => {
            format!("{name} > {}", low + (high - low) * (0.2 + 0.6 * rng.unit()))
        }
        DomainSpec::Integer { .. } => {
            ["< 2", ">= 2", "== 2", "in [1, 3]"].map(|t| format!("{name} {t}"))[rng.below(4)].clone()
        }
        DomainSpec::Ordinal(values) if chance(0.6, rng) => {
            format!("{name} < {}", written(&values[values.len() - 1]))
        }
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => {
            format!("{name} == {}", written(&values[rng.below(values.len())]))
        }
        _ => name.clone(),
    }
}

pub(crate) fn written(value: &Value) -> String {
    match value.as_str() {
        Some(text) => format!("'{text}'"),
        None => value.to_string(),
    }
}
