//! A branch whose good part is small: its first point is nearly always bad.
//!
//! Of B branches with four numbers each, ordinary ones are bowls from 0.3 up, easy to go down. One is
//! worth 0.9 nearly everywhere; in a box that takes up the share s of its first two numbers it falls
//! to 0. Searching at random finds the box with probability s/B per trial. With a depth of two the
//! branches hang in groups under a decision of their own.
use super::super::{Problem, Reading};
use super::{bowl, hole};
use arbora_space::{Param, Space};

/// Numbers of every branch.
const NUMBERS: usize = 4;

/// Which tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Needle {
    branches: usize,
    /// Share of the good part, in percent.
    percent: usize,
    /// Decisions on the way to a branch: one or two.
    depth: usize,
}

impl Needle {
    /// From an easy one to one that luck alone finds within a hundred trials.
    pub(super) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for depth in [1, 2] {
            for branches in [3, 6, 12] {
                for percent in [30, 10, 3] {
                    all.push(Self { branches, percent, depth });
                }
            }
        }
        all
    }

    /// Such as `needle-6-10-1`: six branches, 10 % good, one decision.
    pub(super) fn name(&self) -> String {
        format!("needle-{}-{}-{}", self.branches, self.percent, self.depth)
    }

    /// The branch with the needle: neither the first nor the last.
    fn good(&self) -> usize {
        self.branches / 2
    }

    fn params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        let groups = if self.depth == 1 { vec![self.branches] } else { split(self.branches) };
        if self.depth > 1 {
            params.push(Param::choice("family", (0..groups.len()).map(|g| format!("f{g}"))));
        }
        let mut first = 0;
        for (g, size) in groups.into_iter().enumerate() {
            let (decision, when) = if self.depth == 1 {
                ("learner".to_owned(), None)
            } else {
                (format!("learner{g}"), Some(format!("family == 'f{g}'")))
            };
            let choice = Param::choice(decision.clone(), (first..first + size).map(|b| format!("l{b}")));
            params.push(when.into_iter().fold(choice, Param::when));
            for branch in first..first + size {
                let when = format!("{decision} == 'l{branch}'");
                let numbers = (0..NUMBERS).map(|i| Param::real(number(branch, i), 0.0, 1.0));
                params.extend(numbers.map(|param| param.when(when.clone())));
            }
            first += size;
        }
        params
    }
}

/// Groups of about three.
fn split(branches: usize) -> Vec<usize> {
    let groups = branches.div_ceil(3).max(2);
    (0..groups).map(|g| branches * (g + 1) / groups - branches * g / groups).collect()
}

fn number(branch: usize, i: usize) -> String {
    format!("l{branch}.x{i}")
}

/// The problem.
pub(super) fn needle(shape: Needle) -> Problem {
    let space = Space::new(shape.params()).expect("a tree of decisions is a space");
    let names: Vec<[String; NUMBERS]> =
        (0..shape.branches).map(|b| std::array::from_fn(|i| number(b, i))).collect();
    let radius = (shape.percent as f64 / 100.0).sqrt() / 2.0;
    Problem::new(shape.name(), space, 0.0, move |at: &Reading<'_>| {
        let active = names.iter().position(|numbers| at.number_if_active(&numbers[0]).is_some());
        let branch = active.expect("one branch is active");
        let values: [f64; NUMBERS] = std::array::from_fn(|i| at.number(&names[branch][i]));
        if branch == shape.good() {
            0.85 * hole(&values[..2], branch, radius) + 0.05 * bowl(&values[2..], branch + 2)
        } else {
            0.3 + 0.05 * branch as f64 / shape.branches as f64 + 0.5 * bowl(&values, branch)
        }
    })
}
