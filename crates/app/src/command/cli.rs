//! The command line as a whole.
use super::Command;
use clap::Parser;

/// After the list of commands.
const EPILOGUE: &str = "\
First steps:
  arbora space show space.toml       show the search space
  arbora tune space.toml --trials 50 -- ./train.sh --lr {lr}
  arbora best                        show the best configuration so far
  arbora verdict                     estimate what it is worth, and which trial to trust

Exit codes:
  0    success
  1    failure: no trial succeeded
  2    invalid arguments or input
  3    the storage file cannot be used
  4    nothing to do: the space is exhausted, or the study has enough trials
  130  interrupted; no result is lost";

/// Bayesian optimization of conditional search spaces: tune any program
#[derive(Debug, Parser)]
#[command(name = "arbora", version, after_help = EPILOGUE, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Python file or module that registers strategies (repeatable; needs the command of the Python package)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) plugin: Vec<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
