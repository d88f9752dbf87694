"""Text with delimiters: commas, semicolons, tabs, or blanks. With a header or without.

Files ``NAME.data`` and ``NAME.test`` are in the form of C4.5, as the UCI repository has many: ``|``
begins a comment, and a line may end with a full stop.
"""

from __future__ import annotations

import csv
from typing import List, Optional, Sequence, Tuple

from arbora.lab.tables.raw import Column, Faulty, Raw, is_missing, number


def read_delimited(path: str, lines: Sequence[str], header: Optional[bool] = None, is_c45: bool = False) -> Raw:
    """The table; columns without names are called 1, 2, 3."""
    rows, numbers = cells(path, lines, is_c45)
    if not rows:
        raise Faulty(path, "it has no rows")
    width = len(rows[0])
    for row, line in zip(rows, numbers):
        if len(row) != width:
            raise Faulty(path, f"{len(row)} cells, the first line has {width}", line)
    if header if header is not None else begins_with_names(rows):
        names, rows, numbers = rows[0], rows[1:], numbers[1:]
        if not rows:
            raise Faulty(path, "it has a header and no rows")
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise Faulty(path, f"two columns are called `{twice}`", 1)
    else:
        names = [str(i + 1) for i in range(width)]
    return Raw(path, [Column(name) for name in names], rows, numbers)


def cells(path: str, lines: Sequence[str], is_c45: bool) -> Tuple[List[List[str]], List[int]]:
    """The cells of every line that has some, and the numbers of the lines."""
    kept = [(i + 1, line.split("|")[0].rstrip() if is_c45 else line) for i, line in enumerate(lines)]
    kept = [(i, line[:-1] if is_c45 and line.endswith(".") else line) for i, line in kept if line.strip()]
    if not kept:
        return [], []
    first = kept[0][1]
    delimiter = max(",;\t", key=first.count)
    if delimiter not in first:
        return [line.split() for _, line in kept], [i for i, _ in kept]
    try:
        read = list(csv.reader((line for _, line in kept), delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error as trouble:
        raise Faulty(path, f"{trouble}; are the quotes in order?") from None
    if len(read) != len(kept):
        raise Faulty(path, "a quoted cell goes over several lines; write it on one")
    return [[cell.strip() for cell in row] for row in read], [i for i, _ in kept]


def begins_with_names(rows: Sequence[Sequence[str]]) -> bool:
    """Is the first row a header? Its words occur nowhere below in their columns, and either it has
    only words or one of them stands over numbers.

    >>> begins_with_names([["age", "class"], ["31", "yes"], ["52", "no"]])
    True
    >>> begins_with_names([["0", "1", "class"], ["3.1", "2", "0"], ["2.5", "4", "1"]])
    True
    >>> begins_with_names([["p", "x", "s"], ["e", "x", "s"], ["p", "b", "y"]])
    False
    >>> begins_with_names([["3.1", "2", "yes"], ["2.5", "4", "no"]])
    False
    """
    first, below = rows[0], rows[1:]
    words = [i for i, cell in enumerate(first) if number(cell) is None and not is_missing(cell)]
    if not words or not below or any(first[i] == row[i] for i in words for row in below if i < len(row)):
        return False
    columns = ([row[i] for row in below if not is_missing(row[i])] for i in words)
    over_numbers = any(cells and all(number(cell) is not None for cell in cells) for cells in columns)
    return len(words) == len(first) or over_numbers
