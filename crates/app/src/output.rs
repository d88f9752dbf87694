//! What a command may write to, and whether people are watching.
//!
//! All that is printed goes through here, and this is the one place where text for people is made harmless: see
//! [`visible`]. A line of a progress bar, which another library draws, asks for the same.
use crate::error::{AppError, Exit};
use arbora_space::words::{visible, visible_lines};
use std::io::{ErrorKind, IsTerminal, Write};

/// Where output goes. Results go to `out`, progress and messages to `err`.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Is the output for people's eyes, so that it may be cut to the width of the terminal?
    pub(crate) out_is_terminal: bool,
    /// May a progress bar be drawn on the error output?
    pub(crate) err_is_terminal: bool,
    /// May errors be coloured?
    pub(crate) colour: bool,
}

impl<'a> Output<'a> {
    /// Those of a process: colours and bars only where a terminal is, and `NO_COLOR` is honoured.
    pub fn of_process(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        let err_is_terminal = std::io::stderr().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            out,
            err,
            out_is_terminal: std::io::stdout().is_terminal(),
            err_is_terminal,
            colour: err_is_terminal && !plain,
        }
    }

    /// Output that is kept as bytes: no terminal, no colour.
    pub fn captured(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { out, err, out_is_terminal: false, err_is_terminal: false, colour: false }
    }

    /// Writes a result for people. Whatever it quotes, a name or a reason, cannot steer their terminal. A reader that
    /// closed its end (`arbora trials | head`) is not an error, but the command ends.
    pub(crate) fn print(&mut self, text: &str) -> Result<Exit, AppError> {
        self.print_bytes(visible_lines(text).as_bytes())
    }

    /// As [`print`](Self::print), for machines: every byte as it is.
    pub(crate) fn print_bytes(&mut self, bytes: &[u8]) -> Result<Exit, AppError> {
        match self.out.write_all(bytes).and_then(|()| self.out.flush()) {
            Ok(()) => Ok(Exit::Fine),
            Err(trouble) if trouble.kind() == ErrorKind::BrokenPipe => Err(AppError::ClosedPipe),
            Err(trouble) => {
                Err(AppError::Unwritable { path: "the standard output".into(), problem: trouble.to_string() })
            }
        }
    }

    /// Writes a JSON document of its own lines.
    pub(crate) fn print_json(&mut self, value: &serde_json::Value) -> Result<Exit, AppError> {
        self.print_bytes(format!("{value:#}\n").as_bytes())
    }

    /// Writes to the error output; what it quotes cannot steer a terminal.
    pub(crate) fn message(&mut self, text: &str) {
        self.write_err(visible_lines(text).as_bytes());
    }

    /// One line that says what went wrong.
    pub(crate) fn error(&mut self, trouble: &str) {
        let word = if self.colour { "\u{1b}[1;31merror:\u{1b}[0m" } else { "error:" };
        self.write_err(format!("{word} {}\n", visible(trouble)).as_bytes());
    }

    /// One line in place of the one before, on a terminal.
    pub(crate) fn redraw(&mut self, line: &str) {
        self.write_err(format!("\r\u{1b}[K{}", visible(line)).as_bytes());
    }

    /// There is nobody left to tell if that fails.
    fn write_err(&mut self, bytes: &[u8]) {
        self.err.write_all(bytes).ok();
        self.err.flush().ok();
    }
}
