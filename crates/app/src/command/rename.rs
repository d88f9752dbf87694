//! `arbora rename`: another name for a study.
use crate::error::{AppError, Exit};
use crate::studies::File;
use crate::surroundings::Surroundings;
use arbora_store::DurableStudy;
use clap::Args;

/// Give a study another name
///
/// Programs that are tuning it go on; outputs of later runs go to a folder of the new name.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbora rename space svm-2")]
pub(crate) struct Arguments {
    /// The study
    study: String,
    /// Its new name, which must be free
    new: String,
    #[command(flatten)]
    file: File,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        self.file.look()?;
        let store = self.file.open()?;
        let study = DurableStudy::load(store.clone(), &self.study)?;
        store.rename(study.id(), &self.new)?;
        around.print(&format!("study `{}` is now called `{}`\n", self.study, self.new))
    }
}
