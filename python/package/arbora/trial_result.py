"""How a trial ended, as the native half takes it."""

from __future__ import annotations

from typing import Any, Dict, Mapping, NamedTuple, Optional, Union

from arbora.arguments import number, seconds

__all__ = ["Failed", "Pruned", "TrialResult", "failure", "result", "stopped"]

Failed = Union[str, BaseException, bool]
Pruned = Union[str, BaseException, bool]


class TrialResult(NamedTuple):
    """The end of a trial: exactly one of the first five is given.

    >>> TrialResult(loss=0.5, cost=12.0).loss
    0.5
    """

    value: Optional[float] = None
    """What the objective returned, in the direction of the study."""
    loss: Optional[float] = None
    """The same, as a number to minimise."""
    failure: Optional[str] = None
    """Why the trial failed."""
    pruned: Optional[str] = None
    """Why the trial was stopped early."""
    abandoned: Optional[str] = None
    """Why the trial was given up: nothing is learnt from it."""
    cost: Optional[float] = None
    duration: Optional[float] = None
    """Seconds."""
    attributes: Optional[Dict[str, Any]] = None
    trace: Optional[str] = None
    """The traceback of a failure."""


def result(
    value: Optional[float] = None,
    loss: Optional[float] = None,
    failed: Failed = False,
    cost: Optional[float] = None,
    duration: Union[float, str, None] = None,
    attributes: Optional[Mapping[str, Any]] = None,
    pruned: Pruned = False,
) -> TrialResult:
    """Check what a user says about the end of a trial.

    >>> result(failed="out of memory").failure
    'out of memory'
    >>> result(value=1.0, loss=1.0)
    Traceback (most recent call last):
    ...
    TypeError: give exactly one of value, loss, failed and pruned
    """
    has_failed = failed is not False and failed is not None
    is_pruned = pruned is not False and pruned is not None
    if (value is not None) + (loss is not None) + has_failed + is_pruned != 1:
        raise TypeError("give exactly one of value, loss, failed and pruned")
    ended = failure(failed) if has_failed else stopped(pruned) if is_pruned else TrialResult()
    return ended._replace(
        value=None if value is None else number("the value", value),
        loss=None if loss is None else number("the loss", loss),
        attributes=None if attributes is None else dict(attributes),
        cost=None if cost is None else number("the cost", cost),
        duration=seconds("duration", duration),
    )


def stopped(pruned: Pruned, known: Optional[str] = None) -> TrialResult:
    """A trial that was stopped early, with the reason that was given, or else the one that is
    ``known``.

    >>> stopped(True).pruned, stopped("too slow").pruned
    ('stopped early', 'too slow')
    """
    given = "" if pruned is True else str(pruned)
    return TrialResult(pruned=_writable(given) or known or "stopped early")


def failure(failed: Failed) -> TrialResult:
    """A failure with its reason, and the traceback if the reason is an exception.

    >>> failure(MemoryError("8 GB")).failure
    'MemoryError: 8 GB'
    """
    if not isinstance(failed, BaseException):
        return TrialResult(failure="failed" if failed is True else _writable(str(failed)))
    import traceback

    name = type(failed).__name__
    try:
        text = str(failed)
    except Exception as trouble:
        text = f"no message, its __str__ raised {type(trouble).__name__}"
    trace = "".join(traceback.format_exception(type(failed), failed, failed.__traceback__))
    return TrialResult(failure=_writable(f"{name}: {text}" if text else name), trace=_writable(trace))


def _writable(text: str) -> str:
    """Replace lone surrogates, as in file names that are not UTF-8, by ``\\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
