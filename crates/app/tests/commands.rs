//! Every subcommand, as people and scripts use it.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::{Bench, wait_until};

#[test]
fn asking_and_telling_by_hand() {
    let bench = Bench::new();
    let first = bench.run(&["ask", "space.toml", "--strategy", "random", "--json"]).expect(0).json();
    assert_eq!((&first["number"], &first["study"]), (&0.into(), &"space".into()));
    let second = bench.run(&["ask"]).expect(0);
    assert!(second.out.starts_with("trial 1"), "{}", second.out);
    bench.run(&["tell", "0", "-0.5", "--cost", "3", "--attribute", "host=a b"]).expect(0);
    let told = bench.run(&["tell", "1", "--failed", "out of memory", "--json"]).expect(0).json();
    assert_eq!((&told["state"], &told["reason"]), (&"failed".into(), &"out of memory".into()));
    assert_eq!(told["best"]["value"].as_f64(), Some(-0.5));
    let twice = bench.run(&["tell", "0", "1"]).expect(2);
    assert!(twice.err.contains("told already"), "{}", twice.err);
    bench.run(&["tell", "9", "1"]).expect(2);
    bench.run(&["ask"]).expect(0);
    bench.run(&["tell", "2", "--release"]).expect(0);
    assert_eq!(bench.states(), ["complete", "failed", "waiting"]);
    let best = bench.run(&["best", "--json"]).expect(0).json();
    assert_eq!((&best["value"], &best["attributes"]["host"]), (&(-0.5).into(), &"a b".into()));
    assert!(bench.run(&["best"]).expect(0).out.starts_with("trial 0  -0.5"));
}

#[test]
fn a_program_without_an_interpreter_refuses_plugins_and_says_who_takes_them() {
    let bench = Bench::new();
    for plugin in [vec!["--plugin", "mine.py"], vec!["--plugin=mine.py"]] {
        let words = [vec!["ask", "space.toml", "--strategy", "mine"], plugin].concat();
        let refused = bench.run(&words).expect(2).err;
        assert!(refused.starts_with("error: --plugin mine.py: plugins are Python"), "{refused}");
        assert!(refused.contains("pip install arbora"), "{refused}");
    }
    assert!(!bench.path("arbora.db").exists());
    assert!(bench.run(&["tune", "--plugin", "mine.py", "--help"]).expect(0).out.contains("--plugin <FILE>"));
    bench.tune(&["--trials", "1"], &["sh", "-c", "echo 1", "--plugin", "x"]).expect(0);
}

#[test]
fn nothing_is_created_by_looking() {
    let bench = Bench::new();
    for arguments in [
        vec!["best"],
        vec!["verdict"],
        vec!["trials"],
        vec!["show"],
        vec!["tell", "0", "1"],
        vec!["export", "csv"],
        vec!["doctor"],
    ] {
        let answer = bench.run(&arguments).expect(3);
        assert!(answer.err.starts_with("error: there is no file"), "{arguments:?}: {}", answer.err);
    }
    assert!(!bench.path("arbora.db").exists());
}

#[test]
fn several_studies_want_a_name() {
    let bench = Bench::new();
    for name in ["one", "two"] {
        bench.run(&["ask", "space.toml", "--name", name]).expect(0);
    }
    let which = bench.run(&["best"]).expect(2);
    assert!(
        which.err.contains("one, two") && which.err.contains("hint: choose one with --name"),
        "{}",
        which.err
    );
    let all = bench.run(&["show"]).expect(0).out;
    assert_eq!(all.lines().count(), 3, "{all}");
    let none = bench.run(&["best", "--name", "two"]).expect(1);
    assert!(none.err.contains("no trial has a loss yet"), "{}", none.err);
    bench.run(&["trials", "--name", "three"]).expect(2);
}

