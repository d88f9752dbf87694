//! ImpArc rule: inactive is partly like a value, partly like nothing else.
//!
//! d = d_arc/ℓ₁² + d_imp/ℓ₂², both with unit scale inside  [Zaefferer & Horn 2018, §4.4; the minus
//! in their formula applies to both terms, and the inner weights are one since only the products
//! are identifiable]
//!
//! Definite as a product of definite kernels. Four hypers per column: for few data prefer one of
//! its parts.
use super::{Arc, ArcDistance, Dual, Imp, Rule, RuleColumn, Shape};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::Hyper;
use arbora_space::ColumnKind;
use serde::{Deserialize, Serialize};

/// Number of hypers of the arc part.
const ARC: usize = 2;

/// Arc and imputation together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImpArcSpec {}

impl Component<dyn Rule> for ImpArcSpec {
    const KIND: &'static str = "imp_arc";

    fn build(&self, kind: ColumnKind) -> Result<Box<dyn Rule>, SpecError> {
        Ok(Box::new(ImpArc::new(kind)))
    }
}

pub(crate) struct ImpArc {
    is_label: bool,
    arc: Arc,
    imp: Imp,
}

impl ImpArc {
    pub(crate) fn new(kind: ColumnKind) -> Self {
        Self {
            is_label: matches!(kind, ColumnKind::Categories(_)),
            arc: Arc::new(kind, ArcDistance::Squared),
            imp: Imp::new(kind),
        }
    }
}

impl Rule for ImpArc {
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper> {
        let mut hypers = self.arc.hypers(column);
        hypers.extend(self.imp.hypers(column));
        for (hyper, half) in [(0, "arc"), (ARC, "imp")] {
            hypers[hyper].name = format!("{half}:{}", column.name);
        }
        hypers
    }

    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
        self.arc.between(&h[..ARC], a, b) + self.imp.between(&h[ARC..], a, b)
    }

    fn terms(&self) -> &'static [Shape] {
        if self.is_label {
            &[Shape::Square, Shape::Differs, Shape::Differs]
        } else {
            &[Shape::Square, Shape::Square, Shape::Square]
        }
    }

    fn weights(&self, h: &[Dual], out: &mut [Dual]) {
        self.arc.weights(&h[..ARC], &mut out[..2]);
        self.imp.weights(&h[ARC..], &mut out[2..]);
    }

    fn features(&self, h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]) {
        self.arc.features(&h[..ARC], place, &mut out[..2]);
        self.imp.features(&h[ARC..], place, &mut out[2..]);
    }
}
