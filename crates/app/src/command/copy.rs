//! `arbora copy`: a backup that is known to be whole.
use crate::error::{AppError, Exit};
use crate::show::count;
use crate::surroundings::Surroundings;
use arbora_space::words::visible;
use arbora_store::CopiedStudy;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

const DETAILS: &str = "\
Every study is copied as it is at one moment, also while others write to it,
and read again from the new file, event by event. A file that is there already
is never overwritten. Copying the file by other means while a study is
open may leave its newest results behind, in the log beside it.

Examples:
  arbora copy arbora.db backup.db
  arbora copy arbora.db svm.db --study svm";

/// Copy a file of studies, or one study of it, into a new file
#[derive(Args, Debug)]
#[command(after_help = DETAILS)]
pub(crate) struct Arguments {
    /// The file that keeps the studies
    from: String,
    /// The new file
    to: PathBuf,
    /// Only this study
    #[arg(long, value_name = "NAME")]
    study: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        if self.to.exists() {
            return Err(AppError::FileExists { path: self.to.clone() });
        }
        let copied = arbora_store::copy(&self.from, &self.to, self.study.as_deref())?;
        if self.json {
            let study = |study: &CopiedStudy| json!({"study": study.name, "events": study.events});
            let studies: Vec<_> = copied.iter().map(study).collect();
            return around.print_json(&json!({"into": self.to, "studies": studies}));
        }
        let studies = count(copied.len(), "study", "studies");
        let lines = copied
            .iter()
            .map(|study| format!("  {}: {}\n", visible(&study.name), count(study.events, "event", "events")));
        let lines: String = lines.collect();
        let to = self.to.display();
        let text = format!("copied {studies} into {to}, read again and found the same\n{lines}");
        around.print(&text)
    }
}
