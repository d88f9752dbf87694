//! Encodes configurations as rows, and decodes rows.
use crate::branch::BranchKey;
use crate::condition::Test;
use crate::configuration::Configuration;
use crate::domain::Domain;
use crate::id::ParamId;
use crate::points::{Point, Points};
use crate::rng::Rng;
use crate::space::Space;
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::convert::Infallible;

/// The value of an inactive coordinate.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Imputation {
    /// ½  [Lévesque et al. 2017]
    #[default]
    Midpoint,
    /// The encoded default of the parameter  [SMAC, Auto-sklearn].
    Default,
    /// −1 for numbers, one step beyond the last category: tree models can split it off  [SMAC ≥ 1].
    OutOfRange,
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
    /// A value drawn once per configuration, as seen by methods that sample all coordinates and
    /// ignore activity  [Spearmint, GP-matern-noimpute of Lévesque et al. 2017].
    Raw,
    /// These values, one per column, such as the means of the observations.
    Given(Vec<f64>),
}

/// Which configurations belong to the same branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Branching {
    /// By the values of categorical deciders, and by the results of all tests of numeric ones
    /// [Lévesque et al. 2017, eq. 8].
    #[default]
    Literal,
    /// By the results of all tests: alternatives that activate the same children are one branch.
    SameChildren,
}

/// How to encode configurations.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Encoding {
    /// The value of an inactive coordinate.
    pub imputation: Imputation,
    /// Which configurations belong to the same branch.
    pub branching: Branching,
}

impl Space {
    /// The imputed value of every column.
    pub fn imputed_values(&self, imputation: &Imputation) -> Vec<f64> {
        let imputed = |(i, p): (usize, &crate::parameter::Parameter)| match imputation {
            Imputation::Midpoint | Imputation::Raw => 0.5,
            Imputation::Default => self.layout().columns[i].default,
            Imputation::OutOfRange => match p.domain() {
                Domain::Labels(labels) if !labels.is_ordered() && labels.len() > 1 => {
                    labels.encode(labels.len())
                }
                _ => -1.0,
            },
            Imputation::Lower => 0.0,
            Imputation::Upper => 1.0,
            Imputation::Given(values) => values.get(i).copied().unwrap_or(0.5),
        };
        self.parameters().iter().enumerate().map(imputed).collect()
    }

    /// The imputed values of one configuration: `common`, or its own random numbers for `Raw`.
    pub fn imputed_values_of<'a>(
        &self,
        configuration: &Configuration,
        imputation: &Imputation,
        common: &'a [f64],
    ) -> Cow<'a, [f64]> {
        if *imputation != Imputation::Raw {
            return Cow::Borrowed(common);
        }
        let encoded = |(id, value): (ParamId, &Value)| (id, self.parameter(id).domain().encode(value));
        let seed = configuration
            .iter()
            .map(encoded)
            .fold(BranchKey::ROOT, |key, (id, u)| key.then(id.index(), u.to_bits()));
        let mut rng = Rng::new(seed.fold());
        let mut drawn = |p: &crate::parameter::Parameter| {
            let value = p.domain().decode(rng.unit());
            p.domain().encode(&value)
        };
        Cow::Owned(self.parameters().iter().map(&mut drawn).collect())
    }

    /// Encodes configurations of this space, one row each. Depends only on the canonical
    /// configuration.
    pub fn encode<'a>(
        &self,
        configurations: impl IntoIterator<Item = &'a Configuration>,
        encoding: &Encoding,
    ) -> Points {
        let imputed = self.imputed_values(&encoding.imputation);
        let mut points = Points::new(self.parameters().len());
        for configuration in configurations {
            let dense = self.imputed_values_of(configuration, &encoding.imputation, &imputed);
            self.encode_row(configuration, &dense, encoding.branching, &mut points);
        }
        points
    }

    /// Encodes one configuration onto given coordinates: inactive columns keep the value in
    /// `dense`. Baselines that ignore conditions pass the raw vector they sampled.
    pub fn encode_row(
        &self,
        configuration: &Configuration,
        dense: &[f64],
        branching: Branching,
        into: &mut Points,
    ) {
        let mut row = into.push_blank(dense);
        let mut branch = BranchKey::ROOT;
        for (id, value) in configuration.iter() {
            let i = id.index();
            row.x[i] = self.parameter(id).domain().encode(value);
            row.activate(i);
            if self.is_decider(id) {
                branch = branch.then(i, self.class(id, value, branching));
                row.decide(branch);
            }
        }
    }

    /// The branch of one configuration.
    pub fn branch(&self, configuration: &Configuration, branching: Branching) -> BranchKey {
        configuration
            .iter()
            .filter(|(id, _)| self.is_decider(*id))
            .fold(BranchKey::ROOT, |branch, (id, value)| {
                branch.then(id.index(), self.class(id, value, branching))
            })
    }

    /// The class of a decider's value: the value itself, or the results of the tests.
    pub(crate) fn class(&self, id: ParamId, value: &Value, branching: Branching) -> u64 {
        let label = self.label(id, value);
        match (branching, label) {
            (Branching::Literal, Some(i)) => i as u64,
            _ => self.tests(id).iter().fold(1, |bits: u64, test| {
                // Beyond 63 tests the bits are mixed; an odd multiplier does not lose earlier ones.
                bits.wrapping_mul(if bits >> 62 == 0 { 2 } else { 0x9e37_79b9_7f4a_7c15 })
                    ^ u64::from(test.holds(value, label))
            }),
        }
    }

    /// The configuration of a point: every active coordinate is rounded to its domain.
    pub fn decode(&self, point: Point<'_>) -> Configuration {
        self.decode_dense(point.x())
    }

    /// The canonical configuration of a dense vector in [0, 1]; coordinates of inactive parameters
    /// are ignored.
    pub fn decode_dense(&self, x: &[f64]) -> Configuration {
        let made = self.walk(|id, _| Ok::<_, Infallible>(self.parameter(id).domain().decode(x[id.index()])));
        match made {
            Ok(configuration) => configuration,
        }
    }
}

impl Space {
    /// The range on the unit scale in which a number can move without changing any decision; [0, 1]
    /// unless other parameters depend on it. Open ends are excluded by a tiny margin.
    pub fn branch_bounds(&self, configuration: &Configuration, id: ParamId) -> (f64, f64) {
        const HAIR: f64 = 1e-9;
        let domain = self.parameter(id).domain();
        let value = configuration.get(id).and_then(Value::as_f64);
        let (Some(x), Some((mut low, mut high))) = (value, domain.range()) else { return (0.0, 1.0) };
        let (mut low_open, mut high_open) = (false, false);
        for test in self.tests(id) {
            let here = |test: &Test| match test {
                Test::Numbers(intervals) => intervals.iter().find(|i| i.contains(x)).copied(),
                Test::Labels(_) => None,
            };
            let Some(interval) = here(test).or_else(|| here(&test.negated())) else { continue };
            if interval.low > low {
                (low, low_open) = (interval.low, !interval.low_closed);
            }
            if interval.high < high {
                (high, high_open) = (interval.high, !interval.high_closed);
            }
        }
        let end = |x: f64, open: bool, towards: f64| {
            let u = domain.encode(&Value::from(x));
            if open { u + towards * HAIR } else { u }
        };
        if self.tests(id).is_empty() {
            return (0.0, 1.0);
        }
        (end(low, low_open, 1.0), end(high, high_open, -1.0))
    }
}
