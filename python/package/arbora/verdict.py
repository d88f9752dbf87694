"""Verdicts: what a study has found, and how sure that is."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from arbora import markup

__all__ = ["Judged", "Record", "SplitSpread", "Verdict"]


class Judged(NamedTuple):
    """A trial, what it scored, and what it is expected to be worth.

    >>> some_study.verdict().best_seen.value == some_study.best_value
    True
    """

    trial: int
    """Its number."""
    value: float
    """What was told, in the direction of the study."""
    expected: float
    """What a fresh evaluation is expected to give."""
    interval: Tuple[float, float]
    """Where the truth lies with 95 % probability, the noise of an evaluation left aside."""


class Record(NamedTuple):
    """What the latest trials have brought.

    >>> some_study.verdict().record is None  # eleven trials are too few
    True
    """

    trials: int
    """How many of them: a quarter of all, ten at least."""
    gain: float
    """How much better the best value has become over them."""


class SplitSpread(NamedTuple):
    """What the splits of a trial say about its value.

    >>> some_study.verdict().splits is None  # no trial of it kept its splits in the attribute ``split_values``
    True
    """

    splits: int
    """How many of them."""
    mean: float
    """The mean of their values."""
    error: float
    """Its standard error [Nadeau & Bengio 2003]: what other rows of the same kind give is no surer than that."""


class Verdict(NamedTuple):
    """What a study has found, in its own direction and units; see :meth:`Study.verdict`. ``str()`` and ``repr()`` say it
    in words.

    >>> verdict = some_study.verdict()
    >>> print(verdict)
    11 trials complete, 1 failed.
    Best seen: trial ...
    >>> verdict.trusted.trial in verdict.tied
    True
    """

    complete: int
    """Trials that ended with a loss."""
    failed: int
    """Trials that ended without one."""
    best_seen: Judged
    """The best value told, which may be luck."""
    trusted: Judged
    """The trial of the best expected value."""
    tied: List[int]
    """Trials that cannot be told apart from the trusted one, which is among them; the best expected first."""
    optimism: float
    """How much too good the best value seen looks."""
    overtuning: float
    """How much the search has lost by following luck."""
    noise: float
    """Standard deviation of the noise of one evaluation."""
    promise: float
    """How much better than the trusted value one more trial could be, by the model."""
    record: Optional[Record]
    """What the latest trials have brought, beside what the model promises; ``None`` before there are twenty."""
    splits: Optional[SplitSpread]
    """What the splits of the trusted trial say, if it has the attribute ``split_values``: one value for each. Splits are
    taken for folds unless there is a ``split_ratio``, that of validating to training rows."""
    advice: str
    """``more_trials``, ``confirm`` (evaluate the tied trials again, on fresh splits) or ``enough``."""
    words: str
    """All of this in plain words."""

    @classmethod
    def _of(cls, data: Dict[str, Any], words: str) -> Verdict:
        judged = {name: _judged(data[name]) for name in ("best_seen", "trusted")}
        record = data["record"] and Record(**data["record"])
        splits = data["splits"] and SplitSpread(**data["splits"])
        return cls(**{**data, **judged, "record": record, "splits": splits}, words=words)

    def to_dict(self) -> Dict[str, Any]:
        """Plain data: numbers, lists and dicts.

        >>> sorted(some_study.verdict().to_dict()["trusted"])
        ['expected', 'interval', 'trial', 'value']
        """
        data = self._asdict()
        for name in ("best_seen", "trusted"):
            data[name] = {**data[name]._asdict(), "interval": list(data[name].interval)}
        data["record"] = self.record and self.record._asdict()
        data["splits"] = self.splits and self.splits._asdict()
        return data

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        # For people at a prompt; `to_dict` has the data.
        return self.words

    def _repr_html_(self) -> str:
        return markup.paragraphs(self.words)


def _judged(data: Dict[str, Any]) -> Judged:
    low, high = data["interval"]
    return Judged(data["trial"], data["value"], data["expected"], (low, high))
