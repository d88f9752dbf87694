//! A space as people read it: every decision once, below each of its alternatives what that brings.
//!
//! The [`Tree`](super::Tree) lists branches, and decisions that do not depend on each other multiply there: four
//! scalers and seven learners are 28 leaves. The outline has one place for every parameter instead: below the
//! alternative that activates it; if several alternatives of a decision do, beside that decision; if a condition joins
//! decisions in another way, beside the deepest decision that all of them stand below. Wherever the place does not say
//! all of the condition, the condition is written beside it. An alternative that the constraints leave no
//! configuration is left out. Cost: parameters times the depth of their conditions, and one search per alternative
//! where there are constraints.
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

/// Alternatives looked at closely; beyond, what the constraints rule out is shown as well.
const CHECKED: usize = 500;

/// A line of an outline.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineItem {
    /// The decision it stands below, by its position; none at the top.
    pub parent: Option<usize>,
    /// What it is.
    pub kind: OutlineKind,
}

/// What a line of an outline is about.
#[derive(Clone, Debug, PartialEq)]
pub enum OutlineKind {
    /// A parameter; those whose decisions are listed alternative by alternative have no line of their own.
    Parameter {
        /// Which.
        id: ParamId,
        /// Its name.
        name: String,
        /// What it may be: `1e-5 … 100000, log`.
        domain: String,
        /// Its condition, where its place does not say all of it.
        when: Option<String>,
    },
    /// One alternative of a decision.
    Decision {
        /// What is decided: `model = svm`, `0.1 < x <= 0.5`.
        decision: Decision,
        /// The condition of its decider, where its place does not say all of it.
        when: Option<String>,
    },
}

/// A space as people read it. Prints as a tree of text.
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
    /// All lines as they are read: what stands below a decision follows it, parameters before decisions.
    pub fn items(&self) -> &[OutlineItem] {
        &self.items
    }

    /// The decisions that a configuration takes, by their positions.
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
    /// The space as people read it.
    pub fn outline(&self) -> Outline {
        let mut draft = Draft::new(self);
        self.ids().for_each(|id| draft.place(id));
        draft.finish()
    }

    /// Do conditions depend on it, apart from the hidden one by which an optional number is there?
    fn branches(&self, id: ParamId) -> bool {
        let own = match self.parameter(id).role() {
            Role::Switch { number } => Some(number),
            _ => None,
        };
        self.dependents(id).iter().any(|dependent| Some(*dependent) != own)
    }
}

/// One alternative in its place.
struct Alternative {
    decision: Decision,
    example: Value,
    home: Home,
}

/// Where something stands: below an alternative, or at the top; and the condition if that does not say it.
#[derive(Clone, Debug, Default)]
struct Home {
    below: Option<usize>,
    when: Option<String>,
}

struct Draft<'s> {
    space: &'s Space,
    alternatives: Vec<Alternative>,
    /// For every parameter, the alternatives of its decision.
    of: Vec<Vec<usize>>,
    homes: Vec<Home>,
    checks: usize,
}

impl<'s> Draft<'s> {
    fn new(space: &'s Space) -> Self {
        let width = space.parameters().len();
        Self {
            space,
            alternatives: Vec::new(),
            of: vec![Vec::new(); width],
            homes: Vec::new(),
            checks: CHECKED,
        }
    }

    /// Parents come first, so what a condition mentions has its place.
    fn place(&mut self, id: ParamId) {
        let parameter = self.space.parameter(id);
        let home = match parameter.role() {
            // The user knows one parameter that may be none.
            Role::Number { switch } => self.homes[switch.index()].clone(),
            Role::Switch { number } => self.home(parameter.when(), number),
            Role::Plain => self.home(parameter.when(), id),
        };
        self.homes.push(home.clone());
        if !self.space.branches(id) {
            return;
        }
        for Class { decision, example } in classes(self.space, id).unwrap_or_default() {
            if self.is_open(&decision, home.below) {
                self.of[id.index()].push(self.alternatives.len());
                self.alternatives.push(Alternative { decision, example, home: home.clone() });
            }
        }
    }

