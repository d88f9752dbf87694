//! Parses terms: sums of products of parameters, constants and functions.
use super::cursor::{Cursor, ParseProblem};
use super::token::Token;
use super::{Arithmetic, Function, Term};
use crate::value::Value;

impl Cursor<'_> {
    pub(super) fn sum(&mut self) -> Result<Term, ParseProblem> {
        self.arithmetic(&[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)], Self::product)
    }

    fn product(&mut self) -> Result<Term, ParseProblem> {
        self.arithmetic(&[("*", Arithmetic::Multiply), ("/", Arithmetic::Divide)], Self::factor)
    }

    fn arithmetic(
        &mut self,
        signs: &[(&'static str, Arithmetic); 2],
        operand: fn(&mut Self) -> Result<Term, ParseProblem>,
    ) -> Result<Term, ParseProblem> {
        let mut left = operand(self)?;
        while let Some((_, op)) = signs.iter().find(|(sign, _)| self.eat(sign)) {
            left = left.then(*op, operand(self)?);
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Term, ParseProblem> {
        if self.eat("-") {
            return self.negative();
        }
        if self.eat("(") {
            let inner = self.deeper(Self::sum)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let start = self.next;
        match self.take() {
            Token::Number(value) => Ok(Term::Value(value.clone())),
            Token::BelowLowest => Ok(Term::Value(Value::from(BEYOND))),
            Token::Quoted(text) => Ok(Term::Value(text.as_str().into())),
            Token::Name(name) => Ok(Term::Parameter(name.clone())),
            Token::Word(name) => self.word(name),
            Token::Sign(_) | Token::End => {
                self.next = start;
                Err(self.fail("expected a parameter, a number or a quoted label"))
            }
        }
    }

    /// A sign in front of a number is part of the number.
    fn negative(&mut self) -> Result<Term, ParseProblem> {
        if *self.peek() == Token::BelowLowest {
            self.next += 1;
            return Ok(Term::Value(Value::Int(i64::MIN)));
        }
        Ok(match self.deeper(Self::factor)? {
            Term::Value(Value::Int(i)) => {
                Term::Value(i.checked_neg().map_or(Value::from(BEYOND), Value::Int))
            }
            Term::Value(Value::Real(x)) => Term::Value(Value::from(-x)),
            inner => Term::Negative(Box::new(inner)),
        })
    }

    fn word(&mut self, name: &str) -> Result<Term, ParseProblem> {
        let function = match name {
            "none" | "null" => return Ok(Term::Value(Value::None)),
            "true" => return Ok(Term::Value(Value::Bool(true))),
            "false" => return Ok(Term::Value(Value::Bool(false))),
            "min" => return self.extreme(Arithmetic::Minimum),
            "max" => return self.extreme(Arithmetic::Maximum),
            "log" => Function::Log,
            "exp" => Function::Exp,
            "sqrt" => Function::Sqrt,
            "abs" => Function::Abs,
            _ => return Ok(Term::Parameter(name.to_owned())),
        };
        self.expect("(")?;
        let inner = self.deeper(Self::sum)?;
        self.expect(")")?;
        Ok(Term::Call(function, Box::new(inner)))
    }

    /// `min(a, b, …)`, with two or more arguments.
    fn extreme(&mut self, op: Arithmetic) -> Result<Term, ParseProblem> {
        self.expect("(")?;
        let mut found = self.deeper(Self::sum)?;
        self.expect(",")?;
        loop {
            found = found.then(op, self.deeper(Self::sum)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(found)
    }
}

/// −2⁶³ without its sign: an integer only together with the sign.
const BEYOND: f64 = 9_223_372_036_854_775_808.0;
