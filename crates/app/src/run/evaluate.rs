//! One trial: start the program, wait, read the loss; again if it may be tried again.
use super::folder::{Folders, Outputs};
use super::loss::{LossSource, Reading, tail};
use super::orphan;
use super::process::{Ended, Limits, Sign, Start, watch};
use super::report::{Reports, StepReport};
use super::shell::Script;
use super::shutdown::{Shutdown, ShutdownLevel};
use super::template::Template;
use super::trial_env::{TrialEnv, variables};
use crate::duration;
use arbora_search::Effort;
use arbora_space::{Named, Space};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Lines of the error output kept with a failure.
const TRACE_LINES: usize = 20;

/// How a trial becomes a loss.
pub(crate) struct TrialRunner {
    pub(crate) study: String,
    pub(crate) space: Space,
    pub(crate) command: Command,
    pub(crate) loss: LossSource,
    pub(crate) folders: Folders,
    pub(crate) timeout: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) retries: u32,
    /// Which process runs it, for those who find a program that outlived it.
    pub(crate) token: String,
}

/// What to run.
pub(crate) enum Command {
    /// A program with its arguments.
    Program(Template),
    /// A script for the shell.
    Shell(Script),
}

/// How a trial ended.
#[derive(Debug)]
pub(crate) enum Evaluation {
    /// With a value.
    Value(Reading),
    /// Without one.
    Failed {
        reason: String,
        /// The last lines of the error output.
        trace: Option<String>,
    },
    /// Asked to end, because the trial was not worth its next step.
    Pruned { reason: String },
    /// Work stops, or the trial is not ours any more.
    Stopped,
    /// No process could be started, or its files not be written: no other trial would fare better.
    Broken(io::Error),
}

/// One attempt.
enum Attempt {
    Value(Reading),
    /// May another attempt fare better?
    Failed {
        reason: String,
        again: bool,
    },
    Pruned(String),
    Stopped,
}

/// Who is asked now and then while a program runs.
pub(crate) struct Watchers<'a> {
    /// Is the trial still ours?
    pub(crate) is_ours: &'a mut dyn FnMut() -> bool,
    /// Takes in what the program reports, perhaps nothing new; why it is to be stopped, if it is.
    pub(crate) judge: &'a mut dyn FnMut(Vec<StepReport>) -> Option<String>,
}

impl TrialRunner {
    /// Evaluates one trial.
    pub(crate) fn evaluate(
        &self,
        (trial, effort): (u64, Effort),
        values: &Named,
        stop: &Shutdown,
        watchers: &mut Watchers<'_>,
    ) -> Evaluation {
        let folder = match self.folders.make(trial) {
            Ok(folder) => folder,
            Err(trouble) => return Evaluation::Broken(trouble),
        };
        let env = TrialEnv { study: &self.study, trial, effort, folder: &folder, values };
        if let Err(trouble) = prepare(&env) {
            return Evaluation::Broken(trouble);
        }
        let mut attempt: u32 = 1;
        loop {
            let outputs = Outputs::of(&folder, attempt);
            match self.attempt(&env, &outputs, stop, watchers) {
                Ok(Attempt::Value(reading)) => return Evaluation::Value(reading),
                Ok(Attempt::Pruned(reason)) => return Evaluation::Pruned { reason },
                Ok(Attempt::Stopped) => return Evaluation::Stopped,
                Ok(Attempt::Failed { again: true, .. }) if attempt <= self.retries => attempt += 1,
                Ok(Attempt::Failed { reason, .. }) => {
                    return Evaluation::Failed { reason, trace: trace(&outputs.err) };
                }
                // A value that no argument can hold, such as one with a NUL byte, is this trial's own trouble.
                Err(trouble) if trouble.kind() == io::ErrorKind::InvalidInput => {
                    return Evaluation::Failed {
                        reason: format!("cannot be started: {trouble}"),
                        trace: None,
                    };
                }
                Err(trouble) => return Evaluation::Broken(trouble),
            }
        }
    }

