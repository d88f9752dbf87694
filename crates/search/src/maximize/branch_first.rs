//! The branch first, then a point inside it  [Jenatton et al. 2017, §3.2].
//!
//! 1. (p*, r*) = argmax of the path's utility over branches p and values r of the shared parameters the path depends on;
//! 2. x* = argmax of the utility inside p*, r* held (or let go again, if `reopen`).
//!
//! The first step asks the model's path alone, O(d²) a point: random draws of every branch, the best of them improved
//! by gradients in r. Then only one branch is searched in earnest; k branches, or all of them, on demand. What the path
//! does not depend on is never held. Branches whose paths score alike are all looked into; one with nothing left to try
//! is passed over. A utility that says nothing of branches has all of them looked into, and a space of too many branches
//! is searched as a whole. Not for spaces whose decisions are cheap to search together: local search crosses branches
//! by itself.
//!
//! A path says little where the processes inside the branches carry the effect of shared parameters: the level of a
//! branch can be theirs as well as the path's, so the path stays in doubt, most of all a long one. Then a branch is
//! better judged by the model's belief about its average over some draws ([`BranchRule::Average`]), which the data pin
//! down whoever it belongs to.
use super::combined::EVALUATIONS;
use super::descend::polish;
use super::pool::CandidatePool;
use super::{Combined, Component, Gather, LocalSearch, Maximizer, PartContext, Region};
use crate::acquisition::{BranchUtility, Utility, UtilitySlope};
use crate::error::{SearchError, at_least_one};
use arbora_space::{BranchKey, Configuration, ParamId, Point, Points, Rng, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Branches beyond which the space is searched as a whole.
const MOST_BRANCHES: usize = 1000;

/// Draws per branch whose paths are compared: those of the paper, fewer where branches are many.
const ANCHORS: usize = 512;
const ANCHORS_IN_ALL: usize = 4096;

/// Draws of a branch whose shared values are improved by gradients.
const IMPROVED: usize = 5;

/// Scores of paths this close tie.
const TIE: f64 = 1e-9;

/// Draws of a branch over which it is averaged.
const AVERAGED: usize = 64;

/// What a branch is judged by before looking inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BranchRule {
    /// What its path says, at the best values of the shared parameters it depends on  [Jenatton et al. 2017, eq. 6].
    #[default]
    Path,
    /// What the model believes of its average.
    Average,
}

/// A branch, then a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BranchFirst {
    /// How many branches are looked into; all if none is given.
    pub branches: Option<usize>,
    /// What branches are judged by.
    pub rule: BranchRule,
    /// Random draws that compete to be starts.
    pub random: usize,
    /// Walkers.
    pub starts: usize,
    /// How many of the best are improved by gradients.
    pub polished: usize,
    /// Do shared parameters move again once the branch is chosen?
    pub reopen: bool,
}

impl Default for BranchFirst {
    fn default() -> Self {
        let Combined { random, starts, polished } = Combined::default();
        Self { branches: None, rule: BranchRule::default(), random, starts, polished, reopen: false }
    }
}

/// What is known of one branch after the first step.
struct Outlook {
    leaf: usize,
    score: f64,
    /// Draws, the one whose path is wished for most first.
    drawn: Vec<Configuration>,
}

impl Component<dyn Maximizer> for BranchFirst {
    const KIND: &'static str = "branch_first";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.random", self.random)?;
        at_least_one("maximizer.branches", self.branches.unwrap_or(1))?;
        Ok(Box::new(*self))
    }
}

impl Gather for BranchFirst {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let Ok(tree) = within.space.tree_of(MOST_BRANCHES) else {
            let Self { random, starts, polished, .. } = *self;
            return Combined { random, starts, polished }.gather(wish, within, pool, rng);
        };
        let open = self.chosen(self.outlooks(&tree, wish, within, rng));
        let mut confined = Confined { wish, held: BTreeMap::new() };
        let mut starts = Vec::new();
        for Outlook { leaf, drawn, .. } in open {
            let is_held = self.rule == BranchRule::Path && !self.reopen;
            let held = if is_held { path_parameters(&tree, leaf, wish) } else { Vec::new() };
            let anchor = within.encode(&drawn[..1]);
            let values = held.iter().map(|id| (id.index(), anchor.row(0).x()[id.index()])).collect();
            confined.held.insert(tree.leaves()[leaf].branch(), values);
            let first = drawn[0].clone();
            starts.extend(drawn.into_iter().map(|one| agreeing(&one, &first, &held, within)));
        }
        let scores = within.score(&confined, &starts);
        pool.add_all(starts, &scores);
        let mut ends = LocalSearch { random: 0, starts: self.starts }.walk(&confined, within, pool, rng)?;
        ends.truncate(self.polished);
        polish(&ends, EVALUATIONS, &confined, within, pool, rng);
        pool.drop_unwished();
        Ok(())
    }
}

