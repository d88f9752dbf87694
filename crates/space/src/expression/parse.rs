//! Parses conditions: a small recursive-descent parser over a token list, with columns in errors.
//! Linear in the length of the text; recursion is as deep as the text nests.
use super::cursor::{Cursor, ParseProblem};
use super::token::{Token, tokens};
use super::{Comparison, Expression, Term};
use crate::error::SpaceError;
use crate::value::Value;
use std::str::FromStr;

impl FromStr for Expression {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        let tokens = tokens(text)?;
        let mut cursor = Cursor { tokens: &tokens, next: 0, depth: 0 };
        let read = cursor.any().and_then(|expression| match cursor.peek() {
            Token::End => Ok(expression),
            _ => Err(cursor.fail("unexpected text after the end of the expression")),
        });
        read.map_err(|problem| problem.about(text, &tokens))
    }
}

impl Cursor<'_> {
    fn any(&mut self) -> Result<Expression, ParseProblem> {
        self.chain("or", Self::all, Expression::Any)
    }

    fn all(&mut self) -> Result<Expression, ParseProblem> {
        self.chain("and", Self::negation, Expression::All)
    }

    fn chain(
        &mut self,
        word: &'static str,
        part: fn(&mut Self) -> Result<Expression, ParseProblem>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression, ParseProblem> {
        let first = part(self)?;
        if !self.is_at(word) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(word) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn negation(&mut self) -> Result<Expression, ParseProblem> {
        if self.eat("not") {
            return Ok(!self.deeper(Self::negation)?);
        }
        self.comparison()
    }

    /// `(…)` may start a condition or a term: try the condition first, then backtrack.
    fn comparison(&mut self) -> Result<Expression, ParseProblem> {
        if self.is_at("(") {
            let here = self.next;
            self.next += 1;
            let condition = self.deeper(Self::any).and_then(|inner| self.expect(")").map(|()| inner));
            return match condition {
                Ok(inner) if !self.at_operator() => Ok(inner),
                tried => {
                    self.next = here;
                    self.relation().map_err(|problem| problem.or_further(tried.err()))
                }
            };
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

    fn relation(&mut self) -> Result<Expression, ParseProblem> {
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
                // A bare name is a boolean parameter: `when = "shuffle and depth > 2"`.
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

    fn membership(&mut self, of: &Term) -> Result<Expression, ParseProblem> {
        let Term::Parameter(name) = of else {
            return Err(self.fail("`in` needs a parameter on its left"));
        };
        self.expect("[")?;
        let mut values = Vec::new();
        while !self.eat("]") {
            match &self.sum()? {
                Term::Value(value) => values.push(value.clone()),
                _ => return Err(self.fail("a list holds values only")),
            }
            if !self.eat(",") && !self.is_at("]") {
                return Err(self.fail("expected `,` or `]`"));
            }
        }
        Ok(Expression::In(name.clone(), values))
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_DEPTH;
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
    fn the_depth_counted_is_the_depth_read() {
        for open in ["(", "not (", "-(", "abs(", "min(1, "] {
            let is_condition = matches!(open, "(" | "not (");
            for times in 1..=MAX_DEPTH {
                let (open, close) = (open.repeat(times), ")".repeat(times));
                let text = if is_condition {
                    format!("{open}a == 1 or b{close} and c")
                } else {
                    format!("{open}a + 1{close} < 2")
                };
                let Ok(expression) = text.parse::<Expression>() else { continue };
                let back = expression.to_string().parse::<Expression>();
                assert_eq!(back.is_ok(), expression.nests_within(MAX_DEPTH), "{text}");
                assert!(back.is_err() || back.unwrap() == expression, "{text}");
            }
        }
    }

    #[test]
    fn a_chain_of_any_length_is_flat() {
        let sum = vec!["a"; 100_000].join(" + ");
        let all = vec!["a > 0"; 100_000].join(" and ");
        let list = (0..100_000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
        let grouped = vec!["(a + 1) * 2 < 3"; 20_000].join(" or ");
        for text in [format!("{sum} <= 1"), all, format!("a in [{list}]"), grouped] {
            let once = read(&text);
            assert_eq!(once.to_string(), text);
            assert!(once.nests_within(1));
            assert!(read(&text) == once.clone());
        }
    }

    #[test]
    fn the_lowest_whole_number_reads_back() {
        let text = "a == -9223372036854775808";
        assert_eq!(read(text).to_string(), text);
        assert_eq!(read("a == --9223372036854775808"), read("a == 9223372036854775808"));
    }

    #[test]
    fn deep_nesting_is_an_error_not_a_crash() {
        let text = format!("{}a == 1{}", "(".repeat(5000), ")".repeat(5000));
        assert!(matches!(text.parse::<Expression>(), Err(SpaceError::Syntax { .. })));
        let text = format!("{}a", "not ".repeat(5000));
        assert!(matches!(text.parse::<Expression>(), Err(SpaceError::Syntax { .. })));
    }
}
