//! Which study, in which file, with which settings: arguments that many commands share.
use crate::error::AppError;
use crate::files;
use arbora_search::pruner::pruners;
use arbora_search::{Direction, Group, Preset, PrunerSpec, SearchError, StrategySpec, StudyOptions, presets};
use arbora_space::Space;
use arbora_store::{DurableStudy, Store};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file of studies.
#[derive(Args, Clone, Debug)]
pub(crate) struct StorageArgs {
    /// SQLite file with the studies
    #[arg(long, short = 's', value_name = "FILE", env = "ARBORA_STORAGE", default_value = "arbora.db")]
    pub(crate) storage: String,
}

impl StorageArgs {
    /// The store, created where there is none.
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>, AppError> {
        Ok(arbora_store::open(&self.storage)?)
    }

    /// The store, which must be there, to read only: looking creates no file and disturbs no one.
    pub(crate) fn open_readonly(&self) -> Result<Arc<dyn Store>, AppError> {
        Ok(arbora_store::open_to_read(&self.storage)?)
    }

    /// The file behind the address.
    pub(crate) fn path(&self) -> Result<PathBuf, AppError> {
        Ok(arbora_store::file_of(&self.storage)?)
    }
}

/// The file of studies and the study in it.
#[derive(Args, Clone, Debug)]
pub(crate) struct StudyArgs {
    #[command(flatten)]
    pub(crate) file: StorageArgs,
    /// Name of the study; required if the file has several
    #[arg(long, short = 'n', value_name = "STUDY")]
    pub(crate) name: Option<String>,
}

/// What is asked of a file is asked of a place in it.
impl std::ops::Deref for StudyArgs {
    type Target = StorageArgs;

    fn deref(&self) -> &StorageArgs {
        &self.file
    }
}

impl StudyArgs {
    /// Where outputs go unless somebody says otherwise: beside the file, its name with -logs; where there is no file,
    /// in the current folder.
    pub(crate) fn logs(&self) -> PathBuf {
        let path = self.path().unwrap_or_else(|_| PathBuf::from("arbora"));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{}-logs", stem.trim_matches(':')))
    }

    /// The study that is meant, to read only: the one named, or the only one there is.
    pub(crate) fn load_readonly(&self) -> Result<DurableStudy, AppError> {
        let store = self.open_readonly()?;
        let name = self.study_name(store.as_ref())?;
        Ok(DurableStudy::load(store, &name)?)
    }

    /// The study that is meant, to write; it must be there.
    pub(crate) fn load(&self) -> Result<DurableStudy, AppError> {
        let name = self.study_name(self.open_readonly()?.as_ref())?;
        Ok(DurableStudy::load(self.open()?, &name)?)
    }

    fn study_name(&self, store: &dyn Store) -> Result<String, AppError> {
        self.name.as_ref().map_or_else(|| self.only_one(store), |name| Ok(name.clone()))
    }

    fn only_one(&self, store: &dyn Store) -> Result<String, AppError> {
        let known: Vec<String> = store.studies()?.into_iter().map(|study| study.name).collect();
        let storage = self.storage.clone();
        match known.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(AppError::NoStudies { storage }),
            _ => Err(AppError::WhichStudy { storage, known }),
        }
    }

    /// The name given, or that of the space's file.
    pub(crate) fn name_for(&self, space_file: &Path) -> String {
        let stem = || space_file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        self.name.clone().or_else(stem).unwrap_or_else(|| "study".to_owned())
    }
}

/// Settings of a study that is to be made. One that exists keeps its own; settings given must agree with them.
#[derive(Args, Clone, Debug)]
pub(crate) struct Settings {
    /// Search strategy: a name or a JSON file [default: auto]
    #[arg(long, value_name = "NAME", long_help = strategy_help(), value_parser = strategy)]
    strategy: Option<StrategySpec>,
    /// Random seed; the same seed and results give the same suggestions [default: 0]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Maximize the objective instead of minimizing it
    #[arg(long)]
    maximize: bool,
    /// Allow a configuration to be evaluated again, for noisy objectives
    #[arg(long)]
    repeats: bool,
    /// The objective is deterministic: trust the best observed value as it is
    #[arg(long, conflicts_with = "repeats")]
    deterministic: bool,
    /// Stop hopeless trials early, by what programs report: a name or a JSON file [default: curve]
    #[arg(long, value_name = "NAME", long_help = pruner_help(), value_parser = pruner)]
    pruner: Option<PrunerSpec>,
}

fn pruner_help() -> String {
    let lines = pruners().into_iter().map(|(name, summary)| format!("  {name}: {summary}"));
    let list = lines.collect::<Vec<_>>().join("\n");
    format!(
        "Stop hopeless trials early: a name or a JSON file [default: curve]\n\n\
         Programs report by lines such as `arbora: step 3 loss 0.12` in their output, or in the file that \
         ARBORA_REPORT_FILE names.\n\n{list}\n"
    )
}

/// A pruner by its name, or with its settings from a file.
fn pruner(text: &str) -> Result<PrunerSpec, AppError> {
    let path = Path::new(text);
    let is_file = path.extension().is_some_and(|ending| ending == "json");
    let read = if is_file { serde_json::from_str(&files::read(path)?) } else { PrunerSpec::named(text) };
    Ok(read.map_err(|trouble| SearchError::BadSpec { what: "pruner", problem: trouble.to_string() })?)
}

fn strategy_help() -> String {
    let list = |group: Group| -> String {
        let ours = presets().filter(|preset| preset.group == group);
        let line = |preset: Preset| match group {
            Group::Recommended => format!("  {}: {}; use it {}\n", preset.name, preset.summary, preset.when),
            Group::FromThePapers => format!("  {}: {} [{}]\n", preset.name, preset.summary, preset.when),
        };
        ours.map(line).collect()
    };
    let (recommended, papers) = (list(Group::Recommended), list(Group::FromThePapers));
    format!(
        "Search strategy: a name or a JSON file [default: auto]\n\n\
         Recommended:\n{recommended}\nFrom the papers, for comparisons:\n{papers}"
    )
}

/// A strategy by its name, or part by part from a file.
pub(crate) fn strategy(text: &str) -> Result<StrategySpec, AppError> {
    let path = Path::new(text);
    if path.extension().is_none_or(|ending| ending != "json") {
        return Ok(text.parse()?);
    }
    let bad =
        |trouble: serde_json::Error| SearchError::BadSpec { what: "strategy", problem: trouble.to_string() };
    Ok(serde_json::from_str(&files::read(path)?).map_err(bad)?)
}

impl Settings {
    /// Those of a new study, or of an existing one with what was given in their place.
    fn over(&self, known: StudyOptions) -> StudyOptions {
        StudyOptions {
            strategy: self.strategy.clone().unwrap_or(known.strategy),
            seed: self.seed.unwrap_or(known.seed),
            direction: if self.maximize { Direction::Maximize } else { known.direction },
            repeats: self.repeats || known.repeats,
            deterministic: self.deterministic || known.deterministic,
            pruner: self.pruner.clone().unwrap_or(known.pruner),
            ..known
        }
    }

    /// The study of this name: the existing one if everything given agrees with it, else a new one.
    pub(crate) fn load_or_create(
        &self,
        store: Arc<dyn Store>,
        name: &str,
        space: Space,
    ) -> Result<DurableStudy, AppError> {
        let known = store.study(name)?.map(|study| study.options).transpose()?;
        let options = self.over(known.unwrap_or_default());
        Ok(DurableStudy::load_or_create(store, name, space, options)?)
    }
}
