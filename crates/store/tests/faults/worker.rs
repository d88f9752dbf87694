//! A worker in a process of its own: this very test binary, run again with its orders in the environment. It says on
//! its standard output what it knows to be safe.
use super::study;
use arbora_store::{Claim, Clock, SystemClock, Timestamp};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// A promise that none of these tests outlasts.
const LEASE: Duration = Duration::from_mins(1);

/// What a worker is to do.
pub(crate) struct Orders<'a> {
    pub(crate) path: &'a Path,
    pub(crate) name: String,
    pub(crate) trials: usize,
    /// Its clock is ahead by as many leases: what earlier generations left is stale for it.
    pub(crate) generation: u32,
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
            .env("ARBORA_WORKER_GENERATION", self.generation.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// Everything a worker says until its output ends.
pub(crate) fn listen(child: &mut Child) -> Said {
    let mut said = Said::default();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some("asked"), Some(trial), None) => said.asked.push(trial.parse().unwrap()),
            (Some("told"), Some(trial), Some(loss)) => {
                said.told.push((trial.parse().unwrap(), loss.parse().unwrap()));
            }
            (Some("error"), ..) => said.errors.push(line),
            (Some("done"), ..) => said.is_done = true,
            _ => {}
        }
    }
    said
}

/// The clock of the system, some leases ahead.
struct Ahead {
    by: Duration,
    system: SystemClock,
}

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        self.system.now().after(self.by)
    }

    fn elapsed(&self) -> Duration {
        self.system.elapsed()
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
    let (trials, generation) = (number("ARBORA_WORKER_TRIALS"), number("ARBORA_WORKER_GENERATION"));
    let claim = Claim::by(variable("ARBORA_WORKER_NAME").unwrap()).for_at_most(LEASE);
    if let Err(error) = work(&path, &claim, trials, 2 * LEASE * generation) {
        say(&format!("error {error}"));
    }
    say("done");
}

fn work(path: &Path, claim: &Claim, trials: u32, ahead: Duration) -> Result<(), arbora_store::StoreError> {
    let clock = Arc::new(Ahead { by: ahead, system: SystemClock::default() });
    let mut study = study(path).with_clock(clock);
    for _ in 0..trials {
        let trial = study.ask(claim)?;
        say(&format!("asked {}", trial.number));
        let loss = 1.0 / (trial.number as f64 + 3.0);
        study.report(trial.number, 1, loss)?;
        study.renew(trial.number, claim)?;
        study.tell(trial.number, loss)?;
        say(&format!("told {} {loss:?}", trial.number));
    }
    Ok(())
}

/// Past the capturing of the test harness, and at once.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{line}").and_then(|()| out.flush()).ok();
}
