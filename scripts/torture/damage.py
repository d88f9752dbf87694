"""Files that were damaged: every command ends, and says so or shows what was stored."""

from __future__ import annotations

import json
import pathlib
import shutil

from ground import Count, Ground

COMMANDS = [["show"], ["best"], ["trials"], ["doctor"], ["ask"]]
# The exit codes that the command documents; a death by signal is negative.
DOCUMENTED = range(0, 10)


def whole(ground: Ground, trials: int = 40) -> list[dict]:
    """A study in arbora.db, and its trials as they were stored."""
    done = ground.run(*ground.tune("-j", "4", "--trials", str(trials))[1:])
    if done.returncode != 0:
        raise RuntimeError(f"cannot make a study: {done.stderr}")
    return ground.trials()


def strike(ground: Ground, hurt, name: str, rounds: int) -> Count:
    """Damages copies of a whole study and looks at each in every way."""
    truth = {trial["number"]: trial for trial in whole(ground)}
    kept = ground.folder / "kept"
    kept.mkdir()
    for file in ground.folder.glob("arbora.db*"):
        shutil.copy(file, kept)
    count = Count()
    for _ in range(rounds):
        for file in ground.folder.glob("arbora.db*"):
            file.unlink()
        for file in kept.iterdir():
            shutil.copy(file, ground.folder)
        where = hurt(ground)
        count.attempts += 1
        look(ground, count, truth, f"{name} {where}")
    return count


def look(ground: Ground, count: Count, truth: dict[int, dict], what: str) -> None:
    read = ground.run("trials", "--json")
    examined = ground.run("doctor")
    if read.returncode == 0:
        found = json.loads(read.stdout)
        wrong = [trial for trial in found if truth.get(trial["number"]) != trial]
        is_silent = examined.returncode == 0
        count.expect(not (wrong and is_silent), f"{what}: {len(wrong)} trials differ, and nobody says so")
        count.expect(not (len(found) < len(truth) and is_silent), f"{what}: {len(found)} of {len(truth)} trials, silently")
    for command in COMMANDS:
        done = ground.run(*command)
        count.expect(done.returncode in DOCUMENTED, f"{what}: {command[0]} ended with {done.returncode}: {done.stderr[-200:]}")


def flip(ground: Ground, path: pathlib.Path, least: int, most: int) -> int:
    data = bytearray(path.read_bytes())
    at = ground.random.randrange(len(data))
    size = ground.random.randint(least, most)
    for i in range(at, min(at + size, len(data))):
        data[i] ^= ground.random.randrange(1, 256)
    path.write_bytes(data)
    return at


def any_byte(ground: Ground) -> Count:
    return strike(ground, lambda ground: flip(ground, ground.folder / "arbora.db", 1, 1), "byte", 8)


def any_block(ground: Ground) -> Count:
    return strike(ground, lambda ground: flip(ground, ground.folder / "arbora.db", 512, 512), "block at", 5)


def any_log(ground: Ground) -> Count:
    """Only of a study whose log is there, as a killed process leaves it."""
    count = Count()
    log = ground.folder / "arbora.db-wal"

    def hurt(ground: Ground) -> str:
        if not log.exists() or log.stat().st_size == 0:
            return "without a log"
        if ground.random.random() < 0.5:
            return f"byte {flip(ground, log, 1, 1)}"
        data = log.read_bytes()
        size = ground.random.randrange(len(data))
        log.write_bytes(data[:size])
        return f"cut to {size}"

    count += strike(ground, hurt, "log", 5)
    return count
