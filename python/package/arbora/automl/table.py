"""Tables as people have them, encoded as one matrix of numbers.

Numbers stay numbers; categories become their position in a list; a date becomes several numbers;
what is missing becomes NaN, and so does a category that was never seen. The lists of categories are
those of all rows given to ``fit``: they hold names, nothing of the target.
"""

from __future__ import annotations

import datetime
import numbers
import sys
import warnings
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Set, Tuple

import numpy as np

from arbora.automl import dates

MOST_CATEGORIES = 250
"""Histogram boosting takes 255; the rarest beyond this become one."""
MANY_NUMBERS = 20
"""Texts that are numbers and more than so many different ones are hardly meant as categories."""
REST = "\x00rest"
"""The category of all that are too rare to have one of their own."""


@dataclass(frozen=True)
class Column:
    """How one column is read."""

    name: str
    kind: str
    """``number``, ``category``, ``date`` or ``ignored``."""
    keys: Tuple[str, ...] = ()
    """The categories; a cell is the position of its own. Of dates, the numbers that are made of
    them."""
    reading: dates.Reading = dates.Reading("day first", True)
    """How texts are read that are dates."""

    @property
    def sizes(self) -> Tuple[int, ...]:
        """For each number that it becomes how many categories that stands for; zero for a true
        number."""
        if self.kind == "ignored":
            return ()
        return (0,) * len(self.keys) if self.kind == "date" else (len(self.keys),)

    def encode(self, values: Any) -> Any:
        """The numbers of its cells, one row each."""
        if self.kind == "date":
            cells = _cells(values)
            return dates.numbers(dates.moments(self.name, cells, missing(cells), self.reading), self.keys)
        codes = _codes(self, values) if self.kind == "category" else _numbers(self.name, values)
        return codes[:, None]


class Table:
    """The columns of a table, as they were when it was first seen.

    >>> table = Table.of([["red", 1.5], ["blue", None], ["red", 2.0]])
    >>> table.encode([["blue", 3.0], ["green", None]])
    array([[ 0.,  3.],
           [nan, nan]])
    """

    def __init__(self, columns: Sequence[Column], names: Optional[List[str]]) -> None:
        self.columns = list(columns)
        self.names = names
        """The names of the columns, if the table had some."""

    @classmethod
    def of(cls, X: Any) -> Table:
        """Learns the kinds of the columns."""
        names, columns = columns_of(X)
        learnt = [_learnt(name, values) for name, values in columns]
        if all(column.kind == "ignored" for column in learnt):
            raise ValueError("no column of the table tells anything: each is empty, or has one value or one for every row")
        return cls(learnt, names)

    @property
    def sizes(self) -> Tuple[int, ...]:
        """For each column of the matrix how many categories it has; zero for numbers."""
        return tuple(size for column in self.columns for size in column.sizes)

    @property
    def dates(self) -> List[str]:
        """Names of the columns that are read as dates."""
        return [column.name for column in self.columns if column.kind == "date"]

    @property
    def ignored(self) -> List[str]:
        """Names of the columns that tell nothing."""
        return [column.name for column in self.columns if column.kind == "ignored"]

    def encode(self, X: Any) -> Any:
        """The matrix of a table with the same columns."""
        names, columns = columns_of(X)
        self._check(names, len(columns))
        used = [(column, values) for column, (_, values) in zip(self.columns, columns) if column.kind != "ignored"]
        matrix = np.empty((len(columns[0][1]), len(self.sizes)))
        place = 0
        for column, values in used:
            matrix[:, place : place + len(column.sizes)] = column.encode(values)
            place += len(column.sizes)
        return matrix

    def _check(self, names: Optional[List[str]], count: int) -> None:
        if names is None or self.names is None or names == self.names:
            if count != len(self.columns):
                raise ValueError(f"X has {count} features, but Arbora is expecting {len(self.columns)} features as input")
            return
        message = "The feature names should match those that were passed during fit.\n"
        unseen = [name for name in names if name not in self.names]
        missing = [name for name in self.names if name not in names]
        if unseen:
            message += f"Feature names unseen at fit time: {', '.join(unseen[:5])}\n"
        if missing:
            message += f"Feature names seen at fit time, yet now missing: {', '.join(missing[:5])}\n"
        if not unseen and not missing:
            message += "Feature names must be in the same order as they were in fit.\n"
        raise ValueError(message)


def columns_of(X: Any) -> Tuple[Optional[List[str]], List[Tuple[str, Any]]]:
    """The columns of a frame or of anything NumPy takes for a matrix, and their names if they have
    some."""
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError("sparse data are not taken; pass a dense one: X.toarray()")
    if hasattr(X, "columns") and hasattr(X, "__getitem__"):
        names = list(X.columns)
        columns = [X.iloc[:, i] if hasattr(X, "iloc") else X[name] for i, name in enumerate(names)]
        named = [str(name) for name in names] if all(isinstance(name, str) for name in names) else None
        _check_shape(len(X), len(names))
        return named, [(str(name), column) for name, column in zip(names, columns)]
    array = X if isinstance(X, np.ndarray) else _array(X)
    if array.ndim == 1:
        raise ValueError("Expected 2D array, got 1D array instead: a table has rows and columns. Reshape your data "
                         "using X.reshape(-1, 1) if it has one column, or X.reshape(1, -1) if it is one row.")
    if array.ndim != 2:
        raise ValueError(f"Found array with dim {array.ndim}, while a table has two: rows and columns")
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    _check_shape(*array.shape)
    return None, [(f"x{i}", array[:, i]) for i in range(array.shape[1])]


def _check_shape(rows: int, columns: int) -> None:
    if rows == 0 or columns == 0:
        lacking = "0 sample(s)" if rows == 0 else "0 feature(s)"
        raise ValueError(f"Found array with {lacking} (shape=({rows}, {columns})) while a minimum of 1 is required.")


