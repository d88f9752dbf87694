//! `arbora bench`: a tiny comparison, interrupted by death, resumed, packed and reported.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read what was written")]
mod support;

use std::collections::BTreeSet;
use support::{Bench, signal, wait_until};

const OWN: [&str; 14] = [
    "bench",
    "run",
    "own",
    "--problem",
    "tree-small",
    "--problem",
    "zaefferer-e",
    "--method",
    "random",
    "--method",
    "tpe",
    "--trials",
    "6",
    "--seeds",
];

fn own(seeds: &'static str) -> Vec<&'static str> {
    [&OWN[..], &[seeds, "-j", "2"]].concat()
}

/// Lines without the time they took.
fn runs(bench: &Bench) -> BTreeSet<String> {
    let timeless = |line: &str| {
        let mut run: serde_json::Value = serde_json::from_str(line).unwrap();
        let fields = run.as_object_mut().unwrap();
        fields.remove("seconds");
        fields.remove("last");
        run.to_string()
    };
    bench.read("lab/own.jsonl").lines().map(timeless).collect()
}

/// Every element that is opened is closed, in order; the names of those found.
fn elements(text: &str) -> Vec<String> {
    let (mut open, mut found): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for tag in text.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name: String = tag.trim_start_matches('/').chars().take_while(|c| c.is_alphanumeric()).collect();
        match tag {
            _ if tag.starts_with('!') || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => {
                assert_eq!(open.pop().as_ref(), Some(&name), "</{name}> closes another");
            }
            _ => open.push(name.clone()),
        }
        found.push(name);
    }
    assert!(open.is_empty(), "left open: {open:?}");
    found
}

#[test]
fn killed_and_run_again_it_is_the_same_and_never_repeated() {
    let (whole, killed) = (Bench::new(), Bench::new());
    whole.run(&own("20")).expect(0);
    let expected = runs(&whole);
    assert_eq!(expected.len(), 80);
    let mut child = killed.command(&own("20")).spawn().unwrap();
    wait_until("the first runs are written", || killed.read("lab/own.jsonl").lines().count() > 2);
    signal(child.id(), "KILL");
    child.wait().unwrap();
    let again = killed.run(&own("20")).expect(0);
    assert!(again.err.contains("cached"), "{}", again.err);
    assert_eq!(runs(&killed), expected);
    assert_eq!(killed.read("lab/own.jsonl").lines().count(), 80, "nothing is repeated");
    assert!(killed.run(&own("20")).expect(0).err.contains("own: 0 runs completed, 80 cached"));
}

#[test]
fn the_report_opens_and_its_figures_too() {
    let bench = Bench::new();
    bench.run(&own("4")).expect(0);
    bench.run(&["bench", "run", "x1", "--seeds", "2"]).expect(0);
    bench.run(&["bench", "report"]).expect(0);
    let html = bench.read("lab/report.html");
    let found = elements(&html);
    for wanted in ["table", "svg", "polyline", "polygon", "figcaption", "b"] {
        assert!(found.iter().any(|name| name == wanted), "no <{wanted}>");
    }
    assert!(!html.contains("src=") && !html.contains("@import"), "it needs no other file");
    let figures: Vec<_> = std::fs::read_dir(bench.path("lab/figures")).unwrap().flatten().collect();
    assert!(figures.len() >= 9, "{figures:?}");
    for figure in figures {
        let svg = std::fs::read_to_string(figure.path()).unwrap();
        assert_eq!(elements(&svg)[0], "svg", "{figure:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{figure:?}");
    }
    assert!(bench.read("lab/report.md").contains("| problem | random | tpe |"));
    bench.run(&["bench", "report", "--reproduction", "page.md"]).expect(0);
    assert!(bench.read("page.md").contains("the conditional kernel is zero across choices | 0 | 0 | holds"));
}

#[test]
fn packed_results_count_as_there() {
    let bench = Bench::new();
    bench.run(&own("3")).expect(0);
    bench.run(&["bench", "pack", "--out", "small"]).expect(0);
    let again = bench.run(&[&own("3")[..], &["--out", "small"]].concat()).expect(0);
    assert!(again.err.contains("own: 0 runs completed, 12 cached"), "{}", again.err);
}

#[test]
fn a_part_of_an_experiment_is_run_and_the_rest_later() {
    let bench = Bench::new();
    let part = ["bench", "run", "x3", "--problem", "branin", "--method", "random", "--seeds", "2"];
    let first = bench.run(&part).expect(0);
    assert!(first.err.contains("x3: 2 runs completed, 0 cached"), "{}", first.err);
    let more = bench.run(&[&part[..], &["--method", "tpe"]].concat()).expect(0);
    assert!(more.err.contains("x3: 2 runs completed, 2 cached"), "{}", more.err);
}

#[test]
fn what_is_not_known_is_named() {
    let bench = Bench::new();
    let refused = bench.run(&["bench", "run", "x99"]).expect(2);
    assert!(
        refused.err.contains("no experiment is called `x99`; did you mean `x9`? known are x1, x2"),
        "{}",
        refused.err
    );
    let failed = bench.run(&["bench", "run", "own", "--problem", "brannin", "--method", "random"]).expect(1);
    assert!(failed.err.contains("no problem is called `brannin`"), "{}", failed.err);
    let part = bench.run(&["bench", "run", "x3", "--problem", "brannin"]).expect(2);
    assert!(
        part.err
            .contains("no problem is called `brannin`; did you mean `branin`? known are branin, hartmann6"),
        "{}",
        part.err
    );
    let planned = bench.run(&["bench", "run", "x3", "--trials", "5"]).expect(2);
    assert!(
        planned.err.contains("x3 has its own problems and trials; --trials does not apply"),
        "{}",
        planned.err
    );
    assert!(planned.err.contains("arbora bench run own --trials"), "{}", planned.err);
    let listed = bench.run(&["bench", "list"]).expect(0);
    assert!(listed.out.contains("synthetic trees") && listed.out.contains("J17 Fig. 2"), "{}", listed.out);
}

#[test]
fn programs_join_by_lines_of_json() {
    let bench = Bench::new();
    // A problem and an optimizer in a shell: what they say does not depend on what they are asked.
    bench.program(
        "bowl.sh",
        r#"#!/bin/sh
while read -r line; do
  case "$line" in
    *open*) echo '{"space": {"parameters": {"x": {"type": "real", "low": 0.0, "high": 1.0}}}}' ;;
    *evaluate*) echo '{"loss": 0.25}' ;;
    *) echo '{"test": 0.5}' ;;
  esac
done
"#,
    );
    bench.program(
        "half.sh",
        r#"#!/bin/sh
while read -r line; do
  case "$line" in
    *ask*) echo '{"configuration": {"x": 0.5}, "seconds": 0.001}' ;;
    *) echo '{"ready": true}' ;;
  esac
done
"#,
    );
    let arguments = [
        "bench",
        "run",
        "own",
        "--problem",
        "cmd:./bowl.sh",
        "--method",
        "cmd:./half.sh",
        "--trials",
        "3",
        "--seeds",
        "1",
    ];
    bench.run(&arguments).expect(0);
    let run: serde_json::Value = serde_json::from_str(bench.read("lab/own.jsonl").trim()).unwrap();
    assert_eq!(run["best"], serde_json::json!([[0, 0.25]]));
    assert_eq!((run["test"].as_f64(), run["repeats"].as_u64()), (Some(0.5), Some(2)));
    assert!(run["seconds"].as_f64().unwrap() >= 0.003);
}
