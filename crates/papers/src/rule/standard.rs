//! Standard rule: the plain distance, ignoring activity.
//!
//! d(a, b) = Δ²/ℓ² for numbers, 1[a ≠ b]/ℓ² for categories  [Zaefferer & Horn 2018, `Stan`]
//!
//! An inactive coordinate is compared by its imputed value. The right rule for parameters that are
//! always active, and a baseline for the others: choose a different one for them.
use super::{Dual, Rule, RuleColumn, Shape, categories, differs, plain_weight, weight};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::Hyper;
use arbora_space::ColumnKind;
use serde::{Deserialize, Serialize};

/// Inactive coordinates are compared by their imputed values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StandardSpec {}

impl Component<dyn Rule> for StandardSpec {
    const KIND: &'static str = "standard";

    fn build(&self, kind: ColumnKind) -> Result<Box<dyn Rule>, SpecError> {
        Ok(Box::new(Standard::new(kind)))
    }
}

pub(crate) struct Standard {
    categories: Option<usize>,
}

impl Standard {
    pub(crate) fn new(kind: ColumnKind) -> Self {
        Self { categories: categories(kind) }
    }
}

impl Rule for Standard {
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper> {
        vec![column.length("length")]
    }

    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        let gap = if self.categories.is_some() { differs(a, b) } else { (a - b).powi(2) };
        plain_weight(h[0]) * gap
    }

    fn terms(&self) -> &'static [Shape] {
        if self.categories.is_some() { &[Shape::Differs] } else { &[Shape::Square] }
    }

    fn weights(&self, h: &[Dual], out: &mut [Dual]) {
        out[0] = weight(h[0]);
    }

    fn features(&self, _h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]) {
        let place = place.unwrap_or_default();
        out[0] = if self.categories.is_some() { [Dual::constant(1.0), place] } else { [place, place] };
    }

    fn ignores_activity(&self) -> bool {
        true
    }
}
