//! A name in a specification that nobody has registered.
use std::fmt;

/// What a specification names and this process does not have.
///
/// Readers of JSON report problems as text. This type writes its part of that text and finds it again, so that
/// whoever opens a stored specification can tell a component that is missing from data that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unregistered {
    /// Which family, such as `strategy`.
    pub family: String,
    /// The name.
    pub kind: String,
}

const BEFORE: &str = "unknown ";

impl Unregistered {
    /// No component of this family has this name.
    pub fn new(family: &str, kind: &str) -> Self {
        Self { family: family.to_owned(), kind: kind.to_owned() }
    }

    /// The one that a problem is about, if it is about one.
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
