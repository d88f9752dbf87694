//! Writes expressions as text that parses back to the same expression.
use super::chain::Rank;
use super::{Arithmetic, Chain, Comparison, Expression, Function, Term};
use crate::value::Value;
use std::fmt::{self, Debug, Display, Formatter};

/// The pieces still to write: a list instead of recursion, for any depth.
struct Writer<'a, 'f, 'g> {
    open: Vec<Piece<'a>>,
    out: &'f mut Formatter<'g>,
}

#[derive(Clone, Copy)]
enum Piece<'a> {
    Expression(&'a Expression),
    Term(&'a Term),
    Text(&'static str),
    Operator(Arithmetic),
}

impl<'a> Writer<'a, '_, '_> {
    /// Takes the last piece, writes it, or replaces it by its parts.
    fn finish(&mut self) -> fmt::Result {
        while let Some(next) = self.open.pop() {
            let first = self.open.len();
            match next {
                Piece::Expression(expression) => self.expression(expression)?,
                Piece::Term(term) => self.term(term)?,
                Piece::Text(text) => self.out.write_str(text)?,
                Piece::Operator(op) => write!(self.out, " {op} ")?,
            }
            self.open[first..].reverse();
        }
        Ok(())
    }

    fn expression(&mut self, expression: &'a Expression) -> fmt::Result {
        match expression {
            Expression::All(parts) if parts.is_empty() => self.out.write_str("true")?,
            Expression::Any(parts) if parts.is_empty() => self.out.write_str("false")?,
            Expression::All(parts) => self.joined(parts, " and "),
            Expression::Any(parts) => self.joined(parts, " or "),
            Expression::Not(inner) => {
                self.open.extend([Piece::Text("not ("), Piece::Expression(inner), Piece::Text(")")]);
            }
            Expression::Compare(a, op, b) => {
                self.open.extend([Piece::Term(a), Piece::Text(op.sign()), Piece::Term(b)]);
            }
            Expression::In(name, values) => {
                write!(self.out, "{} in [", Name(name))?;
                for (i, v) in values.iter().enumerate() {
                    write!(self.out, "{}{}", if i > 0 { ", " } else { "" }, Literal(v))?;
                }
                self.out.write_str("]")?;
            }
        }
        Ok(())
    }

    /// Nested conjunctions and disjunctions keep their parentheses, so that the structure is
    /// preserved.
    fn joined(&mut self, parts: &'a [Expression], word: &'static str) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.open.push(Piece::Text(word));
            }
            self.push(Piece::Expression(part), part.is_wrapped());
        }
    }

    fn term(&mut self, term: &'a Term) -> fmt::Result {
        match term {
            Term::Value(v) => write!(self.out, "{}", Literal(v))?,
            Term::Parameter(name) => write!(self.out, "{}", Name(name))?,
            Term::Negative(a) => {
                self.open.push(Piece::Text("-"));
                self.push(Piece::Term(a), a.is_wrapped_as_operand());
            }
            Term::Chain(chain) => self.chain(chain)?,
            Term::Call(function, a) => {
                write!(self.out, "{function}")?;
                self.push(Piece::Term(a), true);
            }
        }
        Ok(())
    }

    fn chain(&mut self, chain: &'a Chain) -> fmt::Result {
        let rank = chain.rank();
        if matches!(rank, Rank::Minimum | Rank::Maximum) {
            write!(self.out, "{}(", chain.rest()[0].0)?;
            self.open.push(Piece::Term(chain.first()));
            for (_, operand) in chain.rest() {
                self.open.extend([Piece::Text(", "), Piece::Term(operand)]);
            }
            self.open.push(Piece::Text(")"));
            return Ok(());
        }
        self.push(Piece::Term(chain.first()), chain.first().is_wrapped_in(rank));
        for (op, operand) in chain.rest() {
            self.open.push(Piece::Operator(*op));
            self.push(Piece::Term(operand), operand.is_wrapped_in(rank));
        }
        Ok(())
    }

    fn push(&mut self, piece: Piece<'a>, is_wrapped: bool) {
        if is_wrapped {
            self.open.extend([Piece::Text("("), piece, Piece::Text(")")]);
        } else {
            self.open.push(piece);
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Writer { open: vec![Piece::Expression(self)], out: f }.finish()
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Writer { open: vec![Piece::Term(self)], out: f }.finish()
    }
}

impl Debug for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({self})")
    }
}

impl Debug for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Term({self})")
    }
}

impl Debug for Chain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Chain({self})")
    }
}

impl Comparison {
    /// The operator between two terms.
    fn sign(self) -> &'static str {
        match self {
            Comparison::Less => " < ",
            Comparison::AtMost => " <= ",
            Comparison::Greater => " > ",
            Comparison::AtLeast => " >= ",
            Comparison::Equal => " == ",
            Comparison::Different => " != ",
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign().trim())
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
        let mut writer = Writer { open: Vec::new(), out: f };
        writer.chain(self)?;
        writer.open.reverse();
        writer.finish()
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
