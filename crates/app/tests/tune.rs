//! Tuning real programs: what they get, what is read from them, what their ends mean.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::Bench;

#[test]
fn a_program_is_tuned_and_the_best_is_the_least() {
    let bench = Bench::new();
    let answer = bench.tune(&["--trials", "12", "-j", "3"], &["./evaluate.sh"]).expect(0);
    let summary = answer.json();
    assert_eq!((&summary["trials"]["complete"], &summary["ended_by"]), (&12.into(), &"trials".into()));
    let least = bench.trials().iter().map(|t| t["value"].as_f64().unwrap()).fold(f64::INFINITY, f64::min);
    assert_eq!(summary["best"]["value"].as_f64(), Some(least));
    assert_eq!(answer.err.lines().count(), 12, "a line per trial: {}", answer.err);
    assert!(answer.err.contains("[12/12] trial "), "{}", answer.err);
}

#[test]
fn the_same_seed_tries_the_same() {
    let configurations = || {
        let bench = Bench::new();
        bench.tune(&["--trials", "6", "--seed", "5"], &["./evaluate.sh"]).expect(0);
        bench.trials().iter().map(|trial| trial["configuration"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(configurations(), configurations());
}

#[test]
fn arguments_environment_and_file_agree() {
    let bench = Bench::new();
    bench.program(
        "check.sh",
        "#!/bin/sh\n\
         printf '%s\\n' \"$@\" > \"$ARBORA_FOLDER/arguments\"\n\
         cmp -s \"$1\" \"$ARBORA_CONFIGURATION_FILE\" || exit 3\n\
         [ \"$ARBORA_STUDY\" = space ] || exit 4\n\
         echo 1\n",
    );
    let words = ["./check.sh", "{:json}", "--a", "{a}", "--b={b}", "-m", "{model}", "{:trial}", "{{}}"];
    bench.tune(&["--trials", "8"], &words).expect(0);
    for trial in bench.trials() {
        let number = trial["number"].as_u64().unwrap();
        let folder = format!("arbora-logs/space/{number:06}");
        let set = &trial["configuration"];
        let mut expected = Vec::new();
        if let Some(a) = set["a"].as_f64() {
            expected.extend(["--a".to_owned(), format!("{a:?}")]);
        }
        if let Some(b) = set["b"].as_f64() {
            expected.push(format!("--b={b:?}"));
        }
        expected.extend(["-m", set["model"].as_str().unwrap()].map(str::to_owned));
        expected.extend([number.to_string(), "{}".to_owned()]);
        let seen = bench.read(&format!("{folder}/arguments"));
        assert_eq!(seen.lines().skip(1).collect::<Vec<_>>(), expected);
        let file: serde_json::Value =
            serde_json::from_str(&bench.read(&format!("{folder}/configuration.json"))).unwrap();
        assert_eq!(file, *set);
    }
}

#[test]
fn a_program_is_told_how_much_of_an_evaluation_is_wanted() {
    let bench = Bench::new();
    bench.program("share.sh", "#!/bin/sh\n[ \"$1\" = \"$ARBORA_SHARE\" ] && echo \"$1\"\n");
    let words = ["./share.sh", "{:share}", "--fold", "{:fold}"];
    let tune = |bench: &Bench, strategy: &str| {
        let options = ["tune", "space.toml", "--strategy", strategy, "--trials", "3", "-q", "--"];
        bench.run(&[&options[..], &words[..]].concat()).expect(0).out
    };
    let said = tune(&bench, "hyperband");
    assert!(said.contains("no best yet: 3 trials, none of a full evaluation"), "{said}");
    let losses: Vec<f64> = bench.trials().iter().filter_map(|trial| trial["value"].as_f64()).collect();
    assert_eq!(losses, [1.0 / 27.0; 3], "the first bracket begins with the least share");
    let whole = Bench::new();
    whole.program("share.sh", "#!/bin/sh\n[ \"$#\" = 1 ] && echo \"$1\"\n");
    assert!(tune(&whole, "random").contains("best 1"));
    assert!(whole.trials().iter().all(|trial| trial["value"].as_f64() == Some(1.0)), "all of it, no fold");
}

#[test]
fn crashes_garbage_and_silence_are_failures_with_their_reasons() {
    let bench = Bench::new();
    bench.program(
        "moody.sh",
        "#!/bin/sh\n\
         case $ARBORA_TRIAL in\n\
         0) echo 0.5; echo 'it broke' >&2; exit 7;;\n\
         1) echo garbage;;\n\
         2) ;;\n\
         3) kill -KILL $$;;\n\
         4) echo nan;;\n\
         *) printf 'epoch 1\\n0.25\\n\\n';;\n\
         esac\n",
    );
    bench.tune(&["--trials", "6"], &["./moody.sh"]).expect(0);
    let trials = bench.trials();
    let reason = |i: usize| trials[i]["reason"].as_str().unwrap_or_default().to_owned();
    assert_eq!(reason(0), "exit code 7");
    assert_eq!(trials[0]["trace"], "it broke");
    assert!(reason(1).contains("`garbage`"), "{}", reason(1));
    assert!(reason(2).contains("nothing was written"), "{}", reason(2));
    assert_eq!(reason(3), "ended by signal 9");
    assert!(reason(4).contains("NaN"), "{}", reason(4));
    assert_eq!(trials[5]["value"], 0.25);
}

#[test]
fn time_outs_end_the_whole_group() {
    let bench = Bench::new();
    bench.program("slow.sh", "#!/bin/sh\ntrap '' TERM\nsleep 300 & echo $! > child; echo 1; wait; wait\n");
    let options = ["--trials", "1", "--timeout", "500ms", "--grace", "200ms"];
    bench.tune(&options, &["./slow.sh"]).expect(1);
    assert_eq!(bench.trials()[0]["reason"], "took longer than 500ms");
    let grandchild: u32 = bench.read("child").trim().parse().unwrap();
    support::wait_until("the grandchild has ended", || !support::is_alive(grandchild));
}

#[test]
fn retries_give_a_crash_another_chance() {
    let bench = Bench::new();
    bench.program("flaky.sh", "#!/bin/sh\n[ -e \"$ARBORA_FOLDER/again\" ] && echo 3 && exit\ntouch \"$ARBORA_FOLDER/again\"; exit 1\n");
    bench.tune(&["--trials", "2", "--retries", "1"], &["./flaky.sh"]).expect(0);
    assert_eq!(bench.states(), ["complete", "complete"]);
    assert_eq!(bench.read("arbora-logs/space/000000/stdout.2.txt"), "3\n");
}

#[test]
fn a_command_that_always_fails_is_given_up() {
    let bench = Bench::new();
    let answer = bench.run(&[
        "tune",
        "space.toml",
        "--trials",
        "50",
        "--give-up",
        "3",
        "--",
        "sh",
        "-c",
        "echo oh no >&2; exit 2",
    ]);
    let answer = answer.expect(1);
    assert!(answer.out.contains("gave up") && answer.out.contains("| oh no"), "{}", answer.out);
    assert_eq!(bench.states(), ["failed"; 3]);
}

#[test]
fn the_loss_may_be_in_a_file_and_large_may_be_good() {
    let bench = Bench::new();
    bench.program("json.sh", "#!/bin/sh\necho ignored\necho '{\"test\": {\"auc\": 0.'$ARBORA_TRIAL'}, \"cost\": 4,\n \"attributes\": {\"n\": 1}}' > $1/m.json\n");
    let options = ["--maximize", "--trials", "4", "--loss-file", "{:folder}/m.json", "--key", "test.auc"];
    let summary = bench.tune(&options, &["./json.sh", "{:folder}"]).expect(0).json();
    assert_eq!((&summary["best"]["value"], &summary["best"]["loss"]), (&0.3.into(), &(-0.3).into()));
    assert_eq!((&summary["best"]["cost"], &summary["best"]["attributes"]["n"]), (&4.0.into(), &1.into()));
}

#[test]
fn a_study_that_exists_is_not_overwritten() {
    let bench = Bench::new();
    bench.tune(&["--trials", "2"], &["./evaluate.sh"]).expect(0);
    let refused = bench.tune(&["--trials", "4"], &["./evaluate.sh"]).expect(2);
    assert!(refused.err.contains("already exists") && refused.err.contains("--resume"), "{}", refused.err);
    bench.tune(&["--trials", "4", "--resume"], &["./evaluate.sh"]).expect(0);
    assert_eq!(bench.states(), ["complete"; 4]);
    // Enough was done before: nothing to do, and said so.
    bench.tune(&["--trials", "4", "--resume"], &["./evaluate.sh"]).expect(4);
    let other = bench.tune(&["--trials", "4", "--resume", "--seed", "9"], &["./evaluate.sh"]).expect(2);
    assert!(other.err.contains("seed"), "{}", other.err);
}

#[test]
fn a_finite_space_ends_by_itself() {
    let bench = Bench::new();
    bench.write("space.toml", "[parameters.n]\ntype = \"integer\"\nlow = 1\nhigh = 5\n");
    let summary = bench.tune(&["-j", "2"], &["echo", "{n}"]).expect(0).json();
    assert_eq!((&summary["ended_by"], &summary["trials"]["complete"]), (&"exhausted".into(), &5.into()));
    bench.tune(&["--resume"], &["echo", "{n}"]).expect(4);
}

#[test]
fn mistakes_in_the_command_are_found_before_the_study_begins() {
    let bench = Bench::new();
    for (command, word) in [
        (vec!["./evaluate.sh", "{modle}"], "did you mean `model`?"),
        (vec!["./nothing.sh"], "cannot find the program"),
        (vec!["evaluate.sh"], "write ./evaluate.sh"),
        (vec!["./evaluate.sh", "{a"], "never closed"),
        (vec!["./{a}.sh"], "not always active"),
    ] {
        let answer = bench.tune(&["--trials", "1"], &command).expect(2);
        assert!(answer.err.contains(word), "{command:?}: {}", answer.err);
    }
    assert!(!bench.path("arbora.db").exists());
}

#[test]
fn a_strategy_may_be_a_file() {
    let bench = Bench::new();
    bench.write("strategy.json", r#"{"kind": "random"}"#);
    let tune = |name: &str| {
        bench.run(&["tune", "space.toml", "--strategy", name, "-t", "2", "-q", "--", "./evaluate.sh"])
    };
    tune("strategy.json").expect(0);
    assert_eq!(bench.run(&["show", "--json"]).expect(0).json()["strategy"], "random");
    bench.write("broken.json", r#"{"kind": "clairvoyant"}"#);
    for (name, word) in [
        ("broken.json", "clairvoyant"),
        ("nowhere.json", "nowhere.json"),
        ("gp", "did you mean `gp-conditional`? recommended are auto"),
    ] {
        let answer = tune(name).expect(2);
        assert!(answer.err.contains(word), "{}", answer.err);
    }
}

#[test]
fn time_ends_a_run() {
    let bench = Bench::new();
    let summary = bench.tune(&["--time", "1s"], &["./evaluate.sh"]).expect(0).json();
    assert_eq!(summary["ended_by"], "time");
}

#[test]
fn a_loss_file_is_never_removed_and_an_old_one_is_no_loss() {
    let bench = Bench::new();
    bench.program("train.sh", "#!/bin/sh\nexit 0\n");
    let options = ["--trials", "2", "--loss-file", "train.sh"];
    bench.tune(&options, &["./train.sh"]).expect(1);
    assert_eq!(bench.read("train.sh"), "#!/bin/sh\nexit 0\n", "a program of the user is not ours to remove");
    let reason = bench.trials()[0]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("`train.sh` is from before this trial"), "{reason}");
}

#[test]
fn studies_whose_names_are_alike_do_not_share_their_outputs() {
    let bench = Bench::new();
    for (name, loss) in [("v1.0", "1.5"), ("v1_0", "2.25")] {
        let program = format!("echo {loss}");
        bench.tune(&["--trials", "2", "--name", name], &["sh", "-c", &program]).expect(0);
        assert_eq!(bench.read(&format!("arbora-logs/{name}/000000/stdout.txt")), format!("{loss}\n"));
    }
}
