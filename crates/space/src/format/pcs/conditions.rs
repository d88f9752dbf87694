//! `child | parent in {a, b} && other > 3 || …`: `&&` binds tighter; all lines of one child must
//! hold.
use super::line::{Line, items};
use crate::error::SpaceError;
use crate::expression::{Comparison, Expression, Term};
use crate::spec::{ExpressionSource, Param};

/// Parses a condition and adds it to its child.
pub(super) fn apply(line: &Line<'_>, parameters: &mut [Param]) -> Result<(), SpaceError> {
    let (child, condition) = line.text.split_once('|').unwrap_or_default();
    let child = child.trim();
    let any = joined(condition.split("||").map(|part| conjunction(line, part, parameters)), Expression::Any)?;
    match parameters.iter().position(|p| p.name == child) {
        Some(i) => parameters[i].when.push(ExpressionSource::Parsed(any)),
        None => return Err(line.unknown(child, parameters)),
    }
    Ok(())
}

fn conjunction(line: &Line<'_>, text: &str, parameters: &[Param]) -> Result<Expression, SpaceError> {
    joined(text.split("&&").map(|part| test(line, part.trim(), parameters)), Expression::All)
}

fn joined(
    parts: impl Iterator<Item = Result<Expression, SpaceError>>,
    join: fn(Vec<Expression>) -> Expression,
) -> Result<Expression, SpaceError> {
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.len() == 1 { parts.remove(0) } else { join(parts) })
}

fn test(line: &Line<'_>, text: &str, parameters: &[Param]) -> Result<Expression, SpaceError> {
    let (parent, operator) = split(text, parameters).ok_or_else(|| misread(line, text, parameters))?;
    let name = parent.name.clone();
    if let Some(list) = operator.strip_prefix("in") {
        let inner = list.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let inner =
            inner.ok_or_else(|| line.fail(format!("`in` needs {{a, b}}, found `{}`", list.trim())))?;
        let values =
            items(inner).into_iter().map(|word| line.value(parent, word)).collect::<Result<_, _>>()?;
        return Ok(Expression::In(name, values));
    }
    let (op, word) = comparison(operator).ok_or_else(|| misread(line, text, parameters))?;
    Ok(Expression::Compare(Term::Parameter(name), op, Term::Value(line.value(parent, word)?)))
}

/// Names can contain almost any character: takes the longest known name in front of an operator.
fn split<'p, 't>(text: &'t str, parameters: &'p [Param]) -> Option<(&'p Param, &'t str)> {
    let operator = |param: &Param| {
        let rest = text.strip_prefix(param.name.as_str())?;
        let spaced = rest.starts_with(char::is_whitespace);
        let rest = rest.trim_start();
        let is_list = spaced && rest.strip_prefix("in").is_some_and(|r| r.trim_start().starts_with('{'));
        (is_list || comparison(rest).is_some()).then_some(rest)
    };
    let found = parameters.iter().filter_map(|param| operator(param).map(|rest| (param, rest)));
    found.max_by_key(|(param, _)| param.name.len())
}

fn comparison(text: &str) -> Option<(Comparison, &str)> {
    let signs = [
        ("==", Comparison::Equal),
        ("!=", Comparison::Different),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("=", Comparison::Equal),
    ];
    let (op, rest) =
        signs.into_iter().find_map(|(sign, op)| text.strip_prefix(sign).map(|rest| (op, rest)))?;
    let word = rest.trim();
    (!word.is_empty()).then_some((op, word))
}

fn misread(line: &Line<'_>, text: &str, parameters: &[Param]) -> SpaceError {
    let name = text.split(|c: char| c.is_whitespace() || "=!<>".contains(c)).next().unwrap_or_default();
    if parameters.iter().any(|p| p.name == name) {
        return line
            .fail(format!("cannot read `{text}`; expected `{name} in {{a, b}}`, `{name} == a` or the like"));
    }
    line.unknown(name, parameters)
}
