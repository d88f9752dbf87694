//! Text for people: safe for terminals and spreadsheets, short numbers, did-you-mean hints.
mod cell;
mod number;
mod similar;
mod visible;

pub use cell::{guarded, unguarded};
pub use number::short;
pub use similar::{hint, question, similar};
pub use visible::{visible, visible_lines};