#[test]
fn trials_are_listed_filtered_and_ranked() {
    let bench = Bench::new();
    bench.tune(&["--trials", "6"], &["./evaluate.sh"]).expect(0);
    let table = bench.run(&["trials"]).expect(0).out;
    assert!(table.starts_with("trial  state ") && table.contains("model=line a="), "{table}");
    let top = bench.run(&["trials", "--top", "2", "--json"]).expect(0).json();
    let values: Vec<f64> = top.as_array().unwrap().iter().map(|t| t["value"].as_f64().unwrap()).collect();
    assert!(values.len() == 2 && values[0] <= values[1], "{values:?}");
    assert_eq!(
        bench.run(&["trials", "--state", "failed", "--json"]).expect(0).json().as_array().unwrap().len(),
        0
    );
    let one = bench.run(&["show", "3"]).expect(0).out;
    assert!(one.starts_with("trial") && one.contains("complete") && one.contains("  model"), "{one}");
    let study = bench.run(&["show", "--json"]).expect(0).json();
    assert_eq!((&study["strategy"], &study["trials"]["complete"]), (&"random".into(), &6.into()));
}

#[test]
fn tables_for_other_tools() {
    let bench = Bench::new();
    bench.tune(&["--trials", "4"], &["./evaluate.sh"]).expect(0);
    let csv = bench.run(&["export", "csv"]).expect(0).out;
    let header = csv.lines().next().unwrap();
    assert!(
        header.starts_with("number,state,value,")
            && header.ends_with("configuration.model,configuration.a,configuration.b")
    );
    assert_eq!(csv.lines().count(), 5);
    let json = bench.run(&["export", "json"]).expect(0).json();
    assert_eq!((json["trials"].as_array().unwrap().len(), &json["options"]["seed"]), (4, &0.into()));
    bench.run(&["export", "parquet", "-o", "t.parquet"]).expect(0);
    assert!(std::fs::read(bench.path("t.parquet")).unwrap().ends_with(b"PAR1"));
}

#[test]
fn a_study_of_optuna_goes_on_here() {
    let bench = Bench::new();
    let script = include_str!("data/optuna-5.0.0.sql");
    rusqlite::Connection::open(bench.path("optuna.db")).unwrap().execute_batch(script).unwrap();
    let answer = bench.run(&["import", "optuna.db", "--json"]).expect(0).json();
    assert_eq!((&answer["study"], &answer["trials"]), (&"cash".into(), &40.into()));
    let asked = bench.run(&["ask", "--name", "cash", "--json"]).expect(0).json();
    assert_eq!(asked["number"], 40);
    // Tuning goes on without a file of the space.
    let tuned = bench
        .run(&["tune", "--resume", "-n", "cash", "-q", "--json", "--trials", "42", "--", "echo", "1"])
        .expect(0);
    // 26 were complete, and the trial asked for by hand is taken.
    assert_eq!(tuned.json()["trials"]["complete"], 27);
    bench.run(&["tune", "--resume", "-n", "none", "--", "echo", "1"]).expect(2);
    assert!(bench.run(&["import", "optuna.db"]).expect(3).err.contains("exists already"));
    assert!(bench.run(&["import", "space.toml"]).expect(2).err.contains("space.toml"));
}

#[test]
fn a_damaged_file_is_found_and_saved() {
    let bench = Bench::new();
    bench.tune(&["--trials", "30"], &["./evaluate.sh"]).expect(0);
    let healthy = bench.run(&["doctor", "--json"]).expect(0).json();
    assert_eq!(
        (&healthy["healthy"], &healthy["studies"][0]["trials"]["complete"]),
        (&true.into(), &30.into())
    );
    let mut bytes = std::fs::read(bench.path("arbora.db")).unwrap();
    // Wherever the last result is: pages keep old copies of what moved.
    let places = (0..bytes.len() - 10).filter(|at| bytes[*at..].starts_with(b"\"trial\":29,\"loss\":"));
    for at in places.collect::<Vec<_>>() {
        bytes[at + 18..at + 22].fill(b'7');
    }
    std::fs::write(bench.path("arbora.db"), bytes).unwrap();
    let sick = bench.run(&["doctor"]).expect(3);
    assert!(sick.err.contains("--repair"), "{}", sick.err);
    assert!(sick.err.contains("has 1 problem\n"), "{}", sick.err);
    bench.run(&["doctor", "--repair"]).expect(0);
    bench.run(&["doctor", "--storage", "arbora-repaired.db"]).expect(0);
    let again = bench.run(&["doctor", "--repair"]).expect(2);
    assert!(again.err.contains("already exists"), "{}", again.err);
    bench.write(
        "other.db",
        "not a database, but long enough to be mistaken for one, perhaps, by somebody in a hurry",
    );
    bench.run(&["doctor", "--storage", "other.db"]).expect(3);
}

