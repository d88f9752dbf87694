//! Reads expressions: a hand-sized recursive descent over a token list, errors with their column.
use super::token::{Token, syntax, tokens};
use super::{Arithmetic, Comparison, Expression, Function, Term};
use crate::error::SpaceError;
use crate::value::Value;
use std::str::FromStr;

/// Deeper nesting than anyone writes by hand, shallow enough for any stack.
const MAX_DEPTH: usize = 64;

impl FromStr for Expression {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        let mut parser = Parser { text, tokens: tokens(text)?, next: 0, depth: 0 };
        let expression = parser.any()?;
        match parser.peek() {
            Token::End => Ok(expression),
            _ => Err(parser.fail("unexpected text after the end of the expression")),
        }
    }
}

/// Of two readings that failed, the one that got further knows better what is wrong.
fn further(a: SpaceError, b: Option<SpaceError>) -> SpaceError {
    match (&a, b) {
        (SpaceError::Syntax { column: reached, .. }, Some(SpaceError::Syntax { text, column, problem }))
            if column > *reached =>
        {
            SpaceError::Syntax { text, column, problem }
        }
        _ => a,
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn take(&mut self) -> Token {
        let token = self.tokens[self.next].1.clone();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    fn eat(&mut self, sign: &'static str) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        if found {
            self.next += 1;
        }
        found
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), SpaceError> {
        if self.eat(sign) { Ok(()) } else { Err(self.fail(&format!("expected `{sign}`"))) }
    }

    fn fail(&self, problem: &str) -> SpaceError {
        syntax(self.text, self.tokens[self.next].0, problem)
    }

    fn deeper(&mut self) -> Result<(), SpaceError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.fail("nested too deeply")) } else { Ok(()) }
    }

    fn any(&mut self) -> Result<Expression, SpaceError> {
        self.chain("or", Self::all, Expression::Any)
    }

    fn all(&mut self) -> Result<Expression, SpaceError> {
        self.chain("and", Self::negation, Expression::All)
    }

    fn chain(
        &mut self,
        word: &'static str,
        part: fn(&mut Self) -> Result<Expression, SpaceError>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression, SpaceError> {
        let first = part(self)?;
        if *self.peek() != Token::Sign(word) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(word) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn negation(&mut self) -> Result<Expression, SpaceError> {
        if self.eat("not") {
            self.deeper()?;
            let inner = self.negation()?;
            self.depth -= 1;
            return Ok(!inner);
        }
        self.comparison()
    }

    /// `(…)` may open a condition or a term: try the condition, and go back if it is not one.
    fn comparison(&mut self) -> Result<Expression, SpaceError> {
        if *self.peek() == Token::Sign("(") {
            let (here, depth) = (self.next, self.depth);
            self.deeper()?;
            self.next += 1;
            let condition = self.any().and_then(|inner| self.expect(")").map(|()| inner));
            match condition {
                Ok(inner) if !self.at_operator() => {
                    self.depth = depth;
                    return Ok(inner);
                }
                tried => {
                    (self.next, self.depth) = (here, depth);
                    return self.relation().map_err(|e| further(e, tried.err()));
                }
            }
        }
        if let Token::Word(word) = self.peek() {
            let constant = match word.as_str() {
                "true" => Some(Expression::always()),
                "false" => Some(Expression::Any(Vec::new())),
                _ => None,
            };
            if let Some(constant) = constant {
                let here = self.next;
                self.next += 1;
                if !self.at_operator() {
                    return Ok(constant);
                }
                self.next = here;
            }
        }
        self.relation()
    }

    fn at_operator(&self) -> bool {
        matches!(
            self.peek(),
            Token::Sign("<" | "<=" | ">" | ">=" | "==" | "!=" | "+" | "-" | "*" | "/" | "in")
        )
    }

    fn relation(&mut self) -> Result<Expression, SpaceError> {
        let first = self.sum()?;
        if self.eat("not") {
            self.expect("in")?;
            return Ok(!self.membership(&first)?);
        }
        if self.eat("in") {
            return self.membership(&first);
        }
        let mut parts = Vec::new();
        let mut left = first;
        while let Some(op) = self.comparison_sign() {
            let right = self.sum()?;
            parts.push(Expression::Compare(left, op, right.clone()));
            left = right;
        }
        match parts.len() {
            0 => match left {
                // A bare name is a truth value: `when = "shuffle and depth > 2"`.
                Term::Parameter(_) => {
                    Ok(Expression::Compare(left, Comparison::Equal, Term::Value(Value::Bool(true))))
                }
                _ => Err(self.fail("expected a comparison such as `==` or `<`")),
            },
            1 => Ok(parts.remove(0)),
            _ => Ok(Expression::All(parts)),
        }
    }

    fn comparison_sign(&mut self) -> Option<Comparison> {
        let op = match self.peek() {
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::AtMost,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::AtLeast,
            Token::Sign("==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::Different,
            _ => return None,
        };
        self.next += 1;
        Some(op)
    }

    fn membership(&mut self, of: &Term) -> Result<Expression, SpaceError> {
        let Term::Parameter(name) = of else {
            return Err(self.fail("`in` needs a parameter on its left"));
        };
        self.expect("[")?;
        let mut values = Vec::new();
        while !self.eat("]") {
            match self.sum()? {
                Term::Value(v) => values.push(v),
                _ => return Err(self.fail("a list holds values only")),
            }
            if !self.eat(",") && *self.peek() != Token::Sign("]") {
                return Err(self.fail("expected `,` or `]`"));
            }
        }
        Ok(Expression::In(name.clone(), values))
    }

    fn sum(&mut self) -> Result<Term, SpaceError> {
        let mut left = self.product()?;
        loop {
            let op = if self.eat("+") {
                Arithmetic::Add
            } else if self.eat("-") {
                Arithmetic::Subtract
            } else {
                return Ok(left);
            };
            left = Term::Binary(Box::new(left), op, Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Term, SpaceError> {
        let mut left = self.factor()?;
        loop {
            let op = if self.eat("*") {
                Arithmetic::Multiply
            } else if self.eat("/") {
                Arithmetic::Divide
            } else {
                return Ok(left);
            };
            left = Term::Binary(Box::new(left), op, Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Term, SpaceError> {
        self.deeper()?;
        let term = self.atom();
        self.depth -= 1;
        term
    }

    fn atom(&mut self) -> Result<Term, SpaceError> {
        if self.eat("-") {
            return Ok(match self.factor()? {
                Term::Value(Value::Int(i)) => Term::Value(Value::Int(-i)),
                Term::Value(Value::Real(x)) => Term::Value(Value::from(-x)),
                inner => Term::Negative(Box::new(inner)),
            });
        }
        if self.eat("(") {
            let inner = self.sum()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let is_quoted_name = self.text.chars().nth(self.tokens[self.next].0) == Some('`');
        match self.take() {
            Token::Number(v) => Ok(Term::Value(v)),
            Token::Quoted(text) => Ok(Term::Value(text.into())),
            Token::Word(name) if is_quoted_name => Ok(Term::Parameter(name)),
            Token::Word(name) => self.word(name),
            _ => {
                self.next = self.next.saturating_sub(usize::from(*self.peek() != Token::End));
                Err(self.fail("expected a parameter, a number or a quoted label"))
            }
        }
    }

    fn word(&mut self, name: String) -> Result<Term, SpaceError> {
        let function = match name.as_str() {
            "none" | "null" => return Ok(Term::Value(Value::None)),
            "true" => return Ok(Term::Value(Value::Bool(true))),
            "false" => return Ok(Term::Value(Value::Bool(false))),
            "min" => return self.pair(Arithmetic::Minimum),
            "max" => return self.pair(Arithmetic::Maximum),
            "log" => Function::Log,
            "exp" => Function::Exp,
            "sqrt" => Function::Sqrt,
            "abs" => Function::Abs,
            _ => return Ok(Term::Parameter(name)),
        };
        self.expect("(")?;
        let inner = self.sum()?;
        self.expect(")")?;
        Ok(Term::Call(function, Box::new(inner)))
    }

    fn pair(&mut self, op: Arithmetic) -> Result<Term, SpaceError> {
        self.expect("(")?;
        let a = self.sum()?;
        self.expect(",")?;
        let b = self.sum()?;
        self.expect(")")?;
        Ok(Term::Binary(Box::new(a), op, Box::new(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Expression {
        text.parse().unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn writing_reads_back() {
        for text in [
            "model == \"svm\"",
            "model == 'svm' and depth > 2 or shuffle",
            "kernel in [\"rbf\", \"poly\"] and not (a == 1)",
            "0.1 <= x < 0.5",
            "a * b <= 10 and a < b",
            "log(units) + 1 < 2 * (layers - 3)",
            "max(a, b) >= -2.5e-3",
            "`odd name` == none or b != null",
            "x not in {1, 2, 3}",
            "svm.C > 1 && !(svm:gamma <= 2)",
            "(a + b) * c > 3 and (a == 1 or b == 2)",
            "(a or b) and c",
            "true",
            "flag == true",
        ] {
            let once = read(text);
            assert_eq!(read(&once.to_string()), once, "{text} -> {once}");
        }
    }

    #[test]
    fn chains_are_conjunctions() {
        assert_eq!(read("0.1 <= x < 0.5"), read("0.1 <= x and x < 0.5"));
    }

    #[test]
    fn mistakes_name_their_column() {
        for (text, column) in [
            ("model ==", 9),
            ("model == 'svm", 10),
            ("a < ", 5),
            ("a in 3", 6),
            ("a ? 3", 3),
            ("(a == 1", 8),
            ("a == 1 b", 8),
            ("1e999 < a", 1),
            ("", 1),
        ] {
            match text.parse::<Expression>() {
                Err(SpaceError::Syntax { column: found, problem, .. }) => {
                    assert_eq!(found, column, "{text}: {problem}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn deep_nesting_is_an_error_not_a_crash() {
        let text = format!("{}a == 1{}", "(".repeat(5000), ")".repeat(5000));
        assert!(matches!(text.parse::<Expression>(), Err(SpaceError::Syntax { .. })));
        let text = format!("{}a", "not ".repeat(5000));
        assert!(matches!(text.parse::<Expression>(), Err(SpaceError::Syntax { .. })));
    }
}
