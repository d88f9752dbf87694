//! Names, values, reasons and files made to steer a terminal, a spreadsheet or a study: nothing of it passes.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::{Answer, Bench};

/// Colour, a cleared screen, a C1 sequence, a bell, text turned round, a line of its own.
const NASTY: &str = "\u{1b}[31mred\u{1b}[2J\u{9b}1A\u{7}\u{202e}dne\u{2066}\u{2028}\u{200f}";

/// Everything printed for people, byte by byte: no control character but the end of a line, nothing that turns text.
fn harmless(answer: &Answer, what: &str) {
    for text in [&answer.out, &answer.err] {
        let steers = |c: &char| {
            (c.is_control() && *c != '\n')
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!text.chars().any(|c| steers(&c)), "{what}: {text:?}");
    }
}

/// A space whose names and values are hostile, as JSON; `late` depends on the hostile choice.
fn hostile() -> Bench {
    let bench = Bench::new();
    let (name, late) = (format!("{NASTY}\nerror: fake"), format!("late{NASTY}"));
    let space = serde_json::json!({"parameters": {
        &name: {"type": "choice", "choices": [NASTY, "b\nc", "plain"]},
        &late: {"type": "real", "low": 0.0, "high": 1.0, "when": {&name: NASTY}},
        "n": {"type": "integer", "low": 0, "high": 9},
    }, "forbidden": [{&name: "plain", "n": 3}]});
    bench.write("space.json", &space.to_string());
    bench.program("fail.sh", &format!("#!/bin/sh\nprintf '%s\\n' '{NASTY}' >&2; printf '%s' '{NASTY}'\n"));
    bench
}

fn run(bench: &Bench, arguments: &[&str]) -> Answer {
    let answer = bench.run(arguments);
    harmless(&answer, &arguments.join(" "));
    answer
}

#[test]
fn no_subcommand_lets_a_name_a_value_or_a_reason_steer_the_terminal() {
    let bench = hostile();
    let study = "s\u{202e}t";
    for arguments in [
        &["space", "show", "space.json"][..],
        &["space", "show", "--flat", "space.json"],
        &["space", "check", "space.json"],
        &["space", "sample", "space.json"],
        &[
            "tune",
            "space.json",
            "-n",
            study,
            "--strategy",
            "random",
            "-t",
            "3",
            "--give-up",
            "2",
            "--",
            "./fail.sh",
        ],
        &["ask", "-n", study],
        &["tell", "2", "--failed", NASTY, "-n", study],
        &["ask", "-n", study],
        &["tell", "3", "0.5", "--attribute", &format!("{NASTY}={NASTY}"), "-n", study],
        &["best", "-n", study],
        &["verdict", "-n", study],
        &["trials", "-n", study],
        &["show"],
        &["show", "0"],
        &["show", "2"],
        &["show", "3"],
        &["doctor"],
        &["bench", "list"],
        &["ask", "space.json", "-n", "other"],
        &["show"],
        &["tell", "0", "--abandoned", NASTY, "-n", "other"],
        &["delete", "other"],
        &["copy", "arbora.db", "\u{202e}copy.db"],
        &["rename", study, "\u{202e}new"],
        &["doctor", "--repair"],
    ] {
        let answer = run(&bench, arguments);
        assert!(answer.code == 0 || arguments[0] == "tune", "{arguments:?}: {} {}", answer.out, answer.err);
    }
    let shown = run(&bench, &["show", "0"]).out;
    assert!(shown.contains("\\u{1b}[31mred"), "what was hidden is shown: {shown}");
}

