//! `arbora copy`: a backup that is known to be whole.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show::count;
use arbora_space::words::visible;
use arbora_store::CopiedStudy;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

const DETAILS: &str = "\
Copies a consistent snapshot of each study, even while others write to it, and
verifies the copy event by event. An existing file is never overwritten. Other
ways of copying the file while a study is open may miss the newest results,
which are in the write-ahead log beside it.

Examples:
  arbora copy arbora.db backup.db
  arbora copy arbora.db svm.db --study svm";

/// Copy a storage file, or one study of it, to a new file
#[derive(Args, Debug)]
#[command(after_help = DETAILS)]
pub(crate) struct Arguments {
    /// Storage file to copy
    from: String,
    /// The new file
    to: PathBuf,
    /// Copy only this study
    #[arg(long, value_name = "NAME")]
    study: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        if self.to.exists() {
            return Err(AppError::FileExists { path: self.to.clone() });
        }
        let copied = arbora_store::copy(&self.from, &self.to, self.study.as_deref())?;
        if self.json {
            let study = |study: &CopiedStudy| json!({"study": study.name, "events": study.events});
            let studies: Vec<_> = copied.iter().map(study).collect();
            return output.print_json(&json!({"into": self.to, "studies": studies}));
        }
        let studies = count(copied.len(), "study", "studies");
        let lines = copied
            .iter()
            .map(|study| format!("  {}: {}\n", visible(&study.name), count(study.events, "event", "events")));
        let lines: String = lines.collect();
        let to = self.to.display();
        let text = format!("copied {studies} into {to}, read again and found the same\n{lines}");
        output.print(&text)
    }
}
