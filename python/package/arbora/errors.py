"""All errors, under one base class.

``error.kind`` names the variant and ``error.details`` holds its data; each entry is also an
attribute.

>>> import arbora
>>> try:
...     arbora.Space().real("C", 0.0, 1.0, log=True)
... except arbora.SpaceError as error:
...     print(error)
...     print(error.kind, error.name, error.low)
parameter `C`: log scale needs a positive lower bound, got 0
LogNeedsPositive C 0.0
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

__all__ = [
    "ArboraError",
    "EvaluationError",
    "ExhaustedError",
    "InternalError",
    "SearchError",
    "SpaceError",
    "StatsError",
    "StoreError",
    "TrialError",
    "TrialPruned",
]


class ArboraError(Exception):
    """The base of all errors of this package.

    >>> issubclass(SpaceError, ArboraError) and issubclass(StoreError, ArboraError)
    True
    """

    kind: str
    """The name of the variant, such as ``LogNeedsPositive``."""
    details: Dict[str, Any]
    """What the message is about, by name."""

    def __init__(self, message: str = "", kind: str = "Other", details: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.details = {} if details is None else dict(details)

    def __getattr__(self, name: str) -> Any:
        details = self.__dict__.get("details", {})
        if name in details:
            return details[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.kind, self.details)


class SpaceError(ArboraError, ValueError):
    """A space, a condition or a configuration is not valid.

    >>> space = Space()
    >>> model = space.choice("model", ["svm", "forest"])
    >>> space.real("C", 0.1, 10.0, when=model == "smv")
    Traceback (most recent call last):
    arbora.errors.SpaceError: condition of `C`: `model` can never be `smv`; its domain is one of svm, forest
    """


class SearchError(ArboraError):
    """A suggestion failed, or the settings of a study are invalid.

    >>> Study(Space.from_dict({"parameters": {"x": {"type": "boolean"}}}), strategy="best")
    Traceback (most recent call last):
    arbora.errors.SearchError: unknown strategy `best`; recommended are auto, gp-conditional, ...
    """


class ExhaustedError(SearchError):
    """Every configuration of a finite space has been proposed.

    >>> study = Study(Space.from_dict({"parameters": {"x": {"type": "boolean"}}}), seed=1)
    >>> study.optimize(lambda c: float(c["x"]), trials=5)     # stops by itself
    >>> len(study.trials)
    2
    >>> study.ask()
    Traceback (most recent call last):
    arbora.errors.ExhaustedError: the space is exhausted: all 2 configurations have been proposed; widen the space, \
or allow repeats if the objective is noisy
    """


class TrialError(SearchError, LookupError):
    """A trial does not exist, or was told already.

    >>> study = Study(Space.from_dict({"parameters": {"x": {"type": "boolean"}}}), seed=1)
    >>> study.tell(7, 0.5)
    Traceback (most recent call last):
    arbora.errors.TrialError: there is no trial number 7; the study has 0 trials
    """


class TrialPruned(ArboraError):
    """Raised by an objective to say that it has stopped early: see :meth:`Trial.should_prune`.

    The trial is *pruned*, neither failed nor complete, and keeps what it has reported.

    >>> def objective(trial):
    ...     for epoch in range(10):
    ...         trial.report(trial["x"] + 1 / (1 + epoch), epoch)
    ...         if trial.should_prune():
    ...             raise TrialPruned
    ...     return trial["x"]
    >>> study = Study(Space.from_dict({"parameters": {"x": {"type": "real", "low": 0.0, "high": 1.0}}}), seed=1)
    >>> study.optimize(objective, trials=20)
    >>> sorted({trial.state for trial in study.trials})
    ['complete', 'pruned']
    """


class EvaluationError(ArboraError, ValueError):
    """Rows cannot be divided, or predictions combined, as requested.

    >>> Plan(folds=5).split_rows(3)
    Traceback (most recent call last):
    arbora.errors.EvaluationError: 5 parts need at least 5 rows, but there are 3; ask for fewer parts
    """


class StatsError(ArboraError, ValueError):
    """A table or a sample that cannot be ranked, tested or averaged.

    >>> stats.friedman([[0.1, 0.2], [0.3, float("nan")]])
    Traceback (most recent call last):
    arbora.errors.StatsError: row 1, column 1 of the table (counted from 0) is NaN, not a number that can be ranked
    """


class StoreError(ArboraError, OSError):
    """A study could not be read or written.

    >>> Study.load("nowhere.db", "digits")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    arbora.errors.StoreError: ...
    """


class InternalError(ArboraError, RuntimeError):
    """A bug in this package: please report it.

    >>> issubclass(InternalError, ArboraError)
    True
    """
