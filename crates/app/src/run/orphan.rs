//! Programs that outlive the run that started them: a run that was killed hard could not end them.
//!
//! A program is told in `ARBORA_CLAIM` which process runs it, by its token, and for which trial. Before a trial is run
//! again, whatever still runs for its former, dead holder on this machine is ended: politely, then by force, group by
//! group, as the run itself would have done. What has left the session of that run, as a service does that
//! means to stay, is left alone. Where the environment of processes cannot be read, nothing is found.
use super::shutdown::{Shutdown, ShutdownLevel};
use arbora_store::{LeaseTerms, Liveness};
use std::time::Duration;

/// The variable.
pub(super) const VARIABLE: &str = "ARBORA_CLAIM";

/// What is written there.
pub(super) fn claim(token: &str, trial: u64) -> String {
    format!("{token}/{trial}")
}

/// How to end what was found.
pub(crate) struct Ending<'a> {
    /// Between asking and ending.
    pub(crate) grace: Duration,
    pub(crate) stop: &'a Shutdown,
    /// Called now and then.
    pub(crate) beat: &'a mut dyn FnMut() -> bool,
}

/// Ends what still runs for a trial on behalf of a former holder that is dead; answers with the groups of processes.
pub(crate) fn end(former: &LeaseTerms, trial: u64, ending: &mut Ending<'_>) -> Vec<u32> {
    let Some(holder) = former.process.as_ref().filter(|_| former.liveness() == Liveness::Dead) else {
        return Vec::new();
    };
    let written = format!("{VARIABLE}={}", claim(&holder.token, trial));
    let running = || groups(written.as_bytes(), holder.session);
    let found = running();
    if found.is_empty() {
        return found;
    }
    signal(&found, false);
    let begun = std::time::Instant::now();
    loop {
        let left = running();
        if left.is_empty() {
            return found;
        }
        let is_patient = begun.elapsed() < ending.grace && ending.stop.level() < ShutdownLevel::Now;
        if !is_patient {
            signal(&left, true);
        }
        if !(ending.beat)() || begun.elapsed() >= ending.grace + UNKILLABLE {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process inside the kernel may not end even by force; it is not waited for any longer than this.
const UNKILLABLE: Duration = Duration::from_secs(5);

/// The groups of the processes of a session that were started with a line in their environment.
#[cfg(target_os = "linux")]
fn groups(line: &[u8], session: u32) -> Vec<u32> {
    let ours = rustix::process::getpgrp().as_raw_nonzero().get().unsigned_abs();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let found = numbers.filter_map(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        environment.split(|byte| *byte == 0).find(|entry| *entry == line)?;
        let (group, of) = group_and_session(pid)?;
        (of == session && group > 1 && group != ours).then_some(group)
    });
    found.collect::<std::collections::BTreeSet<u32>>().into_iter().collect()
}

/// After the name in parentheses come state, parent, group and session [proc(5)].
#[cfg(target_os = "linux")]
fn group_and_session(pid: u32) -> Option<(u32, u32)> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = line.rsplit_once(')')?.1.split_whitespace().skip(2);
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

#[cfg(target_os = "linux")]
fn signal(groups: &[u32], by_force: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = if by_force { Signal::KILL } else { Signal::TERM };
    for group in groups.iter().filter_map(|group| Pid::from_raw(i32::try_from(*group).ok()?)) {
        // It may be gone already, which is what is wanted.
        kill_process_group(group, signal).ok();
    }
}

#[cfg(not(target_os = "linux"))]
fn groups(_: &[u8], _: u32) -> Vec<u32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn signal(_: &[u32], _: bool) {}
