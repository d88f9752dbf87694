//! The size of a space.

/// How many valid configurations there are, retired alternatives left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly so many.
    Finite(u128),
    /// Finitely many, more than 2¹²⁸ − 1.
    Beyond,
    /// A continuous parameter takes part.
    Infinite,
    /// Constraints so entangled that the work one question may cost did not settle it.
    Unknown,
}
