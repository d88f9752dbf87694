//! What the trend of the tree model sees of a point: the nodes on its path, and parameters of several branches.
//!
//! A number enters as it is, a label as its one-hot corner. As waves, the shared numbers of one condition r become
//! ψ_k(r) = √(2/F)·cos(ω_kᵀr + τ_k), τ uniform, ω = N(0, ℓ⁻²I)·√(5/χ²₅): a Matérn 5/2 process of length-scale ℓ in
//! the limit of many  [Rahimi & Recht 2007; Jenatton et al. 2017, §4.3]. The frequencies are drawn once and stay.
use crate::belief::Belief;
use crate::hyper::{Hyper, Update};
use crate::kernel::{Crossing, Meeting, OFFSET, is_shared};
use crate::linalg::Matrix;
use crate::prior::Prior;
use arbora_space::{BranchKey, ColumnKind, Layout, Point, Points, Rng};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How parameters of several branches act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Nodes {
    /// Not through the nodes: every branch looks at them anew. Nodes are constants.
    #[default]
    Constant,
    /// Linearly, with one slope for all branches.
    Linear,
    /// As a function of their own, made of random waves.
    Fourier {
        /// F: waves per condition.
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

/// Where frequencies are drawn from; they are part of the model, not of a run.
const WAVES: u64 = 0x0077_6176_6573;

/// A group of features that share a variance; all but nodes are known before any point is.
enum Fixed {
    Number(usize),
    Label { column: usize, categories: usize },
    Waves { columns: Vec<usize>, frequencies: Vec<Vec<f64>>, phases: Vec<f64> },
}

/// All features a point can have.
pub(crate) struct Features {
    hypers: Vec<Hyper>,
    fixed: Vec<(Fixed, usize)>,
    nodes: Vec<(Meeting, usize)>,
    /// Columns whose values the features depend on, ascending.
    columns: Vec<usize>,
}

/// The features there are, in their order: those known beforehand, then a node for every one met.
#[derive(Clone)]
pub(crate) struct Register {
    classes: usize,
    class_of: Vec<usize>,
    nodes: BTreeMap<(usize, BranchKey), usize>,
}

impl Register {
    /// Number of features.
    pub(super) fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Number of classes that share a variance.
    pub(super) fn classes(&self) -> usize {
        self.classes
    }

    pub(super) fn class(&self, feature: usize) -> usize {
        self.class_of[feature]
    }

    /// s of every feature, from ln s of every class.
    pub(super) fn variances(&self, by_class: &[f64]) -> Vec<f64> {
        self.class_of.iter().map(|&class| libm::exp(by_class[class])).collect()
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

    /// The derivatives by one column.
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
        features.nodes.push((Meeting::Everywhere, root));
        let crossings = Crossing::all(layout);
        let has_several_leaves = !crossings.is_empty();
        for crossing in crossings {
            let class = features.class(format!("node:{}", layout.columns[crossing.decider()].name));
            features.nodes.push((Meeting::InnerDecision(crossing), class));
        }
        if has_offsets && has_several_leaves {
            let class = features.class(OFFSET.into());
            features.nodes.push((Meeting::Branch, class));
        }
        features
    }

    /// Columns whose values the features depend on, ascending.
    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Does the trend take this column away from the processes inside?
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
        let prior = Prior::LogNormal { mu: libm::log(0.3), sigma: 1.0 };
        let belief = Belief { prior, low: 1e-4, high: 1e2, start: 0.3 };
        self.hypers.push(belief.hyper(name, Update::Single));
        self.hypers.len() - 1
    }

    pub(crate) fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    /// The features of these points.
    pub(super) fn register(&self, points: &Points) -> Register {
        let fixed = self.fixed.iter().flat_map(|(fixed, class)| std::iter::repeat_n(*class, fixed.count()));
        let class_of = fixed.collect();
        let empty = Register { classes: self.hypers.len(), class_of, nodes: BTreeMap::new() };
        self.grown(&empty, points)
    }

    /// The same with the nodes that these points bring.
    pub(super) fn grown(&self, register: &Register, points: &Points) -> Register {
        let mut grown = register.clone();
        for row in points.iter() {
            for (n, (meeting, class)) in self.nodes.iter().enumerate() {
                let Some(key) = meeting.key(row) else { continue };
                let next = grown.class_of.len();
                if *grown.nodes.entry((n, key)).or_insert(next) == next {
                    grown.class_of.push(*class);
                }
            }
        }
        grown
    }

    /// The features of every point, all of whose nodes are registered: one row each.
    pub(super) fn rows(&self, points: &Points, register: &Register) -> Matrix {
        let mut rows = Matrix::zeros(points.len(), register.len());
        let mut values = Vec::new();
        for (i, at) in points.iter().enumerate() {
            let mut first = 0;
            for (fixed, _) in &self.fixed {
                values.resize(fixed.count(), 0.0);
                if at.active().is_active(fixed.lead()) {
                    fixed.write(at, &mut values);
                    values.iter().enumerate().for_each(|(k, value)| rows.set(i, first + k, *value));
                }
                first += fixed.count();
            }
            for (n, (meeting, _)) in self.nodes.iter().enumerate() {
                if let Some(node) = meeting.key(at).and_then(|key| register.nodes.get(&(n, key))) {
                    rows.set(i, *node, 1.0);
                }
            }
        }
        rows
    }

    /// ∂z of one point: a row per column asked for.
    pub(super) fn slopes(&self, at: Point<'_>, columns: &[usize], features: usize) -> Matrix {
        let mut slopes = Matrix::zeros(columns.len(), features);
        let mut values = Vec::new();
        for (c, &column) in columns.iter().enumerate() {
            let mut first = 0;
            for (fixed, _) in &self.fixed {
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
