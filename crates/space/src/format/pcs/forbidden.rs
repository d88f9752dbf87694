//! Forbidden clauses: `{a=1, b=2}`, or any expression in braces.
//!
//! An expression is rewritten in our own syntax, with known names in back quotes and other words in
//! quotes, and then parsed.
use super::line::{Line, items, number};
use crate::error::SpaceError;
use crate::expression::{Expression, Term};
use crate::spec::{DomainSpec, Param};
use crate::value::Value;

const FUNCTIONS: [&str; 6] = ["abs", "exp", "log", "sqrt", "min", "max"];

pub(super) fn clause(line: &Line<'_>, parameters: &[Param]) -> Result<Expression, SpaceError> {
    let inner = line.text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.ok_or_else(|| line.fail(format!("`{}` has no closing `}}`", line.text)))?;
    match classic(inner) {
        Some(pairs) => equalities(line, &pairs, parameters),
        None => expression(line, inner, parameters),
    }
}

/// `name=value` pairs, or `None` if this is not the classic form.
fn classic(inner: &str) -> Option<Vec<(&str, &str)>> {
    let pair = |part| -> Option<(&str, &str)> {
        let (name, value) = str::split_once(part, '=')?;
        let (name, value) = (name.trim(), value.trim());
        let operator = name.ends_with(['<', '>', '!']) || value.starts_with('=');
        let plain = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        (plain(name) && plain(value) && !operator && !value.contains("&&") && !value.contains("||"))
            .then_some((name, value))
    };
    items(inner).into_iter().map(pair).collect()
}

fn equalities(
    line: &Line<'_>,
    pairs: &[(&str, &str)],
    parameters: &[Param],
) -> Result<Expression, SpaceError> {
    let mut parts = Vec::new();
    for (name, word) in pairs {
        let param = parameters.iter().find(|p| p.name == *name);
        let param = param.ok_or_else(|| line.unknown(name, parameters))?;
        parts.push(Expression::In(param.name.clone(), vec![line.value(param, word)?]));
    }
    if parts.is_empty() {
        return Err(line.fail("the forbidden clause is empty"));
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
}

fn expression(line: &Line<'_>, inner: &str, parameters: &[Param]) -> Result<Expression, SpaceError> {
    let text = rewrite(line, inner, parameters)?;
    let mut read: Expression = text.parse().map_err(|e: SpaceError| line.fail(e.to_string()))?;
    relabel(&mut read, parameters);
    Ok(read)
}

fn rewrite(line: &Line<'_>, inner: &str, parameters: &[Param]) -> Result<String, SpaceError> {
    let mut out = String::new();
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        let taken = if let Some((term, length)) = known_word(rest, parameters) {
            out.push_str(&term.to_string());
            length
        } else if c.is_ascii_digit() || c == '.' {
            let end = number_end(rest);
            out.push_str(&rest[..end]);
            end
        } else if is_letter(c) {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            push_word(line, &mut out, &rest[..end], rest[end..].trim_start().starts_with('('))?;
            end
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    Ok(out)
}

fn push_word(line: &Line<'_>, out: &mut String, word: &str, called: bool) -> Result<(), SpaceError> {
    if !called {
        out.push_str(&Term::Value(word.into()).to_string());
    } else if FUNCTIONS.contains(&word) {
        out.push_str(word);
    } else {
        let known = FUNCTIONS.join(", ");
        return Err(line.fail(format!("unknown function `{word}`; the functions are {known}")));
    }
    Ok(())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parameter or label at the start of the text, and its length: the longest match, parameters
/// before labels. Both can contain characters that would otherwise be operators.
fn known_word(text: &str, parameters: &[Param]) -> Option<(Term, usize)> {
    let begins = |word: &&str| {
        let whole = |rest: &str| !(word.ends_with(is_word) && rest.starts_with(is_word));
        !word.is_empty() && text.strip_prefix(*word).is_some_and(whole)
    };
    let longest = |words: &mut dyn Iterator<Item = &str>| words.filter(begins).map(str::len).max();
    let name = longest(&mut parameters.iter().map(|p| p.name.as_str()));
    let label = longest(&mut parameters.iter().flat_map(labels).filter(|label| label.starts_with(is_letter)));
    match (name, label) {
        (Some(n), l) if l <= Some(n) => Some((Term::Parameter(text[..n].to_owned()), n)),
        (_, Some(l)) => Some((Term::Value(text[..l].into()), l)),
        (_, None) => None,
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn labels(param: &Param) -> impl Iterator<Item = &str> {
    let values = match &param.domain {
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => values.as_slice(),
        _ => &[],
    };
    values.iter().filter_map(Value::as_str)
}

/// The longest prefix that is a number.
fn number_end(text: &str) -> usize {
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let longest = text.find(|c| !numeric(c)).unwrap_or(text.len());
    (1..=longest).rev().find(|&end| number(&text[..end]).is_some()).unwrap_or(1)
}

/// A number compared with a categorical parameter means the label that parses to that number.
fn relabel(expression: &mut Expression, parameters: &[Param]) {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => {
            for part in parts {
                relabel(part, parameters);
            }
        }
        Expression::Not(inner) => relabel(inner, parameters),
        Expression::Compare(Term::Parameter(name), _, Term::Value(value))
        | Expression::Compare(Term::Value(value), _, Term::Parameter(name)) => {
            relabel_value(name, value, parameters);
        }
        Expression::In(name, values) => {
            for value in values {
                relabel_value(name, value, parameters);
            }
        }
        Expression::Compare(..) => {}
    }
}

fn relabel_value(name: &str, value: &mut Value, parameters: &[Param]) {
    let domain = parameters.iter().find(|p| p.name == name).map(|p| &p.domain);
    let (Some(DomainSpec::Choice(labels) | DomainSpec::Ordinal(labels)), Some(x)) = (domain, value.as_f64())
    else {
        return;
    };
    let reads_as = |label: &&Value| label.as_str().and_then(number) == Some(x);
    if let Some(label) = labels.iter().find(reads_as) {
        *value = label.clone();
    }
}
