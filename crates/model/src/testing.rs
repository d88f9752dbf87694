//! The laws of kernels and surrogates, for every implementation to run, on small random worlds.
mod kernel;
mod surrogate;
mod world;

pub use kernel::assert_kernel_laws;
pub use surrogate::{assert_order_does_not_matter, assert_surrogate_laws};
pub use world::World;
