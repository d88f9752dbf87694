"""Cells as numbers, by the rule of the lab: numbers stay, categories are coded 1, 2, 3, what is
missing is 0.

Categories that are numbers stay too; others are coded in the order in which the file declares them,
else in the alphabet's. Classes are 0, 1, 2 in the same order.
"""

from __future__ import annotations

from typing import Collection, Dict, List, NamedTuple, Optional, Sequence

from arbora.lab.tables.raw import Faulty, Raw, is_missing, number

FEW = 20
"""A column of words and numbers has categories if it has so few different ones; else one of its
cells is wrong."""


class Encoded(NamedTuple):
    """A table of numbers."""

    rows: List[List[float]]
    classes: List[int]
    coded: int
    """Columns that were coded."""
    missing: int
    """Cells that were missing."""


def encode(
    raw: Raw,
    *,
    target: Optional[str] = None,
    categorical: Collection[str] = (),
    drop: Collection[str] = (),
) -> Encoded:
    """A table as numbers. The class is ``target``, else what the file says, else the last column;
    ``categorical`` are columns to be coded even if they hold numbers, ``drop`` those to leave out.

    >>> from arbora.lab.tables.delimited import read_delimited
    >>> raw = read_delimited("f.csv", ["size,colour,class", "3,red,yes", "?,blue,no", "5,red,yes"])
    >>> encode(raw)
    Encoded(rows=[[3.0, 2.0], [0.0, 1.0], [5.0, 2.0]], classes=[1, 0, 1], coded=1, missing=1)
    """
    named = target or raw.target
    last = raw.place(named) if named else len(raw.columns) - 1
    left_out = {last, *(raw.place(name) for name in drop)}
    coded = {raw.place(name) for name in categorical}
    used = [i for i in range(len(raw.columns)) if i not in left_out]
    if not used:
        raise raw.fault("it has no columns beside the class")
    codes = {i: labels(raw, i, i in coded) for i in used}
    columns = [[value(cell, codes[i]) for cell in raw.cells(i)] for i in used]
    missing = sum(is_missing(cell) for i in used for cell in raw.cells(i))
    rows = [list(row) for row in zip(*columns)]
    return Encoded(rows, classes(raw, last), sum(found is not None for found in codes.values()), missing)


def value(cell: str, codes: Optional[Dict[str, int]]) -> float:
    """The number of a cell that was looked at before."""
    if is_missing(cell):
        return 0.0
    return float(cell) if codes is None else float(codes[cell])


def labels(raw: Raw, column: int, is_coded: bool) -> Optional[Dict[str, int]]:
    """The codes of the categories of a column, from 1 on; None if it holds numbers."""
    cells = raw.cells(column)
    words = [i for i, cell in enumerate(cells) if not is_missing(cell) and number(cell) is None]
    declared = raw.columns[column]
    if declared.labels:
        known = set(declared.labels)
        check(raw, column, [i for i, cell in enumerate(cells) if not is_missing(cell) and cell not in known])
        if not is_coded and all(number(label) is not None for label in declared.labels):
            return None
        return {label: code + 1 for code, label in enumerate(declared.labels)}
    different = sorted({cell for cell in cells if not is_missing(cell)}, key=order)
    if not words and not is_coded:
        return None
    is_mixed = len(words) < sum(not is_missing(cell) for cell in cells)
    if not is_coded and (declared.is_numeric or (is_mixed and len(different) > FEW)):
        raise raw.fault(
            f"`{cells[words[0]]}` is no number; correct it, or say that the column has categories", words[0], column
        )
    return {label: code + 1 for code, label in enumerate(different)}


def check(raw: Raw, column: int, wrong: Sequence[int]) -> None:
    """No cell may hold what the file does not declare."""
    if wrong:
        known = ", ".join(raw.columns[column].labels)
        raise raw.fault(f"`{raw.rows[wrong[0]][column]}` is not among the declared {known}", wrong[0], column)


def classes(raw: Raw, column: int) -> List[int]:
    """The classes of all rows, from 0 on; those that are declared and never occur have no number.
    """
    cells = raw.cells(column)
    absent = next((i for i, cell in enumerate(cells) if is_missing(cell)), None)
    if absent is not None:
        raise raw.fault("the class is missing; leave the row out, or name another column as the class", absent, column)
    declared = raw.columns[column].labels
    if declared:
        known = set(declared)
        check(raw, column, [i for i, cell in enumerate(cells) if cell not in known])
    else:  # 1 and 1.0 are one class
        cells = [cell if number(cell) is None else str(number(cell)) for cell in cells]
    found = set(cells)
    ordered = [label for label in declared if label in found] or sorted(found, key=order)
    if len(ordered) < 2 or len(ordered) > max(2, len(cells) // 2):
        raise not_classes(raw, column, len(ordered))
    codes = {label: code for code, label in enumerate(ordered)}
    return [codes[cell] for cell in cells]


def not_classes(raw: Raw, column: int, count: int) -> Faulty:
    """A column that does not look like classes."""
    many = "only one value" if count == 1 else f"{count} different values in {len(raw.rows)} rows"
    return raw.fault(f"it has {many}, too {'few' if count == 1 else 'many'} for a class; name another column", None, column)


def order(label: str) -> "tuple[bool, float, str]":
    """Numbers by their size, before words by the alphabet.

    >>> sorted(["10", "9", "b", "a"], key=order)
    ['9', '10', 'a', 'b']
    """
    as_number = number(label)
    return as_number is None, as_number or 0.0, label
