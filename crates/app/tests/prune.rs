//! Programs that report on their way, and are asked to end when their trial is not worth its next step.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use support::Bench;

/// The first five trials, of which none may be pruned, are complete at once with low losses; all others report high ones and would go on for ever.
/// Asked to end, they say so in a file.
const TRAIN: &str = r#"#!/bin/sh
trap 'echo asked > "$ARBORA_FOLDER/ended"; exit 0' TERM
if [ "$ARBORA_TRIAL" -lt 5 ]; then
    for step in 1 2 3; do echo "arbora: step $step loss 0.$ARBORA_TRIAL$step"; done
    echo "0.${ARBORA_TRIAL}3"
    exit 0
fi
echo "epoch 1 of many"
echo "arbora: step 1 loss 9$ARBORA_TRIAL"
while :; do sleep 0.05; done
"#;

#[test]
fn a_program_is_asked_to_end_when_its_trial_is_pruned() {
    let bench = Bench::new();
    bench.program("train.sh", TRAIN);
    for pruner in ["curve", "median"] {
        let options = ["--name", pruner, "--trials", "9", "--pruner", pruner];
        let answer = bench.tune(&options, &["./train.sh"]).expect(0);
        let summary = answer.json();
        assert_eq!((&summary["trials"]["complete"], &summary["trials"]["pruned"]), (&5.into(), &4.into()));
        assert_eq!(summary["best"]["number"], 0, "{summary}");
        assert!(answer.err.contains("trial 8: pruned in "), "{}", answer.err);
        let shown = bench.run(&["show", "--name", pruner, "--json"]).expect(0).json();
        assert_eq!((&shown["trials"]["pruned"], &shown["pruner"]["kind"]), (&4.into(), &pruner.into()));
        let trials = bench.run(&["trials", "--name", pruner, "--json"]).expect(0).json();
        for trial in trials.as_array().unwrap() {
            let number = trial["number"].as_u64().unwrap();
            let is_pruned = number >= 5;
            assert_eq!(trial["state"], if is_pruned { "pruned" } else { "complete" });
            assert_eq!(trial["intermediate"].as_array().unwrap().len(), if is_pruned { 1 } else { 3 });
            let ended = bench.read(&format!("arbora-logs/{pruner}/{number:06}/ended"));
            assert_eq!(ended, if is_pruned { "asked\n" } else { "" }, "trial {number}");
        }
        assert!(trials[5]["reason"].as_str().unwrap().contains("step 1"), "{}", trials[5]);
        let text = bench.run(&["show", "--name", pruner]).expect(0).out;
        assert!(text.contains("5 complete, 4 pruned"), "{text}");
    }
    let table = bench.run(&["export", "--name", "curve", "csv"]).expect(0).out;
    assert!(table.contains("pruned"), "{table}");
}

/// One that does not listen is ended after the grace.
#[test]
fn a_program_that_ignores_the_question_is_killed() {
    let bench = Bench::new();
    bench.program("train.sh", &TRAIN.replace(r#"echo asked > "$ARBORA_FOLDER/ended"; exit 0"#, ":"));
    let options = ["--trials", "7", "--grace", "200ms", "--pruner", "median"];
    bench.tune(&options, &["./train.sh"]).expect(0);
    assert_eq!(bench.states()[6], "pruned");
}

#[test]
fn reports_may_stand_in_a_file_and_are_in_the_direction_of_the_study() {
    let bench = Bench::new();
    bench.program(
        "train.sh",
        "#!/bin/sh\n\
         if [ \"$ARBORA_TRIAL\" -lt 5 ]; then\n\
         echo 'arbora: step 1 value 0.9' >> \"$ARBORA_REPORT_FILE\"\n\
         echo 'arbora: step 2 loss -0.9' >> \"$ARBORA_REPORT_FILE\"\n\
         echo 0.9\nexit 0\nfi\n\
         echo 'arbora: step 1 value 0.1' >> \"$ARBORA_REPORT_FILE\"\n\
         while :; do sleep 0.05; done\n",
    );
    bench.tune(&["--maximize", "--trials", "6", "--pruner", "median"], &["./train.sh"]).expect(0);
    let trials = bench.trials();
    assert_eq!(trials[0]["intermediate"], serde_json::json!([[1, 0.9], [2, 0.9]]));
    assert_eq!((&trials[5]["state"], &trials[5]["value"]), (&"pruned".into(), &serde_json::Value::Null));
}

#[test]
fn without_a_pruner_every_program_runs_to_its_end_and_its_reports_are_kept() {
    let bench = Bench::new();
    bench.program(
        "train.sh",
        "#!/bin/sh\nfor step in 1 2; do echo \"arbora: step $step loss $ARBORA_TRIAL\"; done\necho $ARBORA_TRIAL\n",
    );
    bench.tune(&["--trials", "8", "--pruner", "none"], &["./train.sh"]).expect(0);
    for trial in bench.trials() {
        assert_eq!(
            (&trial["state"], trial["intermediate"].as_array().unwrap().len()),
            (&"complete".into(), 2)
        );
    }
}

#[test]
fn mistakes_are_named() {
    let bench = Bench::new();
    bench.program("train.sh", "#!/bin/sh\necho 'arbora: step one loss 1'\necho 1\n");
    let answer = bench.tune(&["--trials", "1"], &["./train.sh"]).expect(0);
    assert!(answer.err.contains("cannot read `arbora: step one loss 1`"), "{}", answer.err);
    let back = "#!/bin/sh\necho 'arbora: step 2 loss 1'\necho 'arbora: step 1 loss 1'\necho 1\n";
    bench.program("back.sh", back);
    let answer = bench.tune(&["--name", "back", "--trials", "1"], &["./back.sh"]).expect(0);
    assert!(answer.err.contains("step 1 was reported after step 2"), "{}", answer.err);
    let unknown = bench.tune(&["--trials", "1", "--pruner", "medain"], &["./train.sh"]);
    assert!(unknown.code != 0 && unknown.err.contains("did you mean `median`?"), "{}", unknown.err);
}
