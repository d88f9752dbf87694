//! The report as text.
use super::block::Block;
use super::section::Section;
use super::{Cell, LabReport, Table};
use crate::claim::{Claim, ClaimOrigin};

pub(super) fn page(report: &LabReport, figures: &str) -> String {
    let mut text = String::from("# The experiments of the papers\n\n");
    for section in report.sections().iter().filter(|s| s.runs.0 > 0 || !s.blocks.is_empty()) {
        text += &one(section, figures);
    }
    text
}

fn one(section: &Section, figures: &str) -> String {
    let Section { name, title, source, .. } = section;
    let mut text = format!("## {}: {title}\n\n{source}; {}\n\n", name.to_uppercase(), section.extent());
    if !section.claims.is_empty() {
        text += &claims(&section.claims);
    }
    for block in &section.blocks {
        text += &match block {
            Block::Table(one) => table(one),
            Block::Figure(figure) => {
                format!("![{}]({figures}/{}.svg)\n\n{}\n\n", figure.name, figure.name, figure.caption)
            }
            Block::Words(words) => format!("{words}\n\n"),
        };
    }
    text
}

/// The table of claims: what the paper says, its figures, ours, the verdict.
pub(super) fn claims(claims: &[Claim]) -> String {
    let mut text = String::from("| the paper says | its figures | ours | |\n|---|---|---|---|\n");
    for claim in claims {
        let Claim { says, paper, ours, verdict, origin } = claim;
        let whose = if *origin == ClaimOrigin::Ours { "ours: " } else { "" };
        text += &format!("| {whose}{says} | {paper} | {ours} | {} |\n", verdict.words());
    }
    text + "\n"
}

fn table(table: &Table) -> String {
    let mut text = format!("| {} |\n|{}\n", table.header.join(" | "), "---|".repeat(table.header.len()));
    for row in &table.rows {
        text += &format!("| {} |\n", row.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
    format!("{text}\n{}\n\n", table.caption)
}

fn cell(cell: &Cell) -> String {
    let text = cell.text.replace('|', "\\|");
    let text = if cell.is_best { format!("**{text}**") } else { text };
    if cell.is_worse { format!("<u>{text}</u>") } else { text }
}
