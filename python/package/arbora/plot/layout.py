"""Where the boxes of a tree stand: columns by depth, bands by height, all sizes measured, so that
nothing overlaps.

Lengths are in points. A box is as large as its text; a column is as wide as its widest box; a box
and all that stands below it have a band of their own, as high as the box or as everything below it,
whichever is more.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

__all__ = ["Box", "Line", "Placed", "place", "wrapped"]

PAD = 4.0
"""Between the text of a box and its border."""
BETWEEN = 5.0
"""Between boxes above one another."""
COLUMN = 22.0
"""Between columns, for the lines that join boxes."""
TREES = 14.0
"""Between trees that have nothing to do with each other."""


class Line(NamedTuple):
    """A line of text in a box, with its size."""

    text: str
    is_small: bool
    width: float
    height: float


class Box(NamedTuple):
    """A box to be placed: its text, what it stands below, and which of its siblings it belongs to.
    """

    lines: List[Line]
    parent: Optional[int]
    group: str

    @property
    def width(self) -> float:
        """With its padding."""
        return max((line.width for line in self.lines), default=0.0) + 2 * PAD

    @property
    def height(self) -> float:
        """With its padding."""
        return sum(line.height for line in self.lines) + 2 * PAD


class Placed(NamedTuple):
    """A box in its place: ``top`` counts downwards."""

    left: float
    top: float
    width: float
    height: float
    is_leaf: bool

    @property
    def middle(self) -> float:
        """The height at which lines arrive."""
        return self.top + self.height / 2


def place(boxes: Sequence[Box], leaf_height: float) -> List[Placed]:
    """The place of every box; parents come before children. A box without children has a row of
    ``leaf_height``."""
    children: Dict[Optional[int], List[int]] = {}
    depths: List[int] = []
    for at, box in enumerate(boxes):
        children.setdefault(box.parent, []).append(at)
        depths.append(0 if box.parent is None else depths[box.parent] + 1)
    lefts = _lefts(boxes, depths)
    bands = [0.0] * len(boxes)
    for at in reversed(range(len(boxes))):
        below = _stacked(boxes, children.get(at, []), bands)
        bands[at] = max(boxes[at].height, below or leaf_height)
    placed: List[Placed] = []
    tops = _tops(boxes, children.get(None, []), bands, 0.0)
    for at, box in enumerate(boxes):
        own = children.get(at, [])
        slack = bands[at] - (_stacked(boxes, own, bands) if own else 0.0)
        tops.update(_tops(boxes, own, bands, tops[at] + slack / 2))
        top = tops[at] + (bands[at] - box.height) / 2
        placed.append(Placed(lefts[depths[at]], top, box.width, box.height, not own))
    return placed


def _lefts(boxes: Sequence[Box], depths: Sequence[int]) -> List[float]:
    widths = [0.0] * (max(depths, default=0) + 1)
    for box, depth in zip(boxes, depths):
        widths[depth] = max(widths[depth], box.width)
    return [sum(widths[:depth]) + COLUMN * depth for depth in range(len(widths))]


def _gap(boxes: Sequence[Box], upper: int, lower: int) -> float:
    if boxes[upper].group == boxes[lower].group:
        return BETWEEN
    return TREES if boxes[upper].parent is None else 2 * BETWEEN


def _stacked(boxes: Sequence[Box], siblings: Sequence[int], bands: Sequence[float]) -> float:
    return sum(bands[at] for at in siblings) + sum(_gap(boxes, a, b) for a, b in zip(siblings, siblings[1:]))


def _tops(boxes: Sequence[Box], siblings: Sequence[int], bands: Sequence[float], top: float) -> Dict[int, float]:
    tops: Dict[int, float] = {}
    for at, following in zip(siblings, [*siblings[1:], None]):
        tops[at] = top
        top += bands[at] + (0.0 if following is None else _gap(boxes, at, following))
    return tops


def wrapped(words: Sequence[str], width: float, most: int, measure: Callable[[str], float]) -> List[str]:
    """Words in lines of at most this width and number; what is too long is cut.

    >>> wrapped(["alpha,", "beta,", "gamma"], 12, 2, len)
    ['alpha, beta,', 'gamma']
    >>> wrapped(["alpha,", "beta,", "gamma,", "delta"], 12, 1, len)
    ['alpha, beta…']
    """
    lines: List[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(cut(word, width, measure))
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], cut(lines[most - 1].rstrip(",") + "…", width, measure)]


def cut(text: str, width: float, measure: Callable[[str], float]) -> str:
    """Text of at most this width; an ellipsis stands for the rest.

    >>> cut("a long name", 7, len)
    'a long…'
    """
    if measure(text) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(text[:middle].rstrip() + "…") <= width else (low, middle - 1)
    return text[:low].rstrip() + "…"
