//! `arbora tune`: run a program for trial after trial.
use crate::duration;
use crate::error::{AppError, Exit};
use crate::files;
use crate::program::Program;
use crate::run::{self, Folders, LossSource, Recipe, Script, Stop, Template, Urgency};
use crate::studies::{Place, Settings};
use crate::surroundings::Surroundings;
use crate::tune::{Budget, Cause, Course, Crew, Progress, Summary, listen, words, worker_name};
use arbora_space::Space;
use arbora_store::{AskRequest, DurableStudy, Process};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two looks at the clock.
const TICK: Duration = Duration::from_millis(100);

const DETAILS: &str = "\
The command:
  {name}      value of a parameter         {:json}    file with all values
  {:trial}    number of the trial          {:folder}  folder of the trial
  {:share}    how much of an evaluation    {:fold}    the one fold wanted
  {{ and }}   braces
  Each word after -- is one argument of the program. No shell sees the
  values, so any character is safe; write --name={name} if a value may begin
  with `-`. A word whose parameter is inactive is left out, and so is a flag
  right before it: of `--C {svm.C} --depth {forest.depth}` only the half that
  takes part remains.
  With --shell the command is a script: {name} is one word in the open and
  inside double quotes. Where a shell would read a text as code, $((…)),
  [[…]], eval, or not at all, '…', it is refused; numbers may stand in $((…)).
  A program that reads its arguments as code (sh -c, awk) does so here, too.
  Strategies such as hyperband want only a {:share} of most evaluations:
  of the training rows, epochs or time; 1 is all of it.
  The environment has ARBORA_TRIAL, ARBORA_STUDY, ARBORA_SHARE, ARBORA_FOLDER,
  ARBORA_CONFIGURATION (JSON), ARBORA_CONFIGURATION_FILE, and
  ARBORA_PARAM_NAME for each active parameter.

  The study keeps the command; --resume with another one is refused unless
  --new-command says that it measures the same.

