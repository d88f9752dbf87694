"""Suggestions that take long, studies of shares, and what a study says before it has a best trial."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import Any

import arbora
import pytest


def slow_study() -> arbora.Study:
    """One whose next suggestion takes a while: a process over hundreds of trials, its chain not begun."""
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    space.real("y", 0.0, 1.0)
    study = arbora.Study(space, strategy="gp-matern", seed=1)
    for i in range(700):
        study.add({"x": i / 700, "y": i * 37 % 700 / 700}, i * 7919 % 700 / 700)
    return study


class Rang(Exception):
    """What the handler of the test raises."""


def test_a_signal_ends_a_long_suggestion_and_the_study_is_as_it_was() -> None:
    def ring(*_: Any) -> None:
        raise Rang

    study = slow_study()
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Rang):
            study.ask()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(study.trials) == 700, "nothing was asked"


def test_whoever_asks_may_change_his_mind() -> None:
    study = slow_study()
    with pytest.raises(KeyboardInterrupt):
        study._session.ask("me", None, stop=lambda: True)
    assert len(study.trials) == 700


@pytest.mark.parametrize("strategy", ["asha", "hyperband", "bohb", "fabolas"])
def test_a_share_of_an_evaluation_is_never_the_best(strategy: str) -> None:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, strategy=strategy, seed=3)
    for _ in range(3):
        trial = study.ask()
        study.tell(trial, trial["x"])
    assert all(trial.share < 1 for trial in study.trials)
    for question in (lambda: study.best_trial, lambda: study.best_value, study.verdict, study.expected_best):
        with pytest.raises(arbora.ArboraError, match="3 trials, none of a full evaluation yet: the largest share is 0"):
            question()


def test_where_nothing_is_noisy_the_best_is_trusted_and_ranges_hold() -> None:
    space = arbora.Space()
    space.real("C", 1e-3, 1e3, log=True)
    study = arbora.Study(space, strategy="random", seed=2, deterministic=True, range=(0, None))
    study.optimize(lambda trial: abs(trial["C"] - 1.0), trials=25)
    verdict = study.verdict()
    assert verdict.trusted == verdict.best_seen and verdict.trusted.trial == study.best_trial.number
    assert verdict.trusted.interval == (study.best_value, study.best_value)
    assert verdict.promise <= study.best_value, "no more than the range leaves"
    assert "There is no noise" in str(verdict)
    again = study.copy()
    assert str(again.verdict()) == str(verdict), "what was said of values goes with the study"


@pytest.mark.parametrize("given", [5, (1,), (0, 1, 2), "01", ("low", 1)])
def test_a_range_is_a_pair_of_numbers(given: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="range = "):
        arbora.Study(arbora.Space(), range=given)


def test_a_range_has_room() -> None:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    with pytest.raises(arbora.SearchError, match="the least value must be below the greatest"):
        arbora.Study(space, range=(1, 0))


def test_more_threads_than_the_machine_has_are_not_started() -> None:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, seed=1, threads=1_000_000)
    study.optimize(lambda trial: trial["x"], trials=8)
    assert len(study.trials) == 8


def test_a_text_too_long_to_be_stored_is_refused_before_it_is_copied() -> None:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, seed=1)
    with pytest.raises(ValueError, match="write it to a file and store its path"):
        study.set_attribute("big", "x" * (33 << 20))


LONG = """
import sys, arbora
space = arbora.Space()
space.real("x", 0.0, 1.0)
space.real("y", 0.0, 1.0)
study = arbora.Study(space, strategy="gp-matern", seed=1)
for i in range(1500):
    study.add({"x": i / 1500, "y": i * 37 % 1500 / 1500}, i * 7919 % 1500 / 1500)
ends = []

def watch(frame, event, called):
    if event in ("c_return", "c_exception") and getattr(called, "__name__", "") == "QUESTION":
        ends.append(event)

print("begins", flush=True)
sys.setprofile(watch)
try:
    study.QUESTION()
except KeyboardInterrupt:
    sys.setprofile(None)
    print("interrupted", *ends, len(study.trials), flush=True)
"""


@pytest.mark.parametrize("question", ["verdict", "expected_best", "ask"])
def test_ctrl_c_ends_a_long_answer_in_a_process_of_its_own(question: str) -> None:
    """The native call itself raises. Were it deaf to signals, it would return first."""
    program = LONG.replace("QUESTION", question)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "begins\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == "interrupted c_exception 1500\n"


def colours() -> arbora.Space:
    space = arbora.Space()
    space.choice("colour", ["red", "green", "blue", "grey"])
    return space


@pytest.mark.parametrize("storage", [None, "batch.db"])
def test_a_batch_has_different_configurations_and_is_told_like_others(storage: Any, tmp_path: Any) -> None:
    study = arbora.Study(colours(), seed=1, storage=storage and tmp_path / storage)
    batch = study.ask(3)
    assert [trial.number for trial in batch] == [0, 1, 2]
    assert len({trial["colour"] for trial in batch}) == 3
    for trial in batch:
        study.tell(trial, float(trial.number))
    assert study.best_trial.number == 0
    assert [trial.state for trial in study.ask(1)] == ["running"]


def test_a_batch_ends_with_the_space() -> None:
    study = arbora.Study(colours(), seed=1)
    assert len(study.ask(10)) == 4
    with pytest.raises(arbora.ExhaustedError):
        study.ask(2)


def test_a_batch_that_fails_is_queued_again() -> None:
    def third_fails(ask: arbora.Ask) -> Any:
        if len(ask.pending) == 2:
            raise RuntimeError("no third")
        return {"colour": ["red", "green"][len(ask.pending)]}

    arbora.register_strategy("third-fails", third_fails)
    study = arbora.Study(colours(), seed=1, strategy="third-fails")
    with pytest.raises(RuntimeError, match="no third"):
        study.ask(4)
    assert [trial.state for trial in study.trials] == ["waiting", "waiting"]
    assert [trial["colour"] for trial in study.ask(2)] == ["red", "green"], "those that were queued come first"


@pytest.mark.parametrize("count, error", [(0, ValueError), (-1, ValueError), (1.5, TypeError), ("two", TypeError)])
def test_a_batch_has_a_whole_number_of_trials(count: Any, error: Any) -> None:
    with pytest.raises(error, match="count"):
        arbora.Study(colours()).ask(count)
