"""The space as trees of decisions, with the trials and the incumbent of every branch."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from arbora.plot import canvas
from arbora.plot.branches import LARGE, SMALL, Branch, Measure, boxes, branches
from arbora.plot.layout import PAD, Box, Placed, place
from arbora.study import Study


LARGEST = 120
"""Rows that fit on a page that somebody would look at."""
ROW = 19.0
PANEL, NARROWEST = 250.0, 110.0
"""Width of the panel of losses in a new figure, and in axes that are small."""
AIR = 12.0
BELOW = 34.0
"""Points below the rows, for the axis of losses."""
MARGIN, TITLE = 8.0, 24.0
ROUNDS = 4
"""Small letters are wider than their size says: sizes are measured again until they fit."""
TRUNK = 8.0
"""Points left of the first boxes, for the line that joins the alternatives of a decision."""


def tree(study: Study, *, log: Optional[bool] = None, ax: Optional[Any] = None) -> Any:
    """Decisions from left to right, a tree for each that depends on no other, parameters in small
    print; on the right a row per branch with all its losses as dots, its incumbent as a diamond and
    how its trials ended; the branches of the best trial are orange. Losses that span decades have a
    logarithmic axis unless ``log`` says otherwise.

    >>> from arbora.examples import svm_study
    >>> axes = tree(svm_study())
    >>> axes.get_xlabel()
    'loss'
    """
    canvas.complete(study)
    found = branches(study)
    if len(found) > LARGEST:
        raise ValueError(f"the space has {len(found)} alternatives, more than the {LARGEST} that fit on a page")
    figure = canvas.pyplot().figure() if ax is None else ax.figure
    is_maximized = study.direction == "maximize"
    measure = Measure(figure)
    sheet = _sheet(found, measure, is_maximized)
    if ax is None:
        ax = _new_axes(figure, sheet.fixed + PANEL, sheet.height + BELOW)
    for _ in range(ROUNDS):
        width, tall, scale = _room(ax, sheet.fixed + NARROWEST, sheet.height + BELOW)
        if scale >= measure.scale:
            break
        measure.scale = scale
        sheet = _sheet(found, measure, is_maximized)
    made, placed, words, labels, height = sheet.boxes, sheet.placed, sheet.words, sheet.labels, sheet.height
    scale = min(scale, measure.scale)
    ax.set(xlim=(0, width), ylim=(-tall, 0), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    _draw_boxes(ax, made, placed, [branch.is_best for branch in found], scale)
    panel = ax.inset_axes([sheet.stem + AIR, -height, width - sheet.fixed, height], transform=ax.transData)
    panel.set_ylim(-height, 0)
    _draw_losses(panel, found, placed, is_maximized, scale)
    for text, spot in zip(words, placed):
        ax.text(width - labels - AIR, -spot.middle, text, fontsize=LARGE * scale, va="center")
    values = [canvas.value(trial) for trial in found[0].complete]
    if canvas.is_log(values) if log is None else log:
        panel.set_xscale("log")
    panel.set_xlabel(canvas.word(study), fontsize=9 * scale)
    ax.set_xlabel(canvas.word(study), color="none", fontsize=1)
    ax.set_title(canvas.plain(f"{study.name}: {len(values)} trials"), loc="left", fontsize=11)
    return ax


class Sheet(NamedTuple):
    """Everything in its place, and how large it is."""

    boxes: List[Box]
    placed: List[Placed]
    words: List[str]
    """What stands behind the row of a branch; nothing where there is no row."""
    stem: float
    labels: float
    height: float

    @property
    def fixed(self) -> float:
        """The width of all but the losses."""
        return self.stem + self.labels + 3 * AIR


def _sheet(found: Sequence[Branch], measure: Measure, is_maximized: bool) -> Sheet:
    made = boxes(found, measure)
    placed = [spot._replace(left=spot.left + TRUNK + 1, top=spot.top + 2) for spot in place(made, ROW)]
    words = [branch.words(is_maximized) if spot.is_leaf else "" for branch, spot in zip(found, placed)]
    stem = max(spot.left + spot.width for spot in placed)
    labels = max(measure.width(text, LARGE) for text in words)
    return Sheet(made, placed, words, stem, labels, max(spot.top + max(spot.height, ROW) for spot in placed))


def _new_axes(figure: Any, width: float, height: float) -> Any:
    """Axes of so many points, in a figure that fits them."""
    whole = (width + 2 * MARGIN, height + MARGIN + TITLE)
    figure.set_size_inches(whole[0] / 72, whole[1] / 72)
    return figure.add_axes((MARGIN / whole[0], MARGIN / whole[1], width / whole[0], height / whole[1]))


def _room(ax: Any, width: float, height: float) -> Tuple[float, float, float]:
    """The size of the axes in our units, and the size of a unit in points: less than one where
    there is too little."""
    extent, dots = ax.get_window_extent(), ax.figure.dpi / 72
    wide, tall = extent.width / dots, extent.height / dots
    scale = min(1.0, wide / width, tall / height)
    return wide / scale, tall / scale, scale


def _draw_boxes(ax: Any, made: Sequence[Box], placed: Sequence[Placed], best: Sequence[bool], scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    trunks: Dict[str, float] = {}
    for box, spot, is_best in zip(made, placed, best):
        colour = canvas.ORANGE if is_best else canvas.GREY
        stroke = {"color": colour, "lw": (2 if is_best else 1) * scale, "zorder": 2 if is_best else 1}
        if box.parent is not None:
            above, turn = placed[box.parent], spot.left - 8
            across, down = [above.left + above.width, turn, turn, spot.left], [above.middle] * 2 + [spot.middle] * 2
            ax.plot(across, [-y for y in down], **stroke)
        elif box.group:
            # The alternatives at the top hang on a trunk, one for each decision.
            trunk, start = spot.left - TRUNK, trunks.setdefault(box.group, spot.middle)
            ax.plot([trunk, trunk], [-start, -spot.middle], color=canvas.GREY, lw=scale, zorder=1)
            ax.plot([trunk, spot.left], [-spot.middle, -spot.middle], **stroke)
        ax.add_patch(FancyBboxPatch(
            (spot.left + 2, -spot.top - spot.height + 2), spot.width - 4, spot.height - 4, boxstyle="round,pad=2",
            fc="white", ec=colour, lw=(1.6 if is_best else 1) * scale, zorder=3,
        ))
        _draw_text(ax, box, spot, scale)


def _draw_text(ax: Any, box: Box, spot: Placed, scale: float) -> None:
    top = spot.top + PAD
    for line in box.lines:
        size, shade = (SMALL, "0.35") if line.is_small else (LARGE, "black")
        middle = -(top + line.height / 2)
        ax.text(spot.left + PAD, middle, line.text, fontsize=size * scale, color=shade, va="center", zorder=4)
        top += line.height


def _draw_losses(panel: Any, found: Sequence[Branch], placed: Sequence[Placed], is_maximized: bool, scale: float) -> None:
    better = max if is_maximized else min
    for branch, spot in zip(found, placed):
        if not spot.is_leaf:
            continue
        y, values = -spot.middle, [canvas.value(trial) for trial in branch.complete]
        panel.axhline(y, color="0.9", lw=0.8, zorder=0)
        if values:
            panel.plot(values, [y] * len(values), "o", color=canvas.BLUE, ms=4.5 * scale, alpha=0.35, mew=0)
            colour = canvas.ORANGE if branch.is_best or not branch.group else canvas.BLUE
            panel.plot(better(values), y, "D", color=colour, mec="black", ms=6.5 * scale)
    panel.set_yticks([])
    panel.tick_params(axis="x", labelsize=8 * scale)
    panel.spines[["top", "right", "left"]].set_visible(False)
