//! How far apart are two settings of one parameter, absence included? One file per rule.
//!
//! A rule is written twice: [`Dissimilarity::between`] is the law, the closed form of its paper; terms, weights
//! and features say the same as sums of weighted gaps between numbers that each row has for itself, which is what
//! whole matrices are made of. Laws: both forms agree; symmetric, zero between equals, never negative; blind to the
//! value of what is inactive unless the rule [ignores activity](Dissimilarity::ignores_activity). Where a rule
//! is definite, its terms are squared Euclidean distances, or distances that are conditionally negative definite,
//! so that e⁻ᵈ and every Matérn of √d is positive semi-definite  [Schoenberg 1938].
mod arc;
mod dual;
mod ico;
mod imp;
mod imp_arc;
mod shape;
mod spec;
mod standard;
#[cfg(test)]
mod tests;
mod wedge;

pub(crate) use arc::Arc;
pub use arc::ArcDistance;
pub(crate) use dual::Dual;
pub(crate) use ico::Ico;
pub(crate) use imp::Imp;
pub(crate) use imp_arc::ImpArc;
pub(crate) use shape::Shape;
pub use spec::RuleSpec;
pub(crate) use standard::Standard;
pub(crate) use wedge::Wedge;

use crate::belief::Belief;
use crate::hyper::{Hyper, Transform, Update};
use crate::prior::Prior;
use arbora_space::ColumnKind;

/// What a rule may know of the column it compares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared<'a> {
    pub(crate) name: &'a str,
    /// What is believed of every length-scale.
    pub(crate) length: &'a Belief,
}

/// The distance between two settings of one column; `None` is absence.
pub(crate) trait Dissimilarity: Send + Sync {
    /// What it does not know: the order of h, which holds natural values.
    fn hypers(&self, column: &Compared<'_>) -> Vec<Hyper>;

    /// The law.
    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64;

    /// What is summed up: each term times its weight.
    fn terms(&self) -> &'static [Shape];

    /// One weight per term.
    fn weights(&self, h: &[Dual], out: &mut [Dual]);

    /// What the terms compare: their numbers for one setting, two per term.
    fn features(&self, h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]);

    /// Is e⁻ᵈ positive semi-definite for every h?
    fn is_definite(&self) -> bool {
        true
    }

    /// Are inactive coordinates compared like active ones, by whatever stands in?
    fn ignores_activity(&self) -> bool {
        false
    }
}

impl Compared<'_> {
    /// A length-scale ℓ; a weight is ℓ⁻².
    fn length(&self, what: &str) -> Hyper {
        self.length.hyper(format!("{what}:{}", self.name), Update::Single)
    }

    /// A quantity of which nothing but its range is known; it starts in the middle.
    fn within(&self, what: &str, transform: Transform, range: (f64, f64)) -> Hyper {
        Hyper {
            name: format!("{what}:{}", self.name),
            transform,
            range,
            prior: Prior::Flat,
            update: Update::Single,
            start: 0.5 * (range.0 + range.1),
        }
    }
}

/// How many categories a column has; `None` for numbers.
fn categories(kind: ColumnKind) -> Option<usize> {
    match kind {
        ColumnKind::Categories(count) => Some(count),
        ColumnKind::Numeric => None,
    }
}

/// ℓ⁻².
fn weight(length: Dual) -> Dual {
    length.square().recip()
}

/// ℓ⁻².
fn plain_weight(length: f64) -> f64 {
    (length * length).recip()
}

/// 1 where there is a value.
fn presence(place: Option<Dual>) -> Dual {
    Dual::constant(f64::from(place.is_some()))
}

/// 1[a ≠ b].
fn differs(a: f64, b: f64) -> f64 {
    f64::from(a != b)
}

/// Both, one or none of two settings are there.
enum Pair {
    Both(f64, f64),
    One,
    Neither,
}

impl Pair {
    fn of(a: Option<f64>, b: Option<f64>) -> Self {
        match (a, b) {
            (Some(a), Some(b)) => Pair::Both(a, b),
            (None, None) => Pair::Neither,
            _ => Pair::One,
        }
    }
}
