"""A disk without room: a clear error, nothing lost, and it goes on once there is room."""

from __future__ import annotations

import os
import subprocess

from ground import Count, Ground, Skipped, wait

FILLED = """
import sys
import arbora
space = arbora.Space.from_toml(open("space.toml").read())
study = arbora.Study(space, storage="small/arbora.db", name="space", strategy="random", seed=int(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    trial = study.ask()
    trial.set_attribute("ballast", "x" * 20000)
    study.tell(trial, trial["x"])
    print("told", trial.number, repr(trial["x"]), flush=True)
"""


def full(ground: Ground) -> Count:
    small = ground.folder / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(small)]
    if os.name != "posix" or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        raise Skipped("a small file system needs the right to mount one")
    try:
        return fill(ground)
    finally:
        subprocess.run(["umount", str(small)], check=False)


def fill(ground: Ground) -> Count:
    count = Count(attempts=1)
    code = wait(ground.start(ground.python(FILLED, str(ground.seed), "200")))
    said = ground.said()
    count.expect(code == 1 and "StoreError" in said, f"no room: code {code}: {said[-300:]}")
    subprocess.run(["mount", "-o", "remount,size=64m", str(ground.folder / "small")], check=True)
    told = [line.split() for line in said.splitlines() if line.startswith("told ")]
    stored = {trial["number"]: trial["value"] for trial in ground.trials("small/arbora.db")}
    count.trials = len(stored)
    for _, number, loss in told:
        count.expect(stored.get(int(number)) == float(loss), f"trial {number} was acknowledged with {loss}")
    code = wait(ground.start(ground.python(FILLED, str(ground.seed), "2")))
    count.expect(code == 0, f"with room again: code {code}: {ground.said()[-300:]}")
    return count
