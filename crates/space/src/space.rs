//! The built space: parameters with parents before children. The only place that decides which
//! parameters are active.
use crate::build::{self, Target};
use crate::cardinality::Cardinality;
use crate::condition::{Condition, Test};
use crate::configuration::Configuration;
use crate::constraint::Clause;
use crate::domain::Domain;
use crate::id::ParamId;
use crate::layout::{Column, ColumnKind, ColumnPlace, Layout};
use crate::parameter::Parameter;
use crate::spec::SpaceSpec;
use crate::value::Value;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// A search space: all configurations that can be tried. Immutable; build it once and share it.
///
/// ```
/// use arbora_space::{Param, Rng, Space};
/// let space = Space::new([
///     Param::choice("model", ["svm", "forest"]),
///     Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
///     Param::integer("trees", 1, 500).log().when("model == 'forest'"),
/// ])?;
/// let configuration = space.sample(&mut Rng::new(7))?;
/// assert_eq!(configuration.len(), 2);
/// # Ok::<(), arbora_space::SpaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    spec: SpaceSpec,
    parameters: Vec<Parameter>,
    names: HashMap<String, Target>,
    clauses: Vec<Clause>,
    /// For each parameter, the clauses that mention it.
    clauses_of: Vec<Vec<u32>>,
    /// For each parameter, the parameters whose conditions mention it.
    dependents: Vec<Vec<ParamId>>,
    /// For each decider, the dependents that each of its alternatives can activate.
    activated_by: Vec<Vec<Vec<ParamId>>>,
    /// For each parameter, the distinct tests in conditions of others.
    tests: Vec<Vec<Test>>,
    /// Unconditional parameters, one bit each.
    roots: Vec<u64>,
    pub(crate) layout: Layout,
    /// Computed on first use, since it can take a while.
    pub(crate) cardinality: OnceLock<Cardinality>,
}

impl Space {
    pub(crate) fn assemble(spec: SpaceSpec, built: build::Built) -> Self {
        let parameters = built.parameters;
        let width = parameters.len();
        let (mut dependents, mut tests) = (vec![Vec::new(); width], vec![Vec::new(); width]);
        let mut roots = vec![0u64; width.div_ceil(64)];
        let mut known = HashSet::new();
        for (i, parameter) in parameters.iter().enumerate() {
            let child = ParamId::new(i);
            for (decider, test) in parameter.when.tests() {
                if known.insert((decider, test)) {
                    tests[decider.index()].push(test.clone());
                }
                let of_this: &mut Vec<ParamId> = &mut dependents[decider.index()];
                if of_this.last() != Some(&child) {
                    of_this.push(child);
                }
            }
            if parameter.when == Condition::Always {
                roots[i / 64] |= 1 << (i % 64);
            }
        }
        let mut clauses_of = vec![Vec::new(); width];
        for (c, clause) in built.clauses.iter().enumerate() {
            clause.parameters().into_iter().for_each(|id| clauses_of[id.index()].push(c as u32));
        }
        let layout = layout_of(&parameters, &dependents);
        let activated_by = activated_lists(&parameters, &dependents);
        let (names, clauses) = (built.names, built.clauses);
        Self {
            spec,
            parameters,
            names,
            clauses,
            clauses_of,
            dependents,
            activated_by,
            tests,
            roots,
            layout,
            cardinality: OnceLock::new(),
        }
    }

    /// The spec of this space.
    pub fn spec(&self) -> &SpaceSpec {
        &self.spec
    }

    /// All parameters, parents before children.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// One parameter.
    pub fn parameter(&self, id: ParamId) -> &Parameter {
        &self.parameters[id.index()]
    }

