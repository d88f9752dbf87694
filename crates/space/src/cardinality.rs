//! The size of a space.

/// The number of valid configurations, without retired alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly this many.
    Finite(u128),
    /// Finitely many, more than 2¹²⁸ − 1.
    Beyond,
    /// A continuous parameter can be active.
    Infinite,
    /// The constraints were too hard to count within the work limit.
    Unknown,
}
