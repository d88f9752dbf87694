//! Matrices and lanes: the one room that knows the matrix library and the vector instructions.
//!
//! Everything runs on the calling thread and in a fixed order, so a result does not depend on how many threads
//! work side by side. Laws: a factor times its transpose is the matrix plus its ridge and the jitter it reports;
//! appending equals refactoring.
mod columns;
mod factor;
mod lanes;
mod loops;
mod matrix;
mod spectrum;

pub(crate) use columns::column_products;
pub(crate) use factor::{Factor, Scratch};
pub(crate) use lanes::{LaneWork, Lanes, Numbers, dispatch};
pub(crate) use loops::{
    block_width, combine, dot, load_block, store_block, update, weighted_sum, zip_update,
};
pub use matrix::Matrix;
pub(crate) use matrix::transposed_product;
pub(crate) use spectrum::Spectrum;
