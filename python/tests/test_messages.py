"""Mistakes on purpose: every error names the thing, the value and the way out, and loses nothing."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, Tuple

import pytest

from arbora import Space, Study, minimize


@pytest.fixture
def space() -> Space:
    space = Space()
    model = space.choice("model", ["bowl", "line"])
    space.real("a", 0.0, 1.0, when=model == "line")
    space.real("b", 0.0, 1.0, when=model == "bowl")
    return space


@pytest.mark.parametrize(
    "wrong, way",
    [
        ((1, 0.9), r"report\(0.9, 1\)"),
        ((3, 2.0), r"report\(2.0, 3\)"),
        ((0.5, "1"), "must be a whole number"),
        ((0.5, None), "must be a whole number"),
        (("0.5", 1), r"use float\('0.5'\)"),
        ((0.5, -1), "must be 0 or more"),
    ],
)
def test_reports_in_the_old_order_are_refused(space: Space, wrong: Tuple[Any, Any], way: str) -> None:
    trial = Study(space, seed=1).ask()
    with pytest.raises((TypeError, ValueError), match=way):
        trial.report(*wrong)
    assert trial.intermediate == []


@pytest.mark.parametrize("is_declared", [True, False])
def test_reports_take_the_value_first(space: Space, is_declared: bool) -> None:
    reports: Dict[str, Any] = {"value": 0.5, "step": 3}

    def objective(trial: Any) -> float:
        trial.report(1, 2)
        trial.report(**reports)
        return 1.0 if is_declared else trial.suggest_float("x", 0.0, 1.0)

    study = Study(space if is_declared else None, seed=1)
    study.optimize(objective, trials=2)
    assert [trial.intermediate for trial in study.trials] == [[(2, 1.0), (3, 0.5)]] * 2


def study_of(space: Space) -> Study:
    return Study(space, seed=1)


MISTAKES: Dict[str, Tuple[Callable[[Space], Any], str]] = {
    "a dict for a space": (lambda space: Study({"x": (0, 1)}), r"a space is wanted here, not dict .*Space\.from_dict"),  # type: ignore[arg-type]
    "arguments exchanged": (lambda space: minimize(space, lambda trial: 1.0), "the objective goes .* first into minimize"),  # type: ignore[arg-type]
    "a seed in words": (lambda space: Study(space, seed="abc"), "seed = 'abc' is invalid"),  # type: ignore[arg-type]
    "a name that is a number": (lambda space: Study(space, name=3), "name = 3 .* such as '3'"),  # type: ignore[arg-type]
    "no strategy": (lambda space: Study(space, strategy=None), "strategy = None is invalid"),  # type: ignore[arg-type]
    "a storage that is no path": (lambda space: Study(space, storage=3), "storage = 3 .* 'study.db'"),
    "no threads": (lambda space: Study(space, threads=0), "threads = 0 is invalid"),
    "a word for true": (lambda space: Study(space, repeats="no"), "repeats = 'no' .* True or False"),  # type: ignore[arg-type]
    "a loss in words": (lambda space: study_of(space).tell(0, "0.5"), r"use float\('0.5'\)"),  # type: ignore[arg-type]
    "a cost in words": (lambda space: study_of(space).tell(0, 0.5, cost="dear"), "the cost must be a number"),  # type: ignore[arg-type]
    "no trial": (lambda space: study_of(space).tell("first", 0.5), "'first' is no trial: give what ask"),  # type: ignore[arg-type]
    "a trial from the end": (lambda space: study_of(space).trial(-1), r"study\.trials\[-1\]"),
    "a lease in the past": (lambda space: study_of(space).ask(lease=-1.0), "lease = -1.0 .* not negative"),
    "callbacks that cannot be called": (
        lambda space: study_of(space).optimize(lambda trial: 1.0, trials=1, callbacks=[3]),  # type: ignore[list-item]
        r"callbacks = \[3\] is invalid",
    ),
    "half a sample": (lambda space: space.sample(2.5), "n = 2.5 is invalid"),  # type: ignore[arg-type]
    "a number beyond 64 bits": (lambda space: space.integer("n", 0, 10**30), "`n`: high = 10{30} is too big: .* by real"),
    "a fraction": (lambda space: space.integer("n", 0, 2.5), "`n`: high must be a whole number, got 2.5"),  # type: ignore[arg-type]
    "a chance in words": (lambda space: space.real("r", 0, 1, or_none="a"), "`r`: or_none must be a number"),  # type: ignore[arg-type]
    "a scale in words": (lambda space: space.real("r", 1, 2, log="yes"), "log = 'yes' .* True or False"),  # type: ignore[arg-type]
    "the file's word for none": (lambda space: space.real("r", 1, 2, none=True), "here it is called `or_none`: or_none=True"),  # type: ignore[call-arg]
    "Optuna's trials": (
        lambda space: study_of(space).optimize(lambda trial: 1.0, n_trials=3),  # type: ignore[call-arg]
        "here it is called `trials`: trials=3",
    ),
    "Optuna's sampler": (lambda space: Study(space, sampler="tpe"), "here it is called `strategy`: strategy='tpe'"),  # type: ignore[call-arg]
    "a pair of losses": (
        lambda space: minimize(lambda trial: (0.1, 2.0), space, trials=1),  # type: ignore[arg-type,return-value]
        "must be a number, not tuple .* weighted sum",
    ),
    "an objective of two arguments": (
        lambda space: minimize(lambda x, y: x, space, trials=1),  # type: ignore[arg-type,misc]
        r"called with one argument, the trial, but <lambda>\(trial\) says: .*missing 1 required",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named_with_the_way_out(space: Space, mistake: str) -> None:
    make, words = MISTAKES[mistake]
    with pytest.raises((TypeError, ValueError), match=words):
        make(space)


@pytest.mark.parametrize(
    "objective",
    [
        lambda x: x**2, lambda x: 2 - x, lambda x: -x, lambda x: abs(x), lambda x: x / 3, lambda x: float(x),
        lambda x: 1.0 if x < 3 else 2.0, lambda x: math.sqrt(x), math.sqrt,
    ],
)
def test_functions_of_a_number_are_told_that_they_get_a_trial(space: Space, objective: Any) -> None:
    with pytest.raises(TypeError, match=r"gets the trial and takes values by name, such as trial\['model'\]"):
        minimize(objective, space, trials=3)


def test_a_type_error_inside_an_objective_is_raised_unchanged(space: Space) -> None:
    error = TypeError("mine")

    def wrong(trial: Any) -> float:
        raise error

    with pytest.raises(TypeError) as caught:
        minimize(wrong, space, trials=3)
    assert caught.value is error


def test_durations_are_taken_as_the_command_line_takes_them(space: Space) -> None:
    study = Study(space, seed=1)
    study.optimize(lambda trial: 1.0, trials=1, timeout="10m", lease="1m")
    study.tell(study.ask(lease="30s"), 0.5, duration="1m30s")
    assert study.trials[-1].duration == 90.0
