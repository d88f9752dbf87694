//! Hierarchical kernel: a profile of distances that know when a parameter is absent.
//!
//! k(a, b) = profile(Σᵢ dᵢ(aᵢ, bᵢ)),  profile(s) = e⁻ˢ or Matérn 5/2 of r = √s  [Zaefferer & Horn 2018, §4]
//!
//! Each column has a [rule](crate::rule) of its own, so that one parameter may be imputed and another lie on an arc.
//! Parameters that are always there are compared by the standard rule unless told otherwise. A matrix costs n rows'
//! features (sines, for some rules) and O(n²·d) operations on them; moving one hyper costs its column's share alone.
//! Points of different branches are alike as far as their common parameters are: where branches have nothing in
//! common, `conditional` is cheaper and says so.
mod batch;
mod laid;
mod moving;
mod spec;

use crate::rule::{Compared, Dual, Rule};
use arbora_model::hyper::Hyper;
use arbora_model::kernel::{Kernel, KernelBatch, Profile};
use arbora_model::{Belief, SpecError};
use arbora_space::{Column, Layout, Point, Points};
use batch::HierarchicalBatch;
pub use spec::{HierarchicalSpec, ShapeSpec, Unconditional};
use std::marker::PhantomData;
use std::sync::Arc;

/// One column, its rule and where its hypers and terms are among all.
pub(super) struct Dimension {
    column: usize,
    rule: Box<dyn Rule>,
    /// Its hypers, as a range of θ.
    hypers: std::ops::Range<usize>,
    /// Its terms among those of all columns.
    terms: std::ops::Range<usize>,
}

impl Dimension {
    /// The setting of this column in a row; `None` if it is absent and the rule cares.
    fn place(&self, row: Point<'_>) -> Option<f64> {
        let is_there = self.rule.ignores_activity() || row.active().is_active(self.column);
        is_there.then(|| row.x()[self.column])
    }
}

/// Settings of all columns, row after row; `None` is absence.
type Places = Vec<Vec<Option<f64>>>;

/// All columns that are compared.
pub(super) struct Dimensions {
    list: Vec<Dimension>,
    hypers: Vec<Hyper>,
}

impl Dimensions {
    /// θ of one column as natural values.
    fn values(&self, dimension: &Dimension, theta: &[f64]) -> Vec<f64> {
        dimension.hypers.clone().map(|hyper| self.hypers[hyper].value(theta[hyper])).collect()
    }

    /// The same while one coordinate of θ moves.
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

/// A kernel of this profile; `rule` chooses how each column is compared.
pub(crate) struct Hierarchical<P> {
    dimensions: Arc<Dimensions>,
    profile: PhantomData<P>,
}

impl<P: Profile> Hierarchical<P> {
    pub(crate) fn new(
        layout: &Layout,
        length: &Belief,
        rule: impl Fn(&Column) -> Result<Box<dyn Rule>, SpecError>,
    ) -> Result<Self, SpecError> {
        let (mut list, mut hypers, mut terms) = (Vec::new(), Vec::new(), 0);
        for column in layout.varying() {
            let name = &layout.columns[column].name;
            let rule = rule(&layout.columns[column])?;
            let first = hypers.len();
            hypers.extend(rule.hypers(&Compared { name, length }));
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
