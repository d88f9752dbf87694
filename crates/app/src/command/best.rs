//! `arbora best`: the best trial so far.
use crate::error::{AppError, Exit};
use crate::show::{self, Table};
use crate::studies::Place;
use crate::surroundings::Surroundings;
use clap::Args;

/// Show the best trial so far
///
/// Exit code 1 if no trial has a loss yet.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  arbora best\n  arbora best --json | jq .configuration > best.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let study = self.place.read()?;
        let missing = || AppError::NoLoss { name: study.name().to_owned(), trials: study.trials().len() };
        let best = study.best().ok_or_else(missing)?;
        if self.json {
            return around.print_json(&show::record(study.space(), best));
        }
        let value = best.value.map(|value| value.to_string()).unwrap_or_default();
        let mut table = Table::new([format!("trial {}", best.number), value]);
        for (name, value) in study.space().named(&best.configuration) {
            table.row([name.to_owned(), value.to_string()]);
        }
        around.print(&table.show(None))
    }
}
