//! The distance between two values of one parameter, including inactive. One file per rule.
//!
//! A rule is written twice. [`Rule::between`] defines it, as the closed form of its paper. Terms,
//! weights and features express the same as a sum of weighted gaps between features of the two
//! rows, from which matrices are computed. Laws: both forms agree; symmetric, zero between equal
//! values, never negative; independent of the value of an inactive parameter, unless the rule
//! [ignores activity](Rule::ignores_activity). If a rule is definite, its terms are squared
//! Euclidean distances, or distances that are conditionally negative definite, so that e⁻ᵈ and
//! every Matérn of √d is positive semi-definite  [Schoenberg 1938].
mod arc;
mod dual;
mod ico;
mod imp;
mod imp_arc;
mod shape;
mod standard;
#[cfg(test)]
mod tests;
mod wedge;

pub(crate) use arc::Arc;
pub use arc::{ArcDistance, ArcSpec};
pub use dual::Dual;
pub use ico::IcoSpec;
pub(crate) use imp::Imp;
pub use imp::ImpSpec;
pub use imp_arc::ImpArcSpec;
pub use shape::Shape;
pub use standard::StandardSpec;
pub use wedge::WedgeSpec;

use arbora_model::HyperSpec;
use arbora_model::SpecError;
use arbora_model::component::{Family, Kind, Kinds, Spec};
use arbora_model::hyper::{Hyper, Transform, Update};
use arbora_model::prior::HyperPrior;
use arbora_space::ColumnKind;

/// What a rule knows about its column.
#[derive(Clone, Copy, Debug)]
pub struct RuleColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Prior, range and start of every length-scale.
    pub length: &'a HyperSpec,
}

/// The distance between two values of one column; `None` means inactive.
pub trait Rule: Send + Sync {
    /// Its hypers, in the order of h, which holds natural values.
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper>;

    /// The distance.
    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64;

    /// The terms of the sum; each is multiplied by its weight.
    fn terms(&self) -> &'static [Shape];

    /// One weight per term.
    fn weights(&self, h: &[Dual], out: &mut [Dual]);

    /// What the terms compare: the features of one value, two numbers per term.
    fn features(&self, h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]);

    /// Is e⁻ᵈ positive semi-definite for every h?
    fn is_definite(&self) -> bool {
        true
    }

    /// Are inactive coordinates compared like active ones, by their imputed values?
    fn ignores_activity(&self) -> bool {
        false
    }
}

/// A rule as data: `"arc"`, or `{ kind = "arc", distance = "plain" }`.
pub type RuleSpec = Spec<dyn Rule>;

static KINDS: Kinds<dyn Rule> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Rule>] = &[
    Kind::of::<ArcSpec>(),
    Kind::of::<IcoSpec>(),
    Kind::of::<ImpSpec>(),
    Kind::of::<ImpArcSpec>(),
    Kind::of::<StandardSpec>(),
    Kind::of::<WedgeSpec>(),
];

impl Family for dyn Rule {
    const NAME: &'static str = "rule";
    type Context<'a> = ColumnKind;
    type Error = SpecError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(ArcSpec::default())
    }
}

impl RuleColumn<'_> {
    /// A length-scale ℓ; a weight is ℓ⁻².
    pub fn length(&self, what: &str) -> Hyper {
        self.length.hyper(format!("{what}:{}", self.name), Update::Single)
    }

    /// A hyper with a flat prior on this range; it starts in the middle.
    pub fn within(&self, what: &str, transform: Transform, range: (f64, f64)) -> Hyper {
        Hyper {
            name: format!("{what}:{}", self.name),
            transform,
            range,
            prior: HyperPrior::Flat,
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

/// 1 if active.
fn presence(place: Option<Dual>) -> Dual {
    Dual::constant(f64::from(place.is_some()))
}

/// 1[a ≠ b].
fn differs(a: f64, b: f64) -> f64 {
    f64::from(a != b)
}

/// Are both, one or none of two values active?
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
