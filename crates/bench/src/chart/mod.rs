//! Charts as SVG: self-contained, labelled, in colours that everybody can tell apart  [Okabe & Ito 2008].
//!
//! A chart is a function from figures to text. Laws: well-formed; everything drawn lies inside the picture.
mod canvas;
mod curves;
mod heat;
mod process;
mod ranks;
mod shares;
mod ticks;

pub use curves::{ChartLine, Curves};
pub use heat::heat;
pub use process::{ProcessChart, process};
pub use ranks::{Ranked, critical_difference};
pub use shares::shares;
