"""Ensembles from trials that were paid for.

Each trial predicts rows it was not trained on; those out-of-fold predictions make a pool, from which an ensemble is chosen
after the search, or during it (:class:`Search`). Where trials have splits of their own (``Plan(reshuffle=True)``), the folds
of a trial still predict every row once, each by a model that had not seen it, so predictions line up row by row as before.
A reshuffled hold-out predicts only its own validation rows: give None for the others, and every row is judged by those
that speak about it. The fewer those are, the weaker the judgement: prefer folds where an ensemble is wanted.

>>> votes = Votes(["a", "a", "b", "b"])
>>> votes.add(0, ["a", "a", "b", "a"])
>>> votes.add(1, ["a", "b", "b", "b"])
>>> votes.add(2, ["b", "a", "b", "b"])
>>> chosen = votes.greedy(size=3)
>>> chosen.loss, sorted(chosen.weights)
(0.0, [0, 1, 2])
"""

from __future__ import annotations

import array
import sys
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from arbora import _arbora
from arbora.plan import _listed

if TYPE_CHECKING:
    from arbora.study import Study
    from arbora.trial import Trial

__all__ = ["Ensemble", "Means", "Probabilities", "Search", "Votes"]

ABSENT = 2**16 - 1
"""The code of a vote that says nothing."""


class Ensemble(NamedTuple):
    """Trials that predict together.

    >>> Ensemble([3, 7, 3, 3], 0.1).weights
    {3: 0.75, 7: 0.25}
    """

    members: List[int]
    """Numbers of the trials in the order they were chosen; one may be there several times."""
    loss: float
    """The loss of the ensemble on the rows it was chosen by, which flatters it."""

    @property
    def weights(self) -> Dict[int, float]:
        """How much each trial counts; they add up to one.

        >>> Ensemble([5], 0.1).weights
        {5: 1.0}
        """
        each = dict.fromkeys(self.members, 0)
        for member in self.members:
            each[member] += 1
        return {member: count / len(self.members) for member, count in each.items()}


class Votes:
    """A pool of votes for classes. ``classes`` are those of ``labels`` if they are not given.

    >>> Votes([0, 1, 1]).classes
    [0, 1]
    """

    def __init__(self, labels: Sequence[Any], classes: Optional[Sequence[Any]] = None) -> None:
        listed = _listed(labels)
        self.classes: List[Any] = _listed(classes) if classes is not None else sorted(set(listed))
        self.trials: List[int] = []
        self._codes = {label: code for code, label in enumerate(self.classes)}
        self._native = _arbora.Votes(self._encoded(listed), len(self.classes))
        self._labels = listed

    def _encoded(self, labels: List[Any]) -> bytes:
        return _bytes("H", (ABSENT if _is_absent(label) else self._code(label) for label in labels))

    def _code(self, label: Any) -> int:
        if label not in self._codes:
            raise ValueError(f"{label!r} is not one of the {len(self.classes)} classes")
        return self._codes[label]

    def add(self, trial: Union[int, Trial], predictions: Sequence[Any], loss: Optional[float] = None) -> None:
        """A trial joins with one predicted class per row, None where it says nothing. ``loss`` breaks ties; without it,
        the share of errors.

        >>> votes = Votes([0, 1, 1])
        >>> votes.add(0, [0, 1, None])
        >>> votes.loss([0])
        0.0
        """
        listed = _listed(predictions)
        if loss is None:
            spoken = [(said, true) for said, true in zip(listed, self._labels) if not _is_absent(said)]
            loss = sum(said != true for said, true in spoken) / max(len(spoken), 1)
        self._push(_number(trial), self._encoded(listed), float(loss))

    def _push(self, trial: int, encoded: bytes, loss: float) -> None:
        self._native.push(trial, loss, encoded)
        self.trials.append(trial)

    def greedy(
        self,
        *,
        size: int = 12,
        start: int = 3,
        loss: str = "zero_one",
        best_prefix: bool = True,
        bagging: Union[None, float, Tuple[int, float]] = None,
        seed: int = 0,
    ) -> Ensemble:
        """Greedy selection with replacement: the ``start`` best trials, then again and again the one that leaves the
        least loss, up to ``size``; of that list the shortest part of least loss, or all of it without ``best_prefix``.

        ``loss`` is ``zero_one``, ``squared_margin``, ``c_bound`` or ``sigmoid``. ``bagging`` guards against overfitting
        few rows: a share lets every step choose from that many trials drawn anew; ``(20, 0.5)`` makes 20 selections
        from half of the trials each, and pools them.

        >>> votes = Votes([0, 1, 1])
        >>> votes.add(4, [0, 1, 1])
        >>> votes.greedy().members
        [4]
        """
        bags: Dict[str, Any] = {"kind": "none"}
        if isinstance(bagging, (int, float)):
            bags = {"kind": "each_step", "share": float(bagging)}
        elif bagging is not None:
            bags = {"kind": "bags", "count": int(bagging[0]), "share": float(bagging[1])}
        fields = {"start": start, "size": size, "loss": loss, "best_prefix": best_prefix, "bagging": bags}
        return self._ensemble(self._native.greedy(fields, seed), loss)

    def _ensemble(self, positions: List[int], loss: str) -> Ensemble:
        worth = self._native.loss(positions, loss) if positions else float("nan")
        return Ensemble([self.trials[position] for position in positions], worth)

    def loss(self, members: Sequence[int], loss: str = "zero_one") -> float:
        """The loss of these trials together, by their numbers; a tie counts as an error.

        >>> votes = Votes([0, 1])
        >>> votes.add(0, [0, 0])
        >>> votes.loss([0]), votes.loss([0], "squared_margin")
        (0.5, 0.5)
        """
        return self._native.loss(self._positions(members), loss)

    def predict(self, members: Sequence[int]) -> List[Any]:
        """What these trials vote for together; the first of the tied classes.

        >>> votes = Votes(["no", "yes"])
        >>> votes.add(0, ["no", "no"])
        >>> votes.predict([0])
        ['no', 'no']
        """
        return [self.classes[code] for code in self._native.predict(self._positions(members))]

    def _positions(self, members: Sequence[int]) -> List[int]:
        return [_position(self.trials, member) for member in members]

    def __len__(self) -> int:
        return len(self.trials)


