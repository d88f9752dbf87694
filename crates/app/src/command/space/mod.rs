//! `arbora space`: look at files of spaces, check, convert and sample them.
mod check;
mod convert;
mod sample;
mod show;

use crate::error::{AppError, Exit};
use crate::output::Output;
use clap::{Args, Subcommand};

/// Check, show, convert and sample search spaces
///
/// A space is a file: TOML or JSON of Arbora, JSON of ConfigSpace, or PCS (read only).
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Check(check::Arguments),
    Show(show::Arguments),
    Convert(convert::Arguments),
    Sample(sample::Arguments),
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        match &self.action {
            Action::Check(arguments) => arguments.run(output),
            Action::Show(arguments) => arguments.run(output),
            Action::Convert(arguments) => arguments.run(output),
            Action::Sample(arguments) => arguments.run(output),
        }
    }
}

/// How large a space is, in words.
fn size(space: &arbora_space::Space) -> String {
    use arbora_space::Cardinality;
    match space.cardinality() {
        Cardinality::Finite(1) => "1 configuration".to_owned(),
        Cardinality::Finite(count) => format!("{count} configurations"),
        Cardinality::Beyond => "more than 1e38 configurations".to_owned(),
        Cardinality::Infinite => "infinitely many configurations".to_owned(),
        Cardinality::Unknown => "finitely many configurations, too entangled to count".to_owned(),
    }
}

/// Parameters and branches, in words.
fn summary(space: &arbora_space::Space) -> String {
    let parameters = &space.spec().parameters;
    let conditional = parameters.iter().filter(|parameter| !parameter.when.is_empty()).count();
    let branches = match space.tree() {
        Ok(tree) => crate::show::count(tree.leaves().len(), "branch", "branches"),
        Err(_) => "too many branches to list".to_owned(),
    };
    let parameters = crate::show::count(parameters.len(), "parameter", "parameters");
    format!("{parameters} ({conditional} conditional), {branches}, {}", size(space))
}
