//! Expressions as text that reads back as the same expression.
use super::{Arithmetic, Comparison, Expression, Function, Term};
use crate::value::Value;
use std::fmt::{self, Display, Formatter};

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::All(parts) if parts.is_empty() => f.write_str("true"),
            Expression::Any(parts) if parts.is_empty() => f.write_str("false"),
            Expression::All(parts) => joined(f, parts, " and "),
            Expression::Any(parts) => joined(f, parts, " or "),
            Expression::Not(inner) => write!(f, "not ({inner})"),
            Expression::Compare(a, op, b) => write!(f, "{a} {op} {b}"),
            Expression::In(name, values) => {
                write!(f, "{} in [", Name(name))?;
                for (i, v) in values.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { ", " } else { "" }, Literal(v))?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Nested conjunctions and disjunctions keep their parentheses, so that the shape reads back.
fn joined(f: &mut Formatter<'_>, parts: &[Expression], word: &str) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(word)?;
        }
        match part {
            Expression::All(inner) | Expression::Any(inner) if !inner.is_empty() => write!(f, "({part})")?,
            _ => write!(f, "{part}")?,
        }
    }
    Ok(())
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
            Comparison::Equal => "==",
            Comparison::Different => "!=",
        })
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Value(v) => write!(f, "{}", Literal(v)),
            Term::Parameter(name) => write!(f, "{}", Name(name)),
            Term::Negative(a) => write!(f, "-({a})"),
            Term::Binary(a, Arithmetic::Minimum, b) => write!(f, "min({a}, {b})"),
            Term::Binary(a, Arithmetic::Maximum, b) => write!(f, "max({a}, {b})"),
            Term::Binary(a, op, b) => write!(f, "{} {op} {}", Operand(a), Operand(b)),
            Term::Call(function, a) => write!(f, "{function}({a})"),
        }
    }
}

impl Display for Arithmetic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Minimum => "min",
            Arithmetic::Maximum => "max",
        })
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Function::Log => "log",
            Function::Exp => "exp",
            Function::Sqrt => "sqrt",
            Function::Abs => "abs",
        })
    }
}

struct Operand<'a>(&'a Term);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Term::Binary(_, Arithmetic::Minimum | Arithmetic::Maximum, _) => write!(f, "{}", self.0),
            Term::Binary(..) => write!(f, "({})", self.0),
            _ => write!(f, "{}", self.0),
        }
    }
}

struct Literal<'a>(&'a Value);

impl Display for Literal<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Text(text) => quoted(f, text, '"'),
            other => write!(f, "{other}"),
        }
    }
}

struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if super::token::is_plain_name(self.0) { f.write_str(self.0) } else { quoted(f, self.0, '`') }
    }
}

fn quoted(f: &mut Formatter<'_>, text: &str, quote: char) -> fmt::Result {
    write!(f, "{quote}")?;
    for c in text.chars() {
        if c == quote || c == '\\' {
            f.write_str("\\")?;
        }
        write!(f, "{c}")?;
    }
    write!(f, "{quote}")
}
