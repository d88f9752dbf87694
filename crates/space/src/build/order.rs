//! Sorts parents before children, otherwise in the order of declaration; reports cycles.
use crate::error::SpaceError;
use crate::expression::Expression;
use crate::spec::Param;
use crate::words::hint;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

pub(super) fn topological(parameters: &[Param], conditions: &[Expression]) -> Result<Vec<usize>, SpaceError> {
    let position: HashMap<&str, usize> =
        parameters.iter().enumerate().map(|(i, p)| (p.name.as_str(), i)).collect();
    let mut deciders: Vec<Vec<usize>> = Vec::with_capacity(parameters.len());
    for (param, condition) in parameters.iter().zip(conditions) {
        let mut of_this = Vec::new();
        for name in condition.parameters() {
            let place = || format!("condition of `{}`", param.name);
            let found =
                *position.get(name).ok_or_else(|| unknown(place(), name, position.keys().copied()))?;
            of_this.push(found);
        }
        of_this.sort_unstable();
        of_this.dedup();
        deciders.push(of_this);
    }
    sort(&deciders).map_err(|stuck| cycle(parameters, &deciders, &stuck))
}

/// Kahn's algorithm, earliest declared parameter first; `Err` marks the parameters in or behind a
/// cycle.
fn sort(deciders: &[Vec<usize>]) -> Result<Vec<usize>, Vec<bool>> {
    let mut waiting: Vec<usize> = deciders.iter().map(Vec::len).collect();
    let mut dependents = vec![Vec::new(); deciders.len()];
    for (child, of_child) in deciders.iter().enumerate() {
        for &decider in of_child {
            dependents[decider].push(child);
        }
    }
    let mut free: BinaryHeap<Reverse<usize>> =
        (0..waiting.len()).filter(|&i| waiting[i] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(deciders.len());
    while let Some(Reverse(next)) = free.pop() {
        order.push(next);
        for &child in &dependents[next] {
            waiting[child] -= 1;
            if waiting[child] == 0 {
                free.push(Reverse(child));
            }
        }
    }
    if order.len() == deciders.len() {
        Ok(order)
    } else {
        Err(waiting.iter().map(|&left| left > 0).collect())
    }
}

/// Every stuck parameter depends on another stuck one, so following them finds a cycle.
fn cycle(parameters: &[Param], deciders: &[Vec<usize>], stuck: &[bool]) -> SpaceError {
    let mut path: Vec<usize> = stuck.iter().position(|&s| s).into_iter().collect();
    while let Some(&here) = path.last() {
        let Some(up) = deciders[here].iter().copied().find(|&i| stuck[i]) else { break };
        if let Some(start) = path.iter().position(|&i| i == up) {
            path.drain(..start);
            path.push(up);
            break;
        }
        path.push(up);
    }
    path.reverse();
    SpaceError::CyclicCondition { path: path.into_iter().map(|i| parameters[i].name.clone()).collect() }
}

/// The error for an unknown name, with the most similar known one.
pub(crate) fn unknown<'a>(place: String, name: &str, known: impl Iterator<Item = &'a str>) -> SpaceError {
    SpaceError::UnknownParameter { place, name: name.to_owned(), hint: hint(name, known) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declaration_order_is_kept_where_free() {
        assert_eq!(sort(&[vec![2], vec![], vec![], vec![1]]), Ok(vec![1, 2, 0, 3]));
    }
}
