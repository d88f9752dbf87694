//! One file per subcommand: its arguments, its help, what it does.
#![allow(clippy::doc_markdown, reason = "these comments are the help, which people read as it stands")]
mod ask;
mod automl;
mod bench;
mod best;
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
mod whole;

pub(crate) use whole::Arbora;

use crate::error::{AppError, Exit};
use crate::surroundings::Surroundings;
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
    pub(crate) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        match self {
            Command::Tune(arguments) => arguments.run(around),
            Command::Ask(arguments) => arguments.run(around),
            Command::Tell(arguments) => arguments.run(around),
            Command::Best(arguments) => arguments.run(around),
            Command::Verdict(arguments) => arguments.run(around),
            Command::Trials(arguments) => arguments.run(around),
            Command::Show(arguments) => arguments.run(around),
            Command::Space(arguments) => arguments.run(around),
            Command::Export(arguments) => arguments.run(around),
            Command::Import(arguments) => arguments.run(around),
            Command::Rename(arguments) => arguments.run(around),
            Command::Delete(arguments) => arguments.run(around),
            Command::Copy(arguments) => arguments.run(around),
            Command::Doctor(arguments) => arguments.run(around),
            Command::Automl(arguments) => arguments.run(around),
            Command::Demo(arguments) => arguments.run(around),
            Command::Bench(arguments) => arguments.run(around),
            Command::Completions(arguments) => arguments.run(around),
            Command::Man(arguments) => arguments.run(around),
        }
    }
}
