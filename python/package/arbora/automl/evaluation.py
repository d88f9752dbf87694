"""Evaluate one trial: fit on training rows, predict validation rows, compute the metric.

It mostly runs in a worker process, and knows neither studies nor budgets.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from arbora.automl.metric import Metric

Split = Tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class Part:
    """The result of a trial on one of its splits."""

    value: float
    """The metric."""
    rows: Any
    """The rows that were predicted."""
    predictions: Any
    fit_seconds: float


@dataclass(frozen=True)
class Evaluation:
    """The result of a trial."""

    value: float
    """The mean of the metric over the splits."""
    values: List[float]
    """The metric of each split."""
    rows: Any
    """The predicted rows, each by a model that was not trained on it."""
    predictions: Any
    """A row for each of them: probabilities of the classes, or one number."""
    fit_seconds: float
    """Mean seconds of one fit."""
    is_whole: bool = True
    """Were all splits evaluated? If not, the trial was too far behind or reached its time limit."""

    @classmethod
    def of(cls, parts: Sequence[Part], splits: int) -> Evaluation:
        """What the parts of a trial come to that was to get so many splits; there is at least one.
        """
        values = [part.value for part in parts]
        return cls(
            float(np.mean(values)),
            values,
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.predictions for part in parts]),
            sum(part.fit_seconds for part in parts) / len(parts),
            is_whole=len(parts) == splits,
        )


class Fitted:
    """A fitted estimator that predicts rows of all classes, also of those it never met."""

    def __init__(self, estimator: Any, present: Optional[Any], classes: int) -> None:
        self.estimator, self.present, self.classes = estimator, present, classes

    def predict(self, matrix: Any) -> Any:
        """Probabilities of the classes, or one number, for each row."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if self.present is None:
                return np.asarray(self.estimator.predict(matrix), dtype=float).reshape(len(matrix), 1)
            whole = np.zeros((len(matrix), self.classes))
            whole[:, self.present] = 1.0 if len(self.present) == 1 else probabilities(self.estimator, matrix)
            return whole


def probabilities(estimator: Any, matrix: Any) -> Any:
    """Probabilities as the estimator sees them; one that only names classes is sure of them."""
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(matrix)
    if hasattr(estimator, "decision_function"):
        from arbora.automl.probabilities import softmax

        return softmax(estimator.decision_function(matrix))
    return (estimator.predict(matrix)[:, None] == estimator.classes_[None, :]).astype(float)


class Evaluator:
    """A table, its target, and what configurations stand for."""

    def __init__(
        self, matrix: Any, target: Any, classes: int, metric: Metric, build: Callable[[Mapping[str, Any]], Any]
    ) -> None:
        self.matrix, self.target, self.classes = matrix, target, classes
        self.metric, self.build = metric, build

    def evaluate(
        self, configuration: Mapping[str, Any], splits: Sequence[Split], bars: Sequence[float] = ()
    ) -> Evaluation:
        """Fit and evaluate a configuration on every split, or stop once its mean loss exceeds
        the bar for that many splits."""
        return Evaluation.of(list(self.parts(configuration, splits, bars)), len(splits))

    def parts(
        self, configuration: Mapping[str, Any], splits: Sequence[Split], bars: Sequence[float] = ()
    ) -> Iterator[Part]:
        """The same split by split, so that finished splits count even if the rest takes too
        long.
        """
        values: List[float] = []
        for train, valid in splits:
            part = self.part(configuration, np.asarray(train, dtype=np.intp), np.asarray(valid, dtype=np.intp))
            values.append(part.value)
            yield part
            if len(values) <= len(bars) and self.metric.as_loss(float(np.mean(values))) > bars[len(values) - 1]:
                return

    def part(self, configuration: Mapping[str, Any], train: Any, valid: Any) -> Part:
        """Fits on some rows and judges on others."""
        began = time.perf_counter()
        fitted = self.fit(configuration, train)
        seconds = time.perf_counter() - began
        predicted = fitted.predict(self.matrix[valid])
        if not np.isfinite(predicted).all():
            raise ArithmeticError("the predictions are not finite numbers")
        return Part(self.metric.of(self.target[valid], predicted), valid, predicted.astype(np.float32), seconds)

    def fit(self, configuration: Mapping[str, Any], train: Optional[Any] = None) -> Fitted:
        """Fits a configuration on some rows, or all."""
        matrix = self.matrix if train is None else self.matrix[train]
        target = self.target if train is None else self.target[train]
        estimator = self.build(configuration)
        with warnings.catch_warnings():
            # A learner that did not converge is judged by its errors like any other.
            warnings.simplefilter("ignore")
            if self.classes == 0:
                return Fitted(estimator.fit(matrix, target), None, 0)
            present, codes = np.unique(target, return_inverse=True)
            fitted = estimator.fit(matrix, codes) if len(present) > 1 else None
        return Fitted(fitted, present, self.classes)
