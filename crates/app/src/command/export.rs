//! `arbora export`: trials as a table for other tools.
use crate::error::{AppError, Exit};
use crate::exchange;
use crate::files;
use crate::output::Output;
use crate::show;
use crate::study_args::StudyArgs;
use arbora_store::DurableStudy;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::PathBuf;

const EXAMPLES: &str = "\
One row per trial: number, state, value, loss, cost, duration in seconds,
times, worker, reason, attributes as JSON, and one column `configuration.NAME`
per parameter, empty where it is inactive. In CSV, text that a spreadsheet
would run as a formula (it begins with =, +, -, @, a tab or a carriage return
and is not a number) is prefixed with an apostrophe; text that already begins
with such apostrophes gets one more.

Examples:
  arbora export csv > trials.csv
  arbora export parquet -o trials.parquet
  python -c 'import pandas; print(pandas.read_parquet(\"trials.parquet\"))'";

/// Export trials as CSV, JSON or Parquet
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Output format
    format: Format,
    #[command(flatten)]
    study_args: StudyArgs,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Csv,
    Json,
    Parquet,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let study = self.study_args.load_readonly()?;
        let bytes = match self.format {
            Format::Csv => exchange::csv(&exchange::columns(&study)).into_bytes(),
            Format::Json => format!("{:#}\n", document(&study)?).into_bytes(),
            Format::Parquet if self.output.is_none() && output.out_is_terminal => {
                return Err(AppError::NotText);
            }
            Format::Parquet => exchange::parquet(&exchange::columns(&study)),
        };
        match &self.output {
            Some(path) => files::write(path, &bytes).map(|()| Exit::Fine),
            None => output.print_bytes(&bytes),
        }
    }
}

/// The whole study: settings, space, trials.
fn document(study: &DurableStudy) -> Result<serde_json::Value, AppError> {
    let trials: Vec<_> = study.trials().map(|trial| show::record(study.space(), &trial)).collect();
    Ok(json!({
        "study": study.name(),
        "options": study.options(),
        "space": study.space().to_json_value()?,
        "attributes": study.attributes(),
        "trials": trials,
    }))
}
