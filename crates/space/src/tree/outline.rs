//! A space as text for people: every decision once, with the parameters of each alternative below
//! it.
//!
//! The [`Tree`](super::Tree) lists branches, so independent decisions multiply: four scalers and
//! seven learners are 28 leaves. The outline shows every parameter once: below the alternative that
//! activates it; if several alternatives of a decision do, beside that decision; if a condition
//! combines decisions in another way, beside the deepest decision above all of them. If the place
//! does not imply the whole condition, the condition is shown as well. Alternatives that the
//! constraints rule out are left out. Cost: parameters times the depth of their conditions, and one
//! search per alternative if there are constraints.
use super::Decision;
use super::classes::{Class, classes};
use super::represent::is_open;
use crate::condition::Condition;
use crate::configuration::Configuration;
use crate::encode::Branching;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::value::Value;
use std::collections::BTreeMap;

/// Number of alternatives to check; beyond that, alternatives that constraints rule out are shown
/// too.
const CHECKED: usize = 500;

/// A line of an outline.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineItem {
    /// The position of the decision above it; `None` at the top.
    pub parent: Option<usize>,
    /// What it is.
    pub kind: OutlineKind,
}

/// What a line of an outline shows.
#[derive(Clone, Debug, PartialEq)]
pub enum OutlineKind {
    /// A parameter. Deciders whose alternatives are listed have no line of their own.
    Parameter {
        /// Which.
        id: ParamId,
        /// Its name.
        name: String,
        /// Its domain: `1e-5 … 100000, log`.
        domain: String,
        /// Its condition, if its place does not imply all of it.
        when: Option<String>,
    },
    /// One alternative of a decision.
    Decision {
        /// The decision: `model = svm`, `0.1 < x <= 0.5`.
        decision: Decision,
        /// The condition of its decider, if its place does not imply all of it.
        when: Option<String>,
    },
}

/// A space as text for people; prints as a tree.
///
/// ```
/// use arbora_space::{Param, Space};
/// let space = Space::new([
///     Param::real("rate", 0.0, 1.0),
///     Param::choice("scaler", ["none", "box"]),
///     Param::choice("model", ["svm", "naive"]),
///     Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
///     Param::boolean("centre").when("scaler == 'box'"),
/// ])?;
/// let shown = "\
/// rate  0 … 1
/// ├─ scaler = none
/// └─ scaler = box
///      centre  false | true
///
/// ├─ model = svm
/// │    C  1e-5 … 100000, log
/// └─ model = naive
/// ";
/// assert_eq!(space.outline().to_string(), shown);
/// # Ok::<(), arbora_space::SpaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    items: Vec<OutlineItem>,
}

impl Outline {
    /// All lines in reading order: what is below a decision follows it, parameters before
    /// decisions.
    pub fn items(&self) -> &[OutlineItem] {
        &self.items
    }

    /// The positions of the decisions that a configuration takes.
    pub fn taken(&self, space: &Space, configuration: &Configuration) -> Vec<usize> {
        let takes = |item: &OutlineItem| match &item.kind {
            OutlineKind::Parameter { .. } => false,
            OutlineKind::Decision { decision, .. } => {
                configuration.get(decision.parameter).is_some_and(|value| {
                    space.class(decision.parameter, value, Branching::Literal) == decision.class
                })
            }
        };
        (0..self.items.len()).filter(|at| takes(&self.items[*at])).collect()
    }
}

impl Space {
    /// The space as text for people.
    pub fn outline(&self) -> Outline {
        let mut draft = Draft::new(self);
        self.ids().for_each(|id| draft.place(id));
        draft.finish()
    }

    /// Do conditions depend on it, apart from the hidden condition of an optional number?
    fn branches(&self, id: ParamId) -> bool {
        let own = match self.parameter(id).role() {
            Role::Switch { number } => Some(number),
            _ => None,
        };
        self.dependents(id).iter().any(|dependent| Some(*dependent) != own)
    }
}

/// One alternative and its place.
struct Alternative {
    decision: Decision,
    example: Value,
    placement: Placement,
}

/// The place of an item: below an alternative, or at the top; and its condition if that is not
/// implied.
#[derive(Clone, Debug, Default)]
struct Placement {
    below: Option<usize>,
    when: Option<String>,
}

struct Draft<'s> {
    space: &'s Space,
    alternatives: Vec<Alternative>,
    /// For every parameter, the alternatives of its decision.
    of: Vec<Vec<usize>>,
    placements: Vec<Placement>,
    checks: usize,
}

impl<'s> Draft<'s> {
    fn new(space: &'s Space) -> Self {
        let width = space.parameters().len();
        Self {
            space,
            alternatives: Vec::new(),
            of: vec![Vec::new(); width],
            placements: Vec::new(),
            checks: CHECKED,
        }
    }

    /// Parents come first, so all parameters in a condition already have a place.
    fn place(&mut self, id: ParamId) {
        let parameter = self.space.parameter(id);
        let placement = match parameter.role() {
            // Users see an optional number as one parameter.
            Role::Number { switch } => self.placements[switch.index()].clone(),
            Role::Switch { number } => self.placement(parameter.when(), number),
            Role::Plain => self.placement(parameter.when(), id),
        };
        self.placements.push(placement.clone());
        if !self.space.branches(id) {
            return;
        }
        for Class { decision, example } in classes(self.space, id).unwrap_or_default() {
            if self.is_open(&decision, placement.below) {
                self.of[id.index()].push(self.alternatives.len());
                self.alternatives.push(Alternative { decision, example, placement: placement.clone() });
            }
        }
    }

