"""Out-of-fold predictions of trials."""

from __future__ import annotations

from typing import Any, Collection, Dict, List, Optional

import numpy as np

from arbora.automl.evaluation import Evaluation
from arbora.automl.metric import Metric

KEPT = 50
"""Keep the predictions of this many best trials; an ensemble hardly ever uses others."""


class OofPredictions:
    """Out-of-fold predictions of the best trials, all over the same rows in the order of the table.

    >>> import numpy as np
    >>> from arbora.automl.metric import named
    >>> kept = OofPredictions(named("mae", False), np.array([1.0, 2.0, 3.0]))
    >>> kept.add(0, Evaluation(0.5, [0.5], np.array([2, 0]), np.array([[3.5], [1.5]]), 0.1))
    >>> kept.of(0).tolist(), kept.truth.tolist()
    ([[1.5], [3.5]], [1.0, 3.0])
    """

    def __init__(self, metric: Metric, target: Any, kept: int = KEPT) -> None:
        self.metric, self.target, self.kept = metric, target, kept
        self.rows: Optional[Any] = None
        self.covers_all = True
        """Did every trial so far predict the same rows?"""
        self._of: Dict[int, Any] = {}
        self._losses: Dict[int, float] = {}

    def add(self, trial: int, evaluation: Evaluation, wanted: Collection[int] = ()) -> None:
        """Keep the predictions of a trial as long as it is among the best or ``wanted``."""
        order = np.argsort(evaluation.rows, kind="stable")
        rows = evaluation.rows[order]
        if self.rows is None:
            self.rows = rows
        if not np.array_equal(rows, self.rows):
            self.covers_all = False
        self._losses[trial] = self.metric.as_loss(evaluation.value)
        self._of[trial] = evaluation.predictions[order]
        spare = [other for other in self.leaders if other not in wanted]
        if len(self._of) > self.kept and spare:
            del self._of[spare[-1]]

    @property
    def leaders(self) -> List[int]:
        """The trials that are kept, the best first."""
        return sorted(self._of, key=lambda trial: (self._losses[trial], trial))

    @property
    def losses(self) -> List[float]:
        """The losses of all trials so far, also of those that are not kept."""
        return list(self._losses.values())

    @property
    def truth(self) -> Any:
        """The target of the rows that were predicted."""
        return self.target if self.rows is None else self.target[self.rows]

    def at(self, places: Any, among: Optional[Collection[int]] = None) -> OofPredictions:
        """The predictions for some of the rows and some of the trials; the leaders are those on
        these rows.

        >>> import numpy as np
        >>> from arbora.automl.metric import named
        >>> kept = OofPredictions(named("mae", False), np.array([1.0, 2.0]))
        >>> kept.add(0, Evaluation(0.5, [0.5], np.array([0, 1]), np.array([[1.0], [3.0]]), 0.1))
        >>> kept.add(1, Evaluation(0.75, [0.75], np.array([0, 1]), np.array([[2.5], [2.0]]), 0.1))
        >>> kept.leaders, kept.at([1]).leaders
        ([0, 1], [1, 0])
        """
        part = OofPredictions(self.metric, self.truth[places], self.kept)
        for trial, predicted in self._of.items():
            if among is None or trial in among:
                part._of[trial] = predicted[places]
                part._losses[trial] = self.metric.loss(part.target, part._of[trial])
        return part

    def of(self, trial: int) -> Any:
        """What a trial predicted."""
        return self._of[trial]
