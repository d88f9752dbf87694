//! Random spaces for the tests of this crate and the crates that use it.
use crate::expression::{Expression, Term};
use crate::rng::Rng;
use crate::space::Space;
use crate::spec::{DomainSpec, Param, Prior, SpaceSpec};
use crate::value::Value;

/// A random valid space of two to eight parameters: all kinds of domains, nested conditions on
/// labels and numbers, shared parameters, forbidden clauses and relations.
pub fn random_spec(rng: &mut Rng) -> SpaceSpec {
    until_it_builds(rng, false)
}

/// Like [`random_spec`], but finite and small: the product of all domains is at most some
/// thousands.
pub fn random_finite_spec(rng: &mut Rng) -> SpaceSpec {
    until_it_builds(rng, true)
}

fn until_it_builds(rng: &mut Rng, finite: bool) -> SpaceSpec {
    loop {
        let spec = attempt(rng, finite);
        if Space::new(spec.clone()).is_ok() {
            return spec;
        }
    }
}

fn attempt(rng: &mut Rng, finite: bool) -> SpaceSpec {
    let count = 2 + rng.below(if finite { 5 } else { 7 });
    let mut params: Vec<Param> = Vec::with_capacity(count);
    for i in 0..count {
        let mut param = random_param(format!("p{i}"), rng, finite);
        if i > 0 && rng.unit() < 0.6 {
            let depth = 1 + rng.below(2);
            param.when.push(random_expression(&params, depth, rng).into());
        }
        params.push(param);
    }
    let mut spec = SpaceSpec::default();
    while rng.unit() < 0.4 {
        spec.forbidden.push(random_expression(&params, 1, rng).into());
    }
    while rng.unit() < 0.25 {
        if let Some(relation) = random_relation(&params, rng) {
            spec.required.push(relation.into());
        }
    }
    // Children may be declared before their deciders.
    rng.shuffle(&mut params);
    spec.parameters = params;
    spec
}

fn random_param(name: String, rng: &mut Rng, finite: bool) -> Param {
    let kinds = if finite { 7 } else { 9 };
    let mut param = match rng.below(kinds) {
        0 => Param::boolean(name),
        1 => {
            let low = rng.below(5) as i64 - 2;
            Param::integer(name, low, low + rng.below(4) as i64)
        }
        2 => Param::choice(name, ["red", "green", "blue", "grey"].into_iter().take(1 + rng.below(4))),
        3 => Param::ordinal(name, ["small", "middle", "large"].into_iter().take(2 + rng.below(2))),
        4 => Param::constant(name, 1.5),
        5 => Param::real(name, 0.1, 0.4).step(0.1),
        6 => Param::choice(name, [Value::Int(1), "one".into(), Value::None, true.into()]),
        7 => Param::real(name, -1.0, 1.0),
        _ => Param::real(name, 1e-3, 1e3).log(),
    };
    let is_number = matches!(param.domain, DomainSpec::Integer { .. } | DomainSpec::Real { .. });
    if is_number && rng.unit() < 0.2 {
        param.none = Some(0.25);
    }
    match &param.domain {
        DomainSpec::Choice(values) if values.len() > 2 && rng.unit() < 0.2 => {
            let gone = values[rng.below(values.len())].clone();
            param.retired.push(gone);
        }
        DomainSpec::Choice(values) if rng.unit() < 0.2 => {
            param.prior = Prior::Weights((0..values.len()).map(|_| 0.1 + rng.unit()).collect());
        }
        _ => {}
    }
    param
}

fn random_expression(over: &[Param], depth: usize, rng: &mut Rng) -> Expression {
    if depth == 0 || rng.unit() < 0.4 {
        return random_test(&over[rng.below(over.len())], rng);
    }
    match rng.below(5) {
        0 => !random_expression(over, depth - 1, rng),
        1 | 2 => random_expression(over, depth - 1, rng).and(random_expression(over, depth - 1, rng)),
        _ => random_expression(over, depth - 1, rng).or(random_expression(over, depth - 1, rng)),
    }
}

fn random_test(of: &Param, rng: &mut Rng) -> Expression {
    use crate::expression::Comparison::{AtLeast, AtMost, Different, Equal, Greater, Less};
    let any = |values: &[Value], rng: &mut Rng| values[rng.below(values.len())].clone();
    let (value, operators) = match &of.domain {
        _ if of.none.is_some() && rng.unit() < 0.3 => (Value::None, &[Equal, Different][..]),
        DomainSpec::Boolean => (Value::Bool(rng.unit() < 0.5), &[Equal, Different][..]),
        DomainSpec::Choice(values) if rng.unit() < 0.3 => {
            return Expression::In(of.name.clone(), vec![any(values, rng), any(values, rng)]);
        }
        DomainSpec::Choice(values) => (any(values, rng), &[Equal, Different][..]),
        DomainSpec::Ordinal(values) => (any(values, rng), &[Less, AtMost, Greater, AtLeast, Equal][..]),
        DomainSpec::Constant(value) => (value.clone(), &[Equal][..]),
        DomainSpec::Integer { low, high, .. } => {
            let value = Value::Int(low + rng.below((high - low + 1) as usize) as i64);
            (value, &[Less, AtMost, Greater, AtLeast, Equal, Different][..])
        }
        DomainSpec::Real { low, high, step: Some(step), .. } => {
            let at = rng.below(((high - low) / step).round() as usize + 1);
            let tenths = ((low + at as f64 * step) * 10.0).round() / 10.0;
            (Value::from(tenths), &[Less, AtMost, Greater, AtLeast, Equal, Different][..])
        }
        DomainSpec::Real { low, high, .. } => {
            (Value::from(low + rng.unit() * (high - low)), &[Less, AtMost, Greater, AtLeast][..])
        }
    };
    let operator = operators[rng.below(operators.len())];
    Expression::Compare(Term::Parameter(of.name.clone()), operator, Term::Value(value))
}

fn random_relation(over: &[Param], rng: &mut Rng) -> Option<Expression> {
    let is_number = |p: &&Param| matches!(p.domain, DomainSpec::Real { .. } | DomainSpec::Integer { .. });
    let is_choice = |p: &&Param| matches!(p.domain, DomainSpec::Choice(_));
    let pick = |from: Vec<&Param>, rng: &mut Rng| {
        (from.len() > 1).then(|| {
            let (a, b) = (rng.below(from.len()), rng.below(from.len()));
            (from[a].name.clone(), from[b].name.clone())
        })
    };
    let text = if rng.unit() < 0.3 {
        let (a, b) = pick(over.iter().filter(is_choice).collect(), rng)?;
        format!("{a} {} {b}", if rng.unit() < 0.5 { "==" } else { "!=" })
    } else {
        let (a, b) = pick(over.iter().filter(is_number).collect(), rng)?;
        match rng.below(6) {
            0 => format!("{a} <= {b}"),
            1 => format!("{a} + {b} < 2"),
            2 => format!("{a} * {b} <= 1.5"),
            3 => format!("abs({a} - {b}) <= 1"),
            4 => format!("max({a}, {b}) > 0.1"),
            _ => format!("2 * {a} != {b}"),
        }
    };
    text.parse().ok()
}
