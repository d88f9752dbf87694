"""Running objectives: failures, interruptions, threads, callbacks."""

from __future__ import annotations

import io
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any, List, Type

import pytest

from arbora import ArboraError, Space, Study, Trial, minimize
from arbora.progress import Progress


@pytest.fixture
def space() -> Space:
    space = Space()
    space.real("x", -1.0, 1.0)
    space.integer("n", 1, 100)
    return space


def bowl(trial: Any) -> float:
    return float(trial["x"] ** 2 + 0.01 * trial["n"])


def test_an_exception_fails_the_trial_with_its_traceback_and_stops(space: Space) -> None:
    study = Study(space, seed=1)

    def explode(trial: Trial) -> float:
        if trial.number == 2:
            raise ValueError("singular matrix")
        return bowl(trial)

    with pytest.raises(ValueError, match="singular matrix"):
        study.optimize(explode, trials=10)
    last = study.trials[-1]
    assert (len(study), last.state, last.reason) == (3, "failed", "ValueError: singular matrix")
    assert last.trace is not None and "in explode" in last.trace and "singular matrix" in last.trace


def test_caught_exceptions_let_the_study_go_on(space: Space) -> None:
    study = Study(space, seed=1)

    def sometimes(trial: Trial) -> float:
        if trial.number % 3 == 0:
            raise ZeroDivisionError
        return bowl(trial)

    study.optimize(sometimes, trials=9, catch=ArithmeticError)
    assert [trial.state for trial in study.trials] == ["failed", "complete", "complete"] * 3
    assert study.trials[0].reason == "ZeroDivisionError"


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("bad \udcff file name"), r"ValueError: bad \udcff file name"),
        (Mute(), "Mute: no message, its __str__ raised RuntimeError"),
    ],
)
def test_exceptions_that_cannot_be_written_are_failures_like_others(space: Space, error: Exception, reason: str) -> None:
    def fails(trial: Trial) -> float:
        raise error

    study = Study(space, seed=1)
    study.optimize(fails, trials=2, catch=Exception)
    assert [(trial.state, trial.reason) for trial in study.trials] == [("failed", reason)] * 2


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_trial_is_put_back_whatever_is_caught(space: Space, interrupt: Type[BaseException]) -> None:
    study = Study(space, seed=1)

    def interrupted(trial: Trial) -> float:
        raise interrupt

    with pytest.raises(interrupt):
        study.optimize(interrupted, trials=5, catch=Exception)
    assert [trial.state for trial in study.trials] == ["waiting"]
    tried = study.trials[0].configuration
    study.optimize(lambda trial: 0.5, trials=1)
    assert [(trial.state, trial.configuration) for trial in study.trials] == [("complete", tried)]


