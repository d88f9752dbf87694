"""Choose among finished trials by losses that the search has not seen.

The least observed loss is biased by luck. :attr:`Study.trustworthy_trial` asks a model instead, at
no cost. The rules here use rows that were held back (``Plan(selection=0.2)``), or evaluate the
leaders again on new splits (``Splits.unseen_splits``).

>>> from arbora.selection import Scored, confirmed, held_back
>>> held_back([Scored(0, validation=0.10, selection=0.30), Scored(1, validation=0.12, selection=0.20)])
1
"""

from __future__ import annotations

from typing import List, Mapping, NamedTuple, Sequence, Tuple

from arbora import _arbora
from arbora.errors import ArboraError

__all__ = ["Scored", "confirmed", "held_back", "paired"]


class Scored(NamedTuple):
    """A finished trial with both of its losses.

    >>> Scored(3, validation=0.1, selection=0.12)
    Scored(trial=3, validation=0.1, selection=0.12, generation=0)
    """

    trial: int
    """Its number."""
    validation: float
    """What the search was told."""
    selection: float
    """On the rows held back."""
    generation: int = 0
    """Which generation it belongs to, in methods that have them."""


def held_back(trials: Sequence[Scored], rule: str = "least") -> int:
    """Choose a trial by its loss on held-back rows; the earliest of several.

    ``least``: the least selection loss. Of methods with generations, ``partial_validation``: the
    same in the last generation; ``backwarding``: of the best of each generation by validation, the
    least selection loss; ``global_validation``: of the best of each generation by selection, which
    is the least of all.

    >>> trials = [Scored(0, 0.30, 0.33, 0), Scored(1, 0.20, 0.35, 0), Scored(2, 0.25, 0.34, 1), Scored(3, 0.26, 0.20, 1)]
    >>> [held_back(trials, rule) for rule in ("least", "partial_validation", "backwarding", "global_validation")]
    [3, 3, 2, 3]
    """
    rows = [(trial.trial, trial.generation, float(trial.validation), float(trial.selection)) for trial in trials]
    return _one(_arbora.held_back(rows, rule))


def confirmed(losses: Mapping[int, Sequence[float]]) -> int:
    """Choose the trial with the least mean loss, among trials evaluated again on the same new
    splits.

    >>> confirmed({4: [0.30, 0.28], 9: [0.25, 0.27]})
    9
    """
    rounds: List[Tuple[int, List[float]]] = [(trial, [float(loss) for loss in row]) for trial, row in losses.items()]
    return _one(_arbora.confirmed(rounds))


def paired(first: Sequence[float], second: Sequence[float]) -> Tuple[float, float]:
    """The mean difference between the losses of two trials on the same splits, and its standard
    error. Effects of a hard split on both trials cancel.

    >>> difference, error = paired([0.30, 0.20, 0.40], [0.25, 0.16, 0.34])
    >>> round(difference, 3), round(error, 4)
    (0.05, 0.0058)
    """
    return _arbora.paired([float(loss) for loss in first], [float(loss) for loss in second])


def _one(trial: object) -> int:
    if not isinstance(trial, int):
        raise ArboraError("there is no trial to choose from", "NoBest", {})
    return trial
