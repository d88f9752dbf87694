"""Warnings about failed trials, by the logger ``arbora``: the first failure at once, since it
may be a mistake, and a summary at the end."""

from __future__ import annotations

import logging
import threading
from typing import Dict, Optional

from arbora import _arbora

__all__ = ["LOG", "Failures"]

LOG = logging.getLogger("arbora")


def _harmless(record: logging.LogRecord) -> bool:
    """Escape control characters: messages quote reasons, which may hold some."""
    record.msg, record.args = _arbora.visible(record.getMessage()), None
    return True


LOG.addFilter(_harmless)


class Failures:
    """Counts trials that ended, and why they failed.

    >>> failures = Failures()
    >>> failures.count(None)
    >>> failures.count("the objective returned NaN", "trial 1")
    >>> failures.count("the objective returned NaN", "trial 2")
    >>> failures.summary()
    '2 of 3 trials failed: the objective returned NaN'
    """

    def __init__(self) -> None:
        self.ended = 0
        self.reasons: Dict[str, int] = {}
        self._lock = threading.Lock()

    def count(self, reason: Optional[str], trial: str = "a trial") -> None:
        """Count a trial that ended, with the reason if it failed."""
        with self._lock:
            self.ended += 1
            is_first = reason is not None and not self.reasons
            if reason is not None:
                self.reasons[reason] = self.reasons.get(reason, 0) + 1
        if is_first:
            LOG.warning("%s failed: %s; the study goes on", trial, reason)

    def summary(self) -> str:
        """How many trials failed and why; empty if none did."""
        failed = sum(self.reasons.values())
        if not failed:
            return ""
        reason, often = max(self.reasons.items(), key=lambda item: item[1])
        most = "" if often == failed else f"mostly ({often} times) "
        return f"{failed} of {self.ended} trials failed: {most}{reason}"

    def say_sum(self) -> None:
        """Log the summary if more than one trial failed."""
        if sum(self.reasons.values()) > 1:
            LOG.warning("%s; study.trials has all reasons", self.summary())
