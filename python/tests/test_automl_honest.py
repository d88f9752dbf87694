"""The score of an automatic model is one that new rows confirm."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")

from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402

import arbora  # noqa: E402
from arbora.automl import estimate, report  # noqa: E402
from arbora.automl.evaluation import Evaluation  # noqa: E402
from arbora.automl.metric import named  # noqa: E402
from arbora.automl.oof_predictions import OofPredictions  # noqa: E402


class Guessing(ClassifierMixin, BaseEstimator):
    """Knows nothing: a hash of the row and a number decide."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def fit(self, X: Any, y: Any) -> Guessing:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        ones = np.modf(np.abs(X[:, 0]) * 1e4 * (self.number + np.pi))[0]
        return np.column_stack([1 - ones, ones])


@pytest.mark.parametrize("ensemble", ["none", "post-hoc", "optimised"])
def test_the_luckiest_of_many_guesses_promises_nothing(ensemble: str) -> None:
    honest, flattering = [], []
    for seed in range(4):
        rows = np.random.default_rng(seed).normal(size=(60, 1))
        codes = np.array([0, 1] * 30)
        space = arbora.Space()
        space.integer("number", 1, 1000)
        auto = arbora.AutoClassifier(
            space=(space, lambda configuration: Guessing(configuration["number"])), strategy="random", trials=30,
            time_budget=None, isolate=False, ensemble=ensemble, random_state=seed, folds=3, selection="least_loss",
        ).fit(rows, codes)
        honest.append(auto.validation_score_)
        flattering.append(auto.selection_score_)
    page = report.page(auto, {"target": "y", "table": "t", "rows": 60})
    for words in (str(auto.verdict_), report.words(auto), page):
        assert f"{auto.validation_score_:.4g}" in words and report.HONEST in words
    # Thirty rows of sixty are right by chance; the standard error of this mean is 0.03.
    assert np.mean(flattering) > 0.6
    assert abs(np.mean(honest) - 0.5) < 0.09


def seen(count: int, trials: int, seed: int = 0) -> OofPredictions:
    rng = np.random.default_rng(seed)
    unseen = OofPredictions(named("mae", False), rng.normal(size=count))
    for trial in range(trials):
        said = unseen.target[:, None] + rng.normal(size=(count, 1))
        unseen.add(trial, Evaluation(float(np.abs(said[:, 0] - unseen.target).mean()), [], np.arange(count), said, 0.1))
    return unseen


@pytest.mark.parametrize("count, groups", [(7, None), (50, None), (60, 12), (1200, None), (9, 3)])
def test_nobody_is_chosen_by_the_rows_that_judge(count: int, groups: Any) -> None:
    unseen = seen(count, 4)
    of_row = None if groups is None else np.arange(count) % groups
    known: List[Any] = []

    def choose(part: OofPredictions) -> Dict[int, float]:
        known.append(np.flatnonzero(np.isin(unseen.truth, part.truth)))
        return {part.leaders[0]: 1.0}

    estimate.worth(unseen, choose, groups=of_row, seed=3)
    parts = min(estimate.PARTS, groups or count)
    divisions = estimate.DIVISIONS if count < estimate.MANY_ROWS else 1
    assert len(known) == parts * divisions
    for division in range(divisions):
        judged = [np.setdiff1d(np.arange(count), rows) for rows in known[division * parts : (division + 1) * parts]]
        # Every row judges once, by a choice that did not know it, nor another of its group.
        assert sorted(np.concatenate(judged)) == list(range(count))
        if of_row is not None:
            assert all(not set(of_row[rows]) & set(of_row[np.setdiff1d(np.arange(count), rows)]) for rows in judged)


def test_one_trial_is_worth_what_it_did() -> None:
    unseen = seen(40, 1)
    value = unseen.metric.of(unseen.truth, unseen.of(0))
    assert estimate.worth(unseen, lambda part: {0: 1.0}) == pytest.approx(value)


def test_a_part_knows_its_rows_and_some_of_the_trials() -> None:
    unseen = seen(30, 5)
    part = unseen.at(np.arange(10), among={1, 3})
    assert sorted(part.leaders) == [1, 3] and len(part.truth) == 10
    assert np.array_equal(part.of(3), unseen.of(3)[:10])
