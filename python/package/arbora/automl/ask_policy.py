"""Where the next trial comes from: the study, or a search for the next member of an ensemble."""

from __future__ import annotations

from typing import Any, Collection, Dict

import numpy as np

from arbora.automl.evaluation import Evaluation
from arbora.ensemble import Means, Probabilities, Search
from arbora.study import Study
from arbora.trial import Trial

MOST_NUMBERS = 40_000
"""Most numbers that a trial adds to an ensemble search: four probabilities for 10 000 rows."""
LEAST_ROWS = 1_000
TRIALS_A_SLOT = 8
"""Complete trials for each slot: one to fill it and seven to learn from."""


class StudyPolicy:
    """The study as it is."""

    def __init__(self, study: Study) -> None:
        self.study = study

    def ask(self) -> Trial:
        """The next trial."""
        return self.study.ask()

    def tell(self, trial: Trial, result: Evaluation, more: Dict[str, Any]) -> None:
        """What it gave."""
        self.study.tell(trial, result.value, **more)

    @property
    def wanted(self) -> Collection[int]:
        """Trials whose predictions are to be kept, however bad they are by themselves."""
        return ()


class EnsemblePolicy:
    """Ensemble optimisation: every trial works for one slot of an ensemble [Lévesque 2018,
    Algorithm 4.1]. The loss is the squared error of the mean prediction of all slots, by which
    members are also chosen in the end.

    ``target`` holds the classes, as positions, or the numbers to predict, for the rows that every
    trial predicts. The search begins with one slot, for the best single trial, and adds slots as
    trials complete, up to ``most``: with as many slots as trials, there would be no other trials to
    learn from.
    """

    def __init__(self, study: Study, target: Any, classes: int, most: int) -> None:
        self.study, self.classes, self.most = study, classes, most
        # Every trial is kept, and compared with all that are in slots.
        rows = min(len(target), max(LEAST_ROWS, MOST_NUMBERS // max(1, classes)))
        self.places = np.unique(np.linspace(0, len(target) - 1, rows).astype(int))
        known = {"pool": Probabilities, "classes": range(classes)} if classes else {"pool": Means}
        self.search = Search(study, target[self.places], slots=1, **known)

    def ask(self) -> Trial:
        """The next trial."""
        self.search.slots = max(1, min(self.most, len(self.search.pool) // TRIALS_A_SLOT))
        return self.search.ask()

    def tell(self, trial: Trial, result: Evaluation, more: Dict[str, Any]) -> None:
        """What it gave; its predictions join the pool."""
        order = np.argsort(result.rows, kind="stable")[self.places]
        predicted = result.predictions[order] if self.classes else result.predictions[order, 0]
        self.search.tell(trial, predicted, loss=self.study._live().loss_of(result.value), **more)

    @property
    def wanted(self) -> Collection[int]:
        """The trials in the slots."""
        return self.search.ensemble.members
