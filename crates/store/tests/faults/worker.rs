//! A worker in a process of its own: this very test binary, run again with its orders in the
//! environment. It says on its standard output what it knows to be safe.
use super::study;
use arbora_store::{AskRequest, Clock, SystemClock, Timestamp};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// A promise that none of these tests outlasts.
const LEASE: Duration = Duration::from_mins(1);

/// What a worker is to do.
pub(crate) struct Orders<'a> {
    pub(crate) path: &'a Path,
    pub(crate) name: String,
    pub(crate) trials: usize,
    /// By how many leases its wall clock is ahead.
    pub(crate) ahead: u32,
}

/// What a worker said before it ended or was killed.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) asked: Vec<u64>,
    pub(crate) told: Vec<(u64, f64)>,
    pub(crate) errors: Vec<String>,
    pub(crate) is_done: bool,
}

impl Orders<'_> {
    pub(crate) fn start(&self) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "worker::works_as_ordered", "--ignored", "--nocapture", "--test-threads=1"])
            .env("ARBORA_WORKER_PATH", self.path)
            .env("ARBORA_WORKER_NAME", &self.name)
            .env("ARBORA_WORKER_TRIALS", self.trials.to_string())
            .env("ARBORA_WORKER_AHEAD", self.ahead.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// Hears what a worker says.
pub(crate) struct Listener {
    output: BufReader<ChildStdout>,
    said: Said,
}

impl Listener {
    pub(crate) fn to(child: &mut Child) -> Self {
        Self { output: BufReader::new(child.stdout.take().unwrap()), said: Said::default() }
    }

    /// Until the worker has a trial, or says no more.
    pub(crate) fn until_asked(&mut self) {
        while self.said.asked.is_empty() && self.hear() {}
    }

    /// Until the worker says no more.
    pub(crate) fn hear_out(mut self) -> Said {
        while self.hear() {}
        self.said
    }

    /// One line; false at the end.
    fn hear(&mut self) -> bool {
        let mut line = String::new();
        // Half a line is what a killed worker may leave: it acknowledges nothing.
        if self.output.read_line(&mut line).unwrap_or(0) == 0 || !line.ends_with('\n') {
            return false;
        }
        let mut words = line.trim_end().splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some("asked"), Some(trial), None) => self.said.asked.push(trial.parse().unwrap()),
            (Some("told"), Some(trial), Some(loss)) => {
                self.said.told.push((trial.parse().unwrap(), loss.parse().unwrap()));
            }
            (Some("error"), ..) => self.said.errors.push(line),
            (Some("done"), ..) => self.said.is_done = true,
            _ => {}
        }
        true
    }
}

/// The clocks of the system, but for a wall clock that is ahead.
struct Ahead(Duration);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        SystemClock.now().after(self.0)
    }

    fn elapsed(&self) -> Duration {
        SystemClock.elapsed()
    }

    fn place(&self) -> Option<String> {
        SystemClock.place()
    }

    fn steady(&self) -> Timestamp {
        SystemClock.steady().after(self.0)
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[test]
#[ignore = "run as a child process by the other tests"]
fn works_as_ordered() {
    let Some(path) = variable("ARBORA_WORKER_PATH").map(PathBuf::from) else { return };
    let number = |name| variable(name).unwrap().parse::<u32>().unwrap();
    let (trials, ahead) = (number("ARBORA_WORKER_TRIALS"), LEASE * number("ARBORA_WORKER_AHEAD"));
    let claim = AskRequest::by(variable("ARBORA_WORKER_NAME").unwrap()).with_lease(LEASE).bound();
    if let Err(error) = work(&path, &claim, trials, ahead) {
        say(&format!("error {error}"));
    }
    say("done");
}

fn work(
    path: &Path,
    claim: &AskRequest,
    trials: u32,
    ahead: Duration,
) -> Result<(), arbora_store::StoreError> {
    let mut study = study(path).with_clock(Arc::new(Ahead(ahead)));
    for _ in 0..trials {
        let trial = study.ask(claim)?;
        say(&format!("asked {}", trial.number()));
        let loss = 1.0 / (trial.number() as f64 + 3.0);
        study.report(trial.number(), 1, loss)?;
        study.renew(trial.number(), claim)?;
        study.tell(trial.number(), loss)?;
        say(&format!("told {} {loss:?}", trial.number()));
    }
    Ok(())
}

/// Past the capturing of the test harness, and at once.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{line}").and_then(|()| out.flush()).ok();
}
