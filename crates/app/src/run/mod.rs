//! Running a program for one trial: from a configuration to a loss, or to the reason why there is none.
mod evaluate;
mod folder;
mod group;
mod loss;
mod offer;
mod orphan;
mod process;
mod program;
mod quoting;
mod shell;
mod stop;
mod template;

pub(crate) use evaluate::{Command, Recipe, Verdict};
pub(crate) use folder::Folders;
pub(crate) use loss::LossSource;
pub(crate) use orphan::{Ending, end as end_orphans};
pub(crate) use program::find as find_program;
pub(crate) use shell::Script;
pub(crate) use stop::{Stop, Urgency};
pub(crate) use template::Template;