impl BranchFirst {
    /// Every branch that has something left to try, most wished for first.
    fn outlooks(&self, tree: &Tree, wish: &dyn Utility, within: &Region<'_>, rng: &mut Rng) -> Vec<Outlook> {
        let leaves = tree.leaves().len().max(1);
        let by_paths = (ANCHORS_IN_ALL / leaves).clamp(1, ANCHORS);
        let count = by_paths.min(self.random).max(self.random / leaves);
        let mut outlooks = Vec::new();
        for leaf in 0..tree.leaves().len() {
            let drawn = (0..count).map_while(|_| tree.representative(within.space, leaf, rng).ok());
            let mut drawn: Vec<Configuration> = drawn.filter(|one| !within.taken.contains(one)).collect();
            if !drawn.is_empty() {
                let branch = tree.leaves()[leaf].branch();
                let score = wish.branches().map_or(0.0, |paths| match self.rule {
                    BranchRule::Path => Self::lead(&mut drawn, &Path { paths, branch }, within, rng),
                    BranchRule::Average => {
                        paths.score_average(&within.encode(&drawn[..drawn.len().min(AVERAGED)]))
                    }
                });
                outlooks.push(Outlook { leaf, score, drawn });
            }
        }
        outlooks.sort_by(|a, b| b.score.total_cmp(&a.score));
        outlooks
    }

    /// Puts a configuration whose path is wished for most first: the best of the draws, its shared values improved.
    fn lead(drawn: &mut Vec<Configuration>, path: &Path<'_>, within: &Region<'_>, rng: &mut Rng) -> f64 {
        let mut pool = CandidatePool::default();
        pool.add_all(drawn.clone(), &within.score(path, drawn));
        if !path.paths.columns().is_empty() {
            let starts = pool.best_places(IMPROVED);
            polish(&starts, EVALUATIONS, path, within, &mut pool, rng);
        }
        let Some((best, score)) = pool.best(1).pop() else { return f64::NEG_INFINITY };
        match drawn.iter().position(|one| *one == best) {
            Some(place) => drawn.swap(0, place),
            None => drawn.insert(0, best),
        }
        score
    }

    /// The first so many, and those that tie with the last of them.
    fn chosen(&self, mut outlooks: Vec<Outlook>) -> Vec<Outlook> {
        let last =
            self.branches.and_then(|count| outlooks.get(count.saturating_sub(1))).map(|last| last.score);
        if let Some(last) = last {
            outlooks.retain(|outlook| outlook.score >= last - TIE);
        }
        outlooks
    }
}

/// Parameters of a leaf on whose values its path depends.
fn path_parameters(tree: &Tree, leaf: usize, wish: &dyn Utility) -> Vec<ParamId> {
    let columns = wish.branches().map_or(&[][..], BranchUtility::columns);
    let active = tree.leaves()[leaf].active().iter().copied();
    active.filter(|id| columns.contains(&id.index())).collect()
}

/// A draw with the shared values of another of its branch; the other itself where constraints forbid that.
fn agreeing(
    one: &Configuration,
    with: &Configuration,
    held: &[ParamId],
    within: &Region<'_>,
) -> Configuration {
    let values: Vec<_> = held.iter().filter_map(|id| Some((*id, with.get(*id)?.clone()))).collect();
    let moved = within.space.moved(one, &values);
    let is_allowed = moved.iter().map(|(id, _)| id).eq(with.iter().map(|(id, _)| id))
        && within.space.violated(&moved).is_none();
    if is_allowed { moved } else { with.clone() }
}

/// The wish for one branch as a utility of its points; nothing outside is wished for.
struct Path<'a> {
    paths: &'a dyn BranchUtility,
    branch: BranchKey,
}

impl Utility for Path<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        let scores = self.paths.score(at);
        let inside = |(i, score): (usize, f64)| {
            if at.row(i).branch() == self.branch { score } else { f64::NEG_INFINITY }
        };
        scores.into_iter().enumerate().map(inside).collect()
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        Some(self)
    }
}

impl UtilitySlope for Path<'_> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        self.paths.score_with_slope(at, columns, slope)
    }
}

/// A utility that wishes for nothing outside some branches, nor for other shared values inside them.
struct Confined<'a> {
    wish: &'a dyn Utility,
    /// Columns and the values they are held at.
    held: BTreeMap<BranchKey, Vec<(usize, f64)>>,
}

impl Confined<'_> {
    fn admits(&self, at: Point<'_>) -> bool {
        let is_held = |(column, value): &(usize, f64)| at.x()[*column].to_bits() == value.to_bits();
        self.held.get(&at.branch()).is_some_and(|held| held.iter().all(is_held))
    }
}

impl Utility for Confined<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        let inside: Vec<usize> = (0..at.len()).filter(|&i| self.admits(at.row(i))).collect();
        let mut scores = vec![f64::NEG_INFINITY; at.len()];
        if !inside.is_empty() {
            let wished = self.wish.score(&at.select(&inside));
            inside.iter().zip(wished).for_each(|(&i, wished)| scores[i] = wished);
        }
        scores
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        self.wish.slope().is_some().then_some(self)
    }
}

impl UtilitySlope for Confined<'_> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let inner = self.wish.slope().expect("a slope is offered only where there is one");
        let score = inner.score_with_slope(at, columns, slope);
        let held = self.held.get(&at.branch()).map_or(&[][..], Vec::as_slice);
        for (slope, column) in slope.iter_mut().zip(columns) {
            if held.iter().any(|(held, _)| held == column) {
                *slope = 0.0;
            }
        }
        score
    }
}
