"""Check what users hand in: an error names the argument, the value and what to do."""

from __future__ import annotations

import numbers
import operator
import os
from typing import Any, Callable, Optional, Tuple, Type

from arbora import duration

__all__ = [
    "exceptions", "functions", "number", "path", "seconds", "seed_or_random", "some_seconds", "step_of", "text",
    "trial_number", "truth", "whole",
]


def whole(name: str, value: Any, least: int) -> int:
    """A whole number of at least ``least``.

    >>> whole("trials", 3.0, 0)
    3
    >>> whole("trials", 2.5, 0)
    Traceback (most recent call last):
    ...
    TypeError: trials = 2.5 is invalid: it must be a whole number, such as 2
    """
    is_whole = isinstance(value, numbers.Real) and not isinstance(value, bool) and value == value // 1
    if not is_whole:
        raise TypeError(f"{name} = {value!r} is invalid: it must be a whole number, such as {max(least, 2)}")
    if value < least:
        raise ValueError(f"{name} = {value!r} is invalid: it must be {least} or more")
    return int(value)


def seed_or_random(given: Optional[int]) -> int:
    """The seed given, or one from the operating system, short enough to type.

    >>> seed_or_random(7)
    7
    """
    if given is None:
        return int.from_bytes(os.urandom(6), "little")
    given = whole("seed", given, 0)
    if not 0 <= given < 2**64:
        raise ValueError(f"seed = {given} is invalid: it is a whole number from 0 to 2**64 - 1")
    return given


def seconds(name: str, value: Any) -> Optional[float]:
    """A time in seconds, as a number or as people write it, or none.

    >>> seconds("timeout", 90), seconds("timeout", "1m30s"), seconds("timeout", None)
    (90.0, 90.0, None)
    >>> seconds("timeout", "soon")
    Traceback (most recent call last):
    ...
    ValueError: timeout = `soon` is not a duration; write 45, 45s, 10m or 1h30m
    """
    if value is None:
        return None
    if isinstance(value, str):
        return duration.seconds(value, name)
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or value != value:
        raise TypeError(f'{name} = {value!r} is invalid: it is a number of seconds, such as 60, or text, such as "1m"')
    if value < 0:
        raise ValueError(f"{name} = {value!r} is invalid: a time is not negative")
    return float(value)


def some_seconds(name: str, value: Any) -> float:
    """A time above zero.

    >>> some_seconds("lease", 0)
    Traceback (most recent call last):
    ...
    ValueError: lease = 0 is invalid: it is a time above zero, such as 60
    """
    length = seconds(name, value)
    if not length:
        raise ValueError(f"{name} = {value!r} is invalid: it is a time above zero, such as 60")
    return length


def trial_number(trial: Any) -> int:
    """The number of a trial, given by the trial or by its number.

    >>> from arbora.examples import bowl_study
    >>> trial = bowl_study().trials[0]
    >>> trial_number(trial), trial_number(3)
    (0, 3)
    >>> trial_number("first")
    Traceback (most recent call last):
    ...
    TypeError: 'first' is no trial: give what ask() returned, or its number
    """
    number = getattr(trial, "number", trial)
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{trial!r} is no trial: give what ask() returned, or its number")
    if operator.index(number) < 0:
        way = f"trials are counted from 0; study.trials[{number}] counts from the end"
        raise ValueError(f"trial {number} is invalid: {way}")
    return operator.index(number)


def truth(name: str, value: Any) -> bool:
    """True or false, also NumPy's; anything else would be a guess.

    >>> truth("repeats", "no")
    Traceback (most recent call last):
    ...
    TypeError: repeats = 'no' is invalid: it is True or False
    """
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise TypeError(f"{name} = {value!r} is invalid: it is True or False")
    return bool(value)


def text(name: str, value: Any) -> str:
    """Text.

    >>> text("name", 3)
    Traceback (most recent call last):
    ...
    TypeError: name = 3 is invalid: it is text, such as '3'
    """
    if not isinstance(value, str):
        example = f", such as {str(value)!r}" if isinstance(value, (int, float)) else ""
        raise TypeError(f"{name} = {value!r} is invalid: it is text{example}")
    return value


def path(name: str, value: Any) -> str:
    """The path of a file.

    >>> path("storage", 3)
    Traceback (most recent call last):
    ...
    TypeError: storage = 3 is invalid: it is the path of a file, such as 'study.db'
    """
    try:
        return os.fsdecode(os.fspath(value))
    except TypeError:
        raise TypeError(f"{name} = {value!r} is invalid: it is the path of a file, such as 'study.db'") from None


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
    """The step of an intermediate value: a whole number. Text and fractions show that the two were
    taken for each other.

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
    TypeError: catch = 'ValueError' is invalid: it is a class of exceptions, such as ValueError, or a tuple of them
    """
    given = tuple(value) if isinstance(value, (tuple, list, set, frozenset)) else (value,)
    if not all(isinstance(one, type) and issubclass(one, BaseException) for one in given):
        expected = "a class of exceptions, such as ValueError, or a tuple of them"
        raise TypeError(f"{name} = {value!r} is invalid: it is {expected}")
    return given


def functions(name: str, value: Any) -> Tuple[Callable[..., Any], ...]:
    """Functions: one, or several in a tuple or list.

    >>> functions("callbacks", print)
    (<built-in function print>,)
    >>> functions("callbacks", [3])
    Traceback (most recent call last):
    ...
    TypeError: callbacks = [3] is invalid: it is a list of functions of study and trial
    """
    given = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not all(callable(one) for one in given):
        raise TypeError(f"{name} = {value!r} is invalid: it is a list of functions of study and trial")
    return given
