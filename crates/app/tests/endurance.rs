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
fn a_resumed_run_takes_over_at_once_and_ends_what_was_left_behind() {
    let bench = Bench::new();
    bench.program(
        "late.sh",
        "#!/bin/sh\nif [ -e again ]; then echo 0.5; else echo $$ > running-0; sleep 300; echo 0.12345678; fi\n",
    );
    // Nobody waits for this lease.
    let mut tuner = bench.tune_beside(&["--trials", "2", "--lease", "10h"], &["./late.sh"]);
    let orphan = first_process(&bench);
    signal(tuner.id(), "KILL");
    tuner.wait().unwrap();
    assert!(is_alive(orphan), "it runs on alone");
    bench.write("again", "");
    let resumed = bench.tune(&["--trials", "2", "--resume", "--lease", "10h"], &["./late.sh"]).expect(0);
    assert_eq!(bench.states(), ["complete"; 2], "it is not left out");
    assert!(!is_alive(orphan), "the orphan runs on");
    assert!(resumed.err.contains(&format!("ended process group {orphan}")), "{}", resumed.err);
    assert_eq!(bench.trials()[0]["value"], 0.5, "what its own program printed");
    assert_eq!(bench.read("arbora-logs/space/000000/stdout.txt"), "");
    assert_eq!(bench.read("arbora-logs/space/000000-2/stdout.txt"), "0.5\n");
}

#[test]
fn an_orphan_that_is_deaf_is_ended_by_force_and_what_left_the_session_stays() {
    let bench = Bench::new();
    bench.program(
        "deaf.sh",
        "#!/bin/sh\n[ -e again ] && echo 0.5 && exit\ntrap '' TERM\nsetsid sh -c 'echo $$ > service; exec sleep 300' &\n\
         while [ ! -s service ]; do sleep 0.05; done; echo $$ > running-0\nwhile :; do sleep 1; done\n",
    );
    let mut tuner = bench.tune_beside(&["--trials", "1"], &["./deaf.sh"]);
    let orphan = first_process(&bench);
    signal(tuner.id(), "KILL");
    tuner.wait().unwrap();
    bench.write("again", "");
    bench.tune(&["--trials", "1", "--resume", "--grace", "100ms"], &["./deaf.sh"]).expect(0);
    assert!(!is_alive(orphan), "the orphan runs on");
    let service = bench.read("service").trim().parse().unwrap();
    assert!(is_alive(service), "what left the session was ended");
    signal(service, "KILL");
}

#[test]
fn a_run_is_not_over_before_the_trials_of_others() {
    let bench = Bench::new();
    bench.program(
        "gate.sh",
        "#!/bin/sh\necho $$ > running-$ARBORA_TRIAL\nwhile [ ! -e gate ]; do sleep 0.05; done\necho 1\n",
    );
    let first = bench.tune_beside(&["--trials", "1"], &["./gate.sh"]);
    first_process(&bench);
    let mut second = bench.tune_beside(&["--trials", "1", "--resume"], &["./gate.sh"]);
    let mut said = String::new();
    let mut reader = std::io::BufReader::new(second.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut reader, &mut said).unwrap();
    let holder =
        format!("waiting for 1 trial of host {}, pid {}; free in ", arbora_store::host(), first.id());
    assert!(said.starts_with(&holder), "{said}");
    assert!(second.try_wait().unwrap().is_none(), "it left");
    bench.write("gate", "");
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(second.wait().unwrap().code(), Some(4), "it evaluated nothing itself");
    assert_eq!(bench.states(), ["complete"]);
}

#[test]
fn a_trial_that_was_asked_for_by_hand_is_not_waited_for() {
    let bench = Bench::new();
    bench.tune(&["--trials", "1"], &["./evaluate.sh"]).expect(0);
    bench.run(&["ask"]).expect(0);
    bench.tune(&["--trials", "3", "--resume"], &["./evaluate.sh"]).expect(0);
    assert_eq!(bench.states(), ["complete", "running", "complete"]);
}

