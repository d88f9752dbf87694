//! Hierarchical kernel: a function of distances that account for inactive parameters.
//!
//! k(a, b) = profile(Σᵢ dᵢ(aᵢ, bᵢ)),  profile(s) = e⁻ˢ or Matérn 5/2 of r = √s
//! [Zaefferer & Horn 2018, §4]
//!
//! Each column has its own distance [rule](crate::rule), so that one parameter may be imputed and
//! another use an arc. Parameters that are always active use the standard rule unless set
//! otherwise. A matrix costs the features of n rows (sines, for some rules) and O(n²·d) operations
//! on them; moving one hyper recomputes only its column. Points of different branches are similar
//! as far as their common parameters are: if branches have nothing in common, `conditional` is
//! cheaper and more appropriate.
mod batch;
mod features;
mod spec;
mod term_derivative;

use crate::rule::{Dual, Rule, RuleColumn};
use arbora_model::hyper::Hyper;
use arbora_model::kernel::{Kernel, KernelBatch, Profile};
use arbora_model::{HyperSpec, SpecError};
use arbora_space::{Column, Layout, Point, Points};
use batch::HierarchicalBatch;
pub use spec::{HierarchicalSpec, ShapeSpec, Unconditional};
use std::marker::PhantomData;
use std::sync::Arc;

/// One column, its rule, and the positions of its hypers and terms.
pub(super) struct Dimension {
    column: usize,
    rule: Box<dyn Rule>,
    /// Its hypers, as a range of θ.
    hypers: std::ops::Range<usize>,
    /// Its terms among those of all columns.
    terms: std::ops::Range<usize>,
}

impl Dimension {
    /// The value of this column in a row; `None` if it is inactive and the rule treats that
    /// specially.
    fn place(&self, row: Point<'_>) -> Option<f64> {
        let is_there = self.rule.ignores_activity() || row.active().is_active(self.column);
        is_there.then(|| row.x()[self.column])
    }
}

/// Values of all columns, row by row; `None` if inactive.
type Places = Vec<Vec<Option<f64>>>;

/// All columns to compare.
pub(super) struct Dimensions {
    list: Vec<Dimension>,
    hypers: Vec<Hyper>,
}

impl Dimensions {
    /// θ of one column in natural units.
    fn values(&self, dimension: &Dimension, theta: &[f64]) -> Vec<f64> {
        dimension.hypers.clone().map(|hyper| self.hypers[hyper].value(theta[hyper])).collect()
    }

    /// The same as dual numbers, with respect to one coordinate of θ.
    fn duals(&self, dimension: &Dimension, theta: &[f64], moving: Option<usize>) -> Vec<Dual> {
        let dual = |hyper: usize| Dual {
            value: self.hypers[hyper].value(theta[hyper]),
            slope: if moving == Some(hyper) { self.hypers[hyper].value_slope(theta[hyper]) } else { 0.0 },
        };
        dimension.hypers.clone().map(dual).collect()
    }

    fn terms(&self) -> usize {
        self.list.last().map_or(0, |dimension| dimension.terms.end)
    }
}

/// The kernel with this profile; `rule` chooses the distance of each column.
pub(crate) struct Hierarchical<P> {
    dimensions: Arc<Dimensions>,
    profile: PhantomData<P>,
}

impl<P: Profile> Hierarchical<P> {
    pub(crate) fn new(
        layout: &Layout,
        length: &HyperSpec,
        rule: impl Fn(&Column) -> Result<Box<dyn Rule>, SpecError>,
    ) -> Result<Self, SpecError> {
        let (mut list, mut hypers, mut terms) = (Vec::new(), Vec::new(), 0);
        for column in layout.varying() {
            let name = &layout.columns[column].name;
            let rule = rule(&layout.columns[column])?;
            let first = hypers.len();
            hypers.extend(rule.hypers(&RuleColumn { name, length }));
            let after = terms + rule.terms().len();
            list.push(Dimension { column, rule, hypers: first..hypers.len(), terms: terms..after });
            terms = after;
        }
        Ok(Self { dimensions: Arc::new(Dimensions { list, hypers }), profile: PhantomData })
    }
}

impl<P: Profile> Kernel for Hierarchical<P> {
    fn hypers(&self) -> &[Hyper] {
        &self.dimensions.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let distance = |dimension: &Dimension| {
            let h = self.dimensions.values(dimension, theta);
            dimension.rule.between(&h, dimension.place(a), dimension.place(b))
        };
        P::at(self.dimensions.list.iter().map(distance).sum())
    }

    fn is_definite(&self) -> bool {
        self.dimensions.list.iter().all(|dimension| dimension.rule.is_definite())
    }

    fn diagonal(&self, _theta: &[f64], _at: &Points, out: &mut [f64]) {
        out.fill(P::at(0.0));
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(HierarchicalBatch::<P>::new(self.dimensions.clone(), rows))
    }
}
