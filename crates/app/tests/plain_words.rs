//! What the command line says is true, short, and names the way out.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::Bench;

#[test]
fn numbers_are_written_in_one_way() {
    let bench = Bench::new();
    let value = "0.00000000000011594686296924875";
    let tuned = ["tune", "space.toml", "--strategy", "random", "-t", "1", "--", "echo", value];
    let tuned = bench.run(&tuned).expect(0);
    assert!(tuned.out.contains("best 1.15947e-13 (trial 0)"), "{}", tuned.out);
    for arguments in [&["best"][..], &["show"], &["show", "0"], &["trials"]] {
        let answer = bench.run(arguments).expect(0);
        assert!(answer.out.contains("1.15947e-13"), "{}", answer.out);
        assert!(arguments == ["show"] || !answer.out.contains("0.0000"), "{}", answer.out);
    }
    assert_eq!(bench.trials()[0]["value"].as_f64(), value.parse().ok(), "machines get every digit");
}

#[test]
fn another_command_is_refused_unless_it_is_said_to_be_new() {
    let bench = Bench::new();
    bench.tune(&["--trials", "2"], &["./evaluate.sh", "two words"]).expect(0);
    let resumed = |options: &[&str], command: &[&str]| {
        bench.run(&[&["tune", "--resume", "-q"], options, &["--"], command].concat())
    };
    let refused = resumed(&["--trials", "4"], &["echo", "0.123"]).expect(2);
    for word in ["`./evaluate.sh \"two words\"`", ", not `echo 0.123`", "--new-command", "--name"] {
        assert!(refused.err.contains(word), "{word}: {}", refused.err);
    }
    let scripted = resumed(&["--trials", "4", "--shell"], &["./evaluate.sh", "two words"]).expect(2);
    assert!(scripted.err.contains("--shell -- ./evaluate.sh two words"), "{}", scripted.err);
    assert_eq!(bench.trials().len(), 2, "nothing was run");
    resumed(&["--trials", "3"], &["./evaluate.sh", "two words"]).expect(0);
    resumed(&["--trials", "4", "--new-command"], &["echo", "0.123"]).expect(0);
    resumed(&["--trials", "5"], &["echo", "0.123"]).expect(0);
    resumed(&["--trials", "6"], &["./evaluate.sh", "two words"]).expect(2);
    let shown = bench.run(&["show"]).expect(0).out;
    assert!(shown.contains("command") && shown.contains("echo 0.123"), "{shown}");
}

#[test]
fn a_study_without_a_stored_command_goes_on_with_the_first_it_meets() {
    let bench = Bench::new();
    bench.run(&["ask", "space.toml", "--strategy", "random"]).expect(0);
    bench.run(&["tell", "0", "1"]).expect(0);
    bench.run(&["tune", "--resume", "-q", "--trials", "2", "--", "./evaluate.sh"]).expect(0);
    bench.run(&["tune", "--resume", "-q", "--trials", "3", "--", "echo", "1"]).expect(2);
}

#[test]
fn a_trial_says_where_its_outputs_are() {
    let bench = Bench::new();
    bench.tune(&["--trials", "2"], &["./evaluate.sh"]).expect(0);
    let shown = bench.run(&["show", "1"]).expect(0).out;
    assert!(shown.contains("outputs") && shown.contains("arbora-logs/space/000001"), "{shown}");
    bench.tune(&["--trials", "1", "--name", "b", "--logs", "elsewhere"], &["./evaluate.sh"]).expect(0);
    let shown = bench.run(&["show", "0", "-n", "b"]).expect(0).out;
    assert!(shown.contains("elsewhere/b/000000"), "{shown}");
    bench.run(&["ask", "-n", "b"]).expect(0);
    let asked = bench.run(&["show", "1", "-n", "b"]).expect(0).out;
    assert!(!asked.contains("outputs"), "it has none: {asked}");
}

#[test]
fn what_is_no_loss_is_told_what_would_be_one() {
    let bench = Bench::new();
    bench.tune(&["--trials", "1"], &["echo", "loss: 0.5"]).expect(1);
    let reason = bench.trials()[0]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("`loss: 0.5`; it must be a number, such as 0.5, or JSON"), "{reason}");
}

