"""A table as its file has it: cells as text, with the lines they come from."""

from __future__ import annotations

import itertools
from typing import List, NamedTuple, Optional, Sequence

MISSING = {"", "?", "na", "nan", "n/a", "null", "<null>"}
"""Cells that stand for nothing, in small letters."""


class Faulty(Exception):
    """A file that cannot be read: the message names the file, the line and the column, as far as
    there is one."""

    def __init__(self, path: str, problem: str, line: Optional[int] = None, column: Optional[str] = None) -> None:
        places = [path, *([f"line {line}"] if line else []), *([f"column `{column}`"] if column else [])]
        super().__init__(f"{', '.join(places)}: {problem}")


class Column(NamedTuple):
    """A column: what the file says of it."""

    name: str
    is_numeric: Optional[bool] = None
    """Numbers, categories, or not said."""
    labels: Sequence[str] = ()
    """The categories in the order of the file, where it lists them."""


class Raw(NamedTuple):
    """A table of text."""

    path: str
    columns: List[Column]
    rows: List[List[str]]
    lines: List[int]
    """The line of every row, the first being 1."""
    target: Optional[str] = None
    """The column of classes, where the file names it."""
    train: Optional[int] = None
    """Rows before the publisher's test part, if there is one."""
    test_path: str = ""
    """Where the test part comes from."""
    is_sparse: bool = False
    """Are columns that a file does not have full of zeros?"""

    def followed_by(self, test: Raw) -> Raw:
        """This table with a test part below it, which has the same columns."""
        if self.is_sparse and test.is_sparse and len(self.columns) != len(test.columns):
            width = max(len(self.columns), len(test.columns))
            return self.widened(width).followed_by(test.widened(width))
        if [column.name for column in self.columns] != [column.name for column in test.columns]:
            pairs = itertools.zip_longest((c.name for c in test.columns), (c.name for c in self.columns), fillvalue="none")
            at, (here, there) = next((i, names) for i, names in enumerate(pairs) if names[0] != names[1])
            raise test.fault(f"column {at + 1} is `{here}` here and `{there}` in the training part, {self.path}")
        columns = [
            Column(a.name, a.is_numeric, [*a.labels, *(label for label in b.labels if label not in a.labels)])
            for a, b in zip(self.columns, test.columns)
        ]
        return Raw(
            self.path, columns, self.rows + test.rows, self.lines + test.lines, self.target, len(self.rows), test.path
        )

    def widened(self, width: int) -> Raw:
        """With columns of zeros on the right."""
        added = [Column(str(i), True) for i in range(len(self.columns), width)]
        return self._replace(columns=self.columns + added, rows=[row + ["0"] * len(added) for row in self.rows])

    def fault(self, problem: str, row: Optional[int] = None, column: Optional[int] = None) -> Faulty:
        """The error of a cell, a row, or the whole."""
        name = None if column is None else self.columns[column].name
        is_test = row is not None and self.train is not None and row >= self.train
        return Faulty(self.test_path if is_test else self.path, problem, None if row is None else self.lines[row], name)

    def place(self, name: str) -> int:
        """Where a column stands."""
        names = [column.name for column in self.columns]
        if name not in names:
            raise self.fault(f"no column is called `{name}`; there are {', '.join(names)}")
        return names.index(name)

    def cells(self, column: int) -> List[str]:
        """A column, from top to bottom."""
        return [row[column] for row in self.rows]


def is_missing(cell: str) -> bool:
    """Does a cell stand for nothing?

    >>> [is_missing(cell) for cell in ("?", "NaN", "", "none", "0")]
    [True, True, True, False, False]
    """
    return cell.lower() in MISSING


def number(cell: str) -> Optional[float]:
    """The finite number a cell holds, if it holds one.

    >>> number("1e-3"), number("?"), number("inf"), number("1_000")
    (0.001, None, None, None)
    """
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if value - value == 0.0 and "_" not in cell else None
