//! Who is ahead over all problems: average ranks, Friedman's test, the critical-difference diagram.
use super::block::{Block, Figure};
use super::table::{Cell, Table};
use crate::chart::{Ranked, critical_difference};
use crate::claim::LEVEL;
use crate::experiment::Experiment;
use crate::results::{Blocks, Results};
use crate::stats::{Friedman, Nemenyi};

/// Problems of an experiment that are also looked at on their own: Z18's situations.
const PARTS: [(&str, &str); 5] = [
    ("A", "optimum where x₂ is inactive, no step"),
    ("B", "optimum where x₂ is inactive, step"),
    ("C", "optimum where x₂ is active, no step"),
    ("D", "optimum where x₂ is active, step"),
    ("E", "optimum at the threshold"),
];

pub(super) fn blocks(experiment: &Experiment, found: &Results) -> Vec<Block> {
    let mut blocks = of(experiment, found, &found.problems(), "", "all problems");
    if experiment.short == "x7" {
        for (letter, what) in PARTS {
            let problems: Vec<&str> = found
                .problems()
                .into_iter()
                .filter(|problem| crate::problem::situation(problem) == Some(letter))
                .collect();
            let tag = format!("-{}", letter.to_lowercase());
            blocks.extend(of(experiment, found, &problems, &tag, &format!("situation {letter}, {what}")));
        }
    }
    blocks
}

fn of(experiment: &Experiment, found: &Results, problems: &[&str], tag: &str, what: &str) -> Vec<Block> {
    let methods = found.methods();
    let Ok(table) = found.ranks(problems, &methods) else { return Vec::new() };
    let Ok(nemenyi) = Nemenyi::of(&table, LEVEL) else { return Vec::new() };
    let test = Friedman::of(&table);
    let n = table.problems();
    let unit = match found.blocks {
        Blocks::Problems => "problems, means over seeds",
        Blocks::Runs => "pairs of problem and seed",
    };
    let entries: Vec<(String, f64)> =
        nemenyi.order.iter().zip(&nemenyi.ranks).map(|(i, rank)| (methods[*i].to_owned(), *rank)).collect();
    let wins = table.win_rates();
    let rows = nemenyi.order.iter().zip(&entries).map(|(i, (name, rank))| {
        [name.clone(), format!("{rank:.2}"), format!("{:.1} %", 100.0 * wins[*i])].map(Cell::plain).to_vec()
    });
    let caption = format!(
        "Average ranks, {what}: N = {n} {unit}; Friedman χ² = {:.1}, p = {:.1e}.",
        test.statistic, test.p
    );
    let ranks = Table {
        caption: caption.clone(),
        header: ["method", "average rank", "win rate"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    };
    let bars = nemenyi.cliques().iter().map(|clique| (clique.first, clique.last)).collect();
    let title = format!("{}: average ranks, {what}", experiment.short.to_uppercase());
    let svg = critical_difference(&Ranked { title: &title, entries, difference: nemenyi.difference, bars });
    let caption = format!(
        "{caption} Bars join methods that Nemenyi's test does not tell apart at {LEVEL}; left is better."
    );
    vec![
        Block::Table(ranks),
        Block::Figure(Figure { name: format!("{}-ranks{tag}", experiment.short), caption, svg }),
    ]
}
