//! Running a program for one trial: from a configuration to a loss, or to the reason why there is none.
mod evaluate;
mod folder;
mod loss;
mod orphan;
mod process;
mod process_group;
mod program;
mod quoting;
mod report;
mod shell;
mod shutdown;
mod template;
mod trial_env;

pub(crate) use evaluate::{Command, Evaluation, TrialRunner, Watchers};
pub(crate) use folder::Folders;
pub(crate) use loss::LossSource;
pub(crate) use orphan::{Ending, end as end_orphans};
pub(crate) use program::find as find_program;
pub(crate) use report::StepReport;
pub(crate) use shell::Script;
pub(crate) use shutdown::{Shutdown, ShutdownLevel};
pub(crate) use template::Template;
