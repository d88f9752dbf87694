"""Durations as people write them: ``90``, ``45s``, ``10m``, ``1h30m``."""

from __future__ import annotations

import math
import re
from typing import Any

UNITS = {"": 1.0, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(given: Any, what: str = "time_budget") -> float:
    """How many seconds that is.

    >>> seconds("1h30m"), seconds(12), seconds("250ms")
    (5400.0, 12.0, 0.25)
    >>> seconds("soon")
    Traceback (most recent call last):
    ValueError: time_budget = 'soon' is not a duration; write 45, "45s", "10m" or "1h30m"
    """
    bad = f'{what} = {given!r} is not a duration; write 45, "45s", "10m" or "1h30m"'
    if isinstance(given, str):
        parts = re.findall(r"(\d+(?:\.\d+)?)([a-z]*)", given.strip())
        if "".join(number + unit for number, unit in parts) != given.strip() or not parts:
            raise ValueError(bad)
        if any(unit not in UNITS for _, unit in parts):
            raise ValueError(bad)
        return sum(float(number) * UNITS[unit] for number, unit in parts)
    try:
        total = float(given)
    except (TypeError, ValueError):
        raise ValueError(bad) from None
    if not (total > 0 and math.isfinite(total)):
        raise ValueError(f"{what} = {given!r} is not possible: it is a number of seconds above zero")
    return total