    fn attempt(
        &self,
        env: &TrialEnv<'_>,
        outputs: &Outputs,
        stop: &Shutdown,
        watchers: &mut Watchers<'_>,
    ) -> io::Result<Attempt> {
        let before = self.loss.before(env);
        let (out, err) = outputs.create()?;
        let (words, mut set) = self.command.fill(env);
        set.extend(env.environment(&self.space));
        set.push((orphan::VARIABLE.to_owned(), orphan::claim(&self.token, env.trial).into()));
        let unset = variables(&self.space).into_keys().collect();
        let child = Start { words: &words, set, unset, out, err }.spawn()?;
        let limits = Limits { time: self.timeout, grace: self.grace, stop };
        let mut reports = Reports::new([outputs.out.clone(), env.report_file()]);
        let look = || {
            if (watchers.is_ours)() {
                (watchers.judge)(reports.read()).map_or(Sign::GoOn, Sign::Prune)
            } else {
                Sign::Stop
            }
        };
        let ended = watch(child, &limits, look)?;
        if matches!(ended, Ended::Itself(_)) {
            // What it said last. It has ended: nothing is left to stop.
            (watchers.judge)(reports.read());
        }
        Ok(match ended {
            Ended::Stopped => Attempt::Stopped,
            Ended::Pruned(reason) => Attempt::Pruned(reason),
            Ended::OutOfTime => {
                let limit = duration::show(self.timeout.unwrap_or_default());
                Attempt::Failed { reason: format!("took longer than {limit}"), again: false }
            }
            Ended::Itself(status) if status.success() => match self.loss.read(&outputs.out, env, before) {
                Ok(reading) => Attempt::Value(reading),
                Err(reason) => Attempt::Failed { reason, again: true },
            },
            // Who ends a whole job ends the program a moment before us: that says nothing of its trial.
            Ended::Itself(status) if was_stopped(status) && is_ending(stop) => Attempt::Stopped,
            Ended::Itself(status) => Attempt::Failed { reason: described(status), again: true },
        })
    }
}

impl Command {
    fn fill(&self, env: &TrialEnv<'_>) -> (Vec<OsString>, Vec<(String, OsString)>) {
        match self {
            Command::Program(template) => (template.fill(env), Vec::new()),
            Command::Shell(script) => (script.command(), script.environment(env)),
        }
    }
}

fn prepare(env: &TrialEnv<'_>) -> io::Result<()> {
    std::fs::write(env.configuration_file(), format!("{:#}\n", env.configuration()))
}

/// How long a program's death by a signal is not judged, for the same signal may be on its way to us.
const MOMENT: Duration = Duration::from_millis(300);

/// Do we end, too, now or in a moment?
fn is_ending(stop: &Shutdown) -> bool {
    let begun = Instant::now();
    while stop.level() < ShutdownLevel::Soon && begun.elapsed() < MOMENT {
        std::thread::sleep(Duration::from_millis(5));
    }
    stop.level() >= ShutdownLevel::Soon
}

/// Was it ended by a signal that asks programs to end: SIGHUP, SIGINT or SIGTERM?
#[cfg(unix)]
fn was_stopped(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    // A shell reports a program that died of signal n as 128 + n.
    let signal = status.signal().or_else(|| status.code().map(|code| code - 128));
    matches!(signal, Some(1 | 2 | 15))
}

#[cfg(not(unix))]
fn was_stopped(_: ExitStatus) -> bool {
    false
}

#[cfg(unix)]
fn described(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => status.to_string(),
    }
}

#[cfg(not(unix))]
fn described(status: ExitStatus) -> String {
    status.to_string()
}

/// The last lines of the error output.
fn trace(path: &Path) -> Option<String> {
    let text = tail(path).ok()?;
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let kept = lines[lines.len().saturating_sub(TRACE_LINES)..].join("\n");
    (!kept.is_empty()).then_some(kept)
}
