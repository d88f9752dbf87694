//! Declarations of the old format: `name [low, high] [default]` with flags, and
//! `name {a, b} [default]`.
use super::line::Line;
use crate::error::SpaceError;
use crate::spec::{DomainSpec, Param};

/// In the old format, a bracket follows the name; in the new one, a type.
pub(super) fn is_old(line: &Line<'_>) -> bool {
    split(line).1.starts_with(['[', '{'])
}

fn split<'l>(line: &'l Line<'_>) -> (&'l str, &'l str) {
    let end =
        line.text.find(|c: char| c.is_whitespace() || matches!(c, '[' | '{')).unwrap_or(line.text.len());
    (&line.text[..end], line.text[end..].trim_start())
}

pub(super) fn param(line: &Line<'_>) -> Result<Param, SpaceError> {
    let (name, rest) = split(line);
    if name.is_empty() {
        return Err(line.fail("a parameter without a name"));
    }
    let brackets = line.brackets(rest)?;
    if rest.starts_with('{') {
        if !brackets.rest.is_empty() {
            return Err(line.fail(format!("unexpected `{}` after the default", brackets.rest)));
        }
        return Ok(Param::new(name, DomainSpec::Choice(brackets.labels())).default(brackets.default));
    }
    if let Some(odd) = brackets.rest.chars().find(|flag| !matches!(flag, 'i' | 'l')) {
        return Err(line.fail(format!(
            "unknown flag `{odd}`; the flags are `i` for whole numbers and `l` for a log scale"
        )));
    }
    let log = brackets.rest.contains('l');
    if brackets.rest.contains('i') {
        let (low, high) = brackets.whole_range(line)?;
        let default = line.integer(brackets.default)?;
        return Ok(Param::new(name, DomainSpec::Integer { low, high, log, step: None }).default(default));
    }
    let (low, high) = brackets.range(line)?;
    let default = line.real(brackets.default)?;
    Ok(Param::new(name, DomainSpec::Real { low, high, log, step: None }).default(default))
}
