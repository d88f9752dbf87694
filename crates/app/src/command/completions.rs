//! `arbora completions`: what a shell needs to complete commands.
use super::Cli;
use crate::error::{AppError, Exit};
use crate::output::Output;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a shell completion script
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  arbora completions bash > ~/.local/share/bash-completion/completions/arbora"
)]
pub(crate) struct Arguments {
    /// Shell to complete for
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "arbora", &mut script);
        output.print_bytes(&script)
    }
}
