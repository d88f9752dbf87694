"""Several processes: forks, kills, stale trials, one file."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import pickle
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from typing import Any, List

import pytest

from arbora import Space, StoreError, Study

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform cannot fork")


def line() -> Space:
    space = Space()
    space.real("x", 0.0, 1.0)
    return space


def in_child(work: Any) -> int:
    """Runs work in a forked child; answers with its exit code."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(type(error).__name__, error, file=sys.stderr)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_study_in_a_file_works_on_both_sides_of_a_fork(tmp_path: pathlib.Path) -> None:
    study = Study(line(), storage=tmp_path / "s.db", seed=1)
    study.optimize(lambda trial: trial["x"], trials=3)
    assert in_child(lambda: study.optimize(lambda trial: trial["x"], trials=3)) == 0
    study.optimize(lambda trial: trial["x"], trials=3)
    whole = Study(line(), seed=1)
    whole.optimize(lambda trial: trial["x"], trials=9)
    assert [trial.configuration for trial in study.trials] == [trial.configuration for trial in whole.trials]


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_study_in_memory_says_why_it_cannot_be_used_after_a_fork() -> None:
    study = Study(line(), seed=1)

    def use() -> None:
        with pytest.raises(StoreError, match="give the study a storage") as caught:
            study.ask()
        assert caught.value.kind == "Forked"

    assert in_child(use) == 0
    study.tell(study.ask(), 0.5)
    assert study.best_loss == 0.5


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forks_while_threads_write(tmp_path: pathlib.Path) -> None:
    """A child inherits no lock of a thread that it does not have, and its parent loses none."""
    study = Study(line(), storage=tmp_path / "s.db", seed=1, strategy="random")
    is_over = threading.Event()
    told: List[int] = []

    def write() -> None:
        while not is_over.is_set():
            trial = study.ask()
            study.tell(trial, trial["x"])
            told.append(trial.number)

    def use() -> None:
        # A child that hangs is ended by itself.
        signal.alarm(60)
        trial = study.ask()
        study.tell(trial, 2.0)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    codes = [in_child(use) for _ in range(12)]
    is_over.set()
    for thread in threads:
        thread.join()
    assert codes == [0] * 12
    trials = Study.load(tmp_path / "s.db").trials
    assert {trial.state for trial in trials} == {"complete"}
    assert len(trials) == len(told) + 12 and len(set(told)) == len(told)
    assert sum(trial.loss == 2.0 for trial in trials) == 12


BUSY = """
    import logging, sys
    from arbora import Study
    logging.basicConfig(stream=sys.stdout, format="%(message)s", force=True)
    study = Study.load({file!r})
    print("ready", flush=True)
    {work}
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
@pytest.mark.parametrize("work", ["study.ask()", "study.optimize(lambda trial: 0.5, trials=3)"])
def test_ctrl_c_is_heard_while_another_program_holds_the_file(tmp_path: pathlib.Path, work: str) -> None:
    file = tmp_path / "s.db"
    study = Study(line(), storage=file, seed=1, strategy="random")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("begin immediate")
    script = textwrap.dedent(BUSY).format(file=str(file), work=work)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    said = process.stdout.readline().decode()
    assert said.startswith("waiting for") and "which another program is writing" in said
    process.send_signal(signal.SIGINT)
    _, trace = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in trace and process.returncode != 0
    other.close()
    assert len(study) == 0, "nothing was handed out"


def work(file: str, trials: int) -> None:
    Study.load(file).optimize(lambda trial: trial["x"], trials=trials)


def test_processes_share_a_study_and_never_a_trial(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "s.db"
    study = Study(line(), storage=file, seed=1, strategy="random")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(str(file), 15)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    trials = study.trials
    assert len(trials) == 45 and {trial.state for trial in trials} == {"complete"}
    assert [trial.loss for trial in trials] == [trial["x"] for trial in trials]
    alone = Study(line(), seed=1, strategy="random")
    alone.optimize(lambda trial: trial["x"], trials=45)
    assert [t.configuration for t in trials] == [t.configuration for t in alone.trials]


def discovering(trial: Any) -> float:
    depth = trial.suggest_int("depth", 0, 6)
    return float(sum(trial.suggest_float(f"x{layer}", 0, 1) for layer in range(depth)))


def discover(file: str) -> None:
    Study.load(file).optimize(discovering, trials=15)


def test_processes_that_define_by_run_share_a_study(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "s.db"
    Study(storage=file, seed=1, strategy="random").optimize(discovering, trials=1)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=discover, args=(str(file),)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    study = Study.load(file)
    assert len(study.trials) == 61 and {trial.state for trial in study.trials} == {"complete"}
    for trial in study.trials:
        values = trial.configuration
        expected = {f"x{layer}" for layer in range(values["depth"])}
        assert {name for name in values if name.startswith("x")} == expected
        assert trial.loss == pytest.approx(sum(value for name, value in values.items() if name != "depth"))


SLEEPER = """
    import time
    from arbora import Study
    def objective(trial):
        print("running", flush=True)
        time.sleep(600)
    Study.load({file!r}).optimize(objective, trials=1, lease=2.0)
"""


def test_the_trial_of_a_killed_process_is_handed_out_again(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "s.db"
    study = Study(line(), storage=file, seed=1)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", textwrap.dedent(SLEEPER).format(file=str(file))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None and process.stdout.readline() == b"running\n"
    time.sleep(2.5)
    assert study.trials[0].state == "running", "its heart beats, though the objective sleeps"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    if sys.platform == "linux":
        assert study.trials[0].state == "stale", "a process that has ended is not waited for"
    else:
        study.release(0)
    again = study.ask()
    assert again.number == 0
    study.tell(again, 0.5)
    assert study.ask().number == 1


def search_a_copy(study: Study) -> List[str]:
    """In another process: what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        study.optimize(lambda trial: trial.suggest_float("x", 0.0, 1.0), trials=2)
        study.tell(study.ask(), 0.5)
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_study_in_memory_says_that_workers_have_copies(method: str, is_declared: bool) -> None:
    study = Study(line() if is_declared else None, seed=1)
    with multiprocessing.get_context(method).Pool(1) as pool:
        (said,) = pool.apply(search_a_copy, (study,))
    assert f"lives in the memory of process {os.getpid()}" in said and "give it a storage" in said
    assert len(study) == 0


def test_a_study_in_memory_under_joblib_says_so_too() -> None:
    joblib = pytest.importorskip("joblib")
    (said,) = joblib.Parallel(n_jobs=2)(joblib.delayed(search_a_copy)(study) for study in [Study(line(), seed=1)])
    assert "give it a storage" in said[0]


def test_copies_of_this_process_and_studies_in_files_are_silent(tmp_path: pathlib.Path) -> None:
    assert search_a_copy(pickle.loads(pickle.dumps(Study(line(), seed=1)))) == []
    study = Study(line(), storage=tmp_path / "study.db", seed=1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(search_a_copy, (study,)) == []
    assert len(study) == 3
