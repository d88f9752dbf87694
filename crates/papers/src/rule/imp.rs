//! Imp rule: an inactive coordinate is imputed with a learnt value.
//!
//! d(a, b) = gap(f(a), f(b))/ℓ²,  f(x) = x, f(absent) = ρ  [Zaefferer & Horn 2018, §4.3]
//!
//! Definite: a plain rule after the map f. For a number, ρ may lie up to two widths outside its
//! range; for a category it is one of the m there are or an extra one, "none of them". Use it if an
//! inactive parameter behaves like some value of it; otherwise prefer `arc`.
use super::{Dual, Rule, RuleColumn, Shape, categories, differs, plain_weight, weight};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::hyper::{Hyper, Transform};
use arbora_space::ColumnKind;
use serde::{Deserialize, Serialize};

/// On the unit scale of numbers: [l − 2(u − l), u + 2(u − l)].
const STAND_INS: (f64, f64) = (-2.0, 3.0);

/// Inactive is like some value, which is learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImpSpec {}

impl Component<dyn Rule> for ImpSpec {
    const KIND: &'static str = "imp";

    fn build(&self, kind: ColumnKind) -> Result<Box<dyn Rule>, SpecError> {
        Ok(Box::new(Imp::new(kind)))
    }
}

pub(crate) struct Imp {
    categories: Option<usize>,
}

impl Imp {
    pub(crate) fn new(kind: ColumnKind) -> Self {
        Self { categories: categories(kind) }
    }

    /// The position of level i of m on the unit scale; the extra level lies beyond 1.
    fn stand_in(&self, rho: f64) -> f64 {
        match self.categories {
            Some(count) => rho / count.saturating_sub(1).max(1) as f64,
            None => rho,
        }
    }
}

impl Rule for Imp {
    fn hypers(&self, column: &RuleColumn<'_>) -> Vec<Hyper> {
        let stand_in = match self.categories {
            Some(count) => column.within("stand_in", Transform::Step, (0.0, (count + 1) as f64)),
            None => column.within("stand_in", Transform::Natural, STAND_INS),
        };
        // A category starts as "none of them": inactive is like no value until the data say
        // otherwise.
        let start = self.categories.map_or(stand_in.start, |count| count as f64);
        vec![column.length("length"), Hyper { start, ..stand_in }]
    }

    fn between(&self, h: &[f64], a: Option<f64>, b: Option<f64>) -> f64 {
        let stand_in = self.stand_in(h[1]);
        let (a, b) = (a.unwrap_or(stand_in), b.unwrap_or(stand_in));
        let gap = if self.categories.is_some() { differs(a, b) } else { (a - b).powi(2) };
        plain_weight(h[0]) * gap
    }

    fn terms(&self) -> &'static [Shape] {
        if self.categories.is_some() { &[Shape::Differs] } else { &[Shape::Square] }
    }

    fn weights(&self, h: &[Dual], out: &mut [Dual]) {
        out[0] = weight(h[0]);
    }

    fn features(&self, h: &[Dual], place: Option<Dual>, out: &mut [[Dual; 2]]) {
        out[0] = match self.categories {
            Some(_) => {
                let place = place.unwrap_or_else(|| Dual::constant(self.stand_in(h[1].value)));
                [Dual::constant(1.0), place]
            }
            None => [place.unwrap_or(h[1]); 2],
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_equals_its_stand_in() {
        let number = Imp::new(ColumnKind::Numeric);
        assert_eq!(number.between(&[0.5, 0.3], None, Some(0.3)), 0.0);
        assert_eq!(number.between(&[0.5, 3.0], None, Some(1.0)), 16.0);
        let label = Imp::new(ColumnKind::Categories(3));
        assert_eq!(label.between(&[0.5, 1.0], None, Some(0.5)), 0.0);
        for category in [0.0, 0.5, 1.0] {
            assert_eq!(label.between(&[0.5, 3.0], None, Some(category)), 4.0, "none of them");
        }
    }
}
