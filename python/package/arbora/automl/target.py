"""What is to be predicted: classes of any type, or numbers."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from arbora.automl.table import missing


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
        import warnings

        from sklearn.exceptions import DataConversionWarning

        warnings.warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning, stacklevel=5)
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"bad input shape {values.shape}: y should be a 1d array, one target for each row")
    return values


def classes(values: Any) -> Tuple[Any, Any]:
    """The classes in order, and the position of each row's.

    >>> classes(np.array(["no", "yes", "no"]))
    (array(['no', 'yes'], dtype=...), array([0, 1, 0]))
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
        raise ValueError(f"a classifier can't train when only one class is present, here {found[0]!r}; two are needed")
    return found, codes


def numbers(values: Any) -> Any:
    """The target as floating-point numbers.

    >>> numbers(np.array([1, 2]))
    array([1., 2.])
    """
    try:
        target = values.astype(float)
    except (TypeError, ValueError):
        raise ValueError("the target holds something that is no number; AutoClassifier predicts classes") from None
    if not np.isfinite(target).all():
        raise ValueError("Input y contains infinity; replace it, or leave those rows out")
    return target
