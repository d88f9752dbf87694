//! Reports: what was found, as tables, charts and verdicts, in HTML and Markdown.
//!
//! A report is built from run logs alone, so it can be written while an experiment runs. Every table says how many runs
//! it rests on.
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "a page is written once, and reads like what it says"
)]
mod block;
mod choices;
mod convergence;
mod html;
mod markdown;
mod overview;
mod pictures;
mod reproduction;
mod section;
mod table;

pub use block::{Block, Figure};
pub use reproduction::reproduction;
pub use section::Section;
pub use table::{Cell, Table};

use crate::error::BenchError;
use crate::experiment::EXPERIMENTS;
use crate::plan::Size;
use std::path::Path;

/// One section per experiment with runs, and one line for every other.
pub struct LabReport {
    sections: Vec<Section>,
}

impl LabReport {
    /// Reads the run logs in a folder. Without a size, each experiment is judged by the one of which more is there.
    pub fn read(folder: &Path, size: Option<Size>) -> Result<Self, BenchError> {
        let all = EXPERIMENTS;
        let sections = all.iter().map(|experiment| Section::read(experiment, folder, size));
        Ok(Self { sections: sections.collect::<Result<_, _>>()? })
    }

    /// The sections, in the order of the papers.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Every chart.
    pub fn figures(&self) -> Vec<&Figure> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks
            .filter_map(|block| if let Block::Figure(figure) = block { Some(figure) } else { None })
            .collect()
    }

    /// One file that needs no other.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// The same for reading as text; figures are looked for in a folder beside it.
    pub fn markdown(&self, figures: &str) -> String {
        markdown::page(self, figures)
    }
}
