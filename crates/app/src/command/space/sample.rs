//! `arbora space sample`: random valid configurations.
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use crate::show::{self, Table};
use arbora_space::Rng;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Draw random valid configurations
///
/// One configuration per line, the header repeated every 10,000 lines; with --json, one JSON object per line with the
/// active parameters only.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Space file
    file: PathBuf,
    /// Number of configurations
    #[arg(long, short = 'c', value_name = "NUMBER", default_value_t = 5)]
    count: usize,
    /// Random seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Rows of one table: what is drawn is printed before memory runs out.
const PAGE: usize = 10_000;

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let space = files::space(&self.file)?;
        let mut rng = Rng::new(self.seed);
        let names: Vec<&str> = space.spec().parameters.iter().map(|p| p.name.as_str()).collect();
        let width = show::width(output.out_is_terminal);
        let mut table = Table::new(names.iter().copied());
        for number in 1..=self.count {
            let drawn = space.sample(&mut rng)?;
            if self.json {
                let line = format!("{}\n", json!(space.named(&drawn)));
                output.print_bytes(line.as_bytes())?;
                continue;
            }
            let cell = |name: &&str| {
                space.value(&drawn, name).map_or_else(|| show::ABSENT.to_owned(), |v| show::value(&v))
            };
            table.row(names.iter().map(cell));
            if number % PAGE == 0 || number == self.count {
                output.print(&table.show(width))?;
                table = Table::new(names.iter().copied());
            }
        }
        Ok(Exit::Fine)
    }
}