    /// Every id, parents before children.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ParamId> + use<> {
        (0..self.parameters.len()).map(ParamId::new)
    }

    /// The parameter with this name; for an optional number, the number.
    pub fn id(&self, name: &str) -> Option<ParamId> {
        self.names.get(name).map(|target| match target {
            Target::Plain(id) | Target::Optional { number: id, .. } => *id,
        })
    }

    /// Do other parameters depend on this one?
    pub fn is_decider(&self, id: ParamId) -> bool {
        !self.dependents[id.index()].is_empty()
    }

    /// Parameters whose condition mentions this one.
    pub fn dependents(&self, id: ParamId) -> &[ParamId] {
        &self.dependents[id.index()]
    }

    /// The distinct tests of a decider in conditions.
    pub fn tests(&self, id: ParamId) -> &[Test] {
        &self.tests[id.index()]
    }

    /// Conjunctions that no configuration may satisfy.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Everything that models may know about this space.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn target(&self, name: &str) -> Option<Target> {
        self.names.get(name).copied()
    }

    /// Is a parameter active, given the values of the parameters before it?
    pub fn is_active(&self, id: ParamId, before: &Configuration) -> bool {
        self.parameters[id.index()]
            .when
            .holds_for(&|decider| before.get(decider).map(|value| (value, self.label(decider, value))))
    }

    /// The position of a value among the alternatives of a parameter.
    pub(crate) fn label(&self, id: ParamId, value: &Value) -> Option<usize> {
        self.parameters[id.index()].domain().labels().and_then(|labels| labels.index_of(value))
    }

    /// The dependents that can be active if a decider has this value.
    fn activated_by(&self, id: ParamId, value: &Value) -> &[ParamId] {
        match self.activated_by[id.index()].as_slice() {
            [] => &[],
            lists => &lists[self.label(id, value).unwrap_or(0)],
        }
    }

    /// Visits the active parameters, parents first, and calls `choose` once for each. This is the
    /// only place that decides which parameters are active.
    pub(crate) fn walk<E>(
        &self,
        mut choose: impl FnMut(ParamId, &Configuration) -> Result<Value, E>,
    ) -> Result<Configuration, E> {
        let mut open = self.roots.clone();
        let mut made = Configuration::default();
        let mut word = 0;
        while word < open.len() {
            if open[word] == 0 {
                word += 1;
                continue;
            }
            let bit = open[word].trailing_zeros() as usize;
            open[word] &= open[word] - 1;
            let id = ParamId::new(word * 64 + bit);
            if self.is_active(id, &made) {
                let value = choose(id, &made)?;
                let activated_by = self.activated_by(id, &value);
                made.push(id, value);
                for child in activated_by {
                    open[child.index() / 64] |= 1 << (child.index() % 64);
                }
            }
        }
        Ok(made)
    }

    /// The clause that a configuration violates, if any.
    pub fn violated(&self, configuration: &Configuration) -> Option<&Clause> {
        let label = |id: ParamId, value: &Value| self.label(id, value);
        self.clauses.iter().find(|clause| clause.forbids(configuration, &label))
    }

    /// Is one of the clauses that mention `id` violated?
    pub(crate) fn is_forbidden_through(&self, id: ParamId, configuration: &Configuration) -> bool {
        let label = |id: ParamId, value: &Value| self.label(id, value);
        self.clauses_of[id.index()].iter().any(|&c| self.clauses[c as usize].forbids(configuration, &label))
    }
}

/// Dependents by the alternative that can activate them; one list if the decider is a number. With
/// forty methods of ten parameters each, a walk then checks ten conditions instead of four hundred.
fn activated_lists(parameters: &[Parameter], dependents: &[Vec<ParamId>]) -> Vec<Vec<Vec<ParamId>>> {
    let lists = |(i, decider): (usize, &Parameter)| {
        let id = ParamId::new(i);
        // Conditions have no negation: one that fails with all other deciders in its favour cannot
        // hold.
        let can_activate = |label: usize, value: &Value, child: ParamId| {
            let when = &parameters[child.index()].when;
            when.holds(&mut |other, test| other != id || test.holds(value, Some(label)))
        };
        match decider.domain().labels() {
            _ if dependents[i].is_empty() => Vec::new(),
            None => vec![dependents[i].clone()],
            Some(labels) => (labels.values().iter().enumerate())
                .map(|(l, value)| {
                    dependents[i].iter().copied().filter(|&c| can_activate(l, value, c)).collect()
                })
                .collect(),
        }
    };
    parameters.iter().enumerate().map(lists).collect()
}

fn layout_of(parameters: &[Parameter], dependents: &[Vec<ParamId>]) -> Layout {
    let column = |(i, p): (usize, &Parameter)| Column {
        name: p.name().to_owned(),
        kind: match p.domain() {
            Domain::Labels(labels) if !labels.is_ordered() => ColumnKind::Categories(labels.len()),
            _ => ColumnKind::Numeric,
        },
        is_fixed: p.domain().levels() == Some(1),
        is_decider: !dependents[i].is_empty(),
        is_conditional: p.when != Condition::Always,
        levels: p.domain().levels(),
        default: p.domain().encode(p.default()),
        place: ColumnPlace::default(),
    };
    Layout { columns: parameters.iter().enumerate().map(column).collect() }
}
