//! What do we believe? Kernels, Gaussian processes and the inference of what they do not know about themselves.
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
#![allow(clippy::inline_always, reason = "lane code must melt into the function that enables its instructions")]
#![allow(dead_code, unused_imports, reason = "until the kernels that use the matrices arrive")]
pub mod descent;
mod error;
pub mod hyper;
pub mod infer;
mod linalg;
pub mod prior;
pub mod special;

pub use error::{FitError, SpecError};
pub use linalg::Matrix;
