"""Tables as CSV files, which spreadsheets open as well: no text in them is a formula."""

from __future__ import annotations

from typing import Any

from arbora import _arbora

__all__ = ["plain", "write"]


def plain(frame: Any) -> Any:
    """A table that :func:`write` wrote, as it was."""
    read = _texts(_arbora.unguarded, frame)
    read.columns = [_text(_arbora.unguarded, name) for name in frame.columns]
    return read


def write(frame: Any, path: str) -> None:
    """Writes a CSV file in which no text is a formula: before one that a spreadsheet would run (it
    begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return and is no number) stands an
    apostrophe.

    >>> import pandas, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "t.csv")
    >>> write(pandas.DataFrame({"a": ["=1+1", "-2", "b"], "n": [-1, 2, 3]}), str(path))
    >>> path.read_text().split()
    ['a,n', "'=1+1,-1", '-2,2', 'b,3']
    """
    shown = _texts(_arbora.guarded, frame)
    shown.columns = [_text(_arbora.guarded, name) for name in frame.columns]
    shown.to_csv(path, index=False)


def _texts(rule: Any, frame: Any) -> Any:
    """The frame with a rule applied to every text in it."""
    import pandas

    changed = frame.copy()
    for place in range(changed.shape[1]):
        column = changed.iloc[:, place]
        if not (pandas.api.types.is_numeric_dtype(column) or pandas.api.types.is_bool_dtype(column)):
            values = [_text(rule, value) for value in column]
            if any(new is not old for new, old in zip(values, column)):
                kind = object if isinstance(column.dtype, pandas.CategoricalDtype) else column.dtype
                changed.isetitem(place, pandas.Series(values, index=changed.index, dtype=kind))
    return changed


def _text(rule: Any, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    changed = rule(value)
    return value if changed == value else changed
