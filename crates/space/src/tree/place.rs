//! The place of every column in the tree: its group, whether it is shared, and the size of its
//! branches.
use crate::condition::Condition;
use crate::layout::{ColumnKind, ColumnPlace};
use crate::space::Space;
use std::collections::HashMap;

/// Maximum number of branches to count; a model with more does not need this distinction.
const COUNTED: usize = 256;

impl Space {
    /// Writes the places of all columns into the layout.
    pub(crate) fn place_columns(&mut self) {
        let groups = self.groups();
        let mut places: Vec<ColumnPlace> =
            groups.into_iter().map(|group| ColumnPlace { group, is_shared: true, beside: 0 }).collect();
        if let Ok(tree) = self.tree_of(COUNTED) {
            let mut branches = vec![0; places.len()];
            for leaf in tree.leaves() {
                let varying = leaf.active().iter().filter(|id| self.varies_in_a_branch(id.index())).count();
                for id in leaf.active() {
                    branches[id.index()] += 1;
                    let beside = &mut places[id.index()].beside;
                    *beside = varying.max(*beside);
                }
            }
            places.iter_mut().zip(branches).for_each(|(place, branches)| place.is_shared = branches > 1);
        }
        for (column, place) in self.layout.columns.iter_mut().zip(places) {
            column.place = place;
        }
    }

    /// A number for every distinct condition, in order of occurrence; 0 for none.
    fn groups(&self) -> Vec<usize> {
        let always = Condition::Always;
        let mut numbers = HashMap::from([(&always, 0)]);
        let mut group = |when| {
            let next = numbers.len();
            *numbers.entry(when).or_insert(next)
        };
        self.parameters().iter().map(|parameter| group(&parameter.when)).collect()
    }

    fn varies_in_a_branch(&self, i: usize) -> bool {
        let column = &self.layout.columns[i];
        let is_decided = column.is_decider && matches!(column.kind, ColumnKind::Categories(_));
        !column.is_fixed && !is_decided
    }
}