class Means:
    """A pool of predicted numbers: an ensemble is their mean, its loss the mean squared error.

    >>> means = Means([1.0, 2.0])
    >>> means.add(0, [0.0, 1.0])
    >>> means.add(1, [2.0, 3.0])
    >>> means.greedy(size=4)
    Ensemble(members=[0, 1], loss=0.0)
    """

    def __init__(self, truth: Sequence[float]) -> None:
        self.trials: List[int] = []
        self._native = _arbora.Means(_bytes("d", _listed(truth)))

    def add(self, trial: Union[int, Trial], predictions: Sequence[float]) -> None:
        """A trial joins with one number per row.

        >>> Means([1.0]).add(0, [0.5])
        """
        self._native.push(_bytes("d", _listed(predictions)))
        self.trials.append(_number(trial))

    def greedy(self, *, size: int = 12) -> Ensemble:
        """Greedy selection with replacement; of up to ``size`` members the shortest list of least loss.

        >>> means = Means([1.0])
        >>> means.add(0, [0.5])
        >>> means.greedy().loss
        0.25
        """
        positions = self._native.greedy(size)
        return Ensemble([self.trials[position] for position in positions], self._native.loss(positions))

    def loss(self, members: Sequence[int]) -> float:
        """The mean squared error of the mean of these trials, by their numbers.

        >>> means = Means([1.0])
        >>> means.add(0, [0.5])
        >>> means.loss([0])
        0.25
        """
        return self._native.loss([_position(self.trials, member) for member in members])

    def __len__(self) -> int:
        return len(self.trials)


class Probabilities(Means):
    """A pool of class probabilities: an ensemble is their mean, its loss the squared distance from certainty about the
    true class, divided by the number of classes (Brier's score).

    >>> pool = Probabilities(["a", "b"])
    >>> pool.add(0, [[0.5, 0.5], [0.0, 1.0]])
    >>> pool.greedy().loss
    0.125
    """

    def __init__(self, labels: Sequence[Any], classes: Optional[Sequence[Any]] = None) -> None:
        listed = _listed(labels)
        self.classes: List[Any] = _listed(classes) if classes is not None else sorted(set(listed))
        super().__init__([float(label == known) for label in listed for known in self.classes])

    def add(self, trial: Union[int, Trial], predictions: Sequence[Sequence[float]]) -> None:  # type: ignore[override]
        """A trial joins with one row of probabilities per row of data, in the order of ``classes``.

        >>> Probabilities(["a", "b"]).add(0, [[0.5, 0.5], [0.0, 1.0]])
        """
        super().add(trial, [share for row in _listed(predictions) for share in row])


