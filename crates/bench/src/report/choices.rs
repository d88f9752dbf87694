//! Which branch was chosen in the end, problem by problem.
use super::block::{Block, Figure};
use crate::chart::shares;
use crate::experiment::Experiment;
use crate::results::Results;
use std::collections::BTreeMap;

/// Kinds with a colour of their own; the others share the last.
const KINDS: usize = 10;

pub(super) fn blocks(experiment: &Experiment, found: &Results) -> Option<Block> {
    let problems = found.problems();
    let methods = found.methods();
    let chosen = |problem: &str| -> Vec<&str> {
        let runs = methods.iter().flat_map(|method| found.runs(problem, method));
        runs.map(|run| run.chosen.as_str()).filter(|chosen| !chosen.is_empty()).collect()
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    problems
        .iter()
        .flat_map(|problem| chosen(problem))
        .for_each(|kind| *counts.entry(kind).or_default() += 1);
    if counts.len() < 2 || problems.len() > 30 {
        return None;
    }
    let mut kinds: Vec<(&str, usize)> = counts.into_iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named: Vec<&str> = kinds.iter().take(KINDS).map(|(kind, _)| *kind).collect();
    let rows: Vec<(String, Vec<usize>)> = problems
        .iter()
        .map(|problem| {
            let mut row = vec![0; named.len() + usize::from(kinds.len() > KINDS)];
            let last = row.len() - 1;
            for kind in chosen(problem) {
                row[named.iter().position(|name| *name == kind).unwrap_or(last)] += 1;
            }
            ((*problem).to_owned(), row)
        })
        .collect();
    let mut legend: Vec<String> = named.iter().map(|kind| plain(kind)).collect();
    if kinds.len() > KINDS {
        legend.push("others".to_owned());
    }
    let title = format!("{}: what was chosen in the end", experiment.short.to_uppercase());
    let svg = shares(&title, &legend, &rows);
    let caption = "Decisions of the incumbents, all methods and seeds together.".to_owned();
    Some(Block::Figure(Figure { name: format!("{}-choices", experiment.short), caption, svg }))
}

/// A single decision is its value.
fn plain(kind: &str) -> String {
    match kind.split_once('=') {
        Some((_, value)) if !kind.contains(',') => value.to_owned(),
        _ => kind.chars().filter(|c| *c != ' ').take(22).collect(),
    }
}
