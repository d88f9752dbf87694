//! Features of the trend of a tree-structured process: the nodes on the path of a point, and
//! parameters that exist in several branches.
//!
//! A number is its own feature, a category becomes a one-hot vector. With random Fourier features,
//! the shared numbers r of one condition become ψ_k(r) = √(2/F)·cos(ω_kᵀr + τ_k), τ uniform,
//! ω = N(0, ℓ⁻²I)·√(5/χ²₅): a Matérn 5/2 process of length-scale ℓ in the limit of many
//! [Rahimi & Recht 2007; Jenatton et al. 2017, §4.3]. The frequencies are drawn once and stay the
//! same.
use crate::hyper::{Hyper, Update};
use crate::hyper_spec::HyperSpec;
use crate::kernel::{DecisionNode, OFFSET, SharedPath, is_shared};
use crate::linalg::Matrix;
use crate::prior::HyperPrior;
use arbora_space::{BranchKey, ColumnKind, Layout, Point, Points, Rng};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How parameters that exist in several branches enter the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Nodes {
    /// Separately in each branch, not through the nodes. Nodes are constants.
    #[default]
    Constant,
    /// Linearly, with the same slope in all branches.
    Linear,
    /// As a function shared by all branches, made of random Fourier features.
    Fourier {
        /// F: number of waves per condition.
        #[serde(default = "sixty_four")]
        waves: usize,
        /// ℓ on the unit cube.
        #[serde(default = "one_half")]
        length: f64,
    },
}

fn sixty_four() -> usize {
    64
}

fn one_half() -> f64 {
    0.5
}

/// Seed of the frequencies, which are part of the model, not of a run.
const WAVES: u64 = 0x0077_6176_6573;

/// A group of features that share a variance. All but nodes are known without any points.
enum Fixed {
    Number(usize),
    Label { column: usize, categories: usize },
    Waves { columns: Vec<usize>, frequencies: Vec<Vec<f64>>, phases: Vec<f64> },
}

/// All features that a point can have; none by default.
#[derive(Default)]
pub(crate) struct Features {
    hypers: Vec<Hyper>,
    fixed: Vec<(Fixed, usize)>,
    nodes: Vec<(SharedPath, usize)>,
    /// Columns whose values the features depend on, ascending.
    columns: Vec<usize>,
}

/// The features that occur in some rows, in order: those known beforehand, then one for every node
/// that occurs. A process without a trend has none.
#[derive(Clone)]
pub(crate) struct Trend {
    features: Arc<Features>,
    class_of: Vec<usize>,
    nodes: BTreeMap<(usize, BranchKey), usize>,
}

impl Trend {
    /// The features of these rows.
    pub(super) fn new(features: Arc<Features>, rows: &Points) -> Self {
        let fixed = features.fixed.iter();
        let class_of = fixed.flat_map(|(fixed, class)| std::iter::repeat_n(*class, fixed.count())).collect();
        Self { features, class_of, nodes: BTreeMap::new() }.grown(rows)
    }

    /// Adds the nodes of these points.
    pub(super) fn grown(&self, points: &Points) -> Self {
        let mut grown = self.clone();
        if self.features.nodes.is_empty() {
            return grown;
        }
        for row in points.iter() {
            for (n, (shared, class)) in self.features.nodes.iter().enumerate() {
                let Some(key) = shared.key(row) else { continue };
                let next = grown.class_of.len();
                if *grown.nodes.entry((n, key)).or_insert(next) == next {
                    grown.class_of.push(*class);
                }
            }
        }
        grown
    }

    /// True if there are no features.
    pub(super) fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// Number of features.
    pub(super) fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Number of classes; the features of a class share a variance.
    pub(super) fn classes(&self) -> usize {
        self.features.hypers.len()
    }

    pub(super) fn class(&self, feature: usize) -> usize {
        self.class_of[feature]
    }

    /// Columns whose values the features depend on, ascending.
    pub(super) fn columns(&self) -> &[usize] {
        &self.features.columns
    }

    /// s of every feature, from ln s of every class.
    pub(super) fn variances(&self, by_class: &[f64]) -> Vec<f64> {
        self.class_of.iter().map(|&class| libm::exp(by_class[class])).collect()
    }

    /// The features of every point, one row each. All their nodes must be known.
    pub(super) fn rows(&self, points: &Points) -> Matrix {
        let mut rows = Matrix::zeros(points.len(), self.len());
        if self.is_empty() {
            return rows;
        }
        let mut values = Vec::new();
        for (i, at) in points.iter().enumerate() {
            let mut first = 0;
            for (fixed, _) in &self.features.fixed {
                values.resize(fixed.count(), 0.0);
                if at.active().is_active(fixed.lead()) {
                    fixed.write(at, &mut values);
                    values.iter().enumerate().for_each(|(k, value)| rows.set(i, first + k, *value));
                }
                first += fixed.count();
            }
            for (n, (shared, _)) in self.features.nodes.iter().enumerate() {
                if let Some(node) = shared.key(at).and_then(|key| self.nodes.get(&(n, key))) {
                    rows.set(i, *node, 1.0);
                }
            }
        }
        rows
    }

    /// ∂z of one point: one row per requested column.
    pub(super) fn slopes(&self, at: Point<'_>, columns: &[usize]) -> Matrix {
        let mut slopes = Matrix::zeros(columns.len(), self.len());
        let mut values = Vec::new();
        for (c, &column) in columns.iter().enumerate() {
            let mut first = 0;
            for (fixed, _) in &self.features.fixed {
                values.clear();
                values.resize(fixed.count(), 0.0);
                if at.active().is_active(fixed.lead()) {
                    fixed.write_slope(at, column, &mut values);
                }
                values.iter().enumerate().for_each(|(k, value)| slopes.set(c, first + k, *value));
                first += fixed.count();
            }
        }
        slopes
    }
}

