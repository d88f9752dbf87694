"""The score of a model on new rows: members are chosen again without the rows that judge them.

Trials predict out of fold, but the model is chosen by these very predictions, and the best of many
trials on a few hundred rows is also the luckiest. So the rows are divided once more: for every
part, members and weights are chosen on the other parts, as the model's were on all rows, and
predict this part. The estimate is the metric of these predictions over all rows, averaged over
several random divisions.

Two biases remain. The search that found the trials saw all rows, which is optimistic: by three
points of accuracy on one of six data sets. And the fits of a trial have fewer training rows than
the final fits, which is pessimistic (docs/AUTOML.md has figures). We also measured a bootstrap with
out-of-bag rows [Tsamardinos et al. 2018]: it chooses by 63 % of the rows only, and came out close,
a little lower.

Cost: parts × divisions choices of members.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Optional

import numpy as np

from arbora.automl.ensemble_fit import MOST_ROWS, mixed
from arbora.automl.oof_predictions import OofPredictions

PARTS = 5
DIVISIONS = 4
MANY_ROWS = 1_000
"""From here on one division is enough: how rows are divided makes little difference."""

SECONDS = 6e-7
"""What one choice of members takes for each number that trials have predicted (measured with 50
trials, 900 to 10 000 rows)."""

Choose = Callable[[OofPredictions], Dict[int, float]]


def worth(unseen: OofPredictions, choose: Choose, *, groups: Optional[Any] = None, seed: int = 0) -> float:
    """The metric of what ``choose`` makes of the trials, each row being predicted by a choice that
    did not know it.

    >>> import numpy as np
    >>> from arbora.automl.evaluation import Evaluation
    >>> from arbora.automl.metric import named
    >>> rng = np.random.default_rng(3)
    >>> unseen = OofPredictions(named("accuracy", True), rng.integers(0, 2, 40))
    >>> for trial in range(30):
    ...     guess = rng.random(40)
    ...     guesses = np.column_stack([guess, 1 - guess])
    ...     unseen.add(trial, Evaluation(unseen.metric.of(unseen.truth, guesses), [], np.arange(40), guesses, 0.1))
    >>> lucky = unseen.metric.of(unseen.truth, unseen.of(unseen.leaders[0]))
    >>> honest = worth(unseen, lambda seen: {seen.leaders[0]: 1.0})
    >>> lucky > honest + 0.1
    True
    """
    truth = unseen.truth
    count = len(truth)
    values = []
    for division in range(DIVISIONS if count < MANY_ROWS else 1):
        predicted = np.zeros((count, unseen.of(unseen.leaders[0]).shape[1]))
        for part in _parts(count, groups, np.random.default_rng([seed, division])):
            shares = choose(unseen.at(np.setdiff1d(np.arange(count), part)))
            predicted[part] = mixed([unseen.of(trial)[part] for trial in shares], list(shares.values()))
        values.append(unseen.metric.of(truth, predicted))
    return float(np.mean(values))


def seconds(rows: int, width: int) -> float:
    """What choosing members and judging the choice will take for each trial that is at hand, about.

    >>> round(50 * seconds(10_000, 3), 1), round(50 * seconds(500, 1), 1)
    (5.4, 0.3)
    """
    choices = 1 + PARTS * (DIVISIONS if rows < MANY_ROWS else 1)
    return SECONDS * min(rows, MOST_ROWS) * width * choices


def _parts(rows: int, groups: Optional[Any], rng: np.random.Generator) -> Iterator[Any]:
    """Rows divided at random, those of one group together."""
    of_row = np.arange(rows) if groups is None else np.unique(groups, return_inverse=True)[1].reshape(-1)
    names = rng.permutation(int(of_row.max()) + 1)
    for some in np.array_split(names, min(PARTS, len(names))):
        yield np.flatnonzero(np.isin(of_row, some))
