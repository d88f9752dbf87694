//! Ico rule: the distance between active and inactive is a separate parameter.
//!
//! d(a, b) = Δ²/ℓ² (both active), 1/λ² (one active), 0 (neither); 1[a ≠ b] for Δ² of
//! categories  [Zaefferer & Horn 2018, §4.2]
//!
//! **Not definite.** No point is equidistant from three values on a line, so with an inactive and
//! three active values some scaling of d makes e⁻ᵈ indefinite; two values need λ⁻² ≥ Δ²/4ℓ², m
//! categories λ⁻² ≥ (m−1)/2mℓ². Only a surrogate that corrects its matrix can use it; `arc`
//! expresses the same and is definite.
use super::{Dual, Pair, Rule, RuleColumn, Shape, categories, differs, plain_weight, presence, weight};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::Hyper;
use arbora_space::ColumnKind;
use serde::{Deserialize, Serialize};

/// All values have the same distance to inactive; not positive semi-definite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IcoSpec {}

impl Component<dyn Rule> for IcoSpec {
    const KIND: &'static str = "ico";

    fn build(&self, kind: ColumnKind) -> Result<Box<dyn Rule>, SpecError> {
        Ok(Box::new(Ico::new(kind)))
    }
}

pub(crate) struct Ico {
    categories: Option<usize>,
}

impl Ico {
    pub(crate) fn new(kind: ColumnKind) -> Self {
        Self { categories: categories(kind) }
    }
}

impl Rule for Ico {
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper> {
        vec![column.length("length"), column.length("absence")]
    }

    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
        match Pair::of(a, b) {
            Pair::Neither => 0.0,
            Pair::One => plain_weight(h[1]),
            Pair::Both(a, b) if self.categories.is_some() => plain_weight(h[0]) * differs(a, b),
            Pair::Both(a, b) => plain_weight(h[0]) * (a - b).powi(2),
        }
    }

    fn terms(&self) -> &'static [Shape] {
        if self.categories.is_some() {
            &[Shape::Square, Shape::Differs]
        } else {
            &[Shape::Square, Shape::Gate]
        }
    }

    fn weights(&self, h: &[Dual], out: &mut [Dual]) {
        (out[0], out[1]) = (weight(h[1]), weight(h[0]));
    }

    fn features(&self, _h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]) {
        let presence = presence(place);
        (out[0], out[1]) = ([presence; 2], [presence, place.unwrap_or_default()]);
    }

    fn is_definite(&self) -> bool {
        false
    }
}
