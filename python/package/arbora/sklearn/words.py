"""What a search says while it runs: a line for each trial if wanted, and about failures no more
than is needed."""

from __future__ import annotations

import warnings
from typing import Any, Dict, Optional

from sklearn.exceptions import FitFailedWarning

from arbora.study import Study
from arbora.trial import Trial

GIVE_UP = 10
"""Failures without a success after which a search ends, as that of ``arbora tune`` does."""


class Words:
    """Says how trials went: failures once at the first and once in the end, everything else only if
    asked for."""

    def __init__(self, trials: int, is_verbose: bool) -> None:
        self.trials, self.is_verbose = trials, is_verbose
        self.ended, self.failed, self.has_success = 0, 0, False
        self.reasons: Dict[str, int] = {}

    @property
    def gives_up(self) -> bool:
        """Has nothing succeeded for so long that nothing will?"""
        return not self.has_success and self.ended >= GIVE_UP

    def told(self, study: Study, trial: Trial, broken: int, splits: int, reason: Optional[str]) -> None:
        """A trial has ended, ``broken`` of its fits having failed, for a reason."""
        self.ended += 1
        self.has_success |= trial.loss is not None and broken < splits
        if reason is not None:
            self.reasons[reason] = self.reasons.get(reason, 0) + 1
            self.failed += 1
            if self.failed == 1:
                message = f"trial {trial.number}: {broken} of {splits} fits failed: {reason}; the search goes on"
                warnings.warn(message, FitFailedWarning, stacklevel=2)
        if self.is_verbose:
            print(self.line(study, trial, reason))

    def line(self, study: Study, trial: Trial, reason: Optional[str]) -> str:
        """One trial in a line."""
        score = f"failed: {reason}" if trial.value is None else f"score {trial.value:.4g}"
        best = f", best {study.best_value:.4g}" if self.has_success else ""
        values = ", ".join(f"{name} {_shown(value)}" for name, value in trial.configuration.items())
        return f"trial {trial.number} ({self.ended} of {self.trials}): {score}{best}  {values}"

    def nothing(self) -> str:
        """That no trial succeeded, and why."""
        reason = max(self.reasons, key=lambda known: self.reasons[known]) if self.reasons else "no score is a number"
        ends = "so the search gave up" if self.gives_up else "and none succeeded"
        return f"all trials had fits failed, {self.ended} in a row, {ends}: {reason}; error_score='raise' shows where"

    def close(self) -> None:
        """The sum of all failures, if the first was not the last."""
        if self.failed > 1:
            reason, often = max(self.reasons.items(), key=lambda item: item[1])
            mostly = "" if often == self.failed else f"mostly ({often} times) "
            message = f"fits failed in {self.failed} of {self.ended} trials: {mostly}{reason}; study_.trials has all reasons"
            warnings.warn(message, FitFailedWarning, stacklevel=2)

    def exhausted(self) -> None:
        """There is nothing left to try."""
        message = f"the space has no more configurations than {self.ended}: the search ended before {self.trials} trials"
        warnings.warn(message, UserWarning, stacklevel=2)


def reason_of(trace: str) -> str:
    """The error at the end of a traceback: its type and the first line of its message.

    >>> reason_of("Traceback ...:\\n  File 'a.py'\\n    fit()\\nValueError: Input X contains NaN.\\nSee the manual: https")
    'ValueError: Input X contains NaN.'
    """
    lines = [line for line in trace.splitlines() if line.strip()]
    ends = [line for before, line in zip(lines, lines[1:]) if before.startswith("  ") and not line.startswith(" ")]
    return ends[-1] if ends else lines[-1] if lines else "its score is not a number"


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
