"""Means of numbers, and of class probabilities."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

from arbora import _arbora
from arbora.ensemble.encoding import numbers
from arbora.ensemble.pool import Bagging, Pool
from arbora.ensemble.result import Ensemble
from arbora.plan import _listed
from arbora.study import Study
from arbora.trial import Trial


class Means(Pool):
    """A pool of predicted numbers: an ensemble is their mean, its loss the mean squared error. For
    ``study`` see :class:`Votes`.

    >>> means = Means([1.0, 2.0])
    >>> means.add(0, [0.0, 1.0])
    >>> means.add(1, [2.0, 3.0])
    >>> means.greedy(size=4)
    Ensemble(members=[0, 1], loss=0.0)
    """

    def __init__(self, truth: Sequence[float], *, study: Optional[Study] = None) -> None:
        self._native = _arbora.Means(numbers(truth))
        super().__init__(study)

    def add(self, trial: Union[int, Trial], predictions: Sequence[Any]) -> None:
        """Add a trial with one number per row.

        >>> Means([1.0]).add(0, [0.5])
        """
        self._take(trial, predictions, None)

    def _push(self, trial: int, encoded: bytes, loss: float) -> None:
        self._native.push(trial, encoded)
        self.trials.append(trial)

    def _judged(self, loss: Optional[str], rule: Optional[str]) -> Tuple[str, ...]:
        """Slots are searched and filled by the squared error."""
        if loss is not None or rule is not None:
            raise TypeError(f"{type(self).__name__} are judged by their squared error: loss and rule are about votes")
        return ()

    def _take(self, trial: Union[int, Trial], predictions: Sequence[Any], loss: Optional[float]) -> float:
        """Add a trial and return its loss."""
        self._join(trial, numbers(predictions), 0.0)
        return self._native.loss([len(self) - 1]) if loss is None else float(loss)

    def greedy(
        self, *, size: int = 13, start: int = 1, best_prefix: bool = True, bagging: Bagging = None, seed: int = 0
    ) -> Ensemble:
        """Greedy selection with replacement, as of :class:`Votes`.

        >>> means = Means([1.0])
        >>> means.add(0, [0.5])
        >>> means.greedy().loss
        0.25
        """
        return self._ensemble(self._chosen(size, start, best_prefix, bagging, seed))

    def _ensemble(self, positions: List[int]) -> Ensemble:
        worth = self._native.loss(positions) if positions else float("nan")
        return Ensemble([self.trials[position] for position in positions], worth)

    def loss(self, members: Sequence[int]) -> float:
        """The mean squared error of the mean of these trials, by their numbers.

        >>> means = Means([1.0])
        >>> means.add(0, [0.5])
        >>> means.loss([0])
        0.25
        """
        worth: float = self._native.loss(self._positions(members))
        return worth


class Probabilities(Means):
    """A pool of class probabilities: an ensemble is their mean, its loss the squared distance from
    certainty about the true class, divided by the number of classes (Brier's score). A row of
    probabilities per row of data, in the order of ``classes``.

    >>> pool = Probabilities(["a", "b"])
    >>> pool.add(0, [[0.5, 0.5], [0.0, 1.0]])
    >>> pool.greedy().loss
    0.125
    """

    def __init__(
        self, labels: Sequence[Any], classes: Optional[Sequence[Any]] = None, *, study: Optional[Study] = None
    ) -> None:
        listed = _listed(labels)
        self.classes: List[Any] = _listed(classes) if classes is not None else sorted(set(listed))
        super().__init__([float(label == known) for label in listed for known in self.classes], study=study)
