"""Plots: every one draws, from studies of every shape, and says what it cannot draw."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Iterator

import pytest

from arbora import Space, Study, Trial

pyplot = pytest.importorskip("matplotlib.pyplot")

import arbora.plot as plot  # noqa: E402 - only where matplotlib is


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


@functools.lru_cache(maxsize=None)
def odd_study(direction: str = "minimize") -> Study:
    """All types of parameters, failures, none, a branch that was hardly ever tried."""
    space = Space()
    model = space.choice("model", ["svm", "forest", "rare"], weights=[1, 1, 0.0001])
    space.real("C", 1e-5, 1e5, log=True, when=model == "svm")
    space.real("gamma", 0.0, 1.0, or_none=True, when=model == "svm")
    space.integer("depth", 1, 30, or_none=True, when=model == "forest")
    space.ordinal("size", ["s", "m", "l"])
    space.boolean("flag")
    space.constant("version", 3)
    study = Study(space, seed=2, direction=direction)

    def objective(trial: Trial) -> float:
        if trial.number % 7 == 6:
            raise ValueError("odd")
        return float(trial.get("C", 50.0)) ** 0.1 + trial["flag"]

    study.optimize(objective, trials=30, catch=ValueError)
    return study


DRAWINGS: Dict[str, Callable[[Study], Any]] = {
    "history": plot.history,
    "parallel": plot.parallel,
    "slices": plot.slices,
    "contour": lambda study: plot.contour(study, "C", "gamma"),
    "contour of labels": lambda study: plot.contour(study, "model", "size"),
    "tree": plot.tree,
    "covariance": plot.covariance,
    "timeline": plot.timeline,
}


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("name", DRAWINGS)
def test_it_draws(name: str, direction: str) -> None:
    drawn = DRAWINGS[name](odd_study(direction))
    axes = drawn[0] if isinstance(drawn, list) else drawn
    axes.figure.canvas.draw()
    assert axes.has_data() or axes.child_axes


@pytest.mark.parametrize("name", DRAWINGS)
def test_an_empty_study_is_an_error_that_says_so(name: str) -> None:
    with pytest.raises(ValueError, match="no .*trial"):
        DRAWINGS[name](Study(odd_study().space, seed=1))


def test_unknown_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="no parameter is called `nothing`; there are model, C"):
        plot.slices(odd_study(), ["nothing"])


def test_parameters_that_never_meet_are_named() -> None:
    with pytest.raises(ValueError, match="different branches"):
        plot.contour(odd_study(), "C", "depth")


def test_given_axes_are_used() -> None:
    _, axes = pyplot.subplots()
    assert plot.history(odd_study(), ax=axes) is axes
