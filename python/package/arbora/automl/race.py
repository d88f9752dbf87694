"""Racing over folds: a trial that is clearly behind after its first folds does not get the others.

The rule is that of the pruner ``race``, and is made there: after every fold but the last, the mean so
far is compared with the loss of a rival, the median of all complete trials or the tenth best if there
are many, and the trial ends if it is behind by more than two standard errors of the difference. What is
told is the mean of the folds it had, which is worse than the rival by construction.

A trial that runs out of its own time after some folds is told by the same measure: the mean of
those folds, but never better than the rival. So the search learns of a slow trial what it cost to
find out, and one that did not get all its folds is never the best, for whatever reason it ended.
"""

from __future__ import annotations

from typing import List, Sequence

from arbora import _arbora

BEGINS_AT, RIVAL, ERRORS = _arbora.race_settings()
"""Complete trials before the first race; the place of the rival among them, the best being first, if
there are more than twice as many; how many standard errors a trial may be behind."""


def rival(losses: Sequence[float]) -> float:
    """The loss to beat: the median of complete trials, or the tenth best.

    >>> rival([3.0, 1.0, 2.0]), rival(range(100))
    (2.0, 9.0)
    """
    return _arbora.race_rival(list(losses))


def told(mean: float, losses: Sequence[float]) -> float:
    """The loss of a trial that reached its time limit after some of its folds.

    >>> told(0.1, [0.2, 0.4, 0.3]), told(0.5, [0.2, 0.4, 0.3])
    (0.3, 0.5)
    """
    return max(mean, rival(losses))


class Race:
    """The folds of complete trials with ``folds`` folds, and the bars they set for the next trial.

    >>> race = Race(folds=2)
    >>> for loss in range(8):
    ...     race.add([loss - 0.1, loss + 0.1])
    >>> [round(bar, 3) for bar in race.bars()]
    [3.346]
    """

    def __init__(self, folds: int) -> None:
        self.folds = folds
        self.complete: List[List[float]] = []

    def add(self, losses: Sequence[float]) -> None:
        """Takes the losses of a complete trial, one for each fold."""
        self.complete.append(list(losses))

    def bars(self) -> List[float]:
        """The mean losses beyond which a trial ends, after one fold, two folds and so on; empty
        before the first race."""
        return _arbora.race_bars(self.complete, self.folds)
