"""Racing over folds: what is far behind ends early, and nothing else changes."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402

import arbora  # noqa: E402
from arbora.automl.evaluation import Evaluator  # noqa: E402
from arbora.automl.metric import named  # noqa: E402
from arbora.automl.race import BEGINS_AT, RIVAL, Race  # noqa: E402

FOLDS = 4


def tables() -> List[List[List[float]]]:
    """Losses of trials and folds: of any size, with trials far off, without noise, and with ties."""
    rng = np.random.default_rng(11)
    made = [rng.normal(size=(count, FOLDS)) * 10.0 ** rng.uniform(-3, 3) for count in rng.integers(BEGINS_AT, 40, 50)]
    made += [np.round(table, 1) for table in made[:10]] + [np.repeat(table[:, :1], FOLDS, axis=1) for table in made[:10]]
    return [table.tolist() for table in made]


def race_of(trials: List[List[float]]) -> Race:
    race = Race(FOLDS)
    for losses in trials:
        race.add(losses)
    return race


@pytest.mark.parametrize("trials", tables())
def test_bars_are_above_the_rival_and_fall_with_every_fold(trials: List[List[float]]) -> None:
    bars = race_of(trials).bars()
    ordered = sorted(float(np.mean(losses)) for losses in trials)
    rival = ordered[min(RIVAL, (len(ordered) + 1) // 2) - 1]
    assert len(bars) == FOLDS - 1
    assert bars == sorted(bars, reverse=True)
    assert all(bar >= rival - 1e-9 * abs(rival) for bar in bars)
    noise = np.median([np.var(losses, ddof=1) for losses in trials])
    assert np.allclose(bars, [rival + 2 * np.sqrt(noise / k + noise / FOLDS) for k in (1, 2, 3)])


@pytest.mark.parametrize("trials", tables())
def test_the_order_of_trials_does_not_matter(trials: List[List[float]]) -> None:
    assert np.allclose(race_of(trials).bars(), race_of(trials[::-1]).bars())


def test_nobody_races_before_there_is_something_to_lose_to() -> None:
    race = race_of([[0.1, 0.2, 0.3, 0.4]] * (BEGINS_AT - 1))
    assert race.bars() == []
    race.add([0.1, 0.2, 0.3, 0.4])
    assert len(race.bars()) == FOLDS - 1
    held_out = Race(1)
    for _ in range(2 * BEGINS_AT):
        held_out.add([0.5])
    assert held_out.bars() == []


def test_as_good_as_the_rival_is_seldom_ended_by_mistake() -> None:
    rng = np.random.default_rng(3)
    folds = 5
    ended = [0, 0, 0]
    repeats = 2_000
    for _ in range(repeats):
        race = Race(folds)
        for _ in range(30):
            race.add(rng.normal(0.0, 1.0, folds))
        bars = race.bars()
        for i, behind in enumerate((0.0, -0.5, 5.0)):
            means = np.cumsum(rng.normal(behind, 1.0, folds))[:-1] / np.arange(1, folds)
            ended[i] += bool(np.any(means > bars))
    as_good, better, far_behind = (count / repeats for count in ended)
    assert as_good < 0.15
    assert better < 0.05
    assert far_behind > 0.95


class Skilled(ClassifierMixin, BaseEstimator):
    """Knows the sign of the first column, and is wrong in a given share of rows, always the same ones."""

    fits = 0

    def __init__(self, wrong: float = 0.0) -> None:
        self.wrong = wrong

    def fit(self, X: Any, y: Any) -> "Skilled":
        Skilled.fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        is_wrong = (np.abs(X[:, 1]) * 1e4) % 1.0 < self.wrong
        ones = (X[:, 0] > 0) ^ is_wrong
        return np.column_stack([~ones, ones]).astype(float)


def table() -> Any:
    rows = np.random.default_rng(0).normal(size=(200, 2))
    return rows, (rows[:, 0] > 0).astype(int)


@pytest.mark.parametrize("bars, done", [([], 4), ([0.0, 0.0, 0.0], 4), ([-0.9, 1.0, 1.0], 1), ([1.0, -0.9, 1.0], 2)])
def test_a_trial_ends_after_the_fold_that_is_beyond_its_bar(bars: List[float], done: int) -> None:
    rows, codes = table()
    evaluator = Evaluator(rows, codes, 2, named("accuracy", True), lambda c: Skilled(c["wrong"]))
    splits = [(np.setdiff1d(np.arange(200), part), part) for part in np.arange(200).reshape(4, 50)]
    whole = evaluator.evaluate({"wrong": 0.3}, splits)
    raced = evaluator.evaluate({"wrong": 0.3}, splits, bars)
    assert raced.values == whole.values[:done]
    assert raced.value == pytest.approx(np.mean(whole.values[:done]))
    assert raced.is_whole == (done == 4) and len(raced.rows) == 50 * done == len(raced.predictions)


def search(**options: Any) -> Any:
    rows, codes = table()
    space = arbora.Space()
    space.real("wrong", 0.0, 1.0)
    auto = arbora.AutoClassifier(
        space=(space, lambda configuration: Skilled(configuration["wrong"])),
        strategy="random", trials=40, time_budget=None, isolate=False, random_state=1, folds=5, **options,
    )
    Skilled.fits = 0
    return auto.fit(rows, codes)


def stopped(auto: Any) -> Dict[int, int]:
    marks = {trial.number: trial.attributes.get("stopped_after") for trial in auto.study_.trials}
    return {number: folds for number, folds in marks.items() if folds is not None}


def test_a_search_spends_less_on_what_is_behind() -> None:
    whole, raced = search(racing=False), None
    fits_of_whole = Skilled.fits
    raced = search()
    ended = stopped(raced)
    assert not stopped(whole)
    assert len(ended) > 5 and min(ended) >= BEGINS_AT
    assert Skilled.fits < fits_of_whole
    assert [trial.state for trial in raced.study_.trials] == ["complete"] * 40
    for trial in raced.study_.trials:
        assert len(trial.attributes["split_values"]) == ended.get(trial.number, 5)
        assert trial.value == pytest.approx(np.mean(trial.attributes["split_values"]))
        before = sorted(past.loss for past in raced.study_.trials[: trial.number] if past.number not in ended)
        assert trial.number not in ended or trial.loss > before[min(RIVAL, (len(before) + 1) // 2) - 1]
    # The same is found: random search asks for the same configurations either way.
    assert raced.study_.best_trial.number == whole.study_.best_trial.number
    assert raced.study_.best_trial.number not in ended and not set(raced.ensemble_) & set(ended)


def test_who_was_ended_early_is_said_in_the_leaderboard() -> None:
    auto = search()
    ended = stopped(auto)
    board = auto.leaderboard_
    rows = board.to_dict("records") if hasattr(board, "to_dict") else board
    said = {row["trial"]: row["reason"] for row in rows if isinstance(row["reason"], str)}
    assert said == {n: f"behind after {k} fold{'' if k == 1 else 's'}" for n, k in ended.items()}


def test_an_optimised_ensemble_needs_every_vote() -> None:
    assert not stopped(search(ensemble="optimised"))