/// Another program that writes to the file and takes its time.
fn held_elsewhere(bench: &Bench) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(bench.path("arbora.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

/// Waits for the word of what is waited for, interrupts, and expects the end.
fn assert_hears(mut tuner: std::process::Child) {
    let mut said = String::new();
    let mut reader = std::io::BufReader::new(tuner.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut reader, &mut said).unwrap();
    assert_eq!(said, "waiting for `arbora.db`, which another program is writing\n");
    signal(tuner.id(), "INT");
    assert_eq!(tuner.wait().unwrap().code(), Some(130));
}

#[test]
fn ctrl_c_is_heard_while_another_program_holds_the_file() {
    let bench = Bench::new();
    bench.tune(&["--trials", "1"], &["./evaluate.sh"]).expect(0);
    let other = held_elsewhere(&bench);
    assert_hears(bench.tune_beside(&["--resume", "--trials", "5", "-q", "-j", "2"], &["./evaluate.sh"]));
    drop(other);
    assert_eq!(bench.states(), ["complete"]);
}

#[test]
fn ctrl_c_is_heard_while_a_study_is_opened() {
    let bench = Bench::new();
    bench.tune(&["--trials", "1"], &["./evaluate.sh"]).expect(0);
    let other = held_elsewhere(&bench);
    assert_hears(bench.tune_beside(&["--name", "new", "--trials", "5", "-q"], &["./evaluate.sh"]));
    drop(other);
    assert_eq!(bench.run(&["show", "--name", "new"]).code, 2, "nothing was begun");
}

#[test]
fn a_result_in_hand_is_not_given_up_at_the_first_ctrl_c() {
    let bench = Bench::new();
    bench.program(
        "once.sh",
        "#!/bin/sh\necho $$ > running-0\nwhile [ ! -e gate ]; do sleep 0.05; done\necho 0.25\n",
    );
    let mut tuner = bench.tune_beside(&["--trials", "1", "-q"], &["./once.sh"]);
    let program = first_process(&bench);
    let other = held_elsewhere(&bench);
    bench.write("gate", "");
    wait_until("the program has ended", || !is_alive(program));
    let mut said = String::new();
    let mut reader = std::io::BufReader::new(tuner.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut reader, &mut said).unwrap();
    signal(tuner.id(), "INT");
    // Well beyond the grace of an interrupted wait.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(tuner.try_wait().unwrap().is_none(), "the result is lost");
    drop(other);
    tuner.wait().unwrap();
    assert_eq!(bench.states(), ["complete"]);
}

#[test]
fn the_time_limit_of_a_trial_does_not_wait_for_the_file() {
    let bench = Bench::new();
    bench.program("slow.sh", SLOW);
    // Signs of life are due all the time, and cannot be written.
    let options = ["--trials", "1", "--timeout", "3s", "--lease", "1s", "-q"];
    let tuner = bench.tune_beside(&options, &["./slow.sh"]);
    let program = first_process(&bench);
    let other = held_elsewhere(&bench);
    wait_until("the program was ended, while the file is held", || !is_alive(program));
    std::thread::sleep(std::time::Duration::from_secs(10));
    drop(other);
    tuner.wait_with_output().unwrap();
    let trial = &bench.trials()[0];
    assert_eq!((&trial["state"], &trial["reason"]), (&"failed".into(), &"took longer than 3.0s".into()));
    let took = trial["duration"].as_f64().unwrap();
    assert!((3.0..10.0).contains(&took), "the wait for the file is no part of the trial: {took}");
}

#[test]
fn no_file_but_the_study_stays() {
    let bench = Bench::new();
    bench.tune(&["--trials", "4", "-j", "2"], &["./evaluate.sh"]).expect(0);
    bench.run(&["ask"]).expect(0);
    let names = std::fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().contains("-turn-")).collect();
    assert!(left.is_empty(), "{left:?}");
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
