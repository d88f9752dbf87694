"""Time limits of automatic models: counted from the true beginning, kept whatever else goes on, and losing nothing."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")

import arbora  # noqa: E402
from arbora.automl import folder, metric, race  # noqa: E402
from arbora.automl.evaluation import Evaluator  # noqa: E402
from arbora.automl.worker_pool import InProcessPool, WorkerPool  # noqa: E402

NAP = 0.2
ROWS = np.random.default_rng(0).normal(size=(60, 2))
CODES = (ROWS[:, 0] > 0).astype(int)
SPLITS = [(range(20, 60), range(20)), ([*range(20), *range(40, 60)], range(20, 40)), (range(40), range(40, 60))]


class Slow:
    """Knows the truth of all rows, or of those on one side of a border, and takes its time."""

    classes_ = np.array([0, 1])
    fits = 0
    """In this process: each job has one of its own, so that this counts its splits."""

    def __init__(self, border: float = 0.0, hangs_at: int = 0, nap: float = 0.0, file: str = "") -> None:
        self.border, self.hangs_at, self.nap, self.file = border, hangs_at, nap, file

    def fit(self, X: Any, y: Any) -> Slow:
        Slow.fits += 1
        time.sleep(600 if Slow.fits == self.hangs_at and not write(self.file) else self.nap)
        return self

    def predict(self, X: Any) -> Any:
        return (X[:, 0] > self.border).astype(int)


def write(file: str) -> None:
    """Leaves the number of this process."""
    if file:
        pathlib.Path(file + ".part").write_text(str(os.getpid()))
        os.replace(file + ".part", file)


def evaluator() -> Evaluator:
    return Evaluator(ROWS, CODES, 2, metric.named("accuracy", True), lambda configuration: Slow(**configuration))


def appears(file: pathlib.Path) -> None:
    while not file.exists():
        time.sleep(0.01)


def test_the_duration_of_a_job_is_that_of_its_work_however_late_it_is_heard_of() -> None:
    Slow.fits = 0
    crews: Any = [InProcessPool(evaluator()), WorkerPool(evaluator(), size=1, memory_limit=None)]
    for crew in crews:
        try:
            crew.give("job", {"configuration": {"nap": NAP}, "splits": SPLITS})
            while isinstance(crew, WorkerPool) and crew.said.qsize() < 5:
                # Begun, three parts and done: all is said before anybody listens.
                time.sleep(0.01)
            [ended] = crew.wait()
        finally:
            crew.close()
        assert ended.result.value == 1.0 and ended.seconds >= 3 * NAP
        assert 0 < ended.result.fit_seconds <= ended.seconds / 3


@pytest.mark.skipif(sys.platform != "linux", reason="workers fork on Linux")
def test_a_limit_holds_while_nobody_waits(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "pid"
    crew = WorkerPool(evaluator(), size=1, memory_limit=None)
    try:
        crew.give("job", {"configuration": {"hangs_at": 3, "file": str(file)}, "splits": SPLITS}, limit=2.0)
        appears(file)
        while pathlib.Path(f"/proc/{file.read_text()}").exists():
            time.sleep(0.01)
        [ended] = crew.wait()
    finally:
        crew.close()
    assert ended.reason == "took longer than 2 s, after 2 of 3 splits" and ended.seconds >= 2.0
    assert [part.value for part in ended.parts] == [1.0, 1.0]
    assert [sorted(part.rows) for part in ended.parts] == [sorted(valid) for _, valid in SPLITS[:2]]


def build(configuration: Any) -> Any:
    slow = configuration["how"] == "slow"
    return Slow(border=0.0 if slow else configuration.get("border", 0.5), hangs_at=3 if slow else 0)


def search(first: str, second: str, **options: Any) -> Any:
    space = arbora.Space()
    # The grid goes through them from the end.
    space.ordinal("how", [second, first])
    given = {"trials": 2, "time_budget": None, "strategy": "grid", "folds": 3, "resampling": "fixed", "random_state": 1}
    auto = arbora.AutoClassifier(space=(space, build), trial_timeout=3, **{**given, **options})
    auto.fit(ROWS, CODES)
    assert [trial["how"] for trial in auto.study_.trials] == [first, second]
    return auto


@pytest.mark.skipif(sys.platform != "linux", reason="workers fork on Linux")
@pytest.mark.parametrize("ensemble", ["none", "post-hoc", "optimised"])
def test_the_folds_of_a_trial_that_ran_out_of_time_are_not_lost(ensemble: str) -> None:
    auto = search("fine", "slow", ensemble=ensemble)
    fine, slow = auto.study_.trials
    assert slow.state == "complete" and slow.attributes["split_values"] == [1.0, 1.0]
    # Its folds are perfect, but two of three make nobody the best.
    assert slow.value == fine.value < 1.0
    assert auto.study_.best_trial.number == fine.number and set(auto.ensemble_) == {fine.number}
    board = auto.leaderboard_
    rows = board.to_dict("records") if hasattr(board, "to_dict") else board
    assert rows[1]["reason"] == "took longer than 3 s, after 2 of 3 splits (mean 1)"


@pytest.mark.skipif(sys.platform != "linux", reason="workers fork on Linux")
def test_without_a_trial_to_measure_it_by_they_are_kept_with_a_failure() -> None:
    slow, fine = search("slow", "fine").study_.trials
    assert (slow.state, slow.reason) == ("failed", "took longer than 3 s, after 2 of 3 splits")
    assert slow.attributes["split_values"] == [1.0, 1.0] and slow.attributes["stopped_after"] == 2
    assert fine.state == "complete"


def test_what_is_told_of_some_folds_is_never_the_best() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        losses = list(np.round(rng.normal(size=rng.integers(1, 40)), 1))
        mean = float(rng.normal())
        told = race.told(mean, losses)
        assert told >= mean and told >= min(losses)
        assert told == mean or told in losses


KILLED = """
import os, signal, sys
import numpy as np
from arbora.automl import metric, worker_pool
from arbora.automl.evaluation import Evaluator

evaluator = Evaluator(np.ones((9, 2)), np.ones(9), 2, metric.named("accuracy", True), lambda configuration: None)
print(worker_pool.WorkerPool(evaluator, size=1, memory_limit=None).folder.path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="nobody is killed in this way on Windows")
def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    package = str(pathlib.Path(arbora.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, env=environment, check=False)
    left = pathlib.Path(done.stdout.strip())
    assert done.returncode == -signal.SIGKILL and (left / "matrix.npy").exists()
    stranger = tmp_path / f"{folder.PREFIX}stranger"
    stranger.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept = folder.Folder()
    other = folder.Folder()
    # What belongs to somebody who lives, or to nobody that can be told, stays.
    assert not left.exists() and os.path.exists(kept.path) and stranger.exists()
    kept.remove()
    other.remove()
    assert [path.name for path in tmp_path.iterdir()] == [stranger.name]
