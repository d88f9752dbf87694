"""What makes a model good. Predictions are one row each: probabilities of the classes, or one
number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np


@dataclass(frozen=True)
class Metric:
    """A name, a direction and a function of truth and predictions."""

    name: str
    is_maximized: bool
    of: Callable[[Any, Any], float]

    @property
    def direction(self) -> str:
        """The direction of a study of it."""
        return "maximize" if self.is_maximized else "minimize"

    @property
    def range(self) -> Tuple[Optional[float], Optional[float]]:
        """Which values there can be: errors are 0 at least, scores 1 at most and, but for r2, 0 at
        least.

        >>> CLASSIFICATION["accuracy"].range, REGRESSION["r2"].range, REGRESSION["mae"].range
        ((0.0, 1.0), (None, 1.0), (0.0, None))
        """
        if not self.is_maximized:
            return 0.0, None
        return (None if self.name == "r2" else 0.0), 1.0

    def loss(self, truth: Any, predicted: Any) -> float:
        """Smaller is better."""
        return self.as_loss(self.of(truth, predicted))

    def as_loss(self, value: float) -> float:
        """A value of the metric as a loss: smaller is better."""
        return -value if self.is_maximized else value


def _accuracy(truth: Any, predicted: Any) -> float:
    return float(np.mean(predicted.argmax(axis=1) == truth))


def _balanced_accuracy(truth: Any, predicted: Any) -> float:
    right = predicted.argmax(axis=1) == truth
    return float(np.mean([right[truth == c].mean() for c in np.unique(truth)]))


def _log_loss(truth: Any, predicted: Any) -> float:
    # A probability of zero that comes true costs as much as single precision can tell.
    own = predicted[np.arange(len(truth)), truth] / predicted.sum(axis=1)
    return float(-np.mean(np.log(np.clip(own, 1e-7, 1.0))))


def _roc_auc(truth: Any, predicted: Any) -> float:
    """Area under the ROC curve; for more than two classes the mean over one-vs-rest curves that
    are defined."""
    of_classes = [1] if predicted.shape[1] == 2 else range(predicted.shape[1])
    areas = [_area(truth == c, predicted[:, c]) for c in of_classes if 0 < np.sum(truth == c) < len(truth)]
    return float(np.mean(areas)) if areas else 0.5


def _area(is_one: Any, score: Any) -> float:
    # Mann–Whitney: the share of pairs in the right order, ties counting half.
    from scipy.stats import rankdata

    ones = float(is_one.sum())
    zeros = len(is_one) - ones
    return float((rankdata(score)[is_one].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def _rmse(truth: Any, predicted: Any) -> float:
    return float(np.sqrt(np.mean((truth - predicted[:, 0]) ** 2)))


def _mae(truth: Any, predicted: Any) -> float:
    return float(np.mean(np.abs(truth - predicted[:, 0])))


def _r2(truth: Any, predicted: Any) -> float:
    spread = float(np.sum((truth - truth.mean()) ** 2))
    missed = float(np.sum((truth - predicted[:, 0]) ** 2))
    # A constant truth has no spread to explain.
    return 1.0 - missed / spread if spread > 0 else float(missed == 0)


CLASSIFICATION: Dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("accuracy", True, _accuracy),
        Metric("balanced_accuracy", True, _balanced_accuracy),
        Metric("log_loss", False, _log_loss),
        Metric("roc_auc", True, _roc_auc),
    )
}
REGRESSION: Dict[str, Metric] = {
    metric.name: metric
    for metric in (Metric("r2", True, _r2), Metric("rmse", False, _rmse), Metric("mae", False, _mae))
}


def named(name: str, is_classification: bool) -> Metric:
    """The metric of this name.

    >>> import numpy as np
    >>> named("accuracy", True).of(np.array([0, 1]), np.array([[0.9, 0.1], [0.6, 0.4]]))
    0.5
    """
    known = CLASSIFICATION if is_classification else REGRESSION
    if name not in known:
        raise ValueError(f"metric = {name!r} is not known here; there are {', '.join(known)}")
    return known[name]
