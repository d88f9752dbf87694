"""ArboraSearchCV: what it says on the way, and what it does when fits fail."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn")

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.svm import SVC

from arbora.sklearn import ArboraSearchCV
from sklearn_cases import X, Y, one, search


class Fragile(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fails above one, always or where the first row is even."""

    def __init__(self, C: float = 1.0, mode: str = "always") -> None:
        self.C, self.mode = C, mode

    def fit(self, X: Any, y: Any) -> Fragile:
        if self.C > 1.0 and (self.mode == "always" or len(X) % 2 == 0):
            raise RuntimeError(f"C = {self.C:.1f} is too much")
        self.classes_ = numpy.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return numpy.full(len(X), self.classes_[0])


def test_failed_fits_are_trials_that_failed() -> None:
    settings: Dict[str, Any] = {"trials": 8, "random_state": 0, "strategy": "random", "cv": 3}
    with pytest.warns(FitFailedWarning, match="fits failed"):
        fitted = ArboraSearchCV(Fragile(), one(), **settings).fit(X, Y)
    states = [trial.state for trial in fitted.study_.trials]
    assert set(states) == {"complete", "failed"}
    table = fitted.cv_results_
    assert len(table["params"]) == 8
    assert [bool(numpy.isnan(score)) for score in table["mean_test_score"]] == [state == "failed" for state in states]
    assert all("is too much" in trial.reason for trial in fitted.study_.trials if trial.state == "failed" and trial.reason)
    assert fitted.best_params_["C"] <= 1.0
    with pytest.warns(FitFailedWarning):
        scored = ArboraSearchCV(Fragile(), one(), error_score=0.0, **settings).fit(X, Y)
    assert {trial.value for trial in scored.study_.trials if trial["C"] > 1.0} == {0.0}
    assert all(trial.state == "complete" for trial in scored.study_.trials)
    with pytest.raises(RuntimeError, match="is too much"):
        ArboraSearchCV(Fragile(), one(), error_score="raise", **settings).fit(X, Y)
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="fits failed"):
        ArboraSearchCV(Fragile(), one(low=10.0), **settings).fit(X, Y)
    with pytest.warns((FitFailedWarning, UserWarning)):
        some = ArboraSearchCV(Fragile(mode="some"), one(), **{**settings, "cv": 7}).fit(X, Y)
    assert any(trial.state == "failed" for trial in some.study_.trials)


@pytest.mark.parametrize("mode, error_score", [("always", numpy.nan), ("always", 0.0), ("some", numpy.nan)])
def test_a_search_that_cannot_succeed_gives_up(mode: str, error_score: float) -> None:
    given = ArboraSearchCV(
        Fragile(mode=mode), one(low=10.0), trials=50, cv=7 if mode == "some" else 3, strategy="random", random_state=0,
        error_score=error_score,
    )
    with pytest.warns(FitFailedWarning) as warned:
        with pytest.raises(ValueError, match=r"10 in a row, so the search gave up: RuntimeError: C = .* is too much"):
            given.fit(X, Y)
    assert len(given.study_) == 10
    said = [str(each.message) for each in warned if each.category is FitFailedWarning]
    assert len(said) == 1 and "\n" not in said[0] and said[0].startswith("trial 0: ")


def test_a_success_keeps_the_search_going_and_failures_are_summed_up() -> None:
    with pytest.warns(FitFailedWarning) as warned:
        fitted = ArboraSearchCV(Fragile(), one(), trials=14, cv=3, strategy="random", random_state=0).fit(X, Y)
    failed = sum(trial.state == "failed" for trial in fitted.study_.trials)
    said = [str(each.message) for each in warned if each.category is FitFailedWarning]
    assert len(fitted.study_) == 14 and failed > 1 and len(said) == 2
    assert "3 of 3 fits failed: RuntimeError: C = " in said[0] and f"fits failed in {failed} of 14 trials" in said[1]


def test_the_reason_is_the_error_and_not_the_last_line_of_its_text() -> None:
    with pytest.warns(FitFailedWarning, match="ValueError: Input X contains NaN"), pytest.raises(ValueError, match="contains NaN"):
        ArboraSearchCV(SVC(), one(), trials=2, cv=2).fit(numpy.where(X > 5, numpy.nan, X), Y)


def test_a_line_for_each_trial(capsys: Any) -> None:
    with pytest.warns(FitFailedWarning):
        fitted = ArboraSearchCV(
            Fragile(), one(), trials=4, cv=3, strategy="random", random_state=0, verbose=1, refit=False
        ).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and fitted.verbose == 1
    for trial, line in zip(fitted.study_.trials, lines):
        words = f"score {trial.value:.4g}, best " if trial.value is not None else "failed: RuntimeError: C = "
        assert line.startswith(f"trial {trial.number} ({trial.number + 1} of 4): {words}") and line.endswith(f"C {trial['C']:.4g}")


class Listener:
    """A callback of scikit-learn's own, which it has from 1.9 on."""

    def __init__(self) -> None:
        self.heard: List[Any] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.heard.append("setup")

    def teardown(self, estimator: Any, context: Any) -> None:
        self.heard.append("teardown")

    def on_fit_task_begin(self, estimator: Any, context: Any, **more: Any) -> None:
        self.heard.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator: Any, context: Any, **more: Any) -> None:
        self.heard.append(("end", context.task_name))


def test_progress_is_reported_in_scikit_learns_way() -> None:
    made, listener = search(trials=3, cv=2), Listener()
    if not hasattr(made, "set_callbacks"):
        pytest.skip("this scikit-learn has no callbacks")
    made.set_callbacks(listener)
    made.fit(X, Y)
    for task, count in (("search", 1), ("trials", 3), ("candidate-split-evaluation", 6)):
        assert listener.heard.count(("begin", task)) == listener.heard.count(("end", task)) == count