SCRIPT = """
    import os, time
    from arbora import Space, Study

    def objective(trial):
        os.write(1, b"running\\n")  # In one piece, whatever other threads write.
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                time.sleep(0.05)
            except KeyboardInterrupt:
                if {swallows}:
                    return 0.0
                raise
        return 1.0

    space = Space()
    space.real("x", 0, 1)
    Study(space, storage={file!r}, seed=1, strategy="random").optimize(objective, trials=9, jobs={jobs})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send an interrupt to one process")
@pytest.mark.parametrize(("jobs", "swallows"), [(1, False), (1, True), (3, False)])
def test_ctrl_c_loses_nothing_and_tells_nothing_half_done(tmp_path: pathlib.Path, jobs: int, swallows: bool) -> None:
    file = str(tmp_path / "s.db")
    script = textwrap.dedent(SCRIPT).format(file=file, jobs=jobs, swallows=swallows)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    for _ in range(jobs):
        assert process.stdout.readline() == "running\n"
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    if jobs > 1:
        assert "3 trials are still running; Ctrl-C again puts them back" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - begun < 15 and "KeyboardInterrupt" in errors, "objectives take 20 seconds"
    assert [trial.state for trial in Study.load(file).trials] == ["waiting"] * jobs



@pytest.mark.parametrize("wrong", ["text", [1.0], {"loss": 1}])
def test_what_is_no_number_is_a_type_error(space: Space, wrong: Any) -> None:
    study = Study(space, seed=1)
    with pytest.raises(TypeError, match="what the objective returns must be a number"):
        study.optimize(lambda trial: wrong, trials=1)
    assert study.trials[0].state == "failed"


def test_none_and_nan_are_failures_and_the_study_goes_on(space: Space) -> None:
    study = Study(space, seed=1)
    answers = iter([None, float("nan"), float("inf"), 0.5])
    study.optimize(lambda trial: next(answers), trials=4)  # type: ignore[arg-type, return-value]
    assert [trial.state for trial in study.trials] == ["failed"] * 3 + ["complete"]


@pytest.mark.parametrize("stored", [False, True])
def test_threads_share_the_budget_and_never_a_trial(space: Space, tmp_path: pathlib.Path, stored: bool) -> None:
    study = Study(space, seed=1, storage=tmp_path / "s.db" if stored else None, strategy="random")
    seen: List[int] = []
    together = threading.Barrier(4, timeout=60)

    def objective(trial: Trial) -> float:
        if trial.number < 4:
            together.wait()
        seen.append(trial.number)
        return bowl(trial)

    study.optimize(objective, trials=40, jobs=4)
    assert sorted(seen) == list(range(40))
    assert {trial.state for trial in study.trials} == {"complete"}
    assert len({trial.worker for trial in study.trials}) == 4


def test_an_exception_in_a_thread_reaches_the_caller(space: Space) -> None:
    study = Study(space, seed=1, strategy="random")

    def explode(trial: Trial) -> float:
        if trial.number == 5:
            raise LookupError("gone")
        return bowl(trial)

    with pytest.raises(LookupError, match="gone"):
        study.optimize(explode, trials=1000, jobs=3)
    assert all(trial.is_ended for trial in study.trials) and len(study) < 1000


def test_suggestions_are_made_without_the_interpreters_lock(space: Space) -> None:
    study = Study(space, seed=1)
    for configuration in space.sample(60, seed=1):
        study.add(configuration, bowl(configuration))
    ticks, is_over = 0, threading.Event()

    def count() -> None:
        nonlocal ticks
        while not is_over.is_set():
            ticks += 1
            time.sleep(0.0002)

    thread = threading.Thread(target=count)
    thread.start()
    before = ticks
    asked = [study.ask() for _ in range(2)]
    after = ticks
    is_over.set()
    thread.join()
    # Were the lock held, the other thread could move at most once between two suggestions.
    assert len(asked) == 2 and after - before > 10


def test_callbacks_and_stop(space: Space) -> None:
    study, seen = Study(space, seed=1), []

    def callback(study: Study, trial: Trial) -> None:
        seen.append((trial.number, trial.state))
        if trial.number == 3:
            study.stop()

    study.optimize(bowl, trials=50, callbacks=(callback,))
    assert seen == [(number, "complete") for number in range(4)]


def test_no_time_means_no_trial(space: Space) -> None:
    study = Study(space, seed=1)
    study.optimize(bowl, timeout=0.0)
    study.optimize(bowl, trials=0)
    assert len(study) == 0


def test_impossible_arguments_are_refused(space: Space) -> None:
    study = Study(space, seed=1)
    for wrong in ({"trials": -1}, {"jobs": 0}):
        with pytest.raises(ValueError, match="is invalid"):
            study.optimize(bowl, **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be a function"):
        study.optimize(3, trials=1)  # type: ignore[arg-type]


def test_minimize(space: Space) -> None:
    result = minimize(bowl, space, trials=25, seed=2)
    assert result.loss == bowl(result.configuration) == result.study.best_loss < 0.1


def test_progress_is_a_line_per_tenth_where_nobody_watches(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    Study(space, seed=1, strategy="random").optimize(bowl, trials=40, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert 10 <= len(lines) <= 12 and "40/40 trials" in lines[-1] and "best" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"trials": 2.5}, TypeError, "trials = 2.5 is invalid: it must be a whole number"),
        ({"trials": -1}, ValueError, "trials = -1 is invalid: it must be 0 or more"),
        ({"trials": 1, "jobs": 0}, ValueError, "jobs = 0 is invalid: it must be 1 or more"),
        ({"timeout": "soon"}, ValueError, "timeout = `soon` is not a duration"),
        ({"timeout": [3]}, TypeError, "timeout = [3] is invalid: it is a number of seconds"),
        ({"trials": 1, "catch": "ValueError"}, TypeError, "catch = 'ValueError' is invalid"),
        ({"trials": 1, "lease": None}, ValueError, "lease = None is invalid: it is a time above zero"),
    ],
)
def test_arguments_that_cannot_be_are_named(space: Space, arguments: Any, error: Type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        Study(space, seed=1).optimize(bowl, **arguments)
    assert words in str(caught.value)


def test_a_list_of_exceptions_is_caught(space: Space) -> None:
    def fails(trial: Trial) -> float:
        raise OSError("no disk")

    study = Study(space, seed=1)
    study.optimize(fails, trials=2, catch=[ValueError, OSError])
    assert [trial.state for trial in study.trials] == ["failed", "failed"]


def test_seeds_losses_and_names_that_cannot_be_are_named(space: Space) -> None:
    with pytest.raises(TypeError, match="seed = 'abc' is invalid: it must be a whole number"):
        Study(space, seed="abc")  # type: ignore[arg-type]
    study = Study(space, seed=1)
    trial = study.ask()
    with pytest.raises(TypeError, match="the value must be a number, not str '0.5': use float"):
        study.tell(trial, "0.5")  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="there is no parameter `xx`; did you mean `x`?"):
        trial["xx"]
    assert trial.get("xx") is None and "xx" not in trial


def test_an_inactive_parameter_says_why() -> None:
    space = Space()
    model = space.choice("model", ["svm", "bayes"])
    space.real("C", 0.0, 1.0, when=model == "svm")
    study = Study(space, seed=1, strategy="random")
    trial = next(trial for trial in iter(study.ask, None) if trial["model"] == "bayes")
    with pytest.raises(KeyError) as caught:
        trial["C"]
    assert "parameter `C` is inactive in this trial (it needs " in str(caught.value)
    assert "svm" in str(caught.value)


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_failures_are_said_once_and_summed_up(space: Space, value: Any, caplog: pytest.LogCaptureFixture) -> None:
    study = Study(space, seed=1)
    study.optimize(lambda trial: value, trials=3)
    first, summary = (record.getMessage() for record in caplog.records)
    assert first.startswith("trial 0 failed: ") and first.endswith("; the study goes on")
    assert summary.startswith("3 of 3 trials failed: the objective returned "), summary
    assert summary.endswith("; study.trials has all reasons")
    with pytest.raises(ArboraError, match="no trial has a loss: 3 of 3 ended trials failed, the last, trial 2: "):
        study.best_trial


def test_an_exhausted_space_is_said(caplog: pytest.LogCaptureFixture) -> None:
    space = Space()
    space.boolean("b")
    study = Study(space, seed=1)
    study.optimize(lambda trial: float(trial["b"]), trials=5)
    assert len(study.trials) == 2
    assert [record.getMessage() for record in caplog.records][0].startswith("the study ends after 2 trials: ")


def test_success_is_silent(space: Space, caplog: pytest.LogCaptureFixture) -> None:
    Study(space, seed=1).optimize(bowl, trials=3)
    assert not caplog.records


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
@pytest.mark.parametrize("is_declared", [True, False])
def test_minimize_says_why_there_is_no_best(
    space: Space, value: Any, is_declared: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def objective(trial: Trial) -> Any:
        if not is_declared:
            trial.suggest_float("x", 0.0, 1.0)
        return value

    with pytest.raises(ArboraError, match="no trial has a loss: 3 of 3 ended trials failed, the last, trial 2: the objective"):
        minimize(objective, space if is_declared else None, trials=3, seed=1)
    assert len(caplog.records) == 2 and {record.name for record in caplog.records} == {"arbora"}


def test_minimize_says_that_a_space_is_exhausted(caplog: pytest.LogCaptureFixture) -> None:
    space = Space()
    space.boolean("b")
    for jobs in (1, 3):
        caplog.clear()
        assert minimize(lambda trial: float(trial["b"]), space, trials=9, jobs=jobs, seed=1).loss == 0.0
        (said,) = (record.getMessage() for record in caplog.records)
        assert said.startswith("the study ends after ")


@pytest.mark.parametrize("strategy", ["hyperband", "asha", "smac-racing"])
def test_progress_goes_on_while_no_trial_is_a_full_evaluation(strategy: str) -> None:
    space = Space()
    space.real("x", 0.0, 1.0)
    out = io.StringIO()
    study = Study(space, strategy=strategy, seed=1)
    study.optimize(lambda trial: trial["x"], trials=4, callbacks=(Progress(4, out=out),))
    assert "4/4 trials" in out.getvalue()
    assert ("best" in out.getvalue()) == (strategy == "smac-racing")


def test_a_study_without_a_full_evaluation_can_be_shown() -> None:
    pytest.importorskip("matplotlib")
    from arbora import plot

    space = Space()
    model = space.choice("model", ["a", "b"])
    space.real("x", 0.0, 1.0, when=model == "a")
    study = Study(space, strategy="hyperband", seed=1)
    study.optimize(lambda trial: trial.get("x", 0.5), trials=6)
    assert "best" not in study._repr_html_()
    for draw in (plot.tree, plot.history, plot.slices, plot.parallel, plot.timeline):
        assert draw(study) is not None
