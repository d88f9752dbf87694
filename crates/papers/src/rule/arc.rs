//! Arc rule: values lie on an arc around the point that represents inactive.
//!
//! f(x) = ω·(sin πρx, cos πρx), f(absent) = (0, 0), ω = 1/ℓ, ρ ∈ [0, 1]
//! [Hutter & Osborne 2013, eq. 3; Zaefferer & Horn 2018, eq. 1]
//! squared: d = ‖f(a) − f(b)‖² ∈ {0, ω², 4ω²·sin²(½πρΔ)}; plain: d = ‖f(a) − f(b)‖.
//!
//! All values of a number have the same distance to inactive, which is learnt separately from their
//! distances to each other. A Matérn of the squared form is that of the concatenated embeddings
//! [Swersky et al. 2014].
//!
//! **Categories.** All m of them need the same distance from the origin and from each other; the
//! formula for numbers violates the simplex bound ω√(2m/(m−1)) for m ≥ 3 once ρ > ⅔. The embedding
//! f(c) = ω·(ρ·e_c, √(1 − ρ²)) satisfies it for every m and ρ: d ∈ {0, ω², 2ρ²ω²}, or its root in
//! the plain form.
//!
//! Two sines per row and value of ρ. Prefer `imp` if an inactive parameter acts like one of its
//! values.
use super::{Dual, Pair, Rule, RuleColumn, Shape, categories, differs, plain_weight, presence, weight};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::{Hyper, Transform};
use arbora_space::ColumnKind;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, SQRT_2};

/// Which distance of the embedding to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArcDistance {
    /// Its square  [Zaefferer & Horn 2018].
    #[default]
    Squared,
    /// The distance itself  [Hutter & Osborne 2013]; not smooth where values are equal.
    Plain,
}

/// All values have the same distance to inactive, on an arc around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArcSpec {
    /// The distance of the embedding, or its square.
    pub distance: ArcDistance,
}

impl Component<dyn Rule> for ArcSpec {
    const KIND: &'static str = "arc";

    fn build(&self, kind: ColumnKind) -> Result<Box<dyn Rule>, SpecError> {
        Ok(Box::new(Arc::new(kind, self.distance)))
    }
}

pub(crate) struct Arc {
    categories: Option<usize>,
    distance: ArcDistance,
}

impl Arc {
    pub(crate) fn new(kind: ColumnKind, distance: ArcDistance) -> Self {
        Self { categories: categories(kind), distance }
    }
}

impl Rule for Arc {
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper> {
        vec![column.length("length"), column.within("angle", Transform::Natural, (0.0, 1.0))]
    }

    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
        let (square, angle) = (plain_weight(h[0]), h[1]);
        let squared = match Pair::of(a, b) {
            Pair::Neither => 0.0,
            Pair::One => square,
            Pair::Both(a, b) if self.categories.is_some() => 2.0 * angle * angle * square * differs(a, b),
            Pair::Both(a, b) => 4.0 * square * libm::sin(0.5 * PI * angle * (a - b)).powi(2),
        };
        match self.distance {
            ArcDistance::Squared => squared,
            ArcDistance::Plain => squared.sqrt(),
        }
    }

    fn terms(&self) -> &'static [Shape] {
        match (self.categories, self.distance) {
            (Some(_), _) => &[Shape::Square, Shape::Differs],
            (None, ArcDistance::Squared) => &[Shape::Square, Shape::Square],
            (None, ArcDistance::Plain) => &[Shape::Root],
        }
    }

    fn weights(&self, h: &[Dual], out: &mut [Dual]) {
        let (size, between) = match self.distance {
            ArcDistance::Squared => (weight(h[0]), h[1].square() * 2.0),
            ArcDistance::Plain => (h[0].recip(), h[1] * SQRT_2),
        };
        out.fill(size);
        if self.categories.is_some() {
            out[1] = size * between;
        }
    }

    fn features(&self, h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]) {
        if self.categories.is_some() {
            let presence = presence(place);
            (out[0], out[1]) = ([presence; 2], [presence, place.unwrap_or_default()]);
            return;
        }
        let [across, up] = place.map_or([Dual::default(); 2], |x| {
            let turn = h[1] * x * PI;
            [turn.sin(), turn.cos()]
        });
        match self.distance {
            ArcDistance::Squared => (out[0], out[1]) = ([across; 2], [up; 2]),
            ArcDistance::Plain => out[0] = [across, up],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ω = 1, ρ = ½, Δ = ½, and the categorical form with ρ = ½: worked examples, twelve digits.
    #[test]
    fn known_values() {
        let number = Arc::new(ColumnKind::Numeric, ArcDistance::Squared);
        assert!((number.between(&[1.0, 0.5], Some(0.2), Some(0.7)) - 0.585_786_437_627).abs() < 1e-12);
        let label = Arc::new(ColumnKind::Categories(3), ArcDistance::Squared);
        assert!((label.between(&[1.0, 0.5], Some(0.0), Some(0.5)) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn without_an_angle_only_absence_tells_values_apart() {
        for distance in [ArcDistance::Squared, ArcDistance::Plain] {
            for kind in [ColumnKind::Numeric, ColumnKind::Categories(3)] {
                let rule = Arc::new(kind, distance);
                assert!(rule.between(&[0.5, 0.0], Some(0.0), Some(1.0)).abs() < 1e-300);
                assert!(rule.between(&[0.5, 0.0], Some(0.0), None) >= 2.0);
            }
        }
    }

    /// The embedding of m categories, coordinate by coordinate, satisfies the simplex bound that
    /// the formula for numbers violates.
    #[test]
    fn categories_fit_around_the_origin() {
        for m in 2..7_usize {
            for angle in [0.1, 0.5, 0.7, 1.0] {
                let radius: f64 = 1.3;
                let at = |c: usize| -> Vec<f64> {
                    let mut x = vec![0.0; m + 1];
                    (x[c], x[m]) = (radius * angle, radius * (1.0 - angle * angle).sqrt());
                    x
                };
                let rule = Arc::new(ColumnKind::Categories(m), ArcDistance::Squared);
                let place = |c: usize| Some(c as f64 / (m - 1) as f64);
                for c in 0..m {
                    for e in 0..m {
                        let embedded: f64 = at(c).iter().zip(at(e)).map(|(x, y)| (x - y).powi(2)).sum();
                        let said = rule.between(&[1.0 / radius, angle], place(c), place(e));
                        assert!((said - embedded).abs() < 1e-12);
                        assert!(said <= radius * radius * 2.0 * m as f64 / (m - 1) as f64 + 1e-12);
                    }
                }
                let naive = 2.0 - 2.0 * (PI * angle).cos();
                let bound = 2.0 * m as f64 / (m - 1) as f64;
                assert_eq!(naive > bound + 1e-9, m >= 3 && angle >= 0.7);
            }
        }
    }
}
