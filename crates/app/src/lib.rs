//! How do people reach it? The command line: tune any program, look at studies, convert spaces.
//!
//! The binary `arbora` and the command that comes with the Python package are the same function:
//!
//! ```
//! use arbora_app::{Surroundings, run};
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let code = run(["arbora", "--version"], &mut Surroundings::captured(&mut out, &mut err));
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
mod program;
mod run;
mod show;
mod studies;
mod surroundings;
mod tune;

pub use duration::parse as parse_duration;
pub use error::{AppError, Exit};
pub use surroundings::Surroundings;

use arbora_space::words::visible;
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with the given arguments, the program's name first, and returns its exit code.
pub fn run<A>(arguments: impl IntoIterator<Item = A>, around: &mut Surroundings<'_>) -> u8
where
    A: Into<OsString> + Clone,
{
    tune::be_patient();
    let exit = match command::Arbora::try_parse_from(arguments) {
        Ok(parsed) => parsed.command.run(around).unwrap_or_else(|trouble| complain(&trouble, around)),
        Err(answer) => usage(&answer, around),
    };
    exit.code()
}

/// Runs the command in the surroundings of this process.
pub fn main<A>(arguments: impl IntoIterator<Item = A>) -> ExitCode
where
    A: Into<OsString> + Clone,
{
    let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
    ExitCode::from(run(arguments, &mut Surroundings::of_process(&mut out, &mut err)))
}

/// Help and version are answers, everything else is a usage error, which quotes what was given.
fn usage(answer: &clap::Error, around: &mut Surroundings<'_>) -> Exit {
    let plain = answer.render().to_string();
    if answer.use_stderr() {
        match plain.strip_prefix("error: ") {
            Some(rest) => {
                let (first, rest) = rest.split_once('\n').unwrap_or((rest, ""));
                around.blame(first);
                around.complain(rest);
            }
            None => around.complain(&plain),
        }
        return Exit::Usage;
    }
    let text = if around.colour { answer.render().ansi().to_string() } else { plain };
    around.print_bytes(text.as_bytes()).unwrap_or(Exit::Fine)
}

fn complain(trouble: &AppError, around: &mut Surroundings<'_>) -> Exit {
    if matches!(trouble, AppError::ClosedPipe) {
        return Exit::Fine;
    }
    around.blame(&trouble.to_string());
    if let Some(hint) = trouble.hint() {
        around.complain(&format!("hint: {}\n", visible(&hint)));
    }
    trouble.exit()
}
