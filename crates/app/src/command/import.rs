//! `arbora import`: a study of another tool becomes one of ours.
use crate::error::{AppError, Exit};
use crate::exchange::{self, Imported};
use crate::files;
use crate::output::Output;
use crate::show::{count, short};
use crate::study_args::{StudyArgs, strategy};
use arbora_search::{StrategySpec, StudyOptions};
use arbora_space::words::visible;
use arbora_store::{DurableStudy, MemoryStore, Store, copy_study};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const DETAILS: &str = "\
From Optuna (3 to 5): its SQLite file. The space is inferred from the complete
trials: a parameter that only some have becomes conditional on the choices or
numbers that explain it. Pruned and failed trials are imported as failed.
From SMAC3: its runhistory.json, with configspace.json beside it.

The new study continues where the old one ended: `arbora ask` and
`arbora tune --resume -- COMMAND` suggest from all its results.

Examples:
  arbora import optuna.db --study cash
  arbora import smac3_output/run/0/runhistory.json --name mlp
  arbora tune --resume --name cash --trials 100 -- ./train --model {model}";

/// Import a study from Optuna or SMAC3
#[derive(Args, Debug)]
#[command(after_help = DETAILS)]
pub(crate) struct Arguments {
    /// SQLite file of Optuna, or runhistory.json of SMAC3
    file: PathBuf,
    #[command(flatten)]
    study_args: StudyArgs,
    /// Tool that wrote the file [default: detected]
    #[arg(long, value_name = "TOOL")]
    from: Option<Tool>,
    /// Study to import, if the file has several
    #[arg(long, value_name = "NAME")]
    study: Option<String>,
    /// Search space, instead of the inferred one
    #[arg(long, value_name = "FILE")]
    space: Option<PathBuf>,
    /// Search strategy of the new study; see `arbora tune --help`
    #[arg(long, value_name = "NAME", value_parser = strategy)]
    strategy: Option<StrategySpec>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tool {
    Optuna,
    Smac,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let space = self.space.as_deref().map(files::space).transpose()?;
        let tool = match self.from {
            Some(tool) => tool,
            None => guess(&self.file)?,
        };
        let imported = match tool {
            Tool::Optuna => exchange::read_optuna(&self.file, self.study.as_deref(), space)?,
            Tool::Smac => exchange::read_smac(&self.file, space)?,
        };
        let study = self.keep(&imported)?;
        self.report(&imported, &study, output)
    }

    fn keep(&self, imported: &Imported) -> Result<DurableStudy, AppError> {
        let name = self.study_args.name.as_deref().unwrap_or(&imported.name);
        let strategy = self.strategy.clone().unwrap_or_default();
        let options = StudyOptions { direction: imported.direction, strategy, ..StudyOptions::default() };
        imported.check()?;
        // Made in memory and copied as a whole: an import that fails leaves no study without its trials.
        let draft: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let mut study = DurableStudy::create(draft.clone(), name, imported.space.clone(), options)?;
        study.add_all(&imported.results)?;
        let store = self.study_args.open()?;
        copy_study(draft.as_ref(), name, store.as_ref())?;
        Ok(DurableStudy::load(store, name)?)
    }

    fn report(
        &self,
        imported: &Imported,
        study: &DurableStudy,
        output: &mut Output<'_>,
    ) -> Result<Exit, AppError> {
        let best = study.best().and_then(|best| best.value());
        if self.json {
            let left_out: Vec<_> =
                imported.left_out.iter().map(|(why, count)| json!({"why": why, "count": count})).collect();
            return output.print_json(&json!({
                "study": study.name(),
                "trials": imported.results.len(),
                "left_out": left_out,
                "best": best,
            }));
        }
        let best = best.map_or_else(|| "no loss yet".to_owned(), |best| format!("best {}", short(best)));
        let trials = count(imported.results.len(), "trial", "trials");
        let mut text = format!("study `{}` in {}: {trials}, {best}\n", study.name(), self.study_args.storage);
        for (why, count) in &imported.left_out {
            writeln!(text, "left out {count}: {}", visible(why)).expect("a string can be written");
        }
        output.print(&text)
    }
}

/// SQLite files begin with their name; the other kind is JSON.
fn guess(path: &Path) -> Result<Tool, AppError> {
    let mut start = Vec::new();
    let file = std::fs::File::open(path)
        .map_err(|trouble| AppError::Unreadable { path: path.into(), problem: trouble.to_string() })?;
    file.take(16)
        .read_to_end(&mut start)
        .map_err(|trouble| AppError::Unreadable { path: path.into(), problem: trouble.to_string() })?;
    Ok(if start.starts_with(b"SQLite format 3") { Tool::Optuna } else { Tool::Smac })
}
