//! Commands that live in the Python package: a module of it is run with the arguments handed on.
use crate::error::{AppError, Exit};
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Runs `python -m MODULE` with the interpreter in `ARBORA_PYTHON`, or python3.
pub(super) fn run_module(module: &str, arguments: &[OsString]) -> Result<Exit, AppError> {
    let python = std::env::var_os("ARBORA_PYTHON").filter(|set| !set.is_empty());
    let python = python.unwrap_or_else(|| "python3".into());
    let trouble =
        |problem: String| AppError::NoPython { python: python.to_string_lossy().into_owned(), problem };
    let probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec('arbora') is None)";
    let found =
        Command::new(&python).args(["-c", probe]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match found {
        Err(problem) => return Err(trouble(format!("cannot be started: {problem}"))),
        Ok(status) if !status.success() => return Err(trouble("has no package `arbora`".to_owned())),
        Ok(_) => {}
    }
    let mut command = Command::new(&python);
    command.args(["-m", module]).args(arguments);
    become_it(command).map_err(|problem| trouble(format!("cannot be started: {problem}")))
}

/// This process becomes the program, so that whoever sends it a signal reaches the program; answers only in vain.
#[cfg(unix)]
fn become_it(mut command: Command) -> std::io::Result<Exit> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> std::io::Result<Exit> {
    Ok(match command.status()?.code() {
        Some(0) => Exit::Fine,
        None | Some(130) => Exit::Interrupted,
        Some(2) => Exit::Usage,
        Some(_) => Exit::Failed,
    })
}
