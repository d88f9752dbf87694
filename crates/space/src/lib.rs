//! What can be tried? Conditional search spaces.
mod branch;
mod layout;
pub mod normal;
mod points;
mod rng;
mod value;

pub use branch::BranchKey;
pub use layout::{Column, ColumnKind, Layout};
pub use points::{Activity, Point, Points};
pub use rng::Rng;
pub use value::Value;
