"""Parallel coordinates: a line per trial, broken where a parameter does not take part."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from arbora.plot import canvas
from arbora.study import Study


def parallel(study: Study, parameters: Optional[Sequence[str]] = None, *, ax: Optional[Any] = None) -> Any:
    """One axis per parameter, one line per trial, dark for the best. A line that skips a parameter,
    because it is inactive there, is dotted across the gap.

    >>> from arbora.examples import svm_study
    >>> axes = parallel(svm_study())
    >>> [label.get_text() for label in axes.get_xticklabels()][:2]
    ['model', 'C']
    """
    names = list(parameters or study.space.names)
    ax = canvas.axes(ax, max(6.0, 1.25 * len(names) + 1.5), 4.6)
    trials, scales = canvas.complete(study), canvas.places(study, names)
    values = [canvas.value(trial) for trial in trials]
    shades = canvas.ranks(values, study.direction == "maximize")
    colours = canvas.scale()
    for place, i in enumerate(sorted(range(len(trials)), key=lambda i: shades[i])):
        is_best = place == len(trials) - 1
        colour = canvas.ORANGE if is_best else colours(shades[i])
        line: List[Any] = [(at, scales[name].unit(trials[i][name])) for at, name in enumerate(names) if name in trials[i]]
        width, alpha = (2.6, 1.0) if is_best else (1.0, 0.45 + 0.45 * shades[i])
        ax.plot([at for at, _ in line], [u for _, u in line], "o", color=colour, ms=4 if is_best else 2.5, alpha=alpha)
        for (a, u), (b, v) in zip(line, line[1:]):
            ax.plot([a, b], [u, v], color=colour, lw=width, alpha=alpha, ls="-" if b == a + 1 else ":")
    for at, name in enumerate(names):
        ax.axvline(at, color="0.75", lw=0.8, zorder=0)
        for u, text in zip(*scales[name].ticks(has_ends=True)):
            ax.annotate(
                text, (at, u), xytext=(5, 0), textcoords="offset points", fontsize=8, va="center", zorder=5,
                bbox={"fc": "white", "ec": "none", "alpha": 0.75, "pad": 0.6},
            )
    ax.set_xticks(range(len(names)), labels=[canvas.plain(name) for name in names])
    if len(names) > 6:
        ax.tick_params(axis="x", rotation=20)
    ax.set(xlim=(-0.2, len(names) - 0.4), yticks=[])
    ax.set_title(canvas.plain(f"{study.name}: {len(trials)} trials, the best in orange"))
    ax.spines[:].set_visible(False)
    canvas.bar(study, canvas.ranked(study, values), ax)
    return ax