#[test]
fn complaints_quote_without_harm() {
    let bench = hostile();
    run(&bench, &["ask", "space.json", "--strategy", "random"]).expect(0);
    let broken = serde_json::json!({"parameters": {NASTY: {"type": NASTY}}});
    bench.write("broken.json", &broken.to_string());
    bench.write(&format!("{NASTY}.toml"), "[parameters.a\n");
    let odd = format!("{{{NASTY}}}");
    for arguments in [
        &["space", "check", "broken.json"][..],
        &["space", "show", "broken.json"],
        &["space", "check", &format!("{NASTY}.toml")],
        &["space", "show", NASTY],
        &["space", "convert", NASTY, "--to", "toml"],
        &["tune", "space.json", "-n", "t", "--", "true", &odd],
        &["tune", "space.json", "-n", "t", "--", NASTY],
        &["tune", "space.json", "-n", "t", "--strategy", NASTY, "--", "true"],
        &["tune", "space.json", "-n", "t", "--time", NASTY, "--", "true"],
        &["tune", "space.json", "-n", "t", "--shell", "--", &format!("echo '{odd}'")],
        &["tune", "space.json", "-n", NASTY, "--", "true"],
        &["trials", "-n", NASTY],
        &["trials", "-s", NASTY],
        &["trials", NASTY],
        &["trials", &format!("--{NASTY}")],
        &[NASTY],
        &["show", NASTY],
        &["import", NASTY],
        &["import", "broken.json"],
        &["export", "csv", "-o", &format!("nowhere/{NASTY}")],
        &["delete", NASTY],
        &["copy", "arbora.db", "other.db", "--study", NASTY],
        &["rename", "space", NASTY],
        &["bench", "run", NASTY],
        &["bench", "report", NASTY],
        &["doctor", "-s", NASTY],
        &["completions", NASTY],
    ] {
        let answer = run(&bench, arguments);
        assert_ne!(answer.code, 0, "{arguments:?}: {}", answer.out);
        let errors = answer.err.lines().filter(|line| line.starts_with("error:")).count();
        assert!(errors <= 1, "a name fakes a line: {}", answer.err);
    }
}

#[test]
fn machines_get_every_character() {
    let bench = hostile();
    bench.run(&["ask", "space.json", "--strategy", "random", "--json"]).expect(0);
    bench.run(&["tell", "0", "--failed", NASTY]).expect(0);
    assert_eq!(bench.trials()[0]["reason"], NASTY);
    let name = format!("{NASTY}\nerror: fake");
    let exported = bench.run(&["export", "json"]).expect(0).json();
    assert!(exported["trials"][0]["configuration"].get(&name).is_some(), "{exported}");
    let converted = bench.run(&["space", "convert", "space.json", "--to", "json"]).expect(0).json();
    assert!(converted["parameters"].get(&name).is_some());
}

#[test]
fn no_cell_of_an_export_is_a_formula() {
    let bench = Bench::new();
    let choices = ["=cmd|'/c calc'!A1", "+1+1", "-2", "-x", "@SUM(A1)", "\t=1", "\r=1", "'=x", "plain"];
    let space = serde_json::json!({"parameters": {"c": {"type": "choice", "choices": choices}}});
    bench.write("space.json", &space.to_string());
    let tuned = ["tune", "space.json", "--strategy", "random", "-q", "--", "sh", "-c", "echo -0.5"];
    bench.run(&tuned).expect(0);
    bench.run(&["ask", "--json"]).expect(4);
    let csv = bench.run(&["export", "csv"]).expect(0).out;
    let mut seen = Vec::new();
    for line in csv.split("\r\n").skip(1).filter(|line| !line.is_empty()) {
        let cell = line.rsplit(',').next().unwrap().trim_matches('"');
        let is_number = cell.parse::<f64>().is_ok();
        assert!(is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{line:?}");
        seen.push(arbora_space::words::unguarded(cell).to_owned());
        assert!(line.contains(",-0.5,"), "numbers stay numbers: {line:?}");
    }
    seen.sort();
    let mut expected = choices.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(seen, expected, "every text comes back");
}

#[test]
fn a_failed_import_leaves_no_study_behind() {
    let bench = Bench::new();
    let script = include_str!("data/optuna-5.0.0.sql");
    let file = rusqlite::Connection::open(bench.path("optuna.db")).unwrap();
    file.execute_batch(script).unwrap();
    let nested = format!("{}{}", "[".repeat(120), "]".repeat(120));
    file.execute(
        "INSERT INTO trial_user_attributes (trial_id, key, value_json) SELECT max(trial_id), 'deep', ?1 FROM trials",
        [&nested],
    )
    .unwrap();
    let refused = bench.run(&["import", "optuna.db"]).expect(2);
    assert!(refused.err.contains("`deep`") && refused.err.contains("nested"), "{}", refused.err);
    assert!(bench.run(&["show"]).err.contains("there is no file"), "nothing was created");
    file.execute("DELETE FROM trial_user_attributes WHERE key = 'deep'", []).unwrap();
    bench.run(&["import", "optuna.db"]).expect(0);
    assert!(bench.run(&["show"]).expect(0).out.contains("cash"));
}
