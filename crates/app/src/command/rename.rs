//! `arbora rename`: another name for a study.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::study_args::StorageArgs;
use arbora_store::DurableStudy;
use clap::Args;

/// Rename a study
///
/// Running `arbora tune` processes continue; later runs write to a folder with the new name.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbora rename space svm-2")]
pub(crate) struct Arguments {
    /// Name of the study
    study: String,
    /// New name; no other study may have it
    new: String,
    #[command(flatten)]
    file: StorageArgs,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        self.file.open_readonly()?;
        let store = self.file.open()?;
        let study = DurableStudy::load(store.clone(), &self.study)?;
        store.rename(study.id(), &self.new)?;
        output.print(&format!("study `{}` is now called `{}`\n", self.study, self.new))
    }
}
