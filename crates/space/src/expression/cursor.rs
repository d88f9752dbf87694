//! Where the reader stands in the list of words and signs, and how it complains.
use super::MAX_DEPTH;
use super::token::Token;
use crate::error::SpaceError;

/// What is wrong and at which word. It becomes an error with the whole text only once nothing else can be tried.
pub(super) struct Complaint {
    at: usize,
    problem: String,
}

impl Complaint {
    /// Of two readings that failed, the one that got further knows better what is wrong.
    pub(super) fn or_further(self, other: Option<Complaint>) -> Complaint {
        other.filter(|other| other.at > self.at).unwrap_or(self)
    }

    pub(super) fn about(self, text: &str, tokens: &[(usize, Token)]) -> SpaceError {
        super::token::syntax(text, tokens[self.at].0, &self.problem)
    }
}

/// A list of words and signs that ends with [`Token::End`], and a place in it.
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

    pub(super) fn expect(&mut self, sign: &'static str) -> Result<(), Complaint> {
        if self.eat(sign) { Ok(()) } else { Err(self.fail(format!("expected `{sign}`"))) }
    }

    pub(super) fn fail(&self, problem: impl Into<String>) -> Complaint {
        Complaint { at: self.next, problem: problem.into() }
    }

    /// Reads something that nests one level deeper; the only way down.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Complaint>,
    ) -> Result<T, Complaint> {
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
