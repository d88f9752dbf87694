//! `arbora tune`: run a program for trial after trial.
use crate::duration;
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use crate::program::Program;
use crate::run::{self, Folders, LossSource, Script, Shutdown, ShutdownLevel, Template, TrialRunner};
use crate::study_args::{Settings, StudyArgs};
use crate::tune::{Budget, Progress, RunState, StopReason, Summary, WorkerPool, listen, words, worker_name};
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
  {:share}    fraction of an evaluation    {:fold}    number of the fold
  {{ and }}   braces
  Each word after -- is one argument of the program. No shell sees the
  values, so any character is safe; write --name={name} if a value may begin
  with `-`. Arguments with inactive parameters are dropped, together with the
  flag right before them: `--C {svm.C} --depth {forest.depth}` keeps only the
  active half.
  With --shell the command is a script: {name} is one word, also inside double
  quotes. Placeholders are refused where a shell would read text as code
  ($((…)), [[…]], eval) or not at all ('…'); numbers are allowed in $((…)).
  A program that reads its arguments as code (sh -c, awk) still does so.
  Strategies such as hyperband evaluate most trials on a {:share} of the
  training rows, epochs or time only; 1 means all of it.
  The environment has ARBORA_TRIAL, ARBORA_STUDY, ARBORA_SHARE, ARBORA_FOLDER,
  ARBORA_CONFIGURATION (JSON), ARBORA_CONFIGURATION_FILE, ARBORA_REPORT_FILE,
  and ARBORA_PARAM_NAME for each active parameter.

  The study stores the command; --resume with a different one is refused
  unless you pass --new-command because it measures the same.

