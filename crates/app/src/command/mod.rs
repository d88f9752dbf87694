//! One file per subcommand: its arguments, its help, what it does.
#![allow(clippy::doc_markdown, reason = "these comments are the help, which people read as it stands")]
mod ask;
mod automl;
mod bench;
mod best;
mod cli;
mod completions;
mod copy;
mod delete;
mod demo;
mod doctor;
mod export;
mod import;
mod man;
mod python;
mod rename;
mod show;
mod space;
mod tell;
mod trials;
mod tune;
mod verdict;

pub(crate) use cli::Cli;

use crate::error::{AppError, Exit};
use crate::output::Output;
use clap::Subcommand;

/// What can be asked of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Tune(tune::Arguments),
    Ask(ask::Arguments),
    Tell(tell::Arguments),
    Best(best::Arguments),
    Verdict(verdict::Arguments),
    Trials(trials::Arguments),
    Show(show::Arguments),
    Space(space::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Rename(rename::Arguments),
    Delete(delete::Arguments),
    Copy(copy::Arguments),
    Doctor(doctor::Arguments),
    Automl(automl::Arguments),
    Demo(demo::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    pub(crate) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        match self {
            Command::Tune(arguments) => arguments.run(output),
            Command::Ask(arguments) => arguments.run(output),
            Command::Tell(arguments) => arguments.run(output),
            Command::Best(arguments) => arguments.run(output),
            Command::Verdict(arguments) => arguments.run(output),
            Command::Trials(arguments) => arguments.run(output),
            Command::Show(arguments) => arguments.run(output),
            Command::Space(arguments) => arguments.run(output),
            Command::Export(arguments) => arguments.run(output),
            Command::Import(arguments) => arguments.run(output),
            Command::Rename(arguments) => arguments.run(output),
            Command::Delete(arguments) => arguments.run(output),
            Command::Copy(arguments) => arguments.run(output),
            Command::Doctor(arguments) => arguments.run(output),
            Command::Automl(arguments) => arguments.run(output),
            Command::Demo(arguments) => arguments.run(output),
            Command::Bench(arguments) => arguments.run(output),
            Command::Completions(arguments) => arguments.run(output),
            Command::Man(arguments) => arguments.run(output),
        }
    }
}
