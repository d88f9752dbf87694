"""Processes that are killed by signal 9 and started again: nothing acknowledged is lost, nothing is told twice."""

from __future__ import annotations

from ground import DONE, Count, Ground, compare, end, wait

OPTIMIZE = """
import sys
import arbora

storage, strategy, seed, jobs, trials, pause = sys.argv[1:]
space = arbora.Space.from_toml(open("space.toml").read())
study = arbora.Study(space, storage=storage, name="space", strategy=strategy, seed=int(seed))

def objective(trial):
    import time
    time.sleep(float(pause))
    with open("ledger", "a") as ledger:
        print(trial.number, repr(trial["x"]), file=ledger)
    return trial["x"]

done = sum(trial.state == "complete" for trial in study.trials)
study.optimize(objective, trials=int(trials) - done, jobs=int(jobs))
"""
STRATEGIES = ["random", "auto", "tpe", "cma", "tree"]


def tune(ground: Ground) -> Count:
    """Kills `tune` three times, resumes at once, and lets it end."""
    count, trials = Count(), 60
    command = ["-j", "4", "--trials", str(trials)]
    for _ in range(3):
        process = ground.start(ground.tune(*command))
        ground.pause(0.1, 0.6)
        process.kill()
        process.wait()
        count.attempts += 1
    code = wait(ground.start(ground.tune(*command)))
    count.expect(code in DONE, f"code {code} after the last --resume: {ground.said()[-300:]}")
    compare(ground, count, trials)
    return count


def optimize(ground: Ground, strategy: str, jobs: int, trials: int) -> list[str]:
    return ground.python(OPTIMIZE, "arbora.db", strategy, str(ground.seed), str(jobs), str(trials), "0.02")


def killed(ground: Ground, strategy: str, jobs: int, trials: int) -> Count:
    count = Count()
    for _ in range(2):
        process = ground.start(optimize(ground, strategy, jobs, trials))
        ground.pause(0.3, 1.2)
        end(process)
        count.attempts += 1
    code = wait(ground.start(optimize(ground, strategy, jobs, trials)))
    count.expect(code == 0, f"{strategy}: code {code}: {ground.said()[-300:]}")
    return count


def python(ground: Ground) -> Count:
    """With one job the study must be the one that an uninterrupted run makes."""
    strategy, trials = ground.random.choice(STRATEGIES), 14
    count = killed(ground, strategy, 1, trials)
    found = compare(ground, count, trials)
    whole = ground.python(OPTIMIZE, "whole.db", strategy, str(ground.seed), "1", str(trials), "0")
    code = wait(ground.start(whole))
    count.expect(code == 0, f"the uninterrupted run: code {code}")
    expected = ground.trials("whole.db")
    same = [trial["configuration"] for trial in found] == [trial["configuration"] for trial in expected]
    count.expect(same, f"{strategy}: other suggestions than without interruption")
    return count


def python_jobs(ground: Ground) -> Count:
    count = killed(ground, ground.random.choice(["random", "auto"]), 4, 16)
    compare(ground, count, 16)
    return count