#[test]
fn a_changed_space_is_described_and_a_strategy_is_named() {
    let bench = Bench::new();
    bench.tune(&["--trials", "1"], &["./evaluate.sh"]).expect(0);
    let refused = |space: &str, options: &[&str]| {
        bench.write("space.toml", space);
        bench.run(
            &[&["tune", "space.toml", "--resume", "-t", "9"], options, &["--", "./evaluate.sh"]].concat(),
        )
    };
    let wider = support::SPACE.replace("low = -1.0", "low = -2.0");
    let answer = refused(&wider, &[]).expect(2);
    assert!(answer.err.contains("it has `b`: -1 … 1, given was `b`: -2 … 1;"), "{}", answer.err);
    assert!(answer.err.contains("hint: leave the space file out"), "{}", answer.err);
    let another = support::SPACE.replace("parameters.b]", "parameters.c]");
    let answer = refused(&another, &[]).expect(2);
    assert!(answer.err.contains("a parameter `b`, given was a parameter `c`"), "{}", answer.err);
    let forbidding = format!("forbidden = [\"a > 0.5\"]\n{}", support::SPACE);
    let answer = refused(&forbidding, &[]).expect(2);
    assert!(answer.err.contains("it has no constraint, given was forbidden a > 0.5"), "{}", answer.err);
    let answer = refused(support::SPACE, &["--strategy", "tpe"]).expect(2);
    assert!(answer.err.contains("another strategy: it has `random`, given was `tpe`"), "{}", answer.err);
    assert!(answer.err.len() < 300, "no page of JSON: {}", answer.err);
    bench.write("own.json", r#"{"kind": "grid", "steps": 3}"#);
    let answer = refused(support::SPACE, &["--strategy", "own.json"]).expect(2);
    assert!(answer.err.contains("given was one of your own, of kind `grid`"), "{}", answer.err);
}

#[test]
fn a_name_that_is_nearly_right_is_offered() {
    let bench = Bench::new();
    bench.tune(&["--trials", "1", "--name", "digits"], &["./evaluate.sh"]).expect(0);
    let script = include_str!("data/optuna-5.0.0.sql");
    rusqlite::Connection::open(bench.path("optuna.db")).unwrap().execute_batch(script).unwrap();
    for (arguments, meant) in [
        (&["ask", "space.toml", "-n", "x", "--strategy", "TPE"][..], "tpe"),
        (&["ask", "space.toml", "-n", "x", "--strategy", "tpee"], "tpe"),
        (&["import", "optuna.db", "--strategy", "hyperbnad"], "hyperband"),
        (&["import", "optuna.db", "--study", "chas"], "cash"),
        (&["best", "-n", "digist"], "digits"),
        (&["delete", "Digits"], "digits"),
        (&["rename", "digit", "d"], "digits"),
        (&["bench", "run", "pears"], "peers"),
        (&["tune", "space.toml", "-n", "x", "--", "echo", "{modle}"], "model"),
    ] {
        let answer = bench.run(arguments).expect(2);
        assert!(answer.err.contains(&format!("did you mean `{meant}`?")), "{arguments:?}: {}", answer.err);
    }
}

#[test]
fn studies_are_renamed_and_deleted() {
    let bench = Bench::new();
    for name in ["one", "two"] {
        bench.tune(&["--trials", "2", "--name", name], &["./evaluate.sh"]).expect(0);
    }
    bench.run(&["rename", "one", "two"]).expect(3);
    bench.run(&["rename", "one", "three"]).expect(0);
    assert!(bench.run(&["show"]).expect(0).out.contains("three"));
    bench.run(&["ask", "-n", "two"]).expect(0);
    let busy = bench.run(&["delete", "two"]).expect(2);
    assert!(busy.err.contains("1 running") && busy.err.contains("--force"), "{}", busy.err);
    assert!(bench.run(&["delete", "two", "--force"]).expect(0).out.contains("3 trials"));
    bench.run(&["delete", "three"]).expect(0);
    assert!(bench.run(&["show"]).expect(2).err.contains("there is no study in"));
    bench.run(&["delete", "x", "-s", "nowhere.db"]).expect(3);
    assert!(!bench.path("nowhere.db").exists());
}
