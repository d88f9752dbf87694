//! `arbora man`: manual pages.
use super::Cli;
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use std::path::PathBuf;

/// Print the manual page, or write one for each command
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  arbora man | man -l -\n  arbora man --folder ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Write one page per command into this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut whole = Cli::command();
        whole.build();
        let Some(folder) = &self.folder else {
            return output.print_bytes(&page(&whole, "arbora")?);
        };
        let mut open = vec![("arbora".to_owned(), whole)];
        while let Some((name, command)) = open.pop() {
            files::write(&folder.join(format!("{name}.1")), &page(&command, &name)?)?;
            let below = command.get_subcommands().filter(|below| below.get_name() != "help");
            open.extend(below.map(|below| (format!("{name}-{}", below.get_name()), below.clone())));
        }
        Ok(Exit::Fine)
    }
}

fn page(command: &Command, name: &str) -> Result<Vec<u8>, AppError> {
    let mut text = Vec::new();
    let written = Man::new(command.clone()).title(name.to_uppercase()).render(&mut text);
    written.map_err(|trouble| AppError::Unwritable { path: name.into(), problem: trouble.to_string() })?;
    Ok(text)
}
