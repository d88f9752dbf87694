"""Tables and samples as people have them, turned into lists of numbers with names."""

from __future__ import annotations

from typing import Any, Hashable, List, Mapping, NamedTuple, Optional, Sequence

from arbora.errors import StatsError


class Table(NamedTuple):
    """Values, one row per problem, and the names of the columns.

    >>> Table.of([[1, 2], [3, 4]])
    Table(rows=[[1.0, 2.0], [3.0, 4.0]], names=[0, 1])
    """

    rows: List[List[float]]
    names: List[Any]

    @classmethod
    def of(cls, table: Any, names: Optional[Sequence[Hashable]] = None) -> Table:
        """Nested lists, an array, or a data frame, whose columns have names."""
        columns = getattr(table, "columns", None)
        to_numpy = getattr(table, "to_numpy", None)
        listed = plain(to_numpy() if columns is not None and to_numpy is not None else table)
        rows = [numbers(row, f"row {i} of the table") for i, row in enumerate(listed)]
        given = names if names is not None else columns
        return cls(rows, named(given, len(rows[0]) if rows else 0))


class Averages(NamedTuple):
    """Average ranks, and the names of the methods.

    >>> Averages.of({"a": 1.2, "b": 1.8})
    Averages(values=[1.2, 1.8], names=['a', 'b'])
    """

    values: List[float]
    names: List[Any]

    @classmethod
    def of(cls, ranks: Any, names: Optional[Sequence[Hashable]] = None) -> Averages:
        """A mapping from names, a sequence, or a series, whose index has names."""
        known: Any = None
        if isinstance(ranks, Mapping):
            values, known = list(ranks.values()), list(ranks)
        else:
            values, known = plain(ranks), getattr(ranks, "index", None)
            known = None if callable(known) else known  # lists and tuples look things up with it
        return cls(numbers(values, "the average ranks"), named(known if names is None else names, len(values)))


def plain(items: Any) -> List[Any]:
    """A list of what a sequence, an array or a column holds."""
    tolist = getattr(items, "tolist", None)
    try:
        return list(items if tolist is None else tolist())
    except TypeError:
        raise StatsError(f"{items!r} is no table and no sequence of numbers", "NotANumber") from None


def numbers(items: Any, where: str) -> List[float]:
    """Floats; what is none is named."""
    if isinstance(items, str) or not hasattr(items, "__iter__"):
        raise StatsError(f"{where} is {items!r}, not a sequence of numbers", "NotANumber", {"value": items})
    read: List[float] = []
    for place, item in enumerate(plain(items)):
        try:
            read.append(float(item))
        except (TypeError, ValueError):
            message = f"{where}, entry {place} (counted from 0): {item!r} is not a number"
            raise StatsError(message, "NotANumber", {"value": item}) from None
    return read


def named(names: Any, count: int) -> List[Any]:
    """As many different names as there are methods; without any, the numbers of their columns."""
    if names is None:
        return list(range(count))
    listed = plain(names)
    if len(listed) != count:
        raise StatsError(f"there are {len(listed)} names for {count} methods", "Names", {"names": listed})
    twice = next((name for i, name in enumerate(listed) if name in listed[:i]), None)
    if twice is not None:
        raise StatsError(f"two methods are called {twice!r}; give them different names", "Names", {"names": listed})
    return listed


def is_maximized(direction: str) -> bool:
    """Is more better?"""
    if direction not in ("minimize", "maximize"):
        message = f"direction is {direction!r}; it is 'minimize' or 'maximize'"
        raise StatsError(message, "Direction", {"direction": direction})
    return direction == "maximize"
