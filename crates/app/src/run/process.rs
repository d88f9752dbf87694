//! One process from its start to its end: by itself, by its time limit, or because work stops.
use super::process_group;
use super::shutdown::{Shutdown, ShutdownLevel};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The longest pause between two looks at a process.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// What to start.
pub(super) struct Start<'a> {
    pub(super) words: &'a [OsString],
    pub(super) set: Vec<(String, OsString)>,
    pub(super) unset: Vec<String>,
    pub(super) out: File,
    pub(super) err: File,
}

/// When to end it.
pub(super) struct Limits<'a> {
    pub(super) time: Option<Duration>,
    /// Between asking a process to end and ending it.
    pub(super) grace: Duration,
    pub(super) stop: &'a Shutdown,
}

/// How it ended.
#[derive(Debug)]
pub(super) enum Ended {
    Itself(ExitStatus),
    OutOfTime,
    Stopped,
    Pruned(String),
}

/// What is to become of a process that runs.
pub(super) enum Sign {
    GoOn,
    /// It is not ours any more.
    Stop,
    /// Its trial is not worth its next step, for this reason.
    Prune(String),
}

impl Start<'_> {
    pub(super) fn spawn(self) -> io::Result<Child> {
        let (program, arguments) = self.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(self.out).stderr(self.err);
        self.unset.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(self.set);
        process_group::lead(&mut command);
        patiently(&mut command)
    }
}

/// A program that is just being saved cannot be started for a moment.
fn patiently(command: &mut Command) -> io::Result<Child> {
    const ATTEMPTS: usize = 50;
    for _ in 0..ATTEMPTS {
        match command.spawn() {
            Err(trouble) if trouble.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(LONGEST_PAUSE);
            }
            started => return started,
        }
    }
    command.spawn()
}

/// Waits for the end. `look` is called in between and says what is to become of it.
pub(super) fn watch(
    mut child: Child,
    limits: &Limits<'_>,
    mut look: impl FnMut() -> Sign,
) -> io::Result<Ended> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if process_group::has_ended(&mut child)? {
            return child.wait().map(Ended::Itself);
        }
        if limits.time.is_some_and(|limit| begun.elapsed() >= limit) {
            return end(child, limits).map(|()| Ended::OutOfTime);
        }
        if limits.stop.level() >= ShutdownLevel::Soon {
            return end(child, limits).map(|()| Ended::Stopped);
        }
        match look() {
            Sign::GoOn => {}
            Sign::Stop => return end(child, limits).map(|()| Ended::Stopped),
            Sign::Prune(reason) => return end(child, limits).map(|()| Ended::Pruned(reason)),
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Politely first; whatever of the group is left after the grace, or after its leader, goes at once.
fn end(mut child: Child, limits: &Limits<'_>) -> io::Result<()> {
    process_group::ask_to_end(&mut child);
    let asked = Instant::now();
    while asked.elapsed() < limits.grace && limits.stop.level() < ShutdownLevel::Now {
        if process_group::has_ended(&mut child)? {
            break;
        }
        std::thread::sleep(LONGEST_PAUSE);
    }
    process_group::end(&mut child);
    child.wait().map(|_| ())
}
