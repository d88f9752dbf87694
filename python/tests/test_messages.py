"""Mistakes on purpose: every error names the thing, the value and the way out, and loses nothing."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import pytest

from arbora import Space, Study


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
