//! `arbora bench report`: tables, charts and verdicts.
use super::HowMuch;
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use arbora_bench::report::{LabReport, reproduction};
use clap::Args;
use std::path::PathBuf;

/// Write a report on the finished runs
///
/// One self-contained HTML file, the same in Markdown, and every figure as an SVG file.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Folder of results
    #[arg(long = "from", default_value = "lab", value_name = "LAB")]
    folder: PathBuf,
    /// Report file; figures go to the folder `figures` beside it [default: LAB/report.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Use only runs of this size [default: the size with more runs]
    #[arg(long, value_enum)]
    size: Option<HowMuch>,
    /// Write only the table of the papers' claims, as Markdown, to this file
    #[arg(long, value_name = "FILE")]
    reproduction: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let report = LabReport::read(&self.folder, self.size.map(Into::into))?;
        if let Some(path) = &self.reproduction {
            files::write(path, reproduction(&report).as_bytes())?;
            return output.print(&format!("{}\n", path.display()));
        }
        let html = self.out.clone().unwrap_or_else(|| self.folder.join("report.html"));
        let figures = html.with_file_name("figures");
        std::fs::create_dir_all(&figures).map_err(|trouble| AppError::Unwritable {
            path: figures.clone(),
            problem: trouble.to_string(),
        })?;
        for figure in report.figures() {
            files::write(&figures.join(format!("{}.svg", figure.name)), figure.svg.as_bytes())?;
        }
        files::write(&html.with_extension("md"), report.markdown("figures").as_bytes())?;
        files::write(&html, report.html().as_bytes())?;
        output.print(&format!("{}\n", html.display()))
    }
}
