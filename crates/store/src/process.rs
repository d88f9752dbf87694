//! Which process is it, and is it alive?
//!
//! A process is known by its number, the moment it was started and a random token, within a
//! *place*: one boot of one machine, as seen from one namespace of processes and of time
//! (containers have their own). Numbers are given again, moments are not: a process of the same
//! number that was started at another time is another one. In another place nothing can be known of
//! a process, and outside Linux there are no places: whether it lives is unknown, and only its
//! silence tells.
#![allow(clippy::disallowed_methods, reason = "the system's list of processes is read here")]
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// A process, as others can recognise it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it was started, in ticks since the boot; zero where that is unknown.
    #[serde(default)]
    pub started: u64,
    /// The session it belongs to, which its children inherit; zero where that is unknown.
    #[serde(default)]
    pub session: u32,
    /// Drawn at random: no other process ever has it.
    pub token: String,
}

/// Is a process alive?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// It is there.
    Alive,
    /// It has ended.
    Dead,
    /// It cannot be seen from here.
    Unknown,
}

impl Process {
    /// This one.
    pub fn this() -> Self {
        static DRAWN: OnceLock<u64> = OnceLock::new();
        let drawn = DRAWN.get_or_init(|| RandomState::new().hash_one(std::process::id()));
        let pid = std::process::id();
        let (started, session) = stat(pid).map_or((0, 0), |found| (found.started, found.session));
        // A forked child inherits what was drawn, but not the number.
        Self { pid, started, session, token: format!("{drawn:016x}-{pid}-{started}") }
    }

    /// Is it the process that asks?
    pub fn is_this(&self) -> bool {
        self.pid == std::process::id() && *self == Self::this()
    }

    /// Is it alive, if it belongs to this place?
    pub fn liveness(&self, place: Option<&str>) -> Liveness {
        if place.is_none() || place != self::place() || self.started == 0 {
            return Liveness::Unknown;
        }
        if !exists(self.pid) {
            return Liveness::Dead;
        }
        match stat(self.pid) {
            Some(found) if found.started != self.started || found.has_ended => Liveness::Dead,
            Some(_) => Liveness::Alive,
            // The processes of others may be hidden.
            None => Liveness::Unknown,
        }
    }
}

/// This place; `None` where there is no telling.
pub(crate) fn place() -> Option<&'static str> {
    static PLACE: OnceLock<Option<String>> = OnceLock::new();
    PLACE.get_or_init(find_place).as_deref()
}

/// The name of this machine.
#[cfg(unix)]
pub fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The name of this machine.
#[cfg(not(unix))]
pub fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "localhost".to_owned())
}

/// Host, boot and namespaces: clones of a machine share some of them, but not all.
#[cfg(target_os = "linux")]
fn find_place() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = |kind: &str| {
        let link = std::fs::read_link(format!("/proc/self/ns/{kind}")).ok()?;
        Some(link.to_string_lossy().trim_matches(|c: char| !c.is_ascii_digit()).to_owned())
    };
    // A list of processes that is not that of our namespace would mislead.
    let ours: u32 = std::fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()?;
    let (processes, time) = (namespace("pid")?, namespace("time").unwrap_or_default());
    (ours == std::process::id()).then(|| format!("{}/{}/{processes}/{time}", host(), boot.trim()))
}

#[cfg(not(target_os = "linux"))]
fn find_place() -> Option<String> {
    None
}

#[cfg(unix)]
fn exists(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn exists(_: u32) -> bool {
    true
}

/// What the system says of a process.
struct Stat {
    started: u64,
    session: u32,
    has_ended: bool,
}

/// The line of `/proc/PID/stat` [proc(5)]: after the name in parentheses come state, parent, group
/// and session, and the moment of its start as the twentieth.
fn stat(pid: u32) -> Option<Stat> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let words: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    // The first thread of a process may end before the others.
    let is_alone = || std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count) <= 1;
    Some(Stat {
        started: words.get(19)?.parse().ok()?,
        session: words.get(3)?.parse().ok()?,
        has_ended: matches!(*words.first()?, "Z" | "X" | "x") && is_alone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_itself_and_nobody_else() {
        let this = Process::this();
        assert!(this.is_this());
        assert_eq!(this, Process::this());
        assert!(!Process { token: "other".into(), ..this.clone() }.is_this());
        assert!(!Process { started: this.started + 1, ..this }.is_this());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_dead_are_told_from_the_living_and_from_those_of_the_same_number() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let found = stat(child.id()).unwrap();
        let process =
            Process { pid: child.id(), started: found.started, session: found.session, token: "t".into() };
        assert_eq!(process.liveness(place()), Liveness::Alive);
        let namesake = Process { started: found.started + 1, ..process.clone() };
        assert_eq!(namesake.liveness(place()), Liveness::Dead, "a number given again");
        assert_eq!(process.liveness(Some("elsewhere")), Liveness::Unknown);
        assert_eq!(process.liveness(None), Liveness::Unknown);
        child.kill().unwrap();
        // Ended, though nobody has asked how.
        while !stat(child.id()).is_none_or(|found| found.has_ended) {
            std::thread::yield_now();
        }
        assert_eq!(process.liveness(place()), Liveness::Dead);
        child.wait().unwrap();
        assert_eq!(process.liveness(place()), Liveness::Dead);
    }
}
