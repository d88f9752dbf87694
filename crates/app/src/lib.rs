//! How do people reach it? The command line: tune any program, look at studies, convert spaces.
//!
//! The binary `arbora` and the command that comes with the Python package are the same function:
//!
//! ```
//! use arbora_app::{Output, run};
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let code = run(["arbora", "--version"], &mut Output::captured(&mut out, &mut err));
//! assert_eq!(code, 0);
//! assert!(String::from_utf8(out).unwrap().starts_with("arbora "));
//! ```
//!
//! One file per subcommand under `command`; `tune` is the crew of workers that evaluates trials, `run` starts a program
//! for one trial and reads its loss, `show` is what people see, `exchange` reads and writes the files of other tools.
//! Exit codes are stable, see [`Exit`].
#![allow(
    clippy::disallowed_methods,
    reason = "the application is where clocks, files and the environment are read"
)]
mod command;
mod duration;
mod error;
mod exchange;
mod files;
mod output;
mod program;
mod run;
mod show;
mod study_args;
mod tune;

pub use duration::parse as parse_duration;
pub use error::{AppError, Exit};
pub use output::Output;

use arbora_space::words::visible;
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with the given arguments, the program's name first, and returns its exit code.
pub fn run<A>(arguments: impl IntoIterator<Item = A>, output: &mut Output<'_>) -> u8
where
    A: Into<OsString> + Clone,
{
    tune::install_wait_hooks();
    arbora_papers::register().expect("the methods of the papers have their names to themselves");
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let exit = match (command::Cli::try_parse_from(&arguments), plugin(&arguments)) {
        (Err(answer), _) if !answer.use_stderr() => usage(&answer, output),
        (_, Some(plugin)) => report_error(&AppError::Plugin { plugin }, output),
        (Ok(parsed), _) => {
            parsed.command.run(output).unwrap_or_else(|trouble| report_error(&trouble, output))
        }
        (Err(answer), _) => usage(&answer, output),
    };
    exit.code()
}

/// A plugin that the arguments name. The command of the Python package takes plugins out after loading them, so that
/// none is left here; and a strategy that only a plugin has is no reason to complain about the strategy.
fn plugin(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().map(|word| word.to_string_lossy()).take_while(|word| word != "--");
    while let Some(word) = words.next() {
        if word == "--plugin" {
            return words.next().map(std::borrow::Cow::into_owned);
        }
        if let Some(plugin) = word.strip_prefix("--plugin=") {
            return Some(plugin.to_owned());
        }
    }
    None
}

/// Runs the command in the surroundings of this process.
pub fn main<A>(arguments: impl IntoIterator<Item = A>) -> ExitCode
where
    A: Into<OsString> + Clone,
{
    let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
    ExitCode::from(run(arguments, &mut Output::of_process(&mut out, &mut err)))
}

/// Help and version are answers, everything else is a usage error, which quotes what was given.
fn usage(answer: &clap::Error, output: &mut Output<'_>) -> Exit {
    let plain = answer.render().to_string();
    if answer.use_stderr() {
        match plain.strip_prefix("error: ") {
            Some(rest) => {
                let (first, rest) = rest.split_once('\n').unwrap_or((rest, ""));
                output.error(first);
                output.message(rest);
            }
            None => output.message(&plain),
        }
        return Exit::Usage;
    }
    let text = if output.colour { answer.render().ansi().to_string() } else { plain };
    output.print_bytes(text.as_bytes()).unwrap_or(Exit::Fine)
}

fn report_error(trouble: &AppError, output: &mut Output<'_>) -> Exit {
    if matches!(trouble, AppError::ClosedPipe) {
        return Exit::Fine;
    }
    output.error(&trouble.to_string());
    if let Some(hint) = trouble.hint() {
        output.message(&format!("hint: {}\n", visible(&hint)));
    }
    trouble.exit()
}
