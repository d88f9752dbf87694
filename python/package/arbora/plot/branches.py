"""The branches of a space with the trials that took them, and the boxes that show them."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from arbora.plot import canvas
from arbora.plot.layout import Box, Line, cut, wrapped
from arbora.study import Study
from arbora.tree import Line as TreeLine
from arbora.trial import Trial


LARGE, SMALL = 8.0, 6.5
"""Sizes of letters, in points: decisions, and the parameters that belong to them."""
WIDEST = 190.0
"""Of a box, in points."""
MOST_LINES = 4
"""Of small print in a box."""
RESOLUTIONS = (72.0, 80.0, 150.0)
"""At which figures are often saved, though they were made at another one: notebooks, previews, print."""
SPACING = 1.3
"""The height of a line, in sizes of its letters."""


class Branch(NamedTuple):
    """One alternative of a decision, or all trials together, with what became of its trials."""

    title: str
    parameters: List[str]
    when: Optional[str]
    parent: Optional[int]
    group: str
    trials: List[Trial]
    is_best: bool

    @property
    def complete(self) -> List[Trial]:
        """The trials that have a value."""
        return [trial for trial in self.trials if trial.value is not None]

    def words(self, is_maximized: bool) -> str:
        """How many trials there are, and how they ended."""
        values = [canvas.value(trial) for trial in self.complete]
        failed = sum(trial.state == "failed" for trial in self.trials)
        others = len(self.trials) - len(values) - failed
        parts = [f"{len(values)} trial{'s' * (len(values) != 1)}"] if values else []
        if values:
            parts.append(f"best {(max if is_maximized else min)(values):.4g}")
        if failed:
            alone = "its only trial failed" if failed == 1 else f"all {failed} failed"
            parts.append(f"{failed} failed" if values else alone)
        if others and not values:
            parts.append(f"{others} not ended")
        return ", ".join(parts) or "no trial yet"


def branches(study: Study) -> List[Branch]:
    """All trials first, then every alternative of every decision; what decisions stand below
    follows them."""
    grown, trials = study.space.tree, [trial for trial in study.trials if trial.state != "waiting"]
    items = grown.lines
    taken = grown.decisions_of(trials)
    best = study._incumbent()
    decisions = [at for at, item in enumerate(items) if item.decision is not None]
    rows: Dict[Optional[int], int] = {None: 0, **{at: row for row, at in enumerate(decisions, 1)}}
    found: List[Branch] = []
    for at in rows:
        item = None if at is None else items[at]
        own = [other for other in items if other.parent == at and other.decision is None]
        here = trials if at is None else [trial for trial, path in zip(trials, taken) if at in path]
        is_best = best is not None and any(trial.number == best.number for trial in here)
        found.append(Branch(
            "every trial" if item is None else str(item.decision), [_parameter(one) for one in own],
            None if item is None else item.when, None if item is None or item.parent is None else rows[item.parent],
            "" if item is None else item.parameter, here, is_best and item is not None,
        ))
    return found


def _parameter(line: TreeLine) -> str:
    return line.parameter if line.when is None else f"{line.parameter} (when {line.when})"


class Measure:
    """How wide text is in a figure, in points of a drawing that is scaled."""

    def __init__(self, figure: Any) -> None:
        self.figure, self.scale = figure, 1.0
        self.known: Dict[Tuple[str, float], float] = {}

    def width(self, text: str, size: float) -> float:
        """With a little air: letters are not drawn alike everywhere."""
        # Small letters are wider than large ones made small, so they are measured as they are
        # drawn.
        key = (text, size * self.scale)
        if key not in self.known:
            self.known[key] = max(self._drawn(*key, dpi) for dpi in {float(self.figure.dpi), *RESOLUTIONS})
        return self.known[key] / self.scale * 1.03 + 1.0

    def _drawn(self, text: str, size: float, dpi: float) -> float:
        """In points, were the figure drawn at this resolution: a letter takes whole pixels, whatever their size."""
        drawn = self.figure.text(0, 0, text, fontsize=size * dpi / float(self.figure.dpi))
        pixels = float(drawn.get_window_extent().width)
        drawn.remove()
        return pixels * 72 / dpi

    def line(self, text: str, is_small: bool) -> Line:
        """A line of a box."""
        size = SMALL if is_small else LARGE
        return Line(text, is_small, self.width(text, size), SPACING * size)


def boxes(found: Sequence[Branch], measure: Measure) -> List[Box]:
    """A box for each branch: the decision, its condition where its place does not say it, its
    parameters."""
    made = []
    for branch in found:
        lines = [measure.line(cut(canvas.plain(branch.title), WIDEST, lambda text: measure.width(text, LARGE)), False)]
        small: List[str] = []
        if branch.when is not None:
            small += wrapped(f"when {canvas.plain(branch.when)}".split(), WIDEST, 2, lambda text: measure.width(text, SMALL))
        names = [canvas.plain(name) for name in branch.parameters]
        listed = [f"{name}," for name in names[:-1]] + names[-1:]
        # Conditions are sentences, and may be broken where sentences are.
        words = [word for text in listed for word in (text.split(" ") if " (when " in text else [text])]
        small += wrapped(words, WIDEST, MOST_LINES, lambda text: measure.width(text, SMALL))
        lines += [measure.line(text, True) for text in small]
        made.append(Box(lines, branch.parent, branch.group))
    return made
