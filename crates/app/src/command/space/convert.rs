//! `arbora space convert`: the same space in another format.
use crate::error::{AppError, Exit};
use crate::files;
use crate::surroundings::Surroundings;
use arbora_space::format::Format;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// Convert a space to another format
///
/// Reads TOML and JSON of this project, JSON of ConfigSpace, and PCS; writes the first three.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbora space convert params.pcs --to toml > space.toml")]
pub(super) struct Arguments {
    /// The space
    file: PathBuf,
    /// The format to write
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
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let mut text = self.to.write(&files::space(&self.file)?)?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        match &self.output {
            Some(path) => files::write(path, text.as_bytes()).map(|()| Exit::Fine),
            None => around.print_bytes(text.as_bytes()),
        }
    }
}
