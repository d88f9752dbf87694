"""Checks of what users hand in: an error names the argument, the value and the way out."""

from __future__ import annotations

import numbers
import operator
from typing import Any, Optional, Tuple, Type

__all__ = ["exceptions", "number", "seconds", "step_of", "whole"]


def whole(name: str, value: Any, least: int) -> int:
    """A whole number of at least ``least``.

    >>> whole("trials", 3.0, 0)
    3
    >>> whole("trials", 2.5, 0)
    Traceback (most recent call last):
    ...
    TypeError: trials = 2.5 is not possible: it must be a whole number, such as 2
    """
    is_whole = isinstance(value, numbers.Real) and not isinstance(value, bool) and value == value // 1
    if not is_whole:
        raise TypeError(f"{name} = {value!r} is not possible: it must be a whole number, such as {max(least, 2)}")
    if value < least:
        raise ValueError(f"{name} = {value!r} is not possible: it must be {least} or more")
    return int(value)


def seconds(name: str, value: Any) -> Optional[float]:
    """A time in seconds, or none.

    >>> seconds("timeout", "10s")
    Traceback (most recent call last):
    ...
    TypeError: timeout = '10s' is not possible: it is a number of seconds, such as 60
    """
    if value is None:
        return None
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or value != value:
        raise TypeError(f"{name} = {value!r} is not possible: it is a number of seconds, such as 60")
    return float(value)


def number(what: str, value: Any) -> float:
    """A number, also one of NumPy; text is not guessed at.

    >>> number("the loss", "0.5")
    Traceback (most recent call last):
    ...
    TypeError: the loss must be a number, not str '0.5': use float('0.5')
    """
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{what} must be a number, not {type(value).__name__} {value!r}: use float({value!r})")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be a number, not {type(value).__name__} {value!r}") from None


def step_of(value: Any, step: Any) -> int:
    """The step of an intermediate value: a whole number. Text and fractions show that the two were taken for each other.

    >>> step_of(0.9, 1)
    1
    >>> step_of(1, 0.9)
    Traceback (most recent call last):
    ...
    TypeError: report(1, 0.9): step = 0.9 must be a whole number; the value comes first, then the step: report(0.9, 1)
    """
    call = f"report({value!r}, {step!r})"
    if isinstance(step, bool) or not hasattr(step, "__index__"):
        is_swapped = hasattr(value, "__index__") and isinstance(step, numbers.Real)
        shown = f"report({step!r}, {value!r})" if is_swapped else "report(0.9, 1)"
        way = f"the value comes first, then the step: {shown}"
        raise TypeError(f"{call}: step = {step!r} must be a whole number; {way}")
    if not 0 <= operator.index(step) < 2**64:
        raise ValueError(f"{call}: step = {step!r} must be 0 or more")
    return operator.index(step)


def exceptions(name: str, value: Any) -> Tuple[Type[BaseException], ...]:
    """Classes of exceptions: one, or several in a tuple or list.

    >>> exceptions("catch", [ValueError, OSError])
    (<class 'ValueError'>, <class 'OSError'>)
    >>> exceptions("catch", "ValueError")
    Traceback (most recent call last):
    ...
    TypeError: catch = 'ValueError' is not possible: it is a class of exceptions, such as ValueError, or a tuple of them
    """
    given = tuple(value) if isinstance(value, (tuple, list, set, frozenset)) else (value,)
    if not all(isinstance(one, type) and issubclass(one, BaseException) for one in given):
        expected = "a class of exceptions, such as ValueError, or a tuple of them"
        raise TypeError(f"{name} = {value!r} is not possible: it is {expected}")
    return given
