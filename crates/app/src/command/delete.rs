//! `arbora delete`: a study and everything in it.
use crate::error::{AppError, Exit};
use crate::show::count;
use crate::studies::File;
use crate::surroundings::Surroundings;
use arbora_store::{DurableStudy, TrialState};
use clap::Args;

/// Delete a study with all its trials
///
/// There is no way back. Files with outputs of programs stay where they are.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbora delete first-try")]
pub(crate) struct Arguments {
    /// The study
    study: String,
    #[command(flatten)]
    file: File,
    /// Even if trials of it are running
    #[arg(long)]
    force: bool,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        self.file.look()?;
        let store = self.file.open()?;
        let study = DurableStudy::load(store.clone(), &self.study)?;
        let running = study.trials().filter(|trial| trial.state() == TrialState::Running).count();
        if running > 0 && !self.force {
            return Err(AppError::StillRunning { study: self.study.clone(), running });
        }
        store.delete(study.id())?;
        let trials = count(study.trials().len(), "trial", "trials");
        around.print(&format!("deleted study `{}` with {trials}\n", self.study))
    }
}
