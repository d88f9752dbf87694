//! Values with every character a shell likes: each arrives as one argument, and nothing is executed.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::Bench;

const NASTY: [&str; 9] = [
    "two words",
    "'single' \"double\"",
    "; touch pwned",
    "$(touch pwned)",
    "`touch pwned`",
    "line\nbreak",
    "-rf",
    "* ? [a]",
    "\\ {model} && touch pwned #",
];

fn bench() -> Bench {
    let bench = Bench::new();
    let choices = serde_json::to_string(&NASTY).unwrap();
    bench.write(
        "space.json",
        &format!(r#"{{"parameters": {{"x": {{"type": "choice", "choices": {choices}}}}}}}"#),
    );
    bench.program(
        "record.sh",
        "#!/bin/sh\nprintf '%s' \"$#\" > \"$ARBORA_FOLDER/count\"; printf '%s' \"$1\" > \"$ARBORA_FOLDER/first\"\n\
         printf '%s' \"$ARBORA_PARAM_X\" > \"$ARBORA_FOLDER/variable\"; echo 1\n",
    );
    bench
}

fn tune(bench: &Bench, options: &[&str], command: &[&str]) {
    let mut all = vec!["tune", "space.json", "--strategy", "random", "-q"];
    all.extend(options);
    all.push("--");
    all.extend(command);
    bench.run(&all).expect(0);
}

/// Every value was tried, arrived whole, and did nothing.
fn check(bench: &Bench, prefix: &str) {
    let mut seen = Vec::new();
    for trial in bench.trials() {
        let value = trial["configuration"]["x"].as_str().unwrap().to_owned();
        let folder = format!("arbora-logs/space/{:06}", trial["number"].as_u64().unwrap());
        assert_eq!(bench.read(&format!("{folder}/first")), format!("{prefix}{value}"));
        assert_eq!(bench.read(&format!("{folder}/count")), "1", "{value:?}");
        assert_eq!(bench.read(&format!("{folder}/variable")), value);
        seen.push(value);
    }
    seen.sort();
    let mut expected = NASTY.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(seen, expected);
    assert!(!bench.path("pwned").exists(), "a value was executed");
}

#[test]
fn arguments_are_whole() {
    let bench = bench();
    tune(&bench, &[], &["./record.sh", "{x}"]);
    check(&bench, "");
}

#[test]
fn arguments_behind_a_flag_are_whole() {
    let bench = bench();
    tune(&bench, &[], &["./record.sh", "--x={x}"]);
    check(&bench, "--x=");
}

#[test]
fn the_shell_sees_no_code() {
    let bench = bench();
    tune(&bench, &["--shell"], &["true && ./record.sh {x}"]);
    check(&bench, "");
}

#[test]
fn inside_double_quotes_a_value_is_whole_too() {
    let bench = bench();
    tune(&bench, &["--shell"], &["./record.sh \"a {x}\" | cat"]);
    check(&bench, "a ");
}

#[test]
fn a_script_that_would_read_a_value_as_code_is_refused_before_the_study_begins() {
    let bench = bench();
    for script in ["echo $(( {x} + 1 ))", "echo '{x}'", "eval {x}", "cat <<E\n{x}\nE"] {
        let answer = bench.run(&["tune", "space.json", "-q", "--shell", "--", script]).expect(2);
        assert!(answer.err.contains("`{x}` cannot be used there"), "{}", answer.err);
    }
    assert!(!bench.path("pwned").exists() && !bench.path("arbora.db").exists());
}

#[test]
fn tables_show_no_control_characters() {
    let bench = bench();
    tune(&bench, &[], &["./record.sh", "{x}"]);
    let listed = bench.run(&["trials"]).expect(0).out;
    assert_eq!(listed.lines().count(), NASTY.len() + 1, "{listed}");
}
