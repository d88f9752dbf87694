//! `arbora space convert`: the same space in another format.
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use arbora_space::format::Format;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// Convert a space to another format
///
/// Reads TOML and JSON of Arbora, JSON of ConfigSpace, and PCS; writes the first three.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbora space convert params.pcs --to toml > space.toml")]
pub(super) struct Arguments {
    /// Space file
    file: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_parser = writable())]
    to: Format,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn writable() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.iter().filter(|format| format.is_writable()).map(|format| format.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut text = self.to.write(&files::space(&self.file)?)?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        match &self.output {
            Some(path) => files::write(path, text.as_bytes()).map(|()| Exit::Fine),
            None => output.print_bytes(text.as_bytes()),
        }
    }
}
