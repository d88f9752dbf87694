"""Many processes on one file."""

from __future__ import annotations

from ground import Count, Ground, compare, wait

WORKER = """
import sys
import arbora

study = arbora.Study.load("arbora.db", "space")
for _ in range(int(sys.argv[1])):
    trial = study.ask()
    with open("ledger", "a") as ledger:
        print(trial.number, repr(trial["x"]), file=ledger)
    study.tell(trial, trial["x"])
"""
CREATE = """
import sys
import arbora
space = arbora.Space.from_toml(open("space.toml").read())
arbora.Study(space, storage="arbora.db", name="space", strategy="random", seed=int(sys.argv[1]))
"""


def many(ground: Ground) -> Count:
    processes, each = 16, 5
    count = Count(attempts=processes)
    wait(ground.start(ground.python(CREATE, str(ground.seed))))
    command = ground.python(WORKER, str(each))
    codes = [wait(process) for process in [ground.start(command) for _ in range(processes)]]
    count.expect(codes == [0] * processes, f"codes {codes}: {ground.said()[-300:]}")
    compare(ground, count, processes * each)
    return count