The loss:
  The last line of the output: a number, or JSON such as
    {\"loss\": 0.08, \"cost\": 12, \"attributes\": {\"epochs\": 7}}
  With --loss-file, that file. A trial fails if the exit code is not 0, if
  its time is over, or if there is no loss; the study goes on and learns to
  keep away. Outputs are kept in LOGS/STUDY/TRIAL/, or TRIAL-2/ if it runs again.

Ctrl-C:
  Once: nothing new is started, programs are asked to end (and ended after
  --grace), their trials wait for the next run. Twice: programs are ended at
  once. Nothing that was told is ever lost; --resume goes on. If arbora
  itself is killed hard, its programs run on alone; the next run on this
  machine takes their trials over at once and ends what is left of them.

Examples:
  arbora tune space.toml --trials 50 -- ./train.sh --lr {lr}
  arbora tune space.toml --trials 200 -j 4 --timeout 10m -- \\
      python train.py --config {:json}
  arbora tune space.toml --maximize --time 2h --key test.accuracy \\
      --loss-file {:folder}/metrics.json -- ./run --out {:folder}
  arbora tune space.toml --shell --trials 20 -- './prepare {x} | ./evaluate'

Many machines, one study (a Slurm array, the file on a shared disk):
  #SBATCH --array=1-32
  arbora tune space.toml --storage shared/study.db --resume \\
      --trials 1000 -- ./train.sh --lr {lr}
  --trials counts the trials of the study, so 32 processes together make
  1000; each waits until all of them have ended. A process that dies leaves a
  stale trial: another one on its machine takes it over at once, one elsewhere
  when it has seen no sign of life for a whole --lease.";

/// Run a program for trial after trial and find its best parameters
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(Args, Debug)]
#[command(after_long_help = DETAILS, after_help = "More with --help: placeholders, the loss, Ctrl-C, Slurm, examples.")]
pub(crate) struct Arguments {
    /// The space: TOML, JSON, ConfigSpace or PCS; may be left out to resume
    #[arg(required_unless_present = "resume")]
    space: Option<PathBuf>,
    /// The program and its arguments, with {name} for parameters
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Go on with a study that exists, or begin it
    #[arg(long)]
    resume: bool,
    /// The command is another than before and measures the same
    #[arg(long, requires = "resume")]
    new_command: bool,
    /// Trials of the study in all, failed ones included
    #[arg(long, short = 't', value_name = "NUMBER")]
    trials: Option<usize>,
    /// Start no trial after this time, such as 10m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// Programs at a time
    #[arg(long, short = 'j', value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// End a program that takes longer; its trial fails
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    timeout: Option<Duration>,
    /// Between asking a program to end and ending it
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "5s")]
    grace: Duration,
    /// Try a crashed trial again, so many times
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    retries: u32,
    /// Give up after so many failures without one success; 0 never does
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    give_up: usize,
    /// Read the loss from this file instead of the last line; may have placeholders
    #[arg(long, value_name = "FILE")]
    loss_file: Option<String>,
    /// The loss inside JSON, a path such as test.rmse [default: loss, value]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Give the command to sh, which gets values as quoted variables and reads none as code
    #[arg(long)]
    shell: bool,
    /// Folder for outputs [default: that of the storage, its name with -logs]
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// A worker that is silent for so long is taken for dead
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "60s")]
    lease: Duration,
    #[command(flatten)]
    settings: Settings,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        // First of all: a signal that comes while a study is opened is heard, too.
        let stop = Stop::default();
        listen(&stop)?;
        let (name, space) = self.subject()?;
        let command = self.command(&space)?;
        let mut study = self.study(&name, space)?;
        let logs = self.logs();
        let program = Program { words: &self.command, is_script: self.shell, logs: &logs };
        program.agree(&study, self.new_command)?;
        let recipe = self.recipe(&study, command)?;
        program.note(&mut study)?;
        let logs = recipe.folders.root().to_owned();
        let crew = Crew::new(study, recipe, self.budget(), stop);
        let progress = Progress::new(&crew.study(), crew.budget, around, self.quiet);
        let (course, took) = self.watch(&crew, progress, around);
        self.conclude(&crew, course, took, &logs, around)
    }

    fn command(&self, space: &Space) -> Result<run::Command, AppError> {
        if self.shell {
            return Ok(run::Command::Shell(Script::parse(&self.command, space)?));
        }
        let template = Template::parse(&self.command, space)?;
        template.program().map_or(Ok(()), run::find_program)?;
        Ok(run::Command::Program(template))
    }

    /// What is tuned: the space given under its name, or that of a study there is.
    fn subject(&self) -> Result<(String, Space), AppError> {
        match &self.space {
            Some(path) => Ok((self.place.name_for(path), files::space(path)?)),
            None => {
                let study = self.place.read()?;
                Ok((study.name().to_owned(), study.space().clone()))
            }
        }
    }

    fn study(&self, name: &str, space: Space) -> Result<DurableStudy, AppError> {
        let store = self.place.open()?;
        if !self.resume && store.study(name)?.is_some() {
            let trials = DurableStudy::load(store, name)?.trials().len();
            return Err(AppError::StudyExists {
                name: name.to_owned(),
                storage: self.place.storage.clone(),
                trials,
            });
        }
        self.settings.load_or_create(store, name, space)
    }

    fn recipe(&self, study: &DurableStudy, command: run::Command) -> Result<Recipe, AppError> {
        let direction = study.options().direction;
        let loss = LossSource::new(self.loss_file.as_deref(), self.key.as_deref(), direction, study.space())?;
        Ok(Recipe {
            study: study.name().to_owned(),
            space: study.space().clone(),
            command,
            loss,
            folders: Folders::new(&self.logs(), study.name()),
            timeout: self.timeout,
            grace: self.grace,
            retries: self.retries,
            token: Process::this().token,
        })
    }

    fn logs(&self) -> PathBuf {
        self.logs.clone().unwrap_or_else(|| self.place.logs())
    }

    fn budget(&self) -> Budget {
        Budget {
            trials: self.trials,
            until: self.time.map(|time| Instant::now() + time),
            failures: (self.give_up > 0).then_some(self.give_up),
        }
    }

    /// Workers work, this thread watches.
    fn watch(
        &self,
        crew: &Crew,
        mut progress: Progress,
        around: &mut Surroundings<'_>,
    ) -> (Course, Duration) {
        let (sender, news) = channel();
        std::thread::scope(|scope| {
            for index in 0..self.jobs {
                let sender = sender.clone();
                let request = AskRequest::by(worker_name(usize::from(index))).with_lease(self.lease).bound();
                scope.spawn(move || crew.work(&request, &sender));
            }
            drop(sender);
            let mut told = Urgency::None;
            loop {
                match news.recv_timeout(TICK) {
                    Ok(news) => progress.take(news, around),
                    Err(RecvTimeoutError::Timeout) => progress.tick(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                for line in words() {
                    progress.warn(&line, around);
                }
                let urgency = crew.stop.urgency();
                if urgency == Urgency::Soon
                    && told < urgency
                    && progress.course.trouble.is_none()
                    && !progress.course.gave_up
                {
                    progress.say("ending the programs that run; once more ends them at once", around);
                }
                told = told.max(urgency);
            }
        });
        progress.finish()
    }

    fn conclude(
        &self,
        crew: &Crew,
        mut course: Course,
        took: Duration,
        logs: &Path,
        around: &mut Surroundings<'_>,
    ) -> Result<Exit, AppError> {
        if let Some(trouble) = course.trouble.take() {
            return Err(trouble);
        }
        let mut study = crew.study();
        study.sync()?;
        let cause = cause(crew, &course);
        let storage = self.place.storage.as_str();
        let summary = Summary { study: &study, storage, logs, course: &course, cause, took };
        if self.json {
            around.print_json(&summary.json())?;
        } else {
            around.print(&summary.text())?;
        }
        let has_loss = study.trials().any(|trial| trial.loss().is_some());
        Ok(exit(cause, &course, has_loss))
    }
}

fn cause(crew: &Crew, course: &Course) -> Cause {
    if course.gave_up {
        Cause::GaveUp
    } else if crew.stop.urgency() >= Urgency::Soon {
        Cause::Interrupted
    } else if course.exhausted.is_some() {
        Cause::Exhausted
    } else if crew.budget.is_over() {
        Cause::Time
    } else {
        Cause::Trials
    }
}

fn exit(cause: Cause, course: &Course, has_loss: bool) -> Exit {
    match cause {
        Cause::Interrupted => Exit::Interrupted,
        Cause::GaveUp => Exit::Failed,
        _ if course.ended == 0 => Exit::Nothing,
        _ if !has_loss => Exit::Failed,
        Cause::Trials | Cause::Time | Cause::Exhausted => Exit::Fine,
    }
}
