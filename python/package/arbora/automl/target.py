"""The target: classes of any type, or numbers."""

from __future__ import annotations

import warnings
from typing import Any, Tuple

import numpy as np

from arbora.automl.table import missing

MANY_CLASSES = 20
"""Up to so many classes nobody asks whether they are classes at all."""
FEW_ROWS = 20
"""With fewer rows a score says next to nothing: one row more or less that is right changes it by
five points."""


def column(y: Any, rows: int) -> Any:
    """The target as a flat array without gaps, one value for each row."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    if hasattr(y, "toarray"):
        raise TypeError("a sparse target is not taken; pass a dense one: y.toarray()")
    values = _flat(y)
    if len(values) != rows:
        counts = f"{rows} rows and {len(values)} targets"
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {counts}")
    gaps = int(missing(values).sum())
    if gaps:
        raise ValueError(f"Input y contains NaN: the target of {gaps} of {rows} rows is missing; leave those rows out")
    return values


def _flat(y: Any) -> Any:
    values = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning, stacklevel=5)
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"bad input shape {values.shape}: y should be a 1d array, one target for each row")
    return values


def classes(values: Any) -> Tuple[Any, Any]:
    """The classes in order, and the position of each row's.

    >>> import numpy as np
    >>> classes(np.array(["no", "yes", "no", "yes"]))
    (array(['no', 'yes'], dtype=...), array([0, 1, 0, 1]))
    """
    if values.dtype.kind == "f" and not np.equal(values, np.round(values)).all():
        raise ValueError("Unknown label type: continuous. The target holds fractions; AutoRegressor predicts numbers")
    try:
        found, codes = np.unique(values, return_inverse=True)
    except TypeError:
        # Classes of several types have no order of their own.
        listed = sorted(set(values.tolist()), key=lambda value: (type(value).__name__, str(value)))
        found = np.empty(len(listed), dtype=object)
        found[:] = listed
        places = {value: place for place, value in enumerate(listed)}
        codes = np.array([places[value] for value in values.tolist()])
    if len(found) < 2:
        only = found.tolist()[0]
        raise ValueError(f"a classifier can't train when only one class is present, here {only!r}; two are needed")
    _check_counts(found, np.bincount(codes), len(values))
    return found, codes


def _check_counts(found: Any, counts: Any, rows: int) -> None:
    """A class is learnt from some rows and judged by others: it needs two at least, and most should
    have more."""
    alone = int((counts == 1).sum())
    are = f"there are {len(found)} classes in {rows} rows"
    if len(found) > max(MANY_CLASSES, rows / 2):
        if found.dtype.kind in "biuf":
            raise ValueError(f"Unknown label type: continuous: {are}, all numbers; AutoRegressor predicts numbers")
        raise ValueError(f"{are}: most have a row of their own and cannot be learnt; join classes, or predict another column")
    if alone == len(found):
        raise ValueError(f"{are}: each has one row, which cannot both teach and judge; more rows are needed")
    if alone:
        rare = ", ".join(repr(label) for label in found[counts == 1].tolist()[:3])
        message = f"{alone} of {len(found)} classes have one row only ({rare}): what cannot be both learnt and judged counts as wrong"
        warnings.warn(message, UserWarning, stacklevel=5)


def check_rows(rows: int) -> None:
    """Warn of a table that is too small for a reliable score."""
    if rows < FEW_ROWS:
        message = f"{rows} rows are very few: a model can be made, but its score means next to nothing"
        warnings.warn(message, UserWarning, stacklevel=4)


def numbers(values: Any) -> Any:
    """The target as floating-point numbers.

    >>> import numpy as np
    >>> numbers(np.array([1, 2]))
    array([1., 2.])
    """
    try:
        target = values.astype(float)
    except (TypeError, ValueError):
        raise ValueError("the target holds something that is no number; AutoClassifier predicts classes") from None
    if not np.isfinite(target).all():
        raise ValueError("Input y contains infinity; replace it, or leave those rows out")
    if (target == target[0]).all():
        raise ValueError(f"the target is {target[0]:g} in every row: there is nothing to learn; is it the right column?")
    return target
