//! Matrices and SIMD. Only this module uses the matrix library and vector instructions.
//!
//! Other crates can use it for their surrogates and kernels: a [`Factor`] solves systems with a
//! covariance matrix, a [`Spectrum`] has the eigenvalues of a symmetric matrix that may be
//! indefinite, and [`LaneWork`] with [`dispatch`] fills whole matrices several entries at a time.
//!
//! ```
//! use arbora_model::linalg::{Factor, Matrix, Scratch};
//! let covariance = Matrix::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 1.0 });
//! let mut factor = Factor::default();
//! factor.form(2, 0.0, &mut Scratch::default(), &mut |out| out.copy_lower(&covariance))?;
//! let mut b = vec![3.0, 3.0];
//! factor.solve_lower(&mut b);
//! factor.solve_upper(&mut b);
//! assert!((b[0] - 1.0).abs() < 1e-12 && (b[1] - 1.0).abs() < 1e-12);
//! # Ok::<(), arbora_model::FitError>(())
//! ```
//!
//! Everything runs on the calling thread and in a fixed order, so results do not depend on the
//! number of threads. Laws: a factor times its transpose is the matrix plus its ridge and the
//! jitter it reports; appending equals refactoring.
mod columns;
mod factor;
mod loops;
mod matrix;
mod simd;
mod spectrum;

pub(crate) use columns::column_products;
pub use factor::{Factor, Scratch};
pub(crate) use loops::{block_width, combine, load_block, store_block};
pub use loops::{dot, update, weighted_sum, zip_update};
pub use matrix::Matrix;
pub(crate) use matrix::transposed_product;
pub use simd::{LaneWork, Lanes, Numbers, dispatch};
pub use spectrum::Spectrum;
