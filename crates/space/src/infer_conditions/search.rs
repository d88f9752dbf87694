//! Searches for a condition: the first single test that agrees with all trials, or tests nested in
//! the one with the fewest errors.
use super::rule::Rule;
use super::single::{best_test, may_agree};
use super::table::{Labelled, Table};
use crate::condition::Condition;

/// Maximum nesting of tests: deeper branching inside one parameter is rare and would need many
/// trials.
const DEEPEST: usize = 3;

/// The search, within its work limit.
pub(super) struct Search<'a> {
    table: &'a Table<'a>,
    /// Remaining number of values to inspect for nested tests.
    left: usize,
    /// Number of values inspected for tests.
    #[cfg(test)]
    pub(super) looked: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(table: &'a Table<'a>, most: usize) -> Self {
        Self {
            table,
            left: most,
            #[cfg(test)]
            looked: 0,
        }
    }

    /// A condition that agrees with every label; `None` if none is needed or found.
    pub(super) fn rule(&mut self, among: &[usize], labelled: &Labelled) -> Option<Rule> {
        if labelled.iter().all(|(_, has_it)| *has_it) {
            return None;
        }
        let grown = self.grown(among, labelled, DEEPEST)?;
        grown.agrees(self.table, labelled).then_some(grown)
    }

    fn best_test(&mut self, at: usize, labelled: &Labelled) -> Option<Rule> {
        #[cfg(test)]
        {
            self.looked += labelled.len();
        }
        best_test(self.table, at, labelled)
    }

    fn grown(&mut self, among: &[usize], labelled: &Labelled, depth: usize) -> Option<Rule> {
        for &at in among {
            if may_agree(self.table, at, labelled) {
                let single = self.best_test(at, labelled);
                if let Some(single) = single.filter(|single| single.agrees(self.table, labelled)) {
                    return Some(single);
                }
            }
        }
        let Some(left) = self.left.checked_sub(among.len() * labelled.len()) else {
            self.left = 0;
            return None;
        };
        self.left = left;
        if depth == 0 {
            return None;
        }
        let mut tests: Vec<(usize, Rule)> = Vec::new();
        for &at in among {
            let test = self.best_test(at, labelled);
            tests.extend(test.map(|test| (test.wrong(self.table, labelled), test)));
        }
        tests.sort_by_key(|(wrong, _)| *wrong);
        tests.into_iter().find_map(|(_, test)| {
            let nested = self.nested(among, labelled, &test, depth)?;
            nested.agrees(self.table, labelled).then_some(nested)
        })
    }

    /// Separate rules for three cases: the test holds, its negation holds, its parameter is
    /// inactive.
    fn nested(&mut self, among: &[usize], labelled: &Labelled, test: &Rule, depth: usize) -> Option<Rule> {
        let Condition::Is(decider, is) = &test.condition else { return None };
        let opposite =
            Rule { expression: !test.expression.clone(), condition: Condition::Is(*decider, is.negated()) };
        let mut ways: Vec<Rule> = Vec::new();
        for guard in [Some(test), Some(&opposite), None] {
            let is_here = |row: usize| match guard {
                Some(guard) => guard.holds(self.table, row),
                None => self.table.cell(row, decider.index()).is_none(),
            };
            let here: Labelled = labelled.iter().copied().filter(|(row, _)| is_here(*row)).collect();
            if here.len() == labelled.len() {
                return None;
            }
            if !here.iter().any(|(_, has_it)| *has_it) {
                continue;
            }
            match guard {
                Some(guard) if here.iter().all(|(_, has_it)| *has_it) => ways.push(guard.clone()),
                Some(guard) => ways.push(guard.clone().and(self.grown(among, &here, depth - 1)?)),
                None => ways.push(self.grown(among, &here, depth - 1)?),
            }
        }
        Rule::any_of(ways)
    }
}
