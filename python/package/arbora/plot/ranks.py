"""Average ranks of methods over problems, and which of them cannot be told apart [Demšar 2006]."""

from __future__ import annotations

from typing import Any, Hashable, List, Optional, Sequence, Tuple

from arbora.errors import StatsError
from arbora.plot import canvas
from arbora.stats import NemenyiResult, nemenyi

ROW, BAR, SCALE = 1.0, 0.55, 1.5
"""Heights in rows of text: a name, a bar, the scale of the critical difference above the axis."""
INCHES = 0.21
"""Height of a row in a new figure."""
LETTER = 0.075
"""Width of a letter in a new figure, in inches."""


def critical_difference(
    table: Any,
    *,
    problems: Optional[int] = None,
    names: Optional[Sequence[Hashable]] = None,
    direction: str = "minimize",
    alpha: float = 0.05,
    best: str = "right",
    ax: Optional[Any] = None,
) -> Any:
    """The critical-difference diagram: average ranks on an axis, bars that join the methods which
    Nemenyi's test does not tell apart.

    ``table`` and the options up to ``alpha`` are those of :func:`arbora.stats.nemenyi`: one row per
    problem and one column per method, or average ranks and the number of ``problems``. What that
    function returned is drawn as it is. The best method stands on the right, as in Demšar's paper,
    or on the left: ``best="left"``.

    >>> errors = [[0.10, 0.12, 0.20], [0.31, 0.30, 0.35], [0.08, 0.11, 0.19], [0.22, 0.25, 0.27]]
    >>> axes = critical_difference(errors, names=["forest", "svm", "knn"])
    >>> [text.get_text() for text in axes.texts if "forest" in text.get_text()]
    ['1.25  forest']
    >>> published = {"C4.5": 3.143, "m": 2.0, "cf": 2.893, "m, cf": 1.964}
    >>> axes = critical_difference(published, problems=14, alpha=0.1, best="left")
    """
    if best not in ("left", "right"):
        raise StatsError(f"best is {best!r}; it is 'left' or 'right'", "Side", {"best": best})
    found = table
    if not isinstance(table, NemenyiResult):
        found = nemenyi(table, problems=problems, names=names, direction=direction, alpha=alpha)
    return Diagram(found, best == "left").onto(ax)


class Diagram:
    """Where everything goes: places from 0 to 1 along the axis, rows of text below it, 0 being the
    axis."""

    def __init__(self, found: NemenyiResult, is_best_left: bool) -> None:
        self.found, self.is_best_left = found, is_best_left
        self.count = len(found.ranks)
        self.half = -(-self.count // 2)
        self.bars = levels([self.span(group) for group in found.groups])
        self.first = BAR * (1 + max((level for *_, level in self.bars), default=-1)) + ROW
        self.depth = self.first + ROW * self.half

    def place(self, rank: float) -> float:
        """Where a rank lies on the axis."""
        along = (rank - 1) / (self.count - 1)
        return along if self.is_best_left else 1 - along

    def span(self, group: Tuple[Any, ...]) -> Tuple[float, float]:
        """From where to where a bar reaches."""
        ends = sorted(self.place(self.found.ranks[name]) for name in (group[0], group[-1]))
        return ends[0], ends[1]

    def onto(self, ax: Optional[Any]) -> Any:
        """Draws all of it."""
        longest = max(len(str(name)) for name in self.found.ranks) + 6
        ax = canvas.axes(ax, 3.2 + 0.12 * self.count + 2 * LETTER * longest, INCHES * (self.depth + 2.2 * SCALE + 2))
        self.axis(ax)
        for position, (name, rank) in enumerate(self.found.ranks.items()):
            self.method(ax, position, name, rank)
        for low, high, level in self.bars:
            y = -BAR * (level + 1)
            ax.plot([low - 0.008, high + 0.008], [y, y], color=canvas.RED, lw=4, solid_capstyle="butt", zorder=3)
        words = f"{self.found.problems} problems, α = {self.found.alpha:g}"
        ax.set(title=f"average ranks, {words}", ylim=(-self.depth, 2.2 * SCALE))
        ax.set_axis_off()
        return ax

    def axis(self, ax: Any) -> None:
        """The ranks, and above them how far apart two methods must be."""
        ax.plot([0, 1], [0, 0], color="black", lw=1.2)
        for rank in range(1, self.count + 1):
            ax.plot([self.place(rank)] * 2, [0, 0.3], color="black", lw=1)
            ax.text(self.place(rank), 0.4, str(rank), ha="center", va="bottom", fontsize=9)
        ends = self.place(1), self.place(1 + self.found.critical_difference)
        ax.plot(ends, [1.3 * SCALE] * 2, color="black", lw=1.5)
        for end in ends:
            ax.plot([end, end], [1.3 * SCALE - 0.22, 1.3 * SCALE + 0.22], color="black", lw=1.5)
        label = f"critical difference {self.found.critical_difference:.2f}"
        side = "left" if self.is_best_left else "right"
        ax.text(ends[0], 1.3 * SCALE + 0.3, label, ha=side, va="bottom", fontsize=9)

    def method(self, ax: Any, position: int, name: Any, rank: float) -> None:
        """A line from the axis down and out to the name; the better half is named on the side of
        the best."""
        is_better_half = position < self.half
        row = position if is_better_half else self.count - 1 - position
        is_left = is_better_half == self.is_best_left
        place, edge, y = self.place(rank), -0.05 if is_left else 1.05, -(self.first + ROW * row)
        ax.plot([place, place, edge], [0, y, y], color=canvas.GREY, lw=0.9, zorder=1)
        text = f"{name}  {rank:.2f}" if is_left else f"{rank:.2f}  {name}"
        ax.text(edge + (-0.01 if is_left else 0.01), y, text, ha="right" if is_left else "left", va="center", fontsize=9)


def levels(spans: Sequence[Tuple[float, float]]) -> List[Tuple[float, float, int]]:
    """Every span with the first level on which it meets no other.

    >>> levels([(0.0, 0.4), (0.3, 0.6), (0.5, 1.0)])
    [(0.0, 0.4, 0), (0.3, 0.6, 1), (0.5, 1.0, 0)]
    """
    placed: List[Tuple[float, float, int]] = []
    for low, high in spans:
        level = 0
        while any(at == level and low <= end + 0.03 and begin <= high + 0.03 for begin, end, at in placed):
            level += 1
        placed.append((low, high, level))
    return placed
