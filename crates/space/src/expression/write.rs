//! Expressions as text that reads back as the same expression.
use super::chain::Rank;
use super::{Arithmetic, Chain, Comparison, Expression, Function, Term};
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
        if part.is_wrapped() { write!(f, "({part})")? } else { write!(f, "{part}")? }
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
            Term::Negative(a) if a.is_wrapped_as_operand() => write!(f, "-({a})"),
            Term::Negative(a) => write!(f, "-{a}"),
            Term::Chain(chain) => write!(f, "{chain}"),
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

impl Display for Chain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rank = self.rank();
        if matches!(rank, Rank::Minimum | Rank::Maximum) {
            write!(f, "{}({}", self.rest()[0].0, self.first())?;
            self.rest().iter().try_for_each(|(_, operand)| write!(f, ", {operand}"))?;
            return f.write_str(")");
        }
        operand(f, self.first(), rank)?;
        self.rest().iter().try_for_each(|(op, next)| {
            write!(f, " {op} ")?;
            operand(f, next, rank)
        })
    }
}

fn operand(f: &mut Formatter<'_>, of: &Term, rank: Rank) -> fmt::Result {
    if of.is_wrapped_in(rank) { write!(f, "({of})") } else { write!(f, "{of}") }
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
