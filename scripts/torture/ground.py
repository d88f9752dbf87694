"""What every attack stands on: a folder of its own, a space, a program that keeps a ledger, and the command."""

from __future__ import annotations

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

SPACE = """
[parameters.model]
type = "choice"
choices = ["line", "bowl"]

[parameters.x]
type = "real"
low = 0.0
high = 1.0

[parameters.b]
type = "real"
low = -1.0
high = 1.0
when = { model = "bowl" }
"""

# The loss is x. Every evaluation that comes to its end leaves a line.
PROGRAM = """#!/bin/sh
sleep 0.0$(( $$ % 9 + 1 ))
echo "$ARBORA_TRIAL $ARBORA_PARAM_X" >> ledger
echo "$ARBORA_PARAM_X"
"""

# Longer than anything here takes; what has not ended by then hangs.
PATIENCE = 120
# How `tune` ends when everything was done: now, or before it began.
DONE = (0, 4)


class Skipped(Exception):
    """This attack cannot be made here; the text says why."""


@dataclass
class Count:
    """How often an attack was made, on how many trials, and what did not hold."""

    attempts: int = 0
    trials: int = 0
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: Count) -> Count:
        self.attempts += other.attempts
        self.trials += other.trials
        self.failures += other.failures
        return self

    def expect(self, holds: bool, words: str) -> None:
        """Notes a promise that does not hold."""
        if not holds:
            self.failures.append(words)


class Ground:
    """A folder that is gone afterwards, and randomness."""

    def __init__(self, arbora: pathlib.Path, seed: str) -> None:
        self.arbora = arbora
        self.random = random.Random(seed)
        self.seed = self.random.randrange(2**31)
        self.folder = pathlib.Path()

    def __enter__(self) -> Ground:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="arbora-torture-"))
        self.write("space.toml", SPACE)
        self.write("program.sh", PROGRAM).chmod(0o755)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def command(self, *arguments: str) -> list[str]:
        return [str(self.arbora), *arguments]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The command, to its end; code 124 if it hangs."""
        try:
            return subprocess.run(
                self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                errors="replace", timeout=PATIENCE, check=False,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, "", "no end")

    def start(self, command: list[str], env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Starts a program in a process group of its own."""
        with open(self.folder / "said", "ab") as said:
            return subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
                env={**os.environ, **(env or {})},
            )

    def tune(self, *options: str) -> list[str]:
        """`tune` with the program; the study is `space` in arbora.db."""
        seed = ["--seed", str(self.seed), "--strategy", "random"]
        # A process may die after it made the file and before it made the study.
        is_there = (self.folder / "arbora.db").exists() and self.run("trials").returncode == 0
        study = ["--resume", "--name", "space"] if is_there else ["space.toml", *seed]
        return self.command("tune", *study, "--quiet", *options, "--", "./program.sh")

    def python(self, program: str, *arguments: str) -> list[str]:
        """A program for the interpreter that has the package."""
        path = self.write("attacked.py", program)
        return [sys.executable, str(path), *arguments]

    def pause(self, least: float, most: float) -> None:
        time.sleep(self.random.uniform(least, most))

    def trials(self, storage: str = "arbora.db") -> list[dict]:
        done = self.run("trials", "--json", "--storage", storage)
        if done.returncode != 0:
            raise RuntimeError(f"trials: code {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def ledger(self) -> dict[int, set[str]]:
        """What the programs printed, by trial."""
        lines: dict[int, set[str]] = {}
        path = self.folder / "ledger"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            trial, _, loss = line.partition(" ")
            lines.setdefault(int(trial), set()).add(loss)
        return lines

    def said(self) -> str:
        path = self.folder / "said"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def wait(process: subprocess.Popen[bytes], patience: float = PATIENCE) -> int:
    """Its code; 124 if it hangs, and then it is ended."""
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        end(process)
        return 124


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a program and everything it started, by force."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def compare(ground: Ground, count: Count, expected: int | None = None) -> list[dict]:
    """Every stored loss was printed by a program of that trial, and what was asked for is there."""
    trials = ground.trials()
    count.trials += len(trials)
    ledger = ground.ledger()
    numbers = [trial["number"] for trial in trials]
    count.expect(numbers == list(range(len(numbers))), f"numbers are {numbers}")
    for trial in trials:
        if trial["state"] == "complete":
            printed = {float(loss) for loss in ledger.get(trial["number"], ())}
            count.expect(trial["value"] in printed, f"trial {trial['number']}: {trial['value']} stored, {printed} printed")
    seen = [json.dumps(trial["configuration"], sort_keys=True) for trial in trials]
    count.expect(len(set(seen)) == len(seen), "a configuration was tried twice")
    if expected is not None:
        # Two processes may both see room for a last trial; the one too many is given up and says so.
        states = [trial["state"] for trial in trials if trial["state"] != "abandoned"]
        count.expect(states == ["complete"] * expected, f"{expected} complete trials were asked for: {states}")
    return trials