    fn home(&self, when: &Condition, declared: ParamId) -> Home {
        let mut parts = Parts::default();
        parts.take(when);
        let Some(host) = parts.single.keys().next_back().copied() else {
            let below = self.meeting(&parts.joined);
            let when = (*when != Condition::Always).then(|| self.space.describe_when(declared)).flatten();
            return Home { below, when };
        };
        let (all, host_home) = (&self.of[host.index()], &self.homes[host.index()]);
        let (below, is_said) = match self.allowed(host, &parts).as_slice() {
            [only] => (Some(*only), true),
            // Beside a number that may be none, it may be none.
            _ if matches!(self.space.parameter(host).role(), Role::Number { .. }) => (host_home.below, false),
            allowed => (host_home.below, !allowed.is_empty() && allowed.len() == all.len()),
        };
        // What stands beside a decision that has a condition of its own needs it as well.
        let is_said = is_said && (below != host_home.below || host_home.when.is_none());
        let is_implied = |decider: &ParamId| {
            *decider == host || {
                let allowed = self.allowed(*decider, &parts);
                self.path(below).any(|at| allowed.contains(&at))
            }
        };
        let says_all = is_said && parts.joined.is_empty() && parts.single.keys().all(is_implied);
        Home { below, when: if says_all { None } else { self.space.describe_when(declared) } }
    }

    /// The alternatives of a decider that its own part of a condition allows.
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
        std::iter::successors(below, |at| self.alternatives[*at].home.below)
    }

    /// The deepest place that all of some deciders stand below.
    fn meeting(&self, deciders: &[ParamId]) -> Option<usize> {
        let mut places = deciders.iter().map(|id| self.homes[id.index()].below);
        let first: Vec<usize> = self.path(places.next()?).collect();
        let mut common = first.as_slice();
        for place in places {
            let other: std::collections::HashSet<usize> = self.path(place).collect();
            let from = common.iter().position(|at| other.contains(at)).unwrap_or(common.len());
            common = &common[from..];
        }
        common.first().copied()
    }

    /// Do the constraints leave an alternative a configuration? Yes where that is not known.
    fn is_open(&mut self, decision: &Decision, below: Option<usize>) -> bool {
        if self.space.clauses().is_empty() || self.checks == 0 {
            return true;
        }
        self.checks -= 1;
        let path: Vec<&Decision> = self.path(below).map(|at| &self.alternatives[at].decision).collect();
        is_open(self.space, &[path, vec![decision]].concat())
    }

    /// Lines in the order in which they are read.
    fn finish(mut self) -> Outline {
        let mut lines: BTreeMap<Option<usize>, Vec<ParamId>> = BTreeMap::new();
        for id in self.space.ids().filter(|id| self.has_line(*id)) {
            lines.entry(self.homes[id.index()].below).or_default().push(id);
        }
        let mut decisions: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for (at, alternative) in self.alternatives.iter().enumerate() {
            decisions.entry(alternative.home.below).or_default().push(at);
        }
        let mut items: Vec<OutlineItem> = Vec::new();
        // What is open is an alternative and where its parent went.
        let mut open: Vec<(Option<usize>, Option<usize>)> = vec![(None, None)];
        while let Some((at, parent)) = open.pop() {
            let here = at.map(|at| {
                let Alternative { decision, home, .. } = &self.alternatives[at];
                let (decision, when) = (decision.clone(), home.when.clone());
                items.push(OutlineItem { parent, kind: OutlineKind::Decision { decision, when } });
                items.len() - 1
            });
            for id in lines.remove(&at).unwrap_or_default() {
                let (name, domain) = (self.space.parameter(id).name().to_owned(), self.space.describe(id));
                let when = self.homes[id.index()].when.take();
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

    /// The alternatives of a choice are lines already, and a hidden switch belongs to its number.
    fn has_line(&self, id: ParamId) -> bool {
        let parameter = self.space.parameter(id);
        let is_listed = parameter.domain().labels().is_some() && !self.of[id.index()].is_empty();
        !is_listed && !matches!(parameter.role(), Role::Switch { .. })
    }
}

/// A condition taken apart: what it asks of single deciders, and the deciders of what it asks of several at once.
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
