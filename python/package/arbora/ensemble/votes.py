"""Votes for classes."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

from arbora import _arbora
from arbora.ensemble.encoding import Labels, is_absent
from arbora.ensemble.pool import Bagging, Pool
from arbora.ensemble.result import Ensemble
from arbora.plan import _listed
from arbora.study import Study
from arbora.trial import Trial


class Votes(Pool):
    """A pool of votes for classes. ``classes`` are those of ``labels`` if they are not given.

    With a ``study`` predictions are kept beside its storage, and those that are there already join
    at once: add them before the trial is told, and a trial that was told always has them.

    >>> Votes([0, 1, 1]).classes
    [0, 1]
    """

    def __init__(
        self, labels: Sequence[Any], classes: Optional[Sequence[Any]] = None, *, study: Optional[Study] = None
    ) -> None:
        self._labels = _listed(labels)
        self._known = Labels(self._labels, classes)
        self._native = _arbora.Votes(self._known.encoded(self._labels), len(self.classes))
        super().__init__(study)

    @property
    def classes(self) -> List[Any]:
        """The classes, in their order.

        >>> Votes(["b", "a"]).classes
        ['a', 'b']
        """
        return self._known.classes

    def _push(self, trial: int, encoded: bytes, loss: float) -> None:
        self._native.push(trial, loss, encoded)
        self.trials.append(trial)

    def _judged(self, loss: Optional[str], rule: Optional[str]) -> Tuple[str, ...]:
        """By what slots are searched and filled."""
        return loss or "squared_margin", rule or "same_loss"

    def add(self, trial: Union[int, Trial], predictions: Sequence[Any], loss: Optional[float] = None) -> None:
        """Add a trial with one predicted class per row, or None where it predicts nothing. ``loss``
        breaks ties; it defaults to the error rate.

        >>> votes = Votes([0, 1, 1])
        >>> votes.add(0, [0, 1, None])
        >>> votes.loss([0])
        0.0
        """
        self._take(trial, predictions, loss)

    def _take(self, trial: Union[int, Trial], predictions: Sequence[Any], loss: Optional[float]) -> float:
        """Add a trial and return its loss."""
        listed = _listed(predictions)
        own = self._errors(listed) if loss is None else float(loss)
        self._join(trial, self._known.encoded(listed), own)
        return own

    def _errors(self, predictions: List[Any]) -> float:
        spoken = [(said, true) for said, true in zip(predictions, self._labels) if not is_absent(said)]
        return sum(bool(said != true) for said, true in spoken) / max(len(spoken), 1)

    def greedy(
        self,
        *,
        size: int = 13,
        start: int = 3,
        loss: str = "zero_one",
        best_prefix: bool = True,
        bagging: Bagging = None,
        seed: int = 0,
    ) -> Ensemble:
        """Greedy selection with replacement: the ``start`` best trials, then again and again the
        one that leaves the least loss, up to ``size`` (odd, since an even number of votes ties); of
        that list the shortest part of least loss, or all of it without ``best_prefix``.

        ``loss`` is ``zero_one``, ``squared_margin``, ``c_bound`` or ``sigmoid``. ``bagging`` guards
        against overfitting few rows: a share lets every step choose from that many trials drawn
        anew; ``(20, 0.5)`` makes 20 selections from half of the trials each, and pools them.

        >>> votes = Votes([0, 1, 1])
        >>> votes.add(4, [0, 1, 1])
        >>> votes.greedy().members
        [4]
        """
        return self._ensemble(self._chosen(size, start, best_prefix, bagging, seed, loss), loss)

    def _ensemble(self, positions: List[int], loss: str = "zero_one") -> Ensemble:
        worth = self._native.loss(positions, loss) if positions else float("nan")
        return Ensemble([self.trials[position] for position in positions], worth)

    def loss(self, members: Sequence[int], loss: str = "zero_one") -> float:
        """The loss of an ensemble of these trials, given by number; a tie counts as an error.

        >>> votes = Votes([0, 1])
        >>> votes.add(0, [0, 0])
        >>> votes.loss([0]), votes.loss([0], "squared_margin")
        (0.5, 0.5)
        """
        worth: float = self._native.loss(self._positions(members), loss)
        return worth

    def predict(self, members: Sequence[int]) -> List[Any]:
        """The majority vote of these trials; the first of tied classes.

        >>> votes = Votes(["no", "yes"])
        >>> votes.add(0, ["no", "no"])
        >>> votes.predict([0])
        ['no', 'no']
        """
        return [self.classes[code] for code in self._native.predict(self._positions(members))]
