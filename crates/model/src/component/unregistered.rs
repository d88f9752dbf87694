//! A name in a spec that is not registered.
use std::fmt;

/// A component that a spec names but this process does not have.
///
/// JSON readers report errors as text. This type writes its part of that text and can recognise it
/// again, so that code opening a stored spec can tell a missing component from broken data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unregistered {
    /// The family, such as `strategy`.
    pub family: String,
    /// The name.
    pub kind: String,
}

const BEFORE: &str = "unknown ";

impl Unregistered {
    /// There is no component `kind` in `family`.
    pub fn new(family: &str, kind: &str) -> Self {
        Self { family: family.to_owned(), kind: kind.to_owned() }
    }

    /// Finds the missing component in an error message, if the message is about one.
    pub fn in_problem(problem: &str) -> Option<Self> {
        problem.match_indices(BEFORE).find_map(|(at, _)| {
            let (family, rest) = problem[at + BEFORE.len()..].split_once(" `")?;
            let is_family = !family.is_empty() && family.chars().all(|c| c.is_ascii_lowercase());
            let (kind, after) = rest.split_once('`')?;
            (is_family && after.starts_with("; ")).then(|| Self::new(family, kind))
        })
    }
}

impl fmt::Display for Unregistered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEFORE}{} `{}`", self.family, self.kind)
    }
}
