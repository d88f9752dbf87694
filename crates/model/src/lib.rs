//! What do we believe? Hypers, their priors and their inference.
pub mod special;
