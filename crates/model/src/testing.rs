//! Law suites for kernels, inferences and surrogates, on small random worlds. Run them for every
//! implementation.
mod density;
mod inference;
mod kernel;
mod surrogate;
mod world;

pub use density::{Toy, joint, log_prior, log_scaled, natural};
pub use inference::assert_inference_laws;
pub use kernel::assert_kernel_laws;
pub use surrogate::{assert_order_does_not_matter, assert_surrogate_laws};
pub use world::World;
