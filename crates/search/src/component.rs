//! What the parts of a strategy are built for, and how other crates add some: see [`arbora_model::component`].
pub use arbora_model::component::{
    Component, Family, Kind, KindTaken, Kinds, Spec, Unregistered, register, register_kind,
};

use arbora_model::Workers;
use arbora_space::{Encoding, Space};

/// What a design, an acquisition or a maximizer is built for.
#[derive(Clone, Copy, Debug)]
pub struct PartContext<'a> {
    /// Everything that can be tried.
    pub space: &'a Space,
    /// How models see it.
    pub encoding: &'a Encoding,
}

/// What a strategy is built for.
#[derive(Clone, Copy)]
pub struct StrategyContext<'a> {
    /// Everything that can be tried.
    pub space: &'a Space,
    /// Who may help. What is suggested does not depend on them.
    pub workers: &'a Workers,
}
