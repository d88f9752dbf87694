//! What do we believe? Hypers, their priors and their inference.
pub mod descent;
pub mod hyper;
pub mod infer;
pub mod prior;
pub mod special;
