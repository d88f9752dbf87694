//! How things read for people: text that cannot steer a terminal or a spreadsheet, numbers of few digits, the name
//! that was meant.
mod cell;
mod number;
mod similar;
mod visible;

pub use cell::{guarded, unguarded};
pub use number::short;
pub use similar::{hint, question, similar};
pub use visible::{visible, visible_lines};
