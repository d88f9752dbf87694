"""Signals that ask to end or to wait: what was running is put back, never recorded as a failure."""

from __future__ import annotations

import os
import signal
import subprocess

from ground import DONE, Count, Ground, compare, end, wait
from kills import OPTIMIZE

POLITE = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SLOW = "#!/bin/sh\nsleep 30\necho 1\n"


def only_put_back(ground: Ground, count: Count, what: str) -> None:
    """After an interruption every trial is complete or waits."""
    states = [trial["state"] for trial in ground.trials()]
    count.expect(set(states) <= {"complete", "waiting"}, f"{what}: {states}")


def tune(ground: Ground) -> Count:
    count, command = Count(), ["-j", "4", "--trials", "60"]
    for _ in range(3):
        process = ground.start(ground.tune(*command))
        ground.pause(0.15, 0.6)
        number = ground.random.choice(POLITE)
        process.send_signal(number)
        code = wait(process)
        count.attempts += 1
        count.expect(code in (*DONE, 128 + number, 130), f"{number.name}: code {code}")
        if (ground.folder / "arbora.db").exists():
            only_put_back(ground, count, number.name)
    code = wait(ground.start(ground.tune(*command)))
    count.expect(code in DONE, f"code {code} at the end: {ground.said()[-300:]}")
    compare(ground, count, 60)
    return count


def python(ground: Ground) -> Count:
    count, jobs = Count(), ground.random.choice(["1", "3"])
    command = ground.python(OPTIMIZE, "arbora.db", "random", str(ground.seed), jobs, "30", "0.05")
    for _ in range(2):
        process = ground.start(command)
        ground.pause(0.5, 1.3)
        process.send_signal(signal.SIGINT)
        code = wait(process)
        count.attempts += 1
        # 0: it had ended; 1 and -2: KeyboardInterrupt, as Python ends with it.
        count.expect(code in (0, 1, 130, -signal.SIGINT), f"jobs={jobs}: code {code}")
        if (ground.folder / "arbora.db").exists():
            only_put_back(ground, count, f"jobs={jobs}")
    code = wait(ground.start(command))
    count.expect(code == 0, f"code {code} at the end: {ground.said()[-300:]}")
    compare(ground, count, 30)
    return count


def whole_job(ground: Ground) -> Count:
    """As systemd, Slurm and containers end a job: every process gets SIGTERM."""
    ground.write("program.sh", SLOW)
    count = Count(attempts=1)
    process = ground.start(ground.tune("-j", "4", "--trials", "100"))
    ground.pause(0.6, 1.2)
    # Programs stand in groups of their own, so they are found by their parent.
    found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
    for pid in [*map(int, found.stdout.split()), process.pid]:
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    code = wait(process)
    count.expect(code in (130, 143), f"code {code}")
    trials = ground.trials()
    count.trials = len(trials)
    states = [trial["state"] for trial in trials]
    count.expect(set(states) <= {"waiting"}, f"after SIGTERM to all: {states}")
    return count


def stopped(ground: Ground) -> Count:
    """A worker that was stopped beyond its lease: others go on, and its late results are not told twice."""
    count = Count(attempts=1)
    command = ["--trials", "30", "-j", "2", "--lease", "1s"]
    first = ground.start(ground.tune(*command))
    ground.pause(0.3, 0.6)
    os.kill(first.pid, signal.SIGSTOP)
    second = ground.start(ground.tune(*command))
    ground.pause(2.0, 3.0)
    os.kill(first.pid, signal.SIGCONT)
    codes = [wait(first), wait(second)]
    count.expect(set(codes) <= set(DONE), f"codes {codes}: {ground.said()[-300:]}")
    compare(ground, count, 30)
    for process in (first, second):
        end(process)
    return count
