"""Read tables from files, and say what is wrong with them."""

from __future__ import annotations

from typing import Any, List, Sequence

from arbora.automl import sheet

SEPARATORS = (",", ";", "\t", "|")


def separator(given: str) -> str:
    r"""What separates columns, as it is written on a command line.

    >>> separator(";"), separator(r"\t")
    (';', '\t')
    """
    char = {r"\t": "\t", "tab": "\t"}.get(given, given)
    if len(char) != 1:
        raise ValueError(f"{given!r} is not one character")
    return char


def read(path: str, separator: str = ",", decimal: str = ".") -> Any:
    """The table of a file."""
    import pandas

    if path.endswith((".parquet", ".pq")):
        frame = pandas.read_parquet(path)
        names = [str(name) for name in frame.columns]
    else:
        # Before pandas gives a second column of a name another one.
        names = header(path, separator)
        try:
            frame = sheet.plain(pandas.read_csv(path, sep=separator, decimal=decimal))
        except ValueError as error:
            raise ValueError(f"`{path}` cannot be read: {error}") from error
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise ValueError(f"`{path}` has several columns of one name: {some(twice)}; rename all but one")
    return frame


def header(path: str, separator: str) -> List[str]:
    """The names in the first line."""
    import pandas

    try:
        line = pandas.read_csv(path, sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False)
    except pandas.errors.EmptyDataError:
        raise ValueError(f"`{path}` is empty") from None
    except ValueError as error:
        raise ValueError(f"`{path}` cannot be read: {error}") from error
    return [str(name) for name in line.iloc[0]]


def lacks(path: str, column: str, names: Sequence[Any], separator: str) -> str:
    """That a table does not have a column, what it has, and how it could be read so that it has."""
    said = f"`{path}` has no column `{column}`; there are {some(names)}"
    if path.endswith((".parquet", ".pq")):
        return said
    for other in SEPARATORS:
        if other != separator and column in header(path, other):
            shown = r"\t" if other == "\t" else other
            return f"{said}. Its columns seem to be separated by `{shown}`: say --separator '{shown}'"
    return said


def some(names: Any) -> str:
    """Names for people, not too many.

    >>> some("abc")
    '`a`, `b`, `c`'
    """
    listed = [f"`{name}`" for name in names]
    return ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if len(listed) > 8 else "")