    fn placement(&self, when: &Condition, declared: ParamId) -> Placement {
        let mut parts = Parts::default();
        parts.take(when);
        let Some(host) = parts.single.keys().next_back().copied() else {
            let below = self.common_ancestor(&parts.joined);
            let when = (*when != Condition::Always).then(|| self.space.describe_when(declared)).flatten();
            return Placement { below, when };
        };
        let (all, host_placement) = (&self.of[host.index()], &self.placements[host.index()]);
        let (below, is_exact) = match self.allowed(host, &parts).as_slice() {
            [only] => (Some(*only), true),
            // The number may also be none, so the place beside it does not imply the condition.
            _ if matches!(self.space.parameter(host).role(), Role::Number { .. }) => {
                (host_placement.below, false)
            }
            allowed => (host_placement.below, !allowed.is_empty() && allowed.len() == all.len()),
        };
        // An item beside a conditional decision needs its condition as well.
        let is_exact = is_exact && (below != host_placement.below || host_placement.when.is_none());
        let is_implied = |decider: &ParamId| {
            *decider == host || {
                let allowed = self.allowed(*decider, &parts);
                self.path(below).any(|at| allowed.contains(&at))
            }
        };
        let is_complete = is_exact && parts.joined.is_empty() && parts.single.keys().all(is_implied);
        Placement { below, when: if is_complete { None } else { self.space.describe_when(declared) } }
    }

    /// The alternatives of a decider that its part of a condition allows.
    fn allowed(&self, decider: ParamId, parts: &Parts<'_>) -> Vec<usize> {
        let conditions = &parts.single[&decider];
        let passes = |at: &&usize| {
            let example = &self.alternatives[**at].example;
            let label = self.space.label(decider, example);
            conditions.iter().all(|condition| condition.holds(&mut |_, test| test.holds(example, label)))
        };
        self.of[decider.index()].iter().filter(passes).copied().collect()
    }

    /// Alternatives from a place up to the top.
    fn path(&self, below: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(below, |at| self.alternatives[*at].placement.below)
    }

    /// The deepest place above all of some deciders.
    fn common_ancestor(&self, deciders: &[ParamId]) -> Option<usize> {
        let mut places = deciders.iter().map(|id| self.placements[id.index()].below);
        let first: Vec<usize> = self.path(places.next()?).collect();
        let mut common = first.as_slice();
        for place in places {
            let other: std::collections::HashSet<usize> = self.path(place).collect();
            let from = common.iter().position(|at| other.contains(at)).unwrap_or(common.len());
            common = &common[from..];
        }
        common.first().copied()
    }

    /// Do the constraints allow an alternative? True if that is unknown.
    fn is_open(&mut self, decision: &Decision, below: Option<usize>) -> bool {
        if self.space.clauses().is_empty() || self.checks == 0 {
            return true;
        }
        self.checks -= 1;
        let path: Vec<&Decision> = self.path(below).map(|at| &self.alternatives[at].decision).collect();
        is_open(self.space, &[path, vec![decision]].concat())
    }

    /// All lines, in reading order.
    fn finish(mut self) -> Outline {
        let mut lines: BTreeMap<Option<usize>, Vec<ParamId>> = BTreeMap::new();
        for id in self.space.ids().filter(|id| self.has_line(*id)) {
            lines.entry(self.placements[id.index()].below).or_default().push(id);
        }
        let mut decisions: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for (at, alternative) in self.alternatives.iter().enumerate() {
            decisions.entry(alternative.placement.below).or_default().push(at);
        }
        let mut items: Vec<OutlineItem> = Vec::new();
        // Pairs of an alternative to visit and the line of its parent.
        let mut open: Vec<(Option<usize>, Option<usize>)> = vec![(None, None)];
        while let Some((at, parent)) = open.pop() {
            let here = at.map(|at| {
                let Alternative { decision, placement, .. } = &self.alternatives[at];
                let (decision, when) = (decision.clone(), placement.when.clone());
                items.push(OutlineItem { parent, kind: OutlineKind::Decision { decision, when } });
                items.len() - 1
            });
            for id in lines.remove(&at).unwrap_or_default() {
                let (name, domain) = (self.space.parameter(id).name().to_owned(), self.space.describe(id));
                let when = self.placements[id.index()].when.take();
                items.push(OutlineItem {
                    parent: here,
                    kind: OutlineKind::Parameter { id, name, domain, when },
                });
            }
            let below = decisions.remove(&at).unwrap_or_default();
            open.extend(below.into_iter().rev().map(|at| (Some(at), here)));
        }
        Outline { items }
    }

    /// The alternatives of a choice have lines already, and a hidden switch belongs to its number.
    fn has_line(&self, id: ParamId) -> bool {
        let parameter = self.space.parameter(id);
        let is_listed = parameter.domain().labels().is_some() && !self.of[id.index()].is_empty();
        !is_listed && !matches!(parameter.role(), Role::Switch { .. })
    }
}

/// A condition split into tests of single deciders, and the deciders of all other parts.
#[derive(Default)]
struct Parts<'c> {
    single: BTreeMap<ParamId, Vec<&'c Condition>>,
    joined: Vec<ParamId>,
}

impl<'c> Parts<'c> {
    fn take(&mut self, condition: &'c Condition) {
        if let Condition::All(parts) = condition {
            return parts.iter().for_each(|part| self.take(part));
        }
        let mut deciders: Vec<ParamId> = condition.tests().into_iter().map(|(decider, _)| decider).collect();
        deciders.sort_unstable();
        deciders.dedup();
        match deciders.as_slice() {
            [] => {}
            [only] => self.single.entry(*only).or_default().push(condition),
            _ => self.joined.extend(deciders),
        }
    }
}