class Search:
    """Ensemble optimisation: the search looks for the member that an ensemble still needs, around any strategy.

    The ensemble has ``slots``. Each trial works for one of them in turn: the slot is emptied, every earlier trial is
    relabelled with the ``loss`` the ensemble would have with it there, and the strategy of the study is asked as ever.
    With one slot this is ordinary optimisation. Keep slots well below the number of trials. Predictions are kept beside
    the storage of the study, so that a search goes on where it stopped.
    ``rule`` says by which loss a slot is filled: ``zero_one``, or ``same_loss`` as the search.

    >>> truth = [0, 0, 1, 1]
    >>> search = Search(Study(some_space, seed=1), truth, slots=3)
    >>> for _ in range(6):
    ...     trial = search.ask()
    ...     search.tell(trial, [int(row > trial["x"]) for row in (0.2, 0.4, 0.6, 0.8)])
    >>> search.ensemble.loss
    0.0
    """

    def __init__(
        self,
        study: Study,
        labels: Sequence[Any],
        *,
        classes: Optional[Sequence[Any]] = None,
        slots: int = 12,
        loss: str = "squared_margin",
        rule: str = "zero_one",
    ) -> None:
        from arbora.predictions import Predictions

        self.study, self.votes = study, Votes(labels, classes)
        self._settings = (slots, loss, rule)
        self._kept = Predictions(study)
        self.votes._native.slots(*self._settings)
        # Slots were filled in the order of telling.
        told = [trial for trial in study.trials if trial.loss is not None and trial.number in self._kept]
        for trial in sorted(told, key=lambda trial: trial._fields["ended_at"] or 0):
            self.votes._push(trial.number, self._kept[trial.number], float(trial.loss or 0.0))

    def ask(self, *, worker: Optional[str] = None, lease: Optional[float] = None, stale: str = "again") -> Trial:
        """The next trial; see :meth:`Study.ask`.

        >>> Search(Study(some_space, seed=1), [0, 1]).ask().number
        0
        """
        from arbora.study import _worker
        from arbora.trial import Trial

        live = self.study._live()
        return Trial(self.study, self.votes._native.ask(live, *self._settings, worker or _worker(), lease, stale))

    def tell(self, trial: Trial, predictions: Sequence[Any], *, loss: Optional[float] = None, **more: Any) -> None:
        """How a trial went: its out-of-fold ``predictions`` and its own ``loss``, by default the share of errors; more
        as for :meth:`Study.tell`. A trial that failed is told to the study.

        >>> search = Search(Study(some_space, seed=1), [0, 1])
        >>> search.tell(search.ask(), [0, 1])
        >>> search.study.best_loss
        0.0
        """
        encoded = self.votes._encoded(_listed(predictions))
        if loss is None:
            alone = Votes(self.votes._labels, self.votes.classes)
            alone._push(0, encoded, 0.0)
            loss = alone.loss([0])
        # First the predictions, then the end of the trial: one that is told always has them.
        self._kept[trial.number] = encoded
        self.study.tell(trial, loss=loss, **more)
        self.votes._push(trial.number, encoded, float(loss))

    @property
    def ensemble(self) -> Ensemble:
        """The trials in the slots.

        >>> Search(Study(some_space, seed=1), [0, 1]).ensemble.members
        []
        """
        return self.votes._ensemble(self.votes._native.slots(*self._settings), "zero_one")


def _number(trial: Union[int, Trial]) -> int:
    return trial if isinstance(trial, int) else trial.number


def _position(trials: List[int], member: int) -> int:
    if member not in trials:
        raise ValueError(f"trial {member} is not in the pool")
    return trials.index(member)


def _is_absent(label: Any) -> bool:
    return label is None or label != label


def _bytes(kind: str, numbers: Any) -> bytes:
    packed = array.array(kind, numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
