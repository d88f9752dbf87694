//! A condition that may explain when a parameter is active.
use super::table::{Labelled, Table};
use crate::condition::Condition;
use crate::expression::Expression;
use crate::id::ParamId;

/// A condition, with names and with positions.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) expression: Expression,
    pub(super) condition: Condition,
}

impl Rule {
    pub(super) fn deciders(&self) -> Vec<usize> {
        self.condition.tests().into_iter().map(|(decider, _)| decider.index()).collect()
    }

    pub(super) fn holds(&self, table: &Table<'_>, row: usize) -> bool {
        self.condition
            .holds_for(&|at: ParamId| table.cell(row, at.index()).map(|(value, label)| (value, *label)))
    }

    pub(super) fn wrong(&self, table: &Table<'_>, labelled: &Labelled) -> usize {
        labelled.iter().filter(|(row, has_it)| self.holds(table, *row) != *has_it).count()
    }

    pub(super) fn agrees(&self, table: &Table<'_>, labelled: &Labelled) -> bool {
        labelled.iter().all(|(row, has_it)| self.holds(table, *row) == *has_it)
    }

    pub(super) fn and(self, other: Rule) -> Rule {
        Rule {
            expression: Expression::All(vec![self.expression, other.expression]),
            condition: Condition::All(vec![self.condition, other.condition]),
        }
    }

    pub(super) fn any_of(mut ways: Vec<Rule>) -> Option<Rule> {
        if ways.len() < 2 {
            return ways.pop();
        }
        let (expressions, conditions) = ways.into_iter().map(|way| (way.expression, way.condition)).unzip();
        Some(Rule { expression: Expression::Any(expressions), condition: Condition::Any(conditions) })
    }
}