#[test]
fn help_has_examples_and_every_command_a_page() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]).expect(0).out;
    for word in ["tune", "Exit codes:", "First steps:", "130"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let tune = bench.run(&["tune", "--help"]).expect(0).out;
    for word in ["{:json}", "ARBORA_PARAM_NAME", "#SBATCH", "--resume", "Ctrl-C:"] {
        assert!(tune.contains(word), "{word}: {tune}");
    }
    bench.run(&[]).expect(2);
    bench.run(&["tune", "space.toml"]).expect(2);
    bench.run(&["tune", "space.toml", "--time", "soon", "--", "true"]).expect(2);
    assert!(bench.run(&["completions", "bash"]).expect(0).out.contains("_arbora"));
    assert!(bench.run(&["man"]).expect(0).out.contains(".TH ARBORA"));
    std::fs::create_dir(bench.path("pages")).unwrap();
    bench.run(&["man", "--folder", "pages"]).expect(0);
    assert!(bench.read("pages/arbora-space-check.1").contains("NAME"));
}

#[test]
fn the_demo_automatic_models_and_converting_data_need_python() {
    let bench = Bench::new();
    let automl = ["automl", "train.csv", "--target", "y"];
    for arguments in [&["demo"][..], &automl[..], &["bench", "data", "from", "to", "--target", "y"][..]] {
        let output = bench.command(arguments).env("ARBORA_PYTHON", "no-such-python").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("ARBORA_PYTHON"));
    }
}

#[test]
fn a_verdict_tells_how_far_splits_differ_where_they_were_kept() {
    let bench = Bench::new();
    bench.run(&["ask", "space.toml", "--strategy", "random"]).expect(0);
    bench.run(&["tell", "0", "0.2", "--attribute", "split_values=[0.1,0.2,0.3]"]).expect(0);
    let words = bench.run(&["verdict"]).expect(0).out;
    assert!(words.contains("Its 3 splits have mean 0.2000 and standard error 0.09129"), "{words}");
    let data = bench.run(&["verdict", "--json"]).expect(0).json();
    assert_eq!(data["splits"]["splits"], 3);
    // Three draws of a hold-out of a tenth are surer than three folds.
    bench.run(&["ask"]).expect(0);
    let ratio = ["--attribute", "split_values=[0.0,0.1,0.2]", "--attribute", "split_ratio=0.1111"];
    bench.run(&[&["tell", "1", "0.1"], &ratio[..]].concat()).expect(0);
    let data = bench.run(&["verdict", "--json"]).expect(0).json();
    assert_eq!(data["trusted"]["trial"], 1);
    let error = data["splits"]["error"].as_f64().unwrap();
    assert!((error - 0.1 * (1.0f64 / 3.0 + 0.1111).sqrt()).abs() < 1e-9, "{data}");
    // What is not a list of numbers is somebody's own attribute.
    bench.run(&["ask"]).expect(0);
    bench.run(&["tell", "2", "0.01", "--attribute", "split_values=many"]).expect(0);
    let data = bench.run(&["verdict", "--json"]).expect(0).json();
    assert!(data["trusted"]["trial"] != 2 || data["splits"].is_null(), "{data}");
}

#[test]
fn a_verdict_in_words_and_as_data() {
    let bench = Bench::new();
    bench.run(&["ask", "space.toml", "--strategy", "random"]).expect(0);
    let early = bench.run(&["verdict"]).expect(1);
    assert!(early.err.contains("no trial has a loss yet"), "{}", early.err);
    bench.run(&["tell", "0", "3"]).expect(0);
    // The same loss everywhere but for luck: what was lucky is not to be trusted.
    for (trial, value) in (1..14).zip([1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.97, 1.08, 0.91, 1.0, 1.1, 0.2, 1.0])
    {
        bench.run(&["ask"]).expect(0);
        bench.run(&["tell", &trial.to_string(), &value.to_string()]).expect(0);
    }
    let words = bench.run(&["verdict"]).expect(0).out;
    assert!(words.starts_with("14 trials complete.\nBest seen: trial 12 with 0.2000."), "{words}");
    let data = bench.run(&["verdict", "--json"]).expect(0).json();
    assert_eq!((&data["best_seen"]["trial"], &data["complete"]), (&12.into(), &14.into()));
    assert!(data["optimism"].as_f64().unwrap() > 0.1, "{data}");
    let best = bench.run(&["best"]).expect(0).out;
    let trusted = &data["trusted"]["trial"];
    let says = best.contains(&format!("Trial {trusted} is to be trusted more"));
    assert_eq!(says, *trusted != 12, "{best}");
}

