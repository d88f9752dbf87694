//! The classes of a decider's values: each label, and numbers by the results of all tests.
use super::Decision;
use crate::condition::Test;
use crate::domain::Domain;
use crate::encode::Branching;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::subdomain::{self, Subdomain};
use crate::value::Value;
use std::collections::HashMap;

/// A decision and an example value.
#[derive(Clone)]
pub(super) struct Class {
    pub(super) decision: Decision,
    pub(super) example: Value,
}

/// Limit on the number of cells times the cost of each: a larger tree would be useless.
const MOST: usize = 1 << 26;

/// All classes of a decider, in the order of the values; `None` if there are too many.
pub(super) fn classes(space: &Space, id: ParamId) -> Option<Vec<Class>> {
    let domain = space.parameter(id).domain();
    let mut found: Vec<Class> = Vec::new();
    let mut places = HashMap::new();
    for cell in cells(space, id)? {
        let Some(example) = cell.lowest(domain) else { continue };
        let class = space.class(id, &example, Branching::Literal);
        let at = *places.entry(class).or_insert(found.len());
        if let Some(known) = found.get_mut(at) {
            known.decision.cells.push(cell);
        } else {
            let decision = Decision { parameter: id, class, text: String::new(), cells: vec![cell] };
            found.push(Class { decision, example });
        }
    }
    for class in &mut found {
        class.decision.text = text(space, id, class);
    }
    Some(found)
}

/// Subdomains on which every test is constant, ascending; each label separately.
fn cells(space: &Space, id: ParamId) -> Option<Vec<Subdomain>> {
    let domain = space.parameter(id).domain();
    if let Some(labels) = domain.labels() {
        let is_little = labels.len().saturating_mul(labels.len()) <= MOST;
        return is_little
            .then(|| labels.offered().map(|i| Subdomain::single(domain, labels.value(i))).collect());
    }
    let tests = space.tests(id);
    let ends: usize = tests.iter().map(Test::ends).sum();
    if ends.saturating_mul(tests.len()) > MOST {
        return None;
    }
    Some(if ends <= FEW { by_splitting(domain, tests) } else { by_sweeping(domain, tests) })
}

/// Up to this many interval ends, subdomains are split one by one. This costs the square, but keeps
/// a subdomain whole if a test is constant on it. Beyond, all ends are split at once.
const FEW: usize = 256;

fn by_splitting(domain: &Domain, tests: &[Test]) -> Vec<Subdomain> {
    let mut open = vec![Subdomain::offered(domain)];
    let mut cells = Vec::new();
    while let Some(part) = open.pop() {
        match tests.iter().find_map(|test| part.split_by(domain, test)) {
            Some((lower, upper)) => open.extend([upper, lower]),
            None => cells.push(part),
        }
    }
    cells
}

fn by_sweeping(domain: &Domain, tests: &[Test]) -> Vec<Subdomain> {
    let (whole, Some((low, high))) = (Subdomain::offered(domain), domain.range()) else { return Vec::new() };
    let mut cuts: Vec<f64> = tests.iter().flat_map(subdomain::cuts).chain([high]).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mut from = low;
    let mut cells: Vec<Subdomain> = Vec::new();
    for cut in cuts {
        let cell = whole.between(domain, from, cut);
        if !cell.is_empty() {
            cells.push(cell);
            from = cut.next_up();
        }
    }
    cells
}

fn text(space: &Space, id: ParamId, class: &Class) -> String {
    let parameter = space.parameter(id);
    let name = parameter.name();
    match (parameter.role(), parameter.domain()) {
        (Role::Switch { number }, _) => {
            let what = if class.decision.class == 0 { "none" } else { "a number" };
            format!("{} = {what}", space.parameter(number).name())
        }
        (_, Domain::Labels(_)) => format!("{name} = {}", class.example),
        (_, domain) => {
            let cells: Vec<String> =
                class.decision.cells.iter().map(|cell| interval(name, domain, cell)).collect();
            cells.join(" or ")
        }
    }
}

/// `x <= 0.5`, `0.1 < x <= 0.5`, `k = 3`; ends of the domain are left out.
fn interval(name: &str, domain: &Domain, cell: &Subdomain) -> String {
    let whole = domain.range().unwrap_or_default();
    let Subdomain::Numbers(low, high) = *cell else { return name.to_owned() };
    let show = |x: f64| domain.canonical(&Value::from(x)).unwrap_or(Value::from(x)).to_string();
    if low == high {
        return format!("{name} = {}", show(low));
    }
    // An open end was replaced by the next double; the original end has a shorter text.
    let (below, above) = (low.next_down(), high.next_up());
    let open_low = show(below).len() < show(low).len();
    let open_high = show(above).len() < show(high).len();
    let from = (low > whole.0).then(|| if open_low { (">", show(below)) } else { (">=", show(low)) });
    let to = (high < whole.1).then(|| if open_high { ("<", show(above)) } else { ("<=", show(high)) });
    match (from, to) {
        (None, None) => format!("any {name}"),
        (Some((sign, end)), None) | (None, Some((sign, end))) => format!("{name} {sign} {end}"),
        (Some((sign, low)), Some((other, high))) => {
            format!("{low} {} {name} {other} {high}", if sign == ">" { "<" } else { "<=" })
        }
    }
}