impl Fixed {
    fn count(&self) -> usize {
        match self {
            Fixed::Number(_) => 1,
            Fixed::Label { categories, .. } => *categories,
            Fixed::Waves { phases, .. } => phases.len(),
        }
    }

    fn lead(&self) -> usize {
        match self {
            Fixed::Number(column) | Fixed::Label { column, .. } => *column,
            Fixed::Waves { columns, .. } => columns[0],
        }
    }

    /// The values at a point that has the columns.
    fn write(&self, at: Point<'_>, out: &mut [f64]) {
        match self {
            Fixed::Number(column) => out[0] = at.x()[*column],
            Fixed::Label { column, categories } => {
                let place = at.x()[*column] * (*categories as f64 - 1.0);
                out.iter_mut()
                    .enumerate()
                    .for_each(|(k, out)| *out = f64::from((place - k as f64).abs() < 0.25));
            }
            Fixed::Waves { columns, frequencies, phases } => {
                let size = (2.0 / phases.len() as f64).sqrt();
                for ((out, frequency), phase) in out.iter_mut().zip(frequencies).zip(phases) {
                    *out = size * libm::cos(angle(at, columns, frequency, *phase));
                }
            }
        }
    }

    /// The derivatives with respect to one column.
    fn write_slope(&self, at: Point<'_>, by: usize, out: &mut [f64]) {
        match self {
            Fixed::Number(column) => out[0] = f64::from(*column == by),
            Fixed::Label { .. } => {}
            Fixed::Waves { columns, frequencies, phases } => {
                let Some(place) = columns.iter().position(|column| *column == by) else { return };
                let size = (2.0 / phases.len() as f64).sqrt();
                for ((out, frequency), phase) in out.iter_mut().zip(frequencies).zip(phases) {
                    *out = -size * frequency[place] * libm::sin(angle(at, columns, frequency, *phase));
                }
            }
        }
    }
}

/// ωᵀr + τ.
fn angle(at: Point<'_>, columns: &[usize], frequency: &[f64], phase: f64) -> f64 {
    phase + columns.iter().zip(frequency).map(|(&column, omega)| omega * at.x()[column]).sum::<f64>()
}

impl Features {
    pub(crate) fn new(layout: &Layout, nodes: Nodes, has_offsets: bool) -> Self {
        let columns = layout.varying().filter(|&column| Self::takes(layout, nodes, column)).collect();
        let mut features = Self { hypers: Vec::new(), fixed: Vec::new(), nodes: Vec::new(), columns };
        features.add_shared(layout, nodes);
        let root = features.class("node:root".into());
        features.nodes.push((SharedPath::Everywhere, root));
        let decisions = DecisionNode::all(layout);
        let has_several_leaves = !decisions.is_empty();
        for decision in decisions {
            let class = features.class(format!("node:{}", layout.columns[decision.decider()].name));
            features.nodes.push((SharedPath::InnerDecision(decision), class));
        }
        if has_offsets && has_several_leaves {
            let class = features.class(OFFSET.into());
            features.nodes.push((SharedPath::Branch, class));
        }
        features
    }

    /// Is this column part of the trend, and so removed from the processes inside branches?
    pub(crate) fn takes(layout: &Layout, nodes: Nodes, column: usize) -> bool {
        nodes != Nodes::Constant && is_shared(layout, column)
    }

    fn add_shared(&mut self, layout: &Layout, nodes: Nodes) {
        let mut together: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for column in self.columns.clone() {
            let (name, group) = (&layout.columns[column].name, layout.columns[column].place.group);
            match (layout.columns[column].kind, nodes) {
                (ColumnKind::Categories(categories), _) => {
                    let class = self.class(format!("slope:{name}"));
                    self.fixed.push((Fixed::Label { column, categories }, class));
                }
                (ColumnKind::Numeric, Nodes::Fourier { .. }) => {
                    together.entry(group).or_default().push(column);
                }
                (ColumnKind::Numeric, _) => {
                    let class = self.class(format!("slope:{name}"));
                    self.fixed.push((Fixed::Number(column), class));
                }
            }
        }
        let Nodes::Fourier { waves, length } = nodes else { return };
        for (group, columns) in together {
            let class = self.class(format!("waves:{}", layout.columns[columns[0]].name));
            self.fixed.push((draw_waves(columns, group as u64, waves, length), class));
        }
    }

    /// s of a new class: ln s ~ N(ln 0.3, 1).
    fn class(&mut self, name: String) -> usize {
        let prior = HyperPrior::LogNormal { mu: libm::log(0.3), sigma: 1.0 };
        let spec = HyperSpec { prior, low: 1e-4, high: 1e2, start: 0.3 };
        self.hypers.push(spec.hyper(name, Update::Single));
        self.hypers.len() - 1
    }

    pub(crate) fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }
}

fn draw_waves(columns: Vec<usize>, group: u64, waves: usize, length: f64) -> Fixed {
    let mut rng = Rng::for_trial(WAVES, group);
    let (mut frequencies, mut phases) = (Vec::with_capacity(waves), Vec::with_capacity(waves));
    for _ in 0..waves {
        let square: f64 = (0..5).map(|_| rng.normal().powi(2)).sum();
        let stretch = (5.0 / square).sqrt() / length;
        frequencies.push(columns.iter().map(|_| stretch * rng.normal()).collect());
        phases.push(std::f64::consts::TAU * rng.unit());
    }
    Fixed::Waves { columns, frequencies, phases }
}
