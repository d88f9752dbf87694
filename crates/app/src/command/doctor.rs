//! `arbora doctor`: is a file of studies in order, and if not, what can be saved?
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show::{Table, count, width};
use crate::study_args::StudyArgs;
use arbora_store::{
    CheckedStudy, FileReport, RecoveredStudy, StoreError, TrialState, check_file, recover_file,
};
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

const DETAILS: &str = "\
Checks the pages, the schema and the write-ahead log of the file and the
checksum of every event, and replays every study. The file is not modified.
With --repair, everything readable is written to a new file; corrupted events
are skipped and counted.

Examples:
  arbora doctor --storage study.db
  arbora doctor --storage study.db --repair        writes study-repaired.db

Exit code 3 if something is wrong.";

/// Check a storage file and recover what a damaged one still contains
#[derive(Args, Debug)]
#[command(after_help = DETAILS)]
pub(crate) struct Arguments {
    #[command(flatten)]
    study_args: StudyArgs,
    /// Write everything readable to a new file
    #[arg(long)]
    repair: bool,
    /// The new file [default: the old name with -repaired]
    #[arg(long, value_name = "FILE", requires = "repair")]
    into: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let path = &self.study_args.path()?;
        if self.repair { self.repair(path, output) } else { self.check(path, output) }
    }

    fn check(&self, path: &Path, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let found = check_file(path)?;
        let problems = problems(&found);
        if self.json {
            output.print_json(&as_json(&found, &problems))?;
        } else {
            output.print(&as_text(path, &found, width(output.out_is_terminal)))?;
        }
        if problems.is_empty() {
            return Ok(Exit::Fine);
        }
        for problem in &problems {
            output.message(&format!("problem: {problem}\n"));
        }
        Err(AppError::Unhealthy { storage: self.study_args.storage.clone(), problems: problems.len() })
    }

    fn repair(&self, path: &Path, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let into = self.into.clone().unwrap_or_else(|| repaired(path));
        if into.exists() {
            return Err(AppError::FileExists { path: into });
        }
        let saved = recover_file(path, &into)?;
        if self.json {
            let studies: Vec<Json> = saved.iter().map(saved_json).collect();
            return output.print_json(&json!({"into": into, "studies": studies}));
        }
        let whole = saved.iter().filter(|study| study.problem.is_none()).count();
        let mut text = format!("saved {} into {}\n", count(whole, "study", "studies"), into.display());
        for study in &saved {
            text += &saved_text(study);
        }
        output.print(&text)
    }
}

/// `study.db` becomes `study-repaired.db`.
fn repaired(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-repaired{ending}"))
}

fn problems(found: &FileReport) -> Vec<String> {
    let studies = found.studies.iter().filter_map(|study| {
        study.problem.as_ref().map(|problem: &StoreError| format!("study `{}`: {problem}", study.name))
    });
    found.damage.iter().cloned().chain(studies).collect()
}

fn as_text(path: &Path, found: &FileReport, width: Option<usize>) -> String {
    let pages = if found.damage.is_empty() { "whole" } else { "damaged" };
    let mut text = format!(
        "{}: {pages}, schema {}, {} kB, {} kB in the log beside it, {}\n",
        path.display(),
        found.schema,
        found.bytes.div_ceil(1024),
        found.log_bytes.div_ceil(1024),
        count(found.studies.len(), "study", "studies"),
    );
    if !found.studies.is_empty() {
        let mut table = Table::new(["study", "events", "trials", "running", "stale", "waiting", "state"]);
        for study in &found.studies {
            table.row(row(study));
        }
        text += &table.show(width);
    }
    text
}

fn row(study: &CheckedStudy) -> [String; 7] {
    let of = |wanted| study.trials.iter().find(|(state, _)| *state == wanted).map_or(0, |(_, count)| *count);
    let all: usize = study.trials.iter().map(|(_, count)| count).sum();
    [
        study.name.clone(),
        study.events.to_string(),
        all.to_string(),
        of(TrialState::Running).to_string(),
        of(TrialState::Stale).to_string(),
        of(TrialState::Waiting).to_string(),
        if study.problem.is_none() { "in order" } else { "cannot be loaded" }.to_owned(),
    ]
}

fn as_json(found: &FileReport, problems: &[String]) -> Json {
    let study = |study: &CheckedStudy| {
        let trials: serde_json::Map<String, Json> =
            study.trials.iter().map(|(state, count)| (state.name().to_owned(), (*count).into())).collect();
        json!({
            "study": study.name,
            "events": study.events,
            "trials": trials,
            "leases": {"lapsed": study.leases.0, "holding": study.leases.1},
            "problem": study.problem.as_ref().map(ToString::to_string),
        })
    };
    json!({
        "healthy": problems.is_empty(),
        "schema": found.schema,
        "bytes": found.bytes,
        "log_bytes": found.log_bytes,
        "problems": problems,
        "studies": found.studies.iter().map(study).collect::<Vec<_>>(),
    })
}

fn saved_json(study: &RecoveredStudy) -> Json {
    json!({
        "study": study.name,
        "trials": study.trials,
        "saved": study.saved,
        "dropped": study.dropped,
        "missing": study.missing,
        "changed": study.changed,
        "problem": study.problem.as_ref().map(ToString::to_string),
        "renumbered": study.is_renumbered,
    })
}

fn saved_text(study: &RecoveredStudy) -> String {
    if let Some(problem) = &study.problem {
        return format!("  {}: not saved: {problem}\n", study.name);
    }
    let numbers = if study.is_renumbered {
        "; trials have new numbers, the attribute salvaged_number has the old"
    } else {
        ""
    };
    format!(
        "  {}: {} trials, {} events saved, {} dropped, {} missing, {} changed{numbers}\n",
        study.name, study.trials, study.saved, study.dropped, study.missing, study.changed
    )
}
