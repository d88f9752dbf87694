//! A folder of its own with a space and programs, and the real command in it.
#![allow(dead_code, reason = "every test file uses some of it")]
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const SPACE: &str = r#"
[parameters.model]
type = "choice"
choices = ["line", "bowl"]

[parameters.a]
type = "real"
low = 0.0
high = 1.0
when = { model = "line" }

[parameters.b]
type = "real"
low = -1.0
high = 1.0
when = { model = "bowl" }
"#;

/// A loss for either branch: 0.5 + a, or b².
pub(crate) const EVALUATE: &str = r#"#!/bin/sh
awk -v a="$ARBORA_PARAM_A" -v b="$ARBORA_PARAM_B" 'BEGIN { print (a == "") ? b * b : 0.5 + a }'
"#;

pub(crate) struct Bench {
    pub(crate) folder: TempDir,
}

pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|trouble| panic!("{trouble}: {} {}", self.out, self.err))
    }

    /// Ended with this code, or the whole output is shown.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        self
    }
}

impl Bench {
    /// With `space.toml` and `evaluate.sh`.
    pub(crate) fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.write("space.toml", SPACE);
        bench.program("evaluate.sh", EVALUATE);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub(crate) fn program(&self, name: &str, text: &str) {
        // Written by another process: a file that a thread of this one still holds open cannot be executed.
        let mut shell = Command::new("sh");
        shell.args(["-c", "cat > \"$0\" && chmod +x \"$0\""]).arg(self.path(name)).stdin(Stdio::piped());
        let mut writer = shell.spawn().unwrap();
        writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(writer.wait().unwrap().success());
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbora"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("ARBORA_STORAGE")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        let output = self.command(arguments).output().unwrap();
        Answer {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// `arbora tune space.toml --strategy random --json`, then these, then the command.
    pub(crate) fn tune(&self, options: &[&str], command: &[&str]) -> Answer {
        self.run(&tuning(options, command))
    }

    /// As [`tune`](Self::tune), in the background.
    pub(crate) fn tune_beside(&self, options: &[&str], command: &[&str]) -> Child {
        let mut command = self.command(&tuning(options, command));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub(crate) fn trials(&self) -> Vec<Json> {
        self.run(&["trials", "--json"]).expect(0).json().as_array().unwrap().clone()
    }

    pub(crate) fn states(&self) -> Vec<String> {
        self.trials().iter().map(|trial| trial["state"].as_str().unwrap().to_owned()).collect()
    }
}

fn tuning<'a>(options: &[&'a str], command: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["tune", "space.toml", "--strategy", "random", "--json"];
    all.extend(options);
    // Tests go on with other programs than they began with, on purpose.
    if options.contains(&"--resume") {
        all.push("--new-command");
    }
    all.push("--");
    all.extend(command);
    all
}

/// Waits until it holds; a minute without it is a failure.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_mins(1), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a signal, by its name.
pub(crate) fn signal(process: u32, name: &str) {
    let done = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap();
    assert!(done.success(), "kill -{name} {process}");
}

/// Is there a process of this number that has not ended?
pub(crate) fn is_alive(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}
