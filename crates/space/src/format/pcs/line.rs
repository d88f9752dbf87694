//! One line of a PCS file, and the parts common to all kinds of lines.
use crate::error::SpaceError;
use crate::format::view::Source;
use crate::spec::{DomainSpec, Param};
use crate::value::Value;
use crate::words::hint;

/// A line without comment, quotes and surrounding blanks.
pub(super) struct Line<'a> {
    pub(super) text: String,
    number: usize,
    source: Source<'a>,
}

impl<'a> Line<'a> {
    pub(super) fn new(source: Source<'a>, number: usize, written: &str) -> Self {
        let bare = written.split('#').next().unwrap_or_default().replace(['"', '\''], "");
        Self { text: bare.trim().to_owned(), number, source }
    }

    pub(super) fn fail(&self, problem: impl Into<String>) -> SpaceError {
        self.source.fail(format!("line {}", self.number), problem)
    }

    pub(super) fn real(&self, word: &str) -> Result<f64, SpaceError> {
        number(word).ok_or_else(|| self.fail(format!("expected a number, found `{word}`")))
    }

    pub(super) fn integer(&self, word: &str) -> Result<i64, SpaceError> {
        let whole = number(word).and_then(|x| Value::Real(x).as_i64());
        whole.ok_or_else(|| self.fail(format!("expected a whole number, found `{word}`")))
    }

    pub(super) fn unknown(&self, name: &str, parameters: &[Param]) -> SpaceError {
        let advice = hint(name, parameters.iter().map(|p| p.name.as_str()));
        self.fail(format!("no parameter is called `{name}`{advice}"))
    }

    /// A word as a value of a parameter.
    pub(super) fn value(&self, param: &Param, word: &str) -> Result<Value, SpaceError> {
        match param.domain {
            DomainSpec::Real { .. } => self.real(word).map(Value::from),
            DomainSpec::Integer { .. } => self.integer(word).map(Value::from),
            _ => Ok(word.into()),
        }
    }

    /// The two brackets of a declaration, `[low, high] [default]` or `{a, b} [default]`, and the
    /// rest.
    pub(super) fn brackets<'t>(&self, text: &'t str) -> Result<Brackets<'t>, SpaceError> {
        let (first, rest) = self.bracket(text)?;
        let (default, rest) = self.bracket(rest)?;
        Ok(Brackets { items: items(first), default: default.trim(), rest: rest.trim() })
    }

    fn bracket<'t>(&self, text: &'t str) -> Result<(&'t str, &'t str), SpaceError> {
        let text = text.trim_start();
        let close = match text.chars().next() {
            Some('[') => ']',
            Some('{') => '}',
            _ => return Err(self.fail(format!("expected `[` or `{{`, found `{text}`"))),
        };
        let end = text.find(close).ok_or_else(|| self.fail(format!("`{text}` has no closing `{close}`")))?;
        Ok((&text[1..end], &text[end + 1..]))
    }
}

/// The parts of a declaration after its name.
pub(super) struct Brackets<'t> {
    pub(super) items: Vec<&'t str>,
    pub(super) default: &'t str,
    pub(super) rest: &'t str,
}

impl Brackets<'_> {
    pub(super) fn range(&self, line: &Line<'_>) -> Result<(f64, f64), SpaceError> {
        let [low, high] = self.pair(line)?;
        Ok((line.real(low)?, line.real(high)?))
    }

    pub(super) fn whole_range(&self, line: &Line<'_>) -> Result<(i64, i64), SpaceError> {
        let [low, high] = self.pair(line)?;
        Ok((line.integer(low)?, line.integer(high)?))
    }

    fn pair(&self, line: &Line<'_>) -> Result<[&str; 2], SpaceError> {
        let pair = <[&str; 2]>::try_from(self.items.as_slice());
        pair.map_err(|_| line.fail(format!("a range is [low, high], found [{}]", self.items.join(", "))))
    }

    pub(super) fn labels(&self) -> Vec<Value> {
        self.items.iter().map(|item| Value::from(*item)).collect()
    }
}

/// Words separated by commas.
pub(super) fn items(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// A finite number; not a word that merely parses as one, such as `inf`.
pub(super) fn number(word: &str) -> Option<f64> {
    let digits = word.trim_start_matches(['+', '-']);
    let starts = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    word.parse::<f64>().ok().filter(|x| starts && x.is_finite())
}
