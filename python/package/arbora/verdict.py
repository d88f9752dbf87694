"""Verdicts: what a study has found, and how certain it is."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from arbora import markup

__all__ = ["Judged", "Record", "SplitSpread", "Verdict"]


class Judged(NamedTuple):
    """A trial with its observed and its expected value.

    >>> from arbora.examples import svm_study
    >>> svm_study().verdict().best_seen.value == svm_study().best_value
    True
    """

    trial: int
    """Its number."""
    value: float
    """The observed value, in the direction of the study."""
    expected: float
    """The value expected from a new evaluation."""
    interval: Tuple[float, float]
    """95 % interval of the expected value, without the noise of an evaluation."""


class Record(NamedTuple):
    """How much the latest trials improved the best value.

    >>> from arbora.examples import svm_study
    >>> svm_study().verdict().record is None  # eleven trials are too few
    True
    """

    trials: int
    """How many trials that is: a quarter of all, at least ten."""
    gain: float
    """How much they improved the best value."""


class SplitSpread(NamedTuple):
    """Mean and standard error of a trial over its splits.

    >>> from arbora.examples import svm_study
    >>> svm_study().verdict().splits is None  # no trial of it kept its splits in the attribute ``split_values``
    True
    """

    splits: int
    """How many splits there are."""
    mean: float
    """The mean of their values."""
    error: float
    """Standard error of the mean [Nadeau & Bengio 2003]: a lower limit of the uncertainty on new
    data."""


class Verdict(NamedTuple):
    """What a study has found, in its direction and units; see :meth:`Study.verdict`. ``str()`` and
    ``repr()`` say it in words.

    >>> from arbora.examples import svm_study
    >>> verdict = svm_study().verdict()
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
    """The best observed value, which may be luck."""
    trusted: Judged
    """The trial with the best expected value."""
    tied: List[int]
    """Trials that are statistically tied with the trusted one, including it; the best expected
    first."""
    optimism: float
    """How much better the best observed value is than its expected value."""
    overtuning: float
    """Estimated overtuning: how much the search has lost by choosing lucky trials."""
    noise: float
    """Standard deviation of the noise of one evaluation."""
    promise: float
    """Expected improvement of one more trial over the trusted value."""
    record: Optional[Record]
    """How much the latest trials improved the best value; ``None`` before there are twenty
    trials."""
    splits: Optional[SplitSpread]
    """Spread over the splits of the trusted trial, if its attribute ``split_values`` holds one
    value per split. Splits count as folds unless the attribute ``split_ratio`` gives the ratio
    of validation to training rows."""
    advice: str
    """``more_trials``, ``confirm`` (evaluate the tied trials again, on new splits) or
    ``enough``."""
    words: str
    """All of this in plain words."""
    pruned: int = 0
    """Trials that were stopped early."""

    @classmethod
    def _of(cls, data: Dict[str, Any], words: str) -> Verdict:
        judged = {name: _judged(data[name]) for name in ("best_seen", "trusted")}
        record = data["record"] and Record(**data["record"])
        splits = data["splits"] and SplitSpread(**data["splits"])
        return cls(**{**data, **judged, "record": record, "splits": splits}, words=words)

    def to_dict(self) -> Dict[str, Any]:
        """Plain data: numbers, lists and dicts.

        >>> from arbora.examples import svm_study
        >>> sorted(svm_study().verdict().to_dict()["trusted"])
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
