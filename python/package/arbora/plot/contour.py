"""Two parameters against each other, the loss as colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from arbora.plot import canvas

if TYPE_CHECKING:
    from arbora.study import Study


def contour(study: Study, x: str, y: str, *, ax: Optional[Any] = None) -> Any:
    """Where two parameters take part together: the trials, the best one, and between them the loss by its rank,
    interpolated linearly; nothing is drawn outside the trials, where nothing is known.

    >>> axes = contour(some_study, "C", "gamma")
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
    shades = canvas.ranks([canvas.value(trial) for trial in trials], study.direction == "maximize")
    is_flat = scales[x].is_number and scales[y].is_number and len({*zip(across, up)}) > 3
    if is_flat and len({*across}) > 2 and len({*up}) > 2:
        ax.tricontourf(across, up, shades, levels=12, cmap=canvas.SCALE, vmin=0, vmax=1, alpha=0.85)
    ax.scatter(across, up, c=shades, cmap=canvas.SCALE, vmin=0, vmax=1, s=22, edgecolors="white", linewidths=0.6)
    best = max(range(len(trials)), key=lambda i: shades[i])
    ax.plot(across[best], up[best], "*", color=canvas.ORANGE, mec="black", ms=15, label=f"best: {trials[best].value:.4g}")
    scales[x].onto(ax.xaxis)
    scales[y].onto(ax.yaxis)
    ax.set(xlabel=x, ylabel=y, title=f"{study.name}: {len(trials)} trials with both")
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, -0.12), frameon=False)
    shade = canvas.pyplot().cm.ScalarMappable(cmap=canvas.SCALE)
    bar = ax.figure.colorbar(shade, ax=ax, ticks=[0, 1])
    bar.ax.set_yticklabels(["worst", "best"])
    return ax
