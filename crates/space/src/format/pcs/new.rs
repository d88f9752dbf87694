//! Declarations of the new format: `name type [low, high] [default] log` and
//! `name type {a, b} [default]`.
use super::line::Line;
use crate::error::SpaceError;
use crate::spec::{DomainSpec, Param};
use crate::words::hint;

const TYPES: [&str; 4] = ["integer", "real", "categorical", "ordinal"];

pub(super) fn param(line: &Line<'_>) -> Result<Param, SpaceError> {
    let (name, rest) = line.text.split_once(char::is_whitespace).ok_or_else(|| not_a_line(line))?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (kind, rest) = (&rest[..end], rest[end..].trim_start());
    if !TYPES.contains(&kind) {
        return Err(unknown_type(line, kind));
    }
    let numeric = matches!(kind, "integer" | "real");
    if !rest.starts_with(if numeric { '[' } else { '{' }) {
        let shape = if numeric { "[low, high] [default]" } else { "{a, b} [default]" };
        return Err(line.fail(format!("`{kind}` needs {shape}, found `{rest}`")));
    }
    let brackets = line.brackets(rest)?;
    let log = match brackets.rest {
        "" => false,
        "log" if numeric => true,
        other => return Err(line.fail(format!("unexpected `{other}` after the default"))),
    };
    Ok(match kind {
        "integer" => {
            let (low, high) = brackets.whole_range(line)?;
            let domain = DomainSpec::Integer { low, high, log, step: None };
            Param::new(name, domain).default(line.integer(brackets.default)?)
        }
        "real" => {
            let (low, high) = brackets.range(line)?;
            let domain = DomainSpec::Real { low, high, log, step: None };
            Param::new(name, domain).default(line.real(brackets.default)?)
        }
        "ordinal" => Param::new(name, DomainSpec::Ordinal(brackets.labels())).default(brackets.default),
        _ => Param::new(name, DomainSpec::Choice(brackets.labels())).default(brackets.default),
    })
}

fn not_a_line(line: &Line<'_>) -> SpaceError {
    line.fail(format!("`{}` is not a parameter, condition or forbidden clause", line.text))
}

fn unknown_type(line: &Line<'_>, kind: &str) -> SpaceError {
    let mut advice = hint(kind, TYPES);
    if advice.is_empty() {
        advice = format!("; it is one of {}", TYPES.join(", "));
    }
    line.fail(format!("`{kind}` is not a type{advice}"))
}
