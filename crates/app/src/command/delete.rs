//! `arbora delete`: a study and everything in it.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show::count;
use crate::study_args::StorageArgs;
use arbora_store::{DurableStudy, TrialState};
use clap::Args;

/// Delete a study with all its trials
///
/// This cannot be undone. Output files of programs are kept.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbora delete first-try")]
pub(crate) struct Arguments {
    /// Name of the study
    study: String,
    #[command(flatten)]
    file: StorageArgs,
    /// Delete it even if some of its trials are running
    #[arg(long)]
    force: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        self.file.open_readonly()?;
        let store = self.file.open()?;
        let study = DurableStudy::load(store.clone(), &self.study)?;
        let running = study.trials().filter(|trial| trial.state() == TrialState::Running).count();
        if running > 0 && !self.force {
            return Err(AppError::StillRunning { study: self.study.clone(), running });
        }
        store.delete(study.id())?;
        let trials = count(study.trials().len(), "trial", "trials");
        output.print(&format!("deleted study `{}` with {trials}\n", self.study))
    }
}
