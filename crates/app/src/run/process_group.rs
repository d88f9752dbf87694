//! The processes that a command started, as one group: the program, and whatever it started in turn.
use std::io;
use std::process::{Child, Command};

/// Makes a command the leader of its own group, so that a signal from the terminal does not reach it and ours reach
/// all of it.
#[cfg(unix)]
pub(super) fn lead(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Has the leader ended? It is not reaped yet, so its group cannot be mistaken for another.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    match waitid(WaitId::Pid(rustix::process::Pid::from_child(child)), options) {
        Ok(status) => Ok(status.is_some()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(trouble) => Err(trouble.into()),
    }
}

/// Asks the group to end.
#[cfg(unix)]
pub(super) fn ask_to_end(child: &mut Child) {
    signal(child, rustix::process::Signal::TERM);
}

/// Ends the group.
#[cfg(unix)]
pub(super) fn end(child: &mut Child) {
    signal(child, rustix::process::Signal::KILL);
}

#[cfg(unix)]
fn signal(child: &Child, signal: rustix::process::Signal) {
    // The group may be gone already, which is what is wanted.
    rustix::process::kill_process_group(rustix::process::Pid::from_child(child), signal).ok();
}

#[cfg(not(unix))]
pub(super) fn lead(_: &mut Command) {}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

#[cfg(not(unix))]
pub(super) fn ask_to_end(child: &mut Child) {
    end(child);
}

#[cfg(not(unix))]
pub(super) fn end(child: &mut Child) {
    child.kill().ok();
}
