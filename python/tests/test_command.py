"""The command and the demo, as they are started."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import arbora

PACKAGE = pathlib.Path(arbora.__file__).parent


def run(*arguments: str, code: int = 0) -> str:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, env=environment, encoding="utf-8", check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_command_is_the_one_of_rust() -> None:
    assert arbora.__version__ in run("arbora", "--version")
    assert "Usage" in run("arbora", "no-such-command", code=2)


def test_the_command_reads_what_python_wrote(tmp_path: pathlib.Path) -> None:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, storage=tmp_path / "s.db", name="line", seed=1)
    study.optimize(lambda trial: trial["x"], trials=3)
    listed = json.loads(run("arbora", "trials", "--json", "--storage", str(tmp_path / "s.db")))
    assert len(listed) == 3
    (tmp_path / "space.toml").write_text(space.to_toml())
    assert "1 parameter" in run("arbora", "space", "check", str(tmp_path / "space.toml"))


def test_the_demo_takes_its_tour_and_goes_on(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("sklearn")
    file = str(tmp_path / "digits.db")
    said = run("arbora.demo", "--trials", "4", "--storage", file)
    for words in ("learner = svm", "Best of 4 trials", "Best of each learner", "never saw", "Next:"):
        assert words in said
    assert "Best of 5 trials" in run("arbora.demo", "--trials", "1", "--storage", file)


def test_ctrl_c_that_a_learner_swallows_ends_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn", reason="the demo needs scikit-learn")
    import signal

    from arbora import demo

    fits = []

    class Network:
        def fit(self, rows: Any, digits: Any) -> "Network":
            fits.append(len(rows))
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                # As scikit-learn's does: it keeps what it has learnt by then.
                return self
            raise AssertionError("nobody was interrupted")

        def score(self, rows: Any, digits: Any) -> float:
            return 0.5

    monkeypatch.setattr(demo, "learner_of", lambda configuration: Network())
    study = arbora.Study(demo.digits_space(), seed=1)
    with pytest.raises(KeyboardInterrupt):
        study.optimize(demo.Digits(), trials=3, catch=Exception)
    assert len(fits) == 1, "the first fold is the last"
    assert [trial.state for trial in study.trials] == ["waiting"]
