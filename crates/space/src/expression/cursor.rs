//! The parser's position in the list of tokens, and its errors.
use super::MAX_DEPTH;
use super::token::Token;
use crate::error::SpaceError;

/// A problem and its token. It becomes an error with the whole text once no alternative is left.
pub(super) struct ParseProblem {
    at: usize,
    problem: String,
}

impl ParseProblem {
    /// Of two failed attempts, the one that got further has the better message.
    pub(super) fn or_further(self, other: Option<ParseProblem>) -> ParseProblem {
        other.filter(|other| other.at > self.at).unwrap_or(self)
    }

    pub(super) fn about(self, text: &str, tokens: &[(usize, Token)]) -> SpaceError {
        super::token::syntax(text, tokens[self.at].0, &self.problem)
    }
}

/// A list of tokens that ends with [`Token::End`], and a position.
pub(super) struct Cursor<'t> {
    pub(super) tokens: &'t [(usize, Token)],
    pub(super) next: usize,
    pub(super) depth: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn peek(&self) -> &'t Token {
        &self.tokens[self.next].1
    }

    pub(super) fn take(&mut self) -> &'t Token {
        let token = self.peek();
        if *token != Token::End {
            self.next += 1;
        }
        token
    }

    pub(super) fn is_at(&self, sign: &'static str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    pub(super) fn eat(&mut self, sign: &'static str) -> bool {
        let found = self.is_at(sign);
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: &'static str) -> Result<(), ParseProblem> {
        if self.eat(sign) { Ok(()) } else { Err(self.fail(format!("expected `{sign}`"))) }
    }

    pub(super) fn fail(&self, problem: impl Into<String>) -> ParseProblem {
        ParseProblem { at: self.next, problem: problem.into() }
    }

    /// Parses something one nesting level deeper; all nesting goes through here.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ParseProblem>,
    ) -> Result<T, ParseProblem> {
        if self.depth == MAX_DEPTH {
            return Err(self.fail(format!(
                "nested more than {MAX_DEPTH} deep; leave out parentheses that are not needed, or write several \
                 smaller expressions"
            )));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}