/// As another program would.
fn sql(bench: &Bench, statements: &str) {
    rusqlite::Connection::open(bench.path("arbora.db")).unwrap().execute_batch(statements).unwrap();
}

#[test]
fn one_unreadable_study_is_named_and_the_others_are_shown() {
    let bench = Bench::new();
    for name in ["good", "bad"] {
        bench.tune(&["--trials", "2", "--name", name], &["./evaluate.sh"]).expect(0);
    }
    sql(&bench, "UPDATE studies SET options = '{\"strategy\":{\"kind\":\"future\"}}' WHERE name = 'bad'");
    let shown = bench.run(&["show"]).expect(0);
    assert!(shown.out.contains("good") && shown.err.contains("study `bad` is left out"), "{}", shown.err);
    bench.run(&["best", "--name", "good"]).expect(0);
    bench.run(&["ask", "--name", "good"]).expect(0);
    let sick = bench.run(&["doctor"]).expect(3);
    assert!(sick.err.contains("study `bad`") && !sick.err.contains("study `good`"), "{}", sick.err);
    let repaired = bench.run(&["doctor", "--repair"]).expect(0);
    assert!(repaired.out.starts_with("saved 1 study into "), "{}", repaired.out);
    assert!(repaired.out.contains("good: 3 trials") && repaired.out.contains("bad: not saved"));
    bench.run(&["doctor", "--storage", "arbora-repaired.db"]).expect(0);
}

#[test]
fn asking_ends_where_the_tables_disagree_and_the_doctor_says_so() {
    let bench = Bench::new();
    bench.tune(&["--trials", "10"], &["./evaluate.sh"]).expect(0);
    sql(&bench, "DELETE FROM events WHERE sequence > 14");
    for command in ["show", "ask", "doctor"] {
        let answer = bench.run(&[command]).expect(3);
        assert!(answer.err.contains("event 15"), "{command}: {}", answer.err);
    }
    bench.run(&["doctor", "--repair"]).expect(0);
    bench.run(&["ask", "--storage", "arbora-repaired.db"]).expect(0);
}

#[test]
fn copies_are_backups() {
    let bench = Bench::new();
    for name in ["a", "b"] {
        bench.tune(&["--trials", "2", "--name", name], &["./evaluate.sh"]).expect(0);
    }
    bench.run(&["copy", "arbora.db", "backup.db"]).expect(0);
    bench.run(&["copy", "arbora.db", "backup.db"]).expect(2);
    bench.run(&["doctor", "--storage", "backup.db"]).expect(0);
    let one =
        bench.run(&["copy", "sqlite:///arbora.db", "one.db", "--study", "b", "--json"]).expect(0).json();
    assert!(one["studies"][0]["events"].as_u64() >= Some(4));
    bench.run(&["copy", "arbora.db", "none.db", "--study", "c"]).expect(2);
    assert!(!bench.path("none.db").exists());
}

#[test]
fn a_file_deleted_under_a_running_study_ends_it_with_an_error() {
    let bench = Bench::new();
    let mut running = bench.tune_beside(&["--trials", "100000"], &["sh", "-c", "sleep 0.02; echo 1"]);
    wait_until("some trials are told", || bench.path("arbora.db").exists() && bench.run(&["best"]).code == 0);
    std::fs::remove_file(bench.path("arbora.db")).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(3));
}

#[test]
fn what_is_nested_too_deeply_is_refused_and_loses_nothing() {
    let bench = Bench::new();
    bench.run(&["ask", "space.toml", "--strategy", "random"]).expect(0);
    let deep = format!("a={}{}", "[".repeat(126), "]".repeat(126));
    let refused = bench.run(&["tell", "0", "0.5", "--attribute", &deep]).expect(3);
    assert!(refused.err.contains("attribute `a` cannot be kept"), "{}", refused.err);
    bench.run(&["tell", "0", "0.5", "--attribute", "a=[[1]]"]).expect(0);
    bench.run(&["best"]).expect(0);
}
