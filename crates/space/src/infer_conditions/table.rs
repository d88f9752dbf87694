//! The values of all trials, one row each.
use super::Observation;
use crate::spec::{DomainSpec, Param};
use crate::value::Value;
use std::collections::HashMap;

/// A value and its position among the alternatives, if there are any.
pub(super) type Cell = (Value, Option<usize>);

/// Rows, each with whether it has the parameter to explain.
pub(super) type Labelled = Vec<(usize, bool)>;

/// Values by trial and parameter.
pub(super) struct Table<'a> {
    parameters: &'a [Param],
    /// For each parameter, its alternatives; empty for numbers.
    alternatives: Vec<Vec<Value>>,
    rows: Vec<Row>,
}

struct Row {
    cells: Vec<Option<Cell>>,
    is_complete: bool,
}

impl<'a> Table<'a> {
    pub(super) fn new(parameters: &'a [Param], observations: &[Observation]) -> Self {
        let alternatives: Vec<Vec<Value>> = parameters.iter().map(|p| alternatives(&p.domain)).collect();
        let position: HashMap<&str, usize> =
            parameters.iter().enumerate().map(|(at, p)| (p.name.as_str(), at)).collect();
        let row = |observation: &Observation| {
            let mut cells = vec![None; parameters.len()];
            for (name, value) in observation.values.iter() {
                if let Some(&at) = position.get(name) {
                    let label = alternatives[at].iter().position(|alternative| alternative == value);
                    cells[at] = Some((value.clone(), label));
                }
            }
            Row { cells, is_complete: observation.is_complete }
        };
        let rows = observations.iter().map(row).collect();
        Self { parameters, alternatives, rows }
    }

    pub(super) fn width(&self) -> usize {
        self.parameters.len()
    }

    pub(super) fn parameter(&self, at: usize) -> &'a Param {
        &self.parameters[at]
    }

    pub(super) fn alternatives(&self, at: usize) -> &[Value] {
        &self.alternatives[at]
    }

    pub(super) fn cell(&self, row: usize, at: usize) -> Option<&Cell> {
        self.rows[row].cells[at].as_ref()
    }

    /// The rows that tell something about a parameter: those with it, and complete ones without it.
    pub(super) fn labelled(&self, at: usize) -> Labelled {
        let label = |(i, row): (usize, &Row)| {
            let has_it = row.cells[at].is_some();
            (has_it || row.is_complete).then_some((i, has_it))
        };
        self.rows.iter().enumerate().filter_map(label).collect()
    }
}

fn alternatives(domain: &DomainSpec) -> Vec<Value> {
    match domain {
        DomainSpec::Real { .. } | DomainSpec::Integer { .. } => Vec::new(),
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => values.clone(),
        DomainSpec::Boolean => vec![false.into(), true.into()],
        DomainSpec::Constant(value) => vec![value.clone()],
    }
}
