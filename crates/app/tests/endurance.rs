//! Ends that nobody planned: Ctrl-C, a killed tuner, two tuners on one file.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests of an application use files and clocks"
)]
mod support;
use std::os::unix::process::CommandExt;
use support::{Bench, is_alive, signal, wait_until};

/// Writes its process number, then takes its time.
const SLOW: &str = "#!/bin/sh\necho $$ > running-$ARBORA_TRIAL\nsleep 300\necho 1\n";

fn first_process(bench: &Bench) -> u32 {
    wait_until("a program runs", || !bench.read("running-0").trim().is_empty());
    bench.read("running-0").trim().parse().unwrap()
}

#[test]
fn ctrl_c_ends_politely_and_loses_nothing() {
    let bench = Bench::new();
    bench.program("slow.sh", SLOW);
    let tuner = bench.tune_beside(&["-j", "2", "--trials", "5"], &["./slow.sh"]);
    let program = first_process(&bench);
    wait_until("both run", || bench.path("running-1").exists());
    signal(tuner.id(), "INT");
    let output = tuner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!is_alive(program), "the program is left behind");
    assert_eq!(bench.states(), ["waiting", "waiting"]);
    let before: Vec<_> = bench.trials().iter().map(|trial| trial["configuration"].clone()).collect();
    bench.tune(&["--resume", "--trials", "2"], &["./evaluate.sh"]).expect(0);
    assert_eq!(bench.states(), ["complete", "complete"]);
    let after: Vec<_> = bench.trials().iter().map(|trial| trial["configuration"].clone()).collect();
    assert_eq!(before, after, "the trials put back are those that go on");
}

#[test]
fn a_second_ctrl_c_does_not_wait() {
    let bench = Bench::new();
    bench.program("deaf.sh", "#!/bin/sh\ntrap '' TERM INT\necho $$ > running-0\nwhile :; do sleep 1; done\n");
    let tuner = bench.tune_beside(&["--trials", "1", "--grace", "1h"], &["./deaf.sh"]);
    let program = first_process(&bench);
    signal(tuner.id(), "INT");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(is_alive(program), "it is asked first");
    signal(tuner.id(), "INT");
    assert_eq!(tuner.wait_with_output().unwrap().status.code(), Some(130));
    assert!(!is_alive(program));
    assert_eq!(bench.states(), ["waiting"]);
}

#[test]
fn a_killed_tuner_is_resumed() {
    let bench = Bench::new();
    bench.program("slow.sh", "#!/bin/sh\n[ $ARBORA_TRIAL -lt 3 ] && echo 0.$ARBORA_TRIAL && exit\necho $$ > running-0; exec sleep 300\n");
    let mut tuner = bench.tune_beside(&["--trials", "5", "--lease", "1s"], &["./slow.sh"]);
    let program = first_process(&bench);
    signal(tuner.id(), "KILL");
    tuner.wait().unwrap();
    signal(program, "KILL");
    let told: Vec<_> = bench.trials().iter().take(3).map(|trial| trial["value"].clone()).collect();
    assert_eq!(told, [0.0, 0.1, 0.2], "what was told is there");
    wait_until("the trial is stale", || bench.states()[3] == "stale");
    bench.tune(&["--trials", "5", "--resume"], &["./evaluate.sh"]).expect(0);
    assert_eq!(bench.states(), ["complete"; 5]);
    assert_eq!(bench.trials()[3]["attempts"], 2, "the stale trial was handed out again");
}

#[test]
fn two_tuners_share_one_budget_and_no_trial() {
    let bench = Bench::new();
    bench.program("log.sh", "#!/bin/sh\necho x >> \"$ARBORA_FOLDER/runs\"; sleep 0.05; echo 1\n");
    let options = ["--resume", "--trials", "20", "-j", "2"];
    let tuners = [(); 2].map(|()| bench.tune_beside(&options, &["./log.sh"]));
    for tuner in tuners {
        let output = tuner.wait_with_output().unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 4)), "{code:?} {}", String::from_utf8_lossy(&output.stderr));
    }
    let states = bench.states();
    assert_eq!(states.iter().filter(|state| *state == "complete").count(), 20, "{states:?}");
    for trial in bench.trials().iter().filter(|trial| trial["state"] == "complete") {
        let runs = bench.read(&format!("arbora-logs/space/{:06}/runs", trial["number"].as_u64().unwrap()));
        assert_eq!(runs, "x\n", "trial {} was run once", trial["number"]);
    }
}

#[test]
fn the_terminal_does_not_interrupt_programs_directly() {
    // A group of its own for the tuner, as a shell would make it; the signal goes to the whole group.
    let bench = Bench::new();
    bench.program("tidy.sh", "#!/bin/sh\ntrap 'echo int > got; exit 1' INT\ntrap 'echo term > got; exit 1' TERM\necho $$ > running-0\nwhile :; do sleep 0.05; done\n");
    let mut command = bench.command(&["tune", "space.toml", "-q", "--strategy", "random", "--", "./tidy.sh"]);
    let tuner = command.process_group(0).spawn().unwrap();
    first_process(&bench);
    signal(tuner.id(), "INT");
    let mut tuner = tuner;
    assert_eq!(tuner.wait().unwrap().code(), Some(130));
    assert_eq!(bench.read("got"), "term\n");
}

#[test]
fn a_program_left_over_from_a_killed_tuner_writes_where_nobody_reads() {
    let bench = Bench::new();
    bench.program(
        "late.sh",
        "#!/bin/sh\nif [ -e again ]; then echo 0.5; sleep 4; else echo $$ > running-0; sleep 4; echo 0.12345678; echo > late; fi\n",
    );
    let mut tuner = bench.tune_beside(&["--trials", "1", "--lease", "1s"], &["./late.sh"]);
    first_process(&bench);
    signal(tuner.id(), "KILL");
    tuner.wait().unwrap();
    bench.write("again", "");
    wait_until("the trial is stale", || bench.states()[0] == "stale");
    bench.tune(&["--trials", "1", "--resume", "--lease", "1s"], &["./late.sh"]).expect(0);
    wait_until("the orphan has ended", || bench.path("late").exists());
    assert_eq!(bench.trials()[0]["value"], 0.5, "what its own program printed");
    assert_eq!(bench.read("arbora-logs/space/000000/stdout.txt"), "0.12345678\n");
    assert_eq!(bench.read("arbora-logs/space/000000-2/stdout.txt"), "0.5\n");
}

#[test]
fn a_job_that_is_ended_as_a_whole_puts_its_trials_back() {
    let bench = Bench::new();
    bench.program("slow.sh", "#!/bin/sh\necho $$ > running-$ARBORA_TRIAL\nexec sleep 300\n");
    let tuner = bench.tune_beside(&["-j", "3", "--trials", "9"], &["./slow.sh"]);
    let pids: Vec<u32> = (0..3)
        .map(|i| {
            let name = format!("running-{i}");
            wait_until("it runs", || !bench.read(&name).trim().is_empty());
            bench.read(&name).trim().parse().unwrap()
        })
        .collect();
    // As systemd, scancel and docker do; the programs first, which is the worst order.
    for pid in pids {
        signal(pid, "TERM");
    }
    signal(tuner.id(), "TERM");
    let code = tuner.wait_with_output().unwrap().status.code();
    assert!(code.is_some_and(|code| code > 128), "{code:?}");
    assert_eq!(bench.states(), ["waiting"; 3]);
}