def _array(X: Any) -> Any:
    array = np.asarray(X)
    # A list of lists with a word among numbers would become words altogether.
    return np.asarray(X, dtype=object) if array.dtype.kind in "USO" and array.ndim == 2 else array


def missing(values: Any) -> Any:
    """Where nothing is known: None, NaN, and what pandas means by missing."""
    if values.dtype.kind == "M":
        return np.isnat(values)
    if values.dtype.kind in "fc":
        return np.isnan(values)
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    pandas = sys.modules.get("pandas")
    if pandas is not None:
        return np.asarray(pandas.isna(values))
    return np.array([value is None or value != value for value in values], dtype=bool)


def _cells(values: Any) -> Any:
    """The cells of a column as a plain array; spans of time are numbers of days."""
    if hasattr(values, "dtype") and isinstance(values.dtype, np.dtype):
        cells = np.asarray(values)
        return cells / np.timedelta64(1, "D") if cells.dtype.kind == "m" else cells
    if hasattr(values, "astype") and hasattr(values, "iloc"):
        return values.astype(object).to_numpy()
    return np.asarray(values, dtype=object)


def _is_number(value: Any) -> bool:
    return isinstance(value, (numbers.Real, np.number, np.bool_)) and not isinstance(value, np.timedelta64)


def _learnt(name: str, values: Any) -> Column:
    listed = getattr(getattr(values, "dtype", None), "categories", None)
    cells = _cells(values)
    known = cells[~missing(cells)]
    if len(known) == 0:
        return Column(name, "ignored")
    if cells.dtype.kind == "M" or (listed is None and all(dates.is_date(value) for value in known)):
        return _learnt_dates(name, cells, dates.Reading("day first", True))
    if listed is None and (cells.dtype.kind in "biuf" or all(_is_number(value) for value in known)):
        return Column(name, "number")
    if any(dates.is_date(value) or isinstance(value, (datetime.time, datetime.timedelta)) for value in known):
        _refuse_times(name)
    if listed is None and all(isinstance(value, str) for value in known):
        read = dates.reading(name, known)
        if read is not None:
            return _learnt_dates(name, cells, read)
        _warn_of_numbers(name, set(known))
    return _learnt_categories(name, [_key(name, value) for value in known], listed, len(cells))


def _learnt_dates(name: str, cells: Any, read: dates.Reading) -> Column:
    parts = dates.telling(dates.moments(name, cells, missing(cells), read))
    return Column(name, "date", parts, read) if parts else Column(name, "ignored")


def _warn_of_numbers(name: str, texts: Set[str]) -> None:
    if len(texts) > MANY_NUMBERS and all(_is_like_number(text) for text in texts):
        message = (
            f"column `{name}` holds numbers as text, such as {min(texts)!r}, and is taken for categories; turn them into numbers "
            "(in a file with a decimal comma: --decimal , or pandas.read_csv(decimal=','))"
        )
        warnings.warn(message, UserWarning, stacklevel=6)


def _is_like_number(text: str) -> bool:
    try:
        float(text.replace(",", ".", 1))
    except ValueError:
        return False
    return True


def _refuse_times(name: str) -> None:
    raise ValueError(
        f"column `{name}` holds times of day, spans of time, or dates among other things; turn them into numbers that mean "
        "something, such as hours, or leave the column out"
    )


def _learnt_categories(name: str, keys: List[str], listed: Any, rows: int) -> Column:
    counts = {key: 0 for key in ([] if listed is None else (_key(name, value) for value in listed))}
    for key in keys if listed is not None else sorted(keys):
        counts[key] = counts.get(key, 0) + 1
    present = [key for key, count in counts.items() if count]
    if len(present) == 1 and len(keys) == rows:
        return Column(name, "ignored")
    if len(present) > 50 and len(present) > rows / 2:
        message = f"column `{name}` has a different text in nearly every row and is ignored: text is not understood"
        warnings.warn(message, UserWarning, stacklevel=6)
        return Column(name, "ignored")
    if len(present) > MOST_CATEGORIES:
        frequent = sorted(present, key=lambda key: -counts[key])[: MOST_CATEGORIES - 1]
        present = [key for key in present if key in set(frequent)] + [REST]
    return Column(name, "category", tuple(present))


def _key(name: str, value: Any) -> str:
    """The name of a category: one and the same for 1, 1.0 and True."""
    if _is_number(value):
        return repr(float(value))
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (str, numbers.Number)) or type(value).__module__ != "builtins":
        return str(value)
    raise TypeError(f"column `{name}` holds a {type(value).__name__}; cells are numbers, texts or truth values")


def _codes(column: Column, values: Any) -> Any:
    cells = _cells(values)
    absent = missing(cells)
    places = {key: place for place, key in enumerate(column.keys)}
    other = places.get(REST, np.nan)
    return np.array([np.nan if gone else places.get(_key(column.name, cell), other) for cell, gone in zip(cells, absent)])


def _numbers(name: str, values: Any) -> Any:
    cells = _cells(values)
    if cells.dtype.kind == "M":
        raise ValueError(f"column `{name}` held numbers when the model was fitted, and holds dates now")
    if cells.dtype.kind not in "biuf":
        cells = np.where(missing(cells), np.nan, cells)
    try:
        column = cells.astype(float)
    except (TypeError, ValueError):
        odd = next(cell for cell in cells if not _is_number(cell))
        raise ValueError(f"column `{name}` held numbers when the model was fitted, and holds {odd!r} now") from None
    if np.isinf(column).any():
        raise ValueError(f"Input X contains infinity: column `{name}` does; replace it by a number, or by NaN if unknown")
    return column
