"""Two parameters against each other, the loss as colour."""

from __future__ import annotations

from typing import Any, Optional

from arbora.plot import canvas
from arbora.study import Study


def contour(study: Study, x: str, y: str, *, ax: Optional[Any] = None) -> Any:
    """Where two parameters take part together: the trials, the best one, and between them the loss,
    interpolated linearly; what lies outside the trials, where nothing is known, is grey.

    >>> from arbora.examples import svm_study
    >>> axes = contour(svm_study(), "C", "gamma")
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('C', 'gamma')
    """
    ax = canvas.axes(ax, 6.0, 4.6)
    scales = canvas.places(study, [x, y])
    trials = [trial for trial in canvas.complete(study) if x in trial and y in trial]
    if not trials:
        raise ValueError(f"no complete trial has both `{x}` and `{y}`; they may lie on different branches")
    across, up = ([scales[name].unit(trial[name]) for trial in trials] for name in (x, y))
    across, up = list(across), list(up)
    shade = canvas.Shades(study, [canvas.value(trial) for trial in trials])
    shades = [shade(canvas.value(trial)) for trial in trials]
    is_flat = scales[x].is_number and scales[y].is_number and len({*zip(across, up)}) > 3
    if is_flat and len({*across}) > 2 and len({*up}) > 2:
        ax.tricontourf(across, up, shades, levels=12, cmap=canvas.scale(), vmin=0, vmax=1)
        ax.set_facecolor("0.92")
    ax.scatter(across, up, c=shades, cmap=canvas.scale(), vmin=0, vmax=1, s=26, edgecolors="white", linewidths=0.6)
    best = max(range(len(trials)), key=lambda i: shades[i])
    label = f"best: {trials[best].value:.4g}"
    ax.plot(across[best], up[best], "*", color=canvas.ORANGE, mec="black", ms=15, ls="none", label=label, clip_on=False)
    ax.set(xlim=scales[x].limits(), ylim=scales[y].limits())
    scales[x].onto(ax.xaxis)
    scales[y].onto(ax.yaxis)
    ax.set(xlabel=canvas.plain(x), ylabel=canvas.plain(y))
    ax.set_title(canvas.plain(f"{study.name}: {len(trials)} trials with both"), loc="left", fontsize=11)
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False, borderaxespad=0.1, handletextpad=0.2)
    canvas.bar(study, shade.value, ax)
    return ax
