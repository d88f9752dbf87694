//! What a run may use: programs, folders, and whether to go on. One per worker, so that processes are started once.
use crate::error::BenchError;
use crate::json_process::JsonProcess;
use crate::optimizer::{Native, Optimizer, Peer};
use crate::problem::{GridProblem, by_name};
use crate::task::{Learner, Noisy, Protocol, Remote, Task};
use std::path::PathBuf;

/// Programs and folders that problems need. Nothing is looked for in the environment.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How Python is started.
    pub python: String,
    /// Data sets: gzipped CSV files, `index.csv`, and `tables/` with losses on grids; or the word `bundled`.
    pub data: Option<PathBuf>,
    /// Surrogate benchmarks in the ONNX format, with their spaces.
    pub yahpo: Option<PathBuf>,
}

/// Prefix of optimizers that other people wrote.
const PEER: &str = "peer/";
/// Prefix of problems and optimizers that are programs of the user.
const PROGRAM: &str = "cmd:";
/// Prefix of tables of the user: `table:FILE:COLUMN`.
const TABLE: &str = "table:";
/// In place of a folder: data sets that Python packages carry. They have no tables.
const CARRIED: &str = "bundled";

/// One worker's tools.
pub struct Context<'a> {
    settings: &'a Settings,
    stop: &'a (dyn Fn() -> bool + Sync),
    idle: Vec<JsonProcess>,
}

impl<'a> Context<'a> {
    /// Nothing started yet. From now on methods of the papers can be named.
    pub fn new(settings: &'a Settings, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        arbora_papers::register().expect("the methods of the papers have their names to themselves");
        Self { settings, stop, idle: Vec::new() }
    }

    /// Asked before every trial: stop now?
    pub fn stopper(&self) -> &'a (dyn Fn() -> bool + Sync) {
        self.stop
    }

    /// Programs and folders.
    pub fn settings(&self) -> &Settings {
        self.settings
    }

    /// Does something with a problem that is opened by its name, and keeps its process for the next run.
    pub fn with_problem<T>(
        &mut self,
        name: &str,
        seed: u64,
        work: impl FnOnce(&mut dyn Task) -> Result<T, BenchError>,
    ) -> Result<T, BenchError> {
        if let Some(command) = name.strip_prefix(PROGRAM) {
            return work(&mut Remote::open(JsonProcess::start(&words(command))?, "", seed)?);
        }
        if let Some(grid) = self.grid(name)? {
            return work(&mut grid.into_problem());
        }
        if name.starts_with("yahpo/") {
            let mut remote = Remote::open(self.lab()?, name, seed)?;
            let done = work(&mut remote)?;
            self.idle.push(remote.into_process());
            return Ok(done);
        }
        if name.contains('/') && !name.starts_with("scale/") {
            return self.with_learner(name, seed, &Protocol::of(name), |learner| work(learner));
        }
        let mut problem = by_name(name)?;
        if problem.is_noisy() { work(&mut Noisy { problem, seed }) } else { work(&mut problem) }
    }

    /// Does something with learners on a data set, judged as the protocol says.
    pub fn with_learner<T>(
        &mut self,
        name: &str,
        seed: u64,
        protocol: &Protocol,
        work: impl FnOnce(&mut Learner) -> Result<T, BenchError>,
    ) -> Result<T, BenchError> {
        let mut learner = Learner::open(self.lab()?, name, seed, protocol)?;
        let done = work(&mut learner)?;
        self.idle.push(learner.into_process());
        Ok(done)
    }

    /// An optimizer by name.
    pub fn optimizer(&self, name: &str) -> Result<Box<dyn Optimizer>, BenchError> {
        if let Some(command) = name.strip_prefix(PROGRAM) {
            return Ok(Box::new(Peer::new(words(command), "")));
        }
        match name.strip_prefix(PEER) {
            Some(peer) => Ok(Box::new(Peer::new(self.module("arbora.lab.peers"), peer))),
            None => Ok(Box::new(Native::named(name)?)),
        }
    }

    /// A table of losses, if the name is one's.
    fn grid(&self, name: &str) -> Result<Option<GridProblem>, BenchError> {
        if let Some(rest) = name.strip_prefix(TABLE) {
            let (file, column) = rest.rsplit_once(':').unwrap_or((rest, "loss"));
            return GridProblem::read(&PathBuf::from(file), name, column).map(Some);
        }
        let Some((file, column)) = GridProblem::known(name) else { return Ok(None) };
        let folder = self.settings.data.as_ref().filter(|data| data.as_os_str() != CARRIED);
        let Some(path) = folder.map(|data| data.join("tables").join(file)).filter(|path| path.exists())
        else {
            let why =
                format!("{name} needs --data FOLDER with tables/{file}; docs/LAB.md says how it is made");
            return Err(BenchError::Missing { why });
        };
        GridProblem::read(&path, name, column).map(Some)
    }

    /// The evaluator of learners.
    fn lab(&mut self) -> Result<JsonProcess, BenchError> {
        if let Some(process) = self.idle.pop() {
            return Ok(process);
        }
        let mut command = self.module("arbora.lab");
        for (option, folder) in [("--data", &self.settings.data), ("--yahpo", &self.settings.yahpo)] {
            if let Some(folder) = folder {
                command.extend([option.to_owned(), folder.to_string_lossy().into_owned()]);
            }
        }
        JsonProcess::start(&command)
    }

    fn module(&self, name: &str) -> Vec<String> {
        [&self.settings.python, "-m", name].map(str::to_owned).to_vec()
    }
}

/// A command line of plain words.
fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_not_there_is_missing_and_one_that_is_wrong_is_not() {
        let of = |data: Option<&str>| Settings { data: data.map(PathBuf::from), ..Settings::default() };
        for settings in [of(None), of(Some("bundled")), of(Some("nowhere"))] {
            let mut context = Context::new(&settings, &|| false);
            let refused = context.with_problem("lda-on-grid", 0, |_| Ok(())).unwrap_err();
            assert!(refused.is_missing(), "{refused}");
            assert!(refused.to_string().contains("tables/lda_on_grid.csv"), "{refused}");
        }
        let settings = of(None);
        let mut context = Context::new(&settings, &|| false);
        let own = context.with_problem("table:nowhere.csv:loss", 0, |_| Ok(())).unwrap_err();
        assert!(!own.is_missing(), "a file the user names must be there: {own}");
    }
}
