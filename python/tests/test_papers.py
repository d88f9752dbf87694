"""`make papers`: runs what is missing, packs, and stops when told."""

from __future__ import annotations

import json
import pathlib
import signal
import subprocess
import sys
import time
from typing import List

import pytest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "papers.py"
ARBORA = pathlib.Path(sys.executable).with_name("arbora")

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="it stops by signals, which Windows has not"),
    pytest.mark.skipif(not ARBORA.exists(), reason="the command is not installed beside this interpreter"),
]


def start(folder: pathlib.Path, *only: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(SCRIPT), "--arbora", str(ARBORA), "--python", sys.executable, "--data", "bundled"]
    return subprocess.Popen([*command, "--jobs", "1", *only], cwd=folder, text=True, stderr=subprocess.PIPE)


def packed(folder: pathlib.Path, experiment: str) -> int:
    """Runs that are packed."""
    lines: List[str] = (folder / "lab-bundled" / "packed" / f"{experiment}.packed.jsonl").read_text().splitlines()
    return sum(len(json.loads(line)["seeds"]) for line in lines)


def test_nothing_is_run_twice(tmp_path: pathlib.Path) -> None:
    for said in ("300 runs completed, 0 cached", "0 runs completed, 300 cached"):
        process = start(tmp_path, "x1")
        _, words = process.communicate(timeout=300)
        assert process.returncode == 0 and said in words
        assert packed(tmp_path, "x1") == 300
    # What is packed counts even where the lab is gone.
    (tmp_path / "lab-bundled" / "x1.jsonl").unlink()
    assert "0 runs completed, 300 cached" in start(tmp_path, "x1").communicate(timeout=300)[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_when_told_and_keeps_what_it_finished(tmp_path: pathlib.Path, number: int) -> None:
    process = start(tmp_path, "x7", "x6")
    ledger = tmp_path / "lab-bundled" / "x7.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (ledger.exists() and ledger.read_text().count("\n") > 2):
        time.sleep(0.1)
    process.send_signal(number)
    process.communicate(timeout=120)
    assert process.returncode == 128 + number
    assert packed(tmp_path, "x7") >= 2
    assert not (tmp_path / "lab-bundled" / "x6.jsonl").exists(), "the next experiment is not begun"


def test_an_unknown_experiment_is_named(tmp_path: pathlib.Path) -> None:
    process = start(tmp_path, "x99")
    assert "no experiment is called x99; known are x4" in process.communicate(timeout=60)[1]
    assert process.returncode == 2