The loss:
  The last line of the output: a number, or JSON such as
    {\"loss\": 0.08, \"cost\": 12, \"attributes\": {\"epochs\": 7}}
  With --loss-file, that file. A trial fails if the exit code is not 0, if it
  times out, or if there is no loss; the study continues and avoids such
  configurations. Output goes to LOGS/STUDY/TRIAL/, or TRIAL-2/ if it is rerun.

Stopping early:
  A program that prints lines such as
    arbora: step 3 loss 0.12
  (or `value` instead of `loss`, in the direction of the study), or writes them
  to the file ARBORA_REPORT_FILE, is asked to end once its trial has little
  chance to become the best: SIGTERM, then SIGKILL after --grace. The trial is
  then pruned, neither failed nor complete. Flush the output after each line.
  --pruner chooses the rule, --pruner none switches it off.

Ctrl-C:
  Once: no new trial starts, running programs get SIGTERM (SIGKILL after
  --grace), and their trials go back to the queue. Twice: programs are killed
  at once. No result is ever lost; continue with --resume. If arbora itself is
  killed, its programs keep running; the next run on this machine takes over
  their trials at once and kills what is left of the programs.

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
  --trials counts all trials of the study, so 32 processes together run 1000;
  each waits until all of them have ended. If a process dies, its trial becomes
  stale: a process on the same machine takes it over at once, one on another
  machine after --lease without a heartbeat.";

/// Run a program once per trial and find its best parameters
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(Args, Debug)]
#[command(after_long_help = DETAILS, after_help = "More with --help: placeholders, the loss, Ctrl-C, Slurm, examples.")]
pub(crate) struct Arguments {
    /// Search space: a TOML, JSON, ConfigSpace or PCS file; optional with --resume
    #[arg(required_unless_present = "resume")]
    space: Option<PathBuf>,
    /// The program and its arguments; {name} is replaced by the value of a parameter
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    study_args: StudyArgs,
    /// Continue the study if it exists, create it otherwise
    #[arg(long)]
    resume: bool,
    /// Accept a command other than the stored one; it must measure the same
    #[arg(long, requires = "resume")]
    new_command: bool,
    /// Total number of trials in the study, failed and pruned ones included
    #[arg(long, short = 't', value_name = "N")]
    trials: Option<usize>,
    /// Start no new trial after this much time, such as 10m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// Number of programs to run in parallel
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Kill a program that runs longer than this; its trial fails
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    timeout: Option<Duration>,
    /// Grace period between SIGTERM and SIGKILL
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "5s")]
    grace: Duration,
    /// Retry a failed trial up to N times
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    retries: u32,
    /// Stop after N failed trials in a row; 0 never stops
    #[arg(long, value_name = "N", default_value_t = 10)]
    give_up: usize,
    /// Read the loss from this file instead of the last line of output; may contain placeholders
    #[arg(long, value_name = "FILE")]
    loss_file: Option<String>,
    /// Key of the loss in JSON output, a path such as test.rmse [default: loss, value]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Run the command with sh; values are passed as quoted variables, never as code
    #[arg(long)]
    shell: bool,
    /// Folder for the output of programs [default: beside the storage file, its name with -logs]
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// Consider a worker dead after this long without a heartbeat
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "60s")]
    lease: Duration,
    #[command(flatten)]
    settings: Settings,
    /// Hide progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        // First of all: a signal that comes while a study is opened is heard, too.
        let stop = Shutdown::default();
        listen(&stop)?;
        let (name, space) = self.subject()?;
        let command = self.command(&space)?;
        let mut study = self.study(&name, space)?;
        let logs = self.logs();
        let program = Program { words: &self.command, is_script: self.shell, logs: &logs };
        program.agree(&study, self.new_command)?;
        let runner = self.runner(&study, command)?;
        program.note(&mut study)?;
        let logs = runner.folders.root().to_owned();
        let pool = WorkerPool::new(study, runner, self.budget(), stop);
        let progress = Progress::new(&pool.study(), pool.budget, output, self.quiet);
        let (state, took) = self.watch(&pool, progress, output);
        self.conclude(&pool, state, took, &logs, output)
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
            Some(path) => Ok((self.study_args.name_for(path), files::space(path)?)),
            None => {
                let study = self.study_args.load_readonly()?;
                Ok((study.name().to_owned(), study.space().clone()))
            }
        }
    }

    fn study(&self, name: &str, space: Space) -> Result<DurableStudy, AppError> {
        let store = self.study_args.open()?;
        if !self.resume && store.study(name)?.is_some() {
            let trials = DurableStudy::load(store, name)?.trials().len();
            return Err(AppError::StudyExists {
                name: name.to_owned(),
                storage: self.study_args.storage.clone(),
                trials,
            });
        }
        self.settings.load_or_create(store, name, space)
    }

    fn runner(&self, study: &DurableStudy, command: run::Command) -> Result<TrialRunner, AppError> {
        let direction = study.options().direction;
        let loss = LossSource::new(self.loss_file.as_deref(), self.key.as_deref(), direction, study.space())?;
        Ok(TrialRunner {
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
        self.logs.clone().unwrap_or_else(|| self.study_args.logs())
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
        pool: &WorkerPool,
        mut progress: Progress,
        output: &mut Output<'_>,
    ) -> (RunState, Duration) {
        let (sender, events) = channel();
        std::thread::scope(|scope| {
            for index in 0..self.jobs {
                let sender = sender.clone();
                let request = AskRequest::by(worker_name(usize::from(index))).with_lease(self.lease).bound();
                scope.spawn(move || pool.work(&request, &sender));
            }
            drop(sender);
            let mut told = ShutdownLevel::None;
            loop {
                match events.recv_timeout(TICK) {
                    Ok(events) => progress.take(events, output),
                    Err(RecvTimeoutError::Timeout) => progress.tick(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                for line in words() {
                    progress.warn(&line, output);
                }
                let level = pool.stop.level();
                if level == ShutdownLevel::Soon
                    && told < level
                    && progress.state.trouble.is_none()
                    && !progress.state.gave_up
                {
                    progress.say("stopping the running programs; press Ctrl-C again to kill them", output);
                }
                told = told.max(level);
            }
        });
        progress.finish()
    }

    fn conclude(
        &self,
        pool: &WorkerPool,
        mut state: RunState,
        took: Duration,
        logs: &Path,
        output: &mut Output<'_>,
    ) -> Result<Exit, AppError> {
        if let Some(trouble) = state.trouble.take() {
            return Err(trouble);
        }
        let mut study = pool.study();
        study.sync()?;
        let reason = reason(pool, &state);
        let storage = self.study_args.storage.as_str();
        let summary = Summary { study: &study, storage, logs, state: &state, reason, took };
        if self.json {
            output.print_json(&summary.json())?;
        } else {
            output.print(&summary.text())?;
        }
        let has_loss = study.trials().any(|trial| trial.loss().is_some());
        Ok(exit(reason, &state, has_loss))
    }
}

fn reason(pool: &WorkerPool, state: &RunState) -> StopReason {
    if state.gave_up {
        StopReason::GaveUp
    } else if pool.stop.level() >= ShutdownLevel::Soon {
        StopReason::Interrupted
    } else if state.exhausted.is_some() {
        StopReason::Exhausted
    } else if pool.budget.is_over() {
        StopReason::Time
    } else {
        StopReason::Trials
    }
}

fn exit(reason: StopReason, state: &RunState, has_loss: bool) -> Exit {
    match reason {
        StopReason::Interrupted => Exit::Interrupted,
        StopReason::GaveUp => Exit::Failed,
        _ if state.ended == 0 => Exit::Nothing,
        _ if !has_loss => Exit::Failed,
        StopReason::Trials | StopReason::Time | StopReason::Exhausted => Exit::Fine,
    }
}
