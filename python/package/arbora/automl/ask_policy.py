"""Who is asked for the next trial: the study itself, or a search for the member that an ensemble still needs."""

from __future__ import annotations

from typing import Any, Collection, Dict

import numpy as np

from arbora.automl.evaluation import Evaluation
from arbora.ensemble import Means, Probabilities, Search
from arbora.study import Study
from arbora.trial import Trial

MOST_NUMBERS = 40_000
"""Numbers that a trial leaves with a search for an ensemble: the probabilities of 10 000 rows of four classes."""
LEAST_ROWS = 1_000
TRIALS_A_SLOT = 8
"""Complete trials for each slot: seven to compare with the one that is in it, of which a process can learn where to look."""


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
    """Ensemble optimisation: every trial works for one slot of an ensemble [Lévesque 2018, Algorithm 4.1], by the squared
    error of what the slots predict on average: the loss by which members are chosen in the end.

    ``target`` is that of the rows that every trial predicts: positions of ``classes``, or numbers. There are as many slots
    as the trials allow, ``most`` in the end: as many as trials, and there is nobody left whose worth to a slot could tell
    where to look next. The search begins with one, for the best single trial.
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
