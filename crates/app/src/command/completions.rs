//! `arbora completions`: what a shell needs to complete commands.
use super::Arbora;
use crate::error::{AppError, Exit};
use crate::surroundings::Surroundings;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  arbora completions bash > ~/.local/share/bash-completion/completions/arbora"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arbora::command(), "arbora", &mut script);
        around.print_bytes(&script)
    }
}
