//! The command line as a whole.
use super::Command;
use clap::Parser;

/// After the list of commands.
const EPILOGUE: &str = "\
First steps:
  arbora space show space.toml       what can be tried
  arbora tune space.toml --trials 50 -- ./train.sh --lr {lr}
  arbora best                        the best configuration so far
  arbora verdict                     what it is worth, and which trial to trust

Exit codes:
  0    done
  1    the work failed: no trial succeeded
  2    wrong arguments or wrong input
  3    the file of studies cannot be used
  4    nothing to do: the space is exhausted, or enough trials were made
  130  interrupted; nothing is lost";

/// Tunes any program over a conditional search space by Bayesian optimisation.
#[derive(Debug, Parser)]
#[command(name = "arbora", version, after_help = EPILOGUE, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arbora {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arbora::command().debug_assert();
    }
}
