//! `arbora show`: what a file holds, what a study is, what became of a trial.
use crate::duration;
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::program;
use crate::run::Folders;
use crate::show::{self, Table, count, short};
use crate::study_args::StudyArgs;
use arbora_search::{Direction, StrategySpec};
use arbora_store::{DurableStudy, Timestamp, TrialRecord, TrialState};
use clap::Args;
use serde_json::{Value as Json, json};

/// Show all studies of a file, one study, or one trial
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbora show              the only study, or a list of all\n  arbora show --name svm   one study\n  arbora show 12           one trial"
)]
pub(crate) struct Arguments {
    /// Number of a trial
    trial: Option<u64>,
    #[command(flatten)]
    study_args: StudyArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        match (self.study_args.load_readonly(), self.trial) {
            (Err(AppError::WhichStudy { known, .. }), None) => self.all(&known, output),
            (study, Some(number)) => self.trial(&study?, number, output),
            (study, None) => self.study(&study?, output),
        }
    }

    fn all(&self, names: &[String], output: &mut Output<'_>) -> Result<Exit, AppError> {
        let store = self.study_args.open_readonly()?;
        let mut studies = Vec::new();
        let mut troubles = Vec::new();
        for name in names {
            match DurableStudy::load(store.clone(), name) {
                Ok(study) => studies.push(study),
                // One study that cannot be read is no reason not to show the others.
                Err(trouble) => troubles.push((name, trouble)),
            }
        }
        for (name, trouble) in &troubles {
            output.message(&format!("study `{name}` is left out: {trouble}\n"));
        }
        if self.json {
            let broken =
                troubles.iter().map(|(name, trouble)| json!({"study": name, "problem": trouble.to_string()}));
            return output.print_json(&json!(studies.iter().map(as_json).chain(broken).collect::<Vec<_>>()));
        }
        let mut table = Table::new(["study", "trials", "complete", "failed", "pruned", "best"]);
        for study in &studies {
            table.row([
                study.name().to_owned(),
                study.trials().len().to_string(),
                of(study, TrialState::Complete).to_string(),
                of(study, TrialState::Failed).to_string(),
                of(study, TrialState::Pruned).to_string(),
                study.best().and_then(|best| best.value()).map(short).unwrap_or_default(),
            ]);
        }
        output.print(&table.show(show::width(output.out_is_terminal)))
    }

    fn study(&self, study: &DurableStudy, output: &mut Output<'_>) -> Result<Exit, AppError> {
        if self.json { output.print_json(&as_json(study)) } else { output.print(&as_text(study)) }
    }

    fn trial(&self, study: &DurableStudy, number: u64, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let trial = study.trial(number)?;
        if self.json {
            return output.print_json(&show::record(study.space(), &trial));
        }
        let logs = program::logs(study).unwrap_or_else(|| self.study_args.logs());
        output.print(&trial_text(study, &trial, &Folders::new(&logs, study.name())))
    }
}

fn of(study: &DurableStudy, state: TrialState) -> usize {
    study.trials().filter(|trial| trial.state() == state).count()
}

const STATES: [TrialState; 7] = [
    TrialState::Complete,
    TrialState::Failed,
    TrialState::Pruned,
    TrialState::Running,
    TrialState::Waiting,
    TrialState::Stale,
    TrialState::Abandoned,
];

/// A strategy by its name, if it has one.
fn strategy(spec: &StrategySpec) -> String {
    spec.name().unwrap_or_else(|| json!(spec).to_string())
}

fn direction(study: &DurableStudy) -> &'static str {
    match study.options().direction {
        Direction::Minimize => "minimize",
        Direction::Maximize => "maximize",
    }
}

fn as_json(study: &DurableStudy) -> Json {
    let counts: serde_json::Map<String, Json> =
        STATES.iter().map(|state| (state.name().to_owned(), of(study, *state).into())).collect();
    json!({
        "study": study.name(),
        "direction": direction(study),
        "strategy": strategy(&study.options().strategy),
        "seed": study.options().seed,
        "repeats": study.options().repeats,
        "pruner": study.options().pruner,
        "parameters": study.space().spec().parameters.len(),
        "trials": counts,
        "best": study.best().map(|best| show::record(study.space(), &best)),
        "attributes": study.attributes(),
    })
}

fn as_text(study: &DurableStudy) -> String {
    let states = STATES.iter().map(|state| (of(study, *state), state)).filter(|(count, _)| *count > 0);
    let states: Vec<String> = states.map(|(count, state)| format!("{count} {state}")).collect();
    let best = study.best().map_or_else(
        || "none yet".to_owned(),
        |best| format!("{} (trial {})", best.value().map(short).unwrap_or_default(), best.number()),
    );
    let mut lines = Table::new(["study".to_owned(), study.name().to_owned()]);
    lines.row(["goal", direction(study)]);
    lines.row(["strategy".to_owned(), strategy(&study.options().strategy)]);
    lines.row(["pruner", study.options().pruner.kind()]);
    lines.row(["seed".to_owned(), study.options().seed.to_string()]);
    lines.row(["space".to_owned(), count(study.space().spec().parameters.len(), "parameter", "parameters")]);
    lines.row(["trials".to_owned(), format!("{} ({})", study.trials().len(), states.join(", "))]);
    lines.row(["best".to_owned(), best]);
    for (name, value) in study.attributes() {
        match program::fact(name, value) {
            Some((name, fact)) => lines.row([name.to_owned(), fact]),
            None => lines.row([name.clone(), value.to_string()]),
        }
    }
    lines.show(None)
}

fn trial_text(study: &DurableStudy, trial: &TrialRecord<'_>, outputs: &Folders) -> String {
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    let mut lines = Table::new(["trial".to_owned(), trial.number().to_string()]);
    lines.row(["state", trial.state().name()]);
    let facts = [
        ("value", trial.value().map(short)),
        ("reason", trial.reason().map(str::to_owned)),
        ("cost", trial.cost().map(short)),
        ("took", trial.duration.map(duration::show)),
        ("asked", Some(trial.asked_at.to_string())),
        ("started", time(trial.started_at)),
        ("ended", time(trial.ended_at)),
        ("worker", trial.worker.clone()),
    ];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            lines.row([name.to_owned(), fact]);
        }
    }
    for folder in outputs.of(trial.number()) {
        lines.row(["outputs".to_owned(), folder.display().to_string()]);
    }
    for (name, value) in study.space().named(trial.configuration()) {
        lines.row([format!("  {name}"), value.to_string()]);
    }
    for (name, value) in &trial.attributes {
        lines.row([format!("@ {name}"), value.to_string()]);
    }
    let trace = trial.trace.as_ref().map(|trace| format!("\n{trace}\n")).unwrap_or_default();
    lines.show(None) + &trace
}
