"""Durations as people write them: ``90``, ``45s``, ``10m``, ``1h30m``."""

from __future__ import annotations

import math
from typing import Any

from arbora import _arbora


def seconds(given: Any, what: str = "time_budget") -> float:
    """How many seconds that is.

    >>> seconds("1h30m"), seconds(12), seconds("250ms")
    (5400.0, 12.0, 0.25)
    >>> seconds("soon")
    Traceback (most recent call last):
    ValueError: time_budget = `soon` is not a duration; write 45, 45s, 10m or 1h30m
    """
    if isinstance(given, str):
        try:
            return _arbora.parse_duration(given)
        except ValueError as error:
            raise ValueError(f"{what} = {error}") from None
    try:
        total = float(given)
    except (TypeError, ValueError):
        raise ValueError(f"{what} = {given!r} is not a duration; write 45, \"45s\", \"10m\" or \"1h30m\"") from None
    if not (total > 0 and math.isfinite(total)):
        raise ValueError(f"{what} = {given!r} is invalid: it is a number of seconds above zero")
    return total
