"""Who is asked for the next trial: the study itself, or a search for the member that an ensemble still needs."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from arbora.automl.evaluation import Evaluation
from arbora.study import Study
from arbora.trial import Trial


class Plain:
    """The study as it is."""

    def __init__(self, study: Study) -> None:
        self.study = study

    def ask(self) -> Trial:
        """The next trial."""
        return self.study.ask()

    def tell(self, trial: Trial, result: Evaluation, more: Dict[str, Any]) -> None:
        """What it gave."""
        self.study.tell(trial, result.value, **more)


class Together:
    """Ensemble optimisation: every trial works for one slot of an ensemble [Lévesque 2018, Algorithm 4.1].

    ``rows`` are those that every trial predicts. Slots stay well below the number of trials, or their labels say nothing.
    """

    def __init__(self, study: Study, codes: Any, classes: int, slots: int) -> None:
        from arbora.ensemble import Search

        self.study = study
        self.search = Search(study, codes, classes=range(classes), slots=slots)
        self.sign = -1.0 if study.direction == "maximize" else 1.0

    def ask(self) -> Trial:
        """The next trial."""
        return self.search.ask()

    def tell(self, trial: Trial, result: Evaluation, more: Dict[str, Any]) -> None:
        """What it gave; its votes join the pool."""
        votes = result.predictions.argmax(axis=1)[np.argsort(result.rows, kind="stable")]
        self.search.tell(trial, votes, loss=self.sign * result.value, **more)
