"""Ensembles: members are chosen by their out-of-fold predictions and fitted again on all rows.

Selection is greedy, with replacement, by the squared error of the mean prediction. For
probabilities that is Brier's score, a proper scoring rule [Brier 1950], which overfits a few
hundred rows less than the error rate does [Caruana et al. 2004]. The ensemble is dropped if the
metric finds it worse than the single trial by more than the noise of one evaluation; a smaller
difference may be that trial's luck.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

import numpy as np

from arbora.automl.evaluation import Fitted
from arbora.automl.oof_predictions import OofPredictions
from arbora.ensemble import Means, Probabilities

MOST_ROWS = 10_000
"""Rows used to choose members; more make the choice slower and no better."""


def weights(
    unseen: OofPredictions, *, is_classification: bool, size: int, single: int, noise: float, seed: int
) -> Dict[int, float]:
    """The weight of each trial by its number; the ``single`` trial alone if it is clearly better.
    """
    chosen = _chosen(unseen, is_classification, size, seed)
    loss = unseen.metric.loss
    together = loss(unseen.truth, mixed([unseen.of(trial) for trial in chosen], list(chosen.values())))
    if single in unseen.leaders and together > loss(unseen.truth, unseen.of(single)) + noise:
        return {single: 1.0}
    return dict(sorted(chosen.items(), key=lambda item: -item[1]))


def _chosen(unseen: OofPredictions, is_classification: bool, size: int, seed: int) -> Dict[int, float]:
    truth, rows = unseen.truth, slice(None)
    if len(truth) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(len(truth), MOST_ROWS, replace=False))
    pool: Any
    if is_classification:
        pool = Probabilities(truth[rows], range(unseen.of(unseen.leaders[0]).shape[1]))
        for trial in unseen.leaders:
            pool.add(trial, unseen.of(trial)[rows])
    else:
        pool = Means(truth[rows])
        for trial in unseen.leaders:
            pool.add(trial, unseen.of(trial)[rows, 0])
    found: Dict[int, float] = pool.greedy(size=size).weights
    return found


def mixed(predictions: Sequence[Any], shares: Sequence[float]) -> Any:
    """The weighted mean.

    >>> import numpy as np
    >>> mixed([np.array([[0.0]]), np.array([[1.0]])], [1.0, 3.0])
    array([[0.75]])
    """
    total = sum(shares)
    return sum(share / total * np.asarray(predicted, dtype=float) for share, predicted in zip(shares, predictions))


class FittedEnsemble:
    """Fitted members and their weights."""

    def __init__(self, members: List[Fitted], shares: List[float]) -> None:
        self.members, self.shares = members, shares

    def predict(self, matrix: Any) -> Any:
        """Probabilities of the classes, or one number, for each row of an encoded matrix."""
        return mixed([member.predict(matrix) for member in self.members], self.shares)


def score(unseen: OofPredictions, shares: Dict[int, float]) -> float:
    """The metric of an ensemble on the rows it was chosen by: an optimistic estimate."""
    return unseen.metric.of(unseen.truth, mixed([unseen.of(trial) for trial in shares], list(shares.values())))
