"""How alike the strategy takes the trials to be: the covariance matrices of the papers' figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from arbora.plot import canvas

if TYPE_CHECKING:
    from arbora.study import Study


def covariance(study: Study, *, ax: Optional[Any] = None) -> Any:
    """The correlation of every pair of complete trials, sorted by branch. A kernel that isolates branches shows as
    blocks.

    >>> axes = covariance(some_study)
    >>> len(axes.images)
    1
    """
    ax = canvas.axes(ax, 6.4, 5.2)
    grown = study.space.tree
    trials = canvas.complete(study)
    places = {leaf.number: place for place, leaf in enumerate(grown.leaves)}
    numbers = [places[leaf.number] if leaf is not None else -1 for leaf in grown.leaves_of(trials)]
    order = sorted(range(len(trials)), key=lambda i: (numbers[i], trials[i].number))
    matrix = study.covariance([trials[i].configuration for i in order])
    image = ax.imshow(matrix, cmap="cividis", vmin=0.0, vmax=1.0, interpolation="nearest")
    edges = [at for at in range(1, len(order)) if numbers[order[at]] != numbers[order[at - 1]]]
    for edge in edges:
        ax.axhline(edge - 0.5, color="white", lw=1)
        ax.axvline(edge - 0.5, color="white", lw=1)
    bounds = [0, *edges, len(order)]
    middles = [(a + b - 1) / 2 for a, b in zip(bounds, bounds[1:])]
    names = [canvas.plain(", ".join(grown.leaves[numbers[order[a]]].path) or "all") for a in bounds[:-1]]
    ax.set_yticks(middles, labels=names, fontsize=8)
    ax.set_xticks([])
    ax.set_title(canvas.plain(f"{study.name}: correlation of {len(order)} trials"))
    ax.figure.colorbar(image, ax=ax, label="correlation", fraction=0.046, pad=0.03)
    return ax
