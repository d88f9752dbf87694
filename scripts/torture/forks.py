"""fork while other threads write: the child can work, at once."""

from __future__ import annotations

import os

from ground import Count, Ground, Skipped, compare, wait

FORKING = """
import os, sys, threading, time
import arbora

space = arbora.Space.from_toml(open("space.toml").read())
study = arbora.Study(space, storage="arbora.db", name="space", strategy="random", seed=int(sys.argv[1]))
lock = threading.Lock()

def work(study, count):
    for _ in range(count):
        trial = study.ask()
        with open("ledger", "a") as ledger:
            print(trial.number, repr(trial["x"]), file=ledger)
        study.tell(trial, trial["x"])

threads = [threading.Thread(target=work, args=(study, 25)) for _ in range(2)]
for thread in threads:
    thread.start()
children = []
for _ in range(3):
    time.sleep(0.02)
    child = os.fork()
    if child == 0:
        work(study, 2)
        os._exit(0)
    children.append(child)
codes = [os.waitpid(child, 0)[1] for child in children]
for thread in threads:
    thread.join()
sys.exit(1 if any(codes) else 0)
"""


def children(ground: Ground) -> Count:
    if not hasattr(os, "fork"):
        raise Skipped("this system cannot fork")
    count = Count(attempts=3)
    code = wait(ground.start(ground.python(FORKING, str(ground.seed))), patience=60)
    count.expect(code == 0, f"code {code}: {ground.said()[-300:]}")
    compare(ground, count, 2 * 25 + 3 * 2)
    return count
