"""Columns of dates, as numbers that mean something: how long ago, and which time of the year, the
week and the day.

Dates are those of Python, NumPy and pandas, or texts: ``2024-12-31`` (also with ``/`` or ``.``, a
time, or without the day), ``31.12.2024``, and ``31/12/2024`` or ``12/31/2024``, whichever the
column's other dates leave open. They are taken as written: time zones are not converted, since it
is the hour on the clock that people live by.
"""

from __future__ import annotations

import datetime
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

TIME = r"(?:[T ]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[AaPp][Mm])?)?"
ZONE = r"\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?"
YEAR_FIRST = re.compile(rf"(?P<y>\d{{4}})([-/.])(?P<b>\d{{1,2}})(?:\2(?P<c>\d{{1,2}}))?{TIME}{ZONE}")
YEAR_LAST = re.compile(rf"(?P<a>\d{{1,2}})([-/.])(?P<b>\d{{1,2}})\2(?P<y>\d{{4}}){TIME}{ZONE}")
ORDERS = ("day first", "month first")
"""How texts with the year at the end are read."""
ENOUGH = 0.9
"""The share of texts that are dates from which on a column holds dates; the others are gaps."""
PARTS = ("days", "year", "month", "day", "weekday", "hour")


class Reading(NamedTuple):
    """How the texts of a column are read."""

    order: str
    is_strict: bool
    """Was every text a date?"""


def is_date(value: Any) -> bool:
    """Is this a date, but for texts?"""
    return isinstance(value, (datetime.date, np.datetime64))


def reading(name: str, texts: Sequence[str]) -> Optional[Reading]:
    """How texts are read if they are dates; None if they are not.

    >>> reading("when", ["31/12/2023", "01/02/2024"]).order
    'day first'
    >>> reading("when", ["red", "2024-01-01"]) is None
    True
    >>> reading("when", ["01/02/2024", "03/04/2024"])
    Traceback (most recent call last):
    ValueError: column `when` holds dates that can be read day first or month first, such as '01/02/2024'; write them as in 2024-12-31, or leave the column out
    """
    texts = list(dict.fromkeys(texts))
    read: Dict[str, List[Optional[datetime.datetime]]] = {
        order: [moment(text, order) for text in texts] for order in ORDERS
    }
    right = {order: sum(found is not None for found in read[order]) for order in ORDERS}
    best = max(ORDERS, key=lambda order: right[order])
    if right[best] < ENOUGH * len(texts):
        return None
    if right[ORDERS[0]] == right[ORDERS[1]]:
        for text, one, other in zip(texts, *read.values()):
            if one != other:
                raise ValueError(
                    f"column `{name}` holds dates that can be read day first or month first, such as {text!r}; write them "
                    "as in 2024-12-31, or leave the column out"
                )
    return Reading(best, right[best] == len(texts))


def moment(text: str, order: str) -> Optional[datetime.datetime]:
    """The date that a text is; None if it is none.

    >>> moment("2024-02-29 13:05", "day first"), moment("02/29/2024 1:05 pm", "month first")
    (datetime.datetime(2024, 2, 29, 13, 5), datetime.datetime(2024, 2, 29, 13, 5))
    >>> moment("2023-02-29", "day first") is None
    True
    """
    found = YEAR_FIRST.fullmatch(text.strip())
    if found is not None:
        month, day = found["b"], found["c"] or "1"
    else:
        found = YEAR_LAST.fullmatch(text.strip())
        if found is None:
            return None
        # Dots are for days first, wherever they are written.
        is_day_first = order == ORDERS[0] or found[2] == "."
        day, month = (found["a"], found["b"]) if is_day_first else (found["b"], found["a"])
    hour = int(found["hour"] or 0)
    if found["half"]:
        hour = hour % 12 + (12 if found["half"].lower() == "pm" else 0)
    try:
        return datetime.datetime(int(found["y"]), int(month), int(day), hour, int(found["minute"] or 0), int(found["second"] or 0))
    except ValueError:
        return None


def moments(name: str, cells: Any, absent: Any, how: Reading) -> Any:
    """The cells of a column as moments; those that are missing are none."""
    if cells.dtype.kind == "M":
        return cells.astype("datetime64[s]")
    known: Dict[Any, Any] = {}
    made = np.full(len(cells), np.datetime64("NaT", "s"))
    for place in np.flatnonzero(~absent):
        cell = cells[place]
        if cell not in known:
            known[cell] = _moment(name, cell, how)
        made[place] = known[cell]
    return made


def _moment(name: str, cell: Any, how: Reading) -> Any:
    found = moment(cell, how.order) if isinstance(cell, str) else cell
    if isinstance(found, datetime.datetime):
        return np.datetime64(found.replace(tzinfo=None), "s")
    if is_date(found):
        return np.datetime64(found, "s")
    if how.is_strict or not isinstance(cell, str):
        raise ValueError(f"column `{name}` held dates when the model was fitted, and holds {cell!r} now")
    return np.datetime64("NaT", "s")


def numbers(of: Any, parts: Sequence[str] = PARTS) -> Any:
    """A column of numbers for each of the parts: days since 1970, the year, the month, its day, the
    weekday from Monday = 0, and the hour with its fraction.

    >>> import numpy as np
    >>> numbers(np.array(["2024-12-31T18:30", "NaT"], dtype="datetime64[s]"), ["year", "weekday", "hour"]).tolist()
    [[2024.0, 1.0, 18.5], [nan, nan, nan]]
    """
    day, month = of.astype("datetime64[D]"), of.astype("datetime64[M]")
    # Missing ones turn into nonsense here, and into gaps below.
    months, days = month.astype(np.int64), day.astype(np.int64)
    columns = {
        "days": of.astype(np.int64) / 86_400,
        "year": months // 12 + 1970,
        "month": months % 12 + 1,
        "day": days - month.astype("datetime64[D]").astype(np.int64) + 1,
        "weekday": (days + 3) % 7,
        "hour": (of.astype(np.int64) - days * 86_400) / 3_600,
    }
    matrix = np.column_stack([np.asarray(columns[part], dtype=float) for part in parts])
    matrix[np.isnat(of)] = np.nan
    return matrix


def telling(of: Any) -> Tuple[str, ...]:
    """The parts that are not the same for all dates of a column.

    >>> import numpy as np
    >>> telling(np.array(["2024-12-30", "2024-12-31"], dtype="datetime64[s]"))
    ('days', 'day', 'weekday')
    """
    known = numbers(of[~np.isnat(of)])
    return tuple(part for part, column in zip(PARTS, known.T) if len(column) and (column != column[0]).any())
