"""Predictions as bytes, which cross the border to the native half in one piece."""

from __future__ import annotations

import array
import sys
from typing import Any, Iterable, List, Optional, Sequence

from arbora.plan import _listed

ABSENT = 2**16 - 1
"""The code of a vote that says nothing."""


class Labels:
    """Classes and their codes.

    >>> labels = Labels(["b", "a", "b"])
    >>> labels.classes, labels.encoded(["b", None])
    (['a', 'b'], b'\\x01\\x00\\xff\\xff')
    """

    def __init__(self, labels: Iterable[Any], classes: Optional[Sequence[Any]] = None) -> None:
        known = {label for label in labels if not is_absent(label)} if classes is None else ()
        self.classes: List[Any] = sorted(known) if classes is None else _listed(classes)
        self._codes = {label: code for code, label in enumerate(self.classes)}

    def encoded(self, labels: Iterable[Any]) -> bytes:
        """Labels as bytes; None and NaN say nothing."""
        return packed("H", (ABSENT if is_absent(label) else self._code(label) for label in labels))

    def _code(self, label: Any) -> int:
        if label not in self._codes:
            raise ValueError(f"{label!r} is not one of the {len(self.classes)} classes")
        return self._codes[label]


def is_absent(label: Any) -> bool:
    """Does it say nothing?"""
    return label is None or label != label


def numbers(items: Any) -> bytes:
    """Numbers in the order of rows; an array in one piece, which is much faster than one by one."""
    items = items.to_numpy() if hasattr(items, "to_numpy") else items
    if hasattr(items, "astype"):
        whole: bytes = items.astype("<f8").tobytes()
        return whole
    listed = _listed(items)
    flat = [number for row in listed for number in row] if listed and isinstance(listed[0], (list, tuple)) else listed
    return packed("d", flat)


def packed(kind: str, values: Iterable[Any]) -> bytes:
    """Numbers as bytes, the least significant first."""
    items = array.array(kind, values)
    if sys.byteorder == "big":
        items.byteswap()
    return items.tobytes()
