"""Racing over folds: a trial that is clearly behind after its first folds does not get the others.

After every fold but the last, the mean so far is compared with the loss of a rival: the median of
all complete trials, or the tenth best if there are many, since an ensemble takes its members from
about those. The trial ends if it is behind by more than two standard errors of the difference, the
noise of one fold being what complete trials show. A trial as good as the rival is ended by mistake
in about one of forty looks (two standard errors, one side), one as good as the best hardly ever.
What is told is the mean of the folds it had, which is worse than the rival by construction.

A trial that runs out of its own time after some folds is told by the same measure: the mean of
those folds, but never better than the rival. So the search learns of a slow trial what it cost to
find out, and one that did not get all its folds is never the best, for whatever reason it ended.
"""

from __future__ import annotations

import math
from statistics import median
from typing import List, Sequence

BEGINS_AT = 8
"""Complete trials before the first race: fewer do not show what is good and how noisy a fold is."""
RIVAL = 10
"""The place of the rival among the complete trials, the best being first, if there are more than
twice as many."""
ERRORS = 2.0
"""A trial may be this many standard errors behind."""


def rival(losses: Sequence[float]) -> float:
    """The loss to beat: the median of complete trials, or the tenth best.

    >>> rival([3.0, 1.0, 2.0]), rival(range(100))
    (2.0, 9)
    """
    return sorted(losses)[min(RIVAL, (len(losses) + 1) // 2) - 1]


def told(mean: float, losses: Sequence[float]) -> float:
    """The loss of a trial that reached its time limit after some of its folds.

    >>> told(0.1, [0.2, 0.4, 0.3]), told(0.5, [0.2, 0.4, 0.3])
    (0.3, 0.5)
    """
    return max(mean, rival(losses))


class Race:
    """The losses of complete trials with ``folds`` folds, and the bars they set for the next trial.

    >>> race = Race(folds=2)
    >>> for loss in range(8):
    ...     race.add([loss - 0.1, loss + 0.1])
    >>> [round(bar, 3) for bar in race.bars()]
    [3.346]
    """

    def __init__(self, folds: int) -> None:
        self.folds = folds
        self.losses: List[float] = []
        self.variances: List[float] = []

    def add(self, losses: Sequence[float]) -> None:
        """Takes the losses of a complete trial, one for each fold."""
        count, mean = len(losses), math.fsum(losses) / len(losses)
        self.losses.append(mean)
        if count > 1:
            self.variances.append(math.fsum((loss - mean) ** 2 for loss in losses) / (count - 1))

    def bars(self) -> List[float]:
        """The mean losses beyond which a trial ends, after one fold, two folds and so on; empty
        before the first race."""
        if len(self.losses) < BEGINS_AT or not self.variances:
            return []
        bar = rival(self.losses)
        # Trials that are out of bounds in every fold say nothing of how noisy good ones are.
        noise = median(self.variances)
        return [
            bar + ERRORS * math.sqrt(noise * (1 / done + 1 / self.folds)) for done in range(1, self.folds)
        ]
