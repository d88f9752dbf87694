"""The pools that ensembles are chosen from."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from arbora.predictions import Predictions
from arbora.study import Study
from arbora.trial import Trial


Bagging = Union[None, float, Tuple[int, float]]
"""A share of the trials for every step, or a number of bags and the share in each."""


class Pool:
    """What votes, numbers and probabilities have in common: predictions of trials as bytes, and
    greedy selection."""

    _native: Any

    def __init__(self, study: Optional[Study]) -> None:
        self.trials: List[int] = []
        self._kept: Optional[Predictions] = None
        if study is None:
            return
        self._kept = Predictions(study)
        # As they came: slots were filled in the order of telling.
        told = [trial for trial in study.trials if trial.loss is not None and trial.number in self._kept]
        for trial in sorted(told, key=lambda trial: trial._fields["ended_at"] or 0):
            self._push(trial.number, self._kept[trial.number], float(trial.loss or 0.0))

    def _push(self, trial: int, encoded: bytes, loss: float) -> None:
        """Joins a trial whose predictions are kept already."""
        raise AssertionError("every pool joins in its own way")

    def _join(self, trial: Union[int, Trial], encoded: bytes, loss: float) -> None:
        number = trial if isinstance(trial, int) else trial.number
        self._push(number, encoded, loss)
        if self._kept is not None:
            self._kept[number] = encoded

    def _chosen(
        self, size: int, start: int, best_prefix: bool, bagging: Bagging, seed: int, loss: Optional[str] = None
    ) -> List[int]:
        bags: Dict[str, Any] = {"kind": "none"}
        if isinstance(bagging, (int, float)):
            bags = {"kind": "each_step", "share": float(bagging)}
        elif bagging is not None:
            bags = {"kind": "bags", "count": int(bagging[0]), "share": float(bagging[1])}
        fields = {"start": start, "size": size, "best_prefix": best_prefix, "bagging": bags}
        positions: List[int] = self._native.greedy(fields if loss is None else {**fields, "loss": loss}, seed)
        return positions

    def _positions(self, members: Sequence[int]) -> List[int]:
        for member in members:
            if member not in self.trials:
                raise ValueError(f"trial {member} is not in the pool")
        return [self.trials.index(member) for member in members]

    def __len__(self) -> int:
        return len(self.trials)
