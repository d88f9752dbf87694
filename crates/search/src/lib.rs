//! What to try next?
pub mod acquisition;
