//! Wedge rule: values lie on a straight segment next to the point that represents inactive.
//!
//! f(x) = (r₁ + x·(r₂·cos γ − r₁), x·r₂·sin γ), f(absent) = (0, 0), r = 1/ℓ, γ ∈ [0, π];
//! d = ‖f(a) − f(b)‖²  [Horn, Stork, Schüßler & Zaefferer 2019, §3]
//!
//! The two ends of the range have distances r₁ and r₂ to inactive, so one end may be more like it
//! than the other. Imp is the flat wedge: imputed outside the range as γ → 0, inside as γ → π.
//! Definite by construction. Categories have no ends: they use the arc. Three hypers per column;
//! `arc` has two.
use super::{Arc, ArcDistance, Dual, Pair, Rule, RuleColumn, Shape};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::{Hyper, Transform};
use arbora_space::ColumnKind;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// One end of the range may be nearer to inactive than the other. Categories use the arc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WedgeSpec {}

impl Component<dyn Rule> for WedgeSpec {
    const KIND: &'static str = "wedge";

    fn build(&self, kind: ColumnKind) -> Result<Box<dyn Rule>, SpecError> {
        Ok(match kind {
            ColumnKind::Numeric => Box::new(Wedge),
            ColumnKind::Categories(_) => Box::new(Arc::new(kind, ArcDistance::Squared)),
        })
    }
}

/// For numbers only.
pub(crate) struct Wedge;

impl Rule for Wedge {
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper> {
        let bend = column.within("bend", Transform::Natural, (0.0, PI));
        vec![column.length("near"), column.length("far"), bend]
    }

    /// By the law of cosines: the segment has length ‖f(1) − f(0)‖, and f(x) divides it.
    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
        let (near, far, cosine) = (h[0].recip(), h[1].recip(), libm::cos(h[2]));
        let length = near * near + far * far - 2.0 * near * far * cosine;
        match (Pair::of(a, b), a.or(b)) {
            (Pair::Both(a, b), _) => length * (a - b).powi(2),
            // Stewart's theorem: the squared distance from the origin to the fraction x of the
            // segment.
            (Pair::One, Some(x)) => (1.0 - x) * near * near + x * far * far - x * (1.0 - x) * length,
            _ => 0.0,
        }
    }

    fn terms(&self) -> &'static [Shape] {
        &[Shape::Square, Shape::Square]
    }

    fn weights(&self, _h: &[Dual], out: &mut [Dual]) {
        out.fill(Dual::constant(1.0));
    }

    fn features(&self, h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]) {
        let [across, up] = place.map_or([Dual::default(); 2], |x| {
            let (near, far) = (h[0].recip(), h[1].recip());
            [near + x * (far * h[2].cos() - near), x * far * h[2].sin()]
        });
        (out[0], out[1]) = ([across; 2], [up; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// γ = 0 is `imp` with a value outside the range, γ = π with one inside.
    #[test]
    fn a_flat_wedge_imputes() {
        let (near, far): (f64, f64) = (0.5, 2.0);
        for (bend, length) in [(0.0, far - near), (PI, far + near)] {
            let stand_in = if bend == 0.0 { -near / length } else { near / length };
            for x in [0.0, 0.3, 1.0] {
                let said = Wedge.between(&[1.0 / near, 1.0 / far, bend], Some(x), None);
                assert!((said - (length * (x - stand_in)).powi(2)).abs() < 1e-12, "{bend} {x}: {said}");
            }
        }
    }

    #[test]
    fn the_ends_are_near_and_far() {
        let h = [2.0, 0.25, 1.1];
        assert!((Wedge.between(&h, Some(0.0), None) - 0.25).abs() < 1e-15);
        assert!((Wedge.between(&h, None, Some(1.0)) - 16.0).abs() < 1e-13);
    }
}
