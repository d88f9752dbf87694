"""Durations: one grammar for the package and for the command."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

from arbora import Study, duration

READ = [("90", 90.0), ("45s", 45.0), ("10m", 600.0), ("1h30m", 5400.0), ("250ms", 0.25), (".5h", 1800.0), (" 2d ", 172800.0)]
REFUSED = ["", "m", "10x", "1.2.3s", "-5s", "10 m", "1e400", "soon"]


def command(text: str, file: pathlib.Path) -> str:
    """What ``arbora tune --time`` says about a duration; the study is not there, which is said later."""
    call = [sys.executable, "-m", "arbora", "ask", f"--lease={text}", "--study", "none", str(file)]
    return subprocess.run(call, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize(("text", "seconds"), READ)
def test_the_package_and_the_command_read_the_same(text: str, seconds: float, tmp_path: pathlib.Path) -> None:
    assert duration.seconds(text) == seconds
    assert "is not a duration" not in command(text, tmp_path / "study.db")


@pytest.mark.parametrize("text", REFUSED)
def test_the_package_and_the_command_refuse_the_same_in_the_same_words(text: str, tmp_path: pathlib.Path) -> None:
    said = f"`{text}` is not a duration; write 45, 45s, 10m or 1h30m"
    with pytest.raises(ValueError, match=re.escape(f"time_budget = {said}")):
        duration.seconds(text)
    assert said in command(text, tmp_path / "study.db")


def test_a_study_takes_such_durations() -> None:
    study = Study(seed=1)
    study.optimize(lambda trial: trial.suggest_float("x", 0.0, 1.0), timeout=".0001h")
    assert study.trials
