"""How similar the trials are to the kernel of the strategy: the matrices of the papers' figures."""

from __future__ import annotations

from typing import Any, List, Optional

from arbora.keywords import renamed
from arbora.plot import canvas
from arbora.plot.layout import cut
from arbora.study import Study

SIDE = 4.8
"""Of the matrix in a new figure, in inches."""
LINE, LETTER = 0.13, 0.062
"""Height of a label and width of a letter, in inches."""
LONGEST = 56
"""Letters of a label."""


def kernel_matrix(study: Study, *, ax: Optional[Any] = None) -> Any:
    """The correlation of every pair of complete trials, sorted by branch. A kernel that isolates
    branches shows as blocks.

    >>> from arbora.examples import svm_study
    >>> axes = kernel_matrix(svm_study())
    >>> len(axes.images)
    1
    """
    grown = study.space.tree
    trials = canvas.complete(study)
    places = {leaf.number: place for place, leaf in enumerate(grown.leaves)}
    numbers = [places[leaf.number] if leaf is not None else -1 for leaf in grown.leaves_of(trials)]
    order = sorted(range(len(trials)), key=lambda i: (numbers[i], trials[i].number))
    matrix = study.kernel_matrix([trials[i].configuration for i in order])
    edges = [at for at in range(1, len(order)) if numbers[order[at]] != numbers[order[at - 1]]]
    bounds = [0, *edges, len(order)]
    names = [cut(canvas.plain(", ".join(grown.leaves[numbers[order[a]]].path) or "all"), LONGEST, len) for a in bounds[:-1]]
    if ax is None:
        ax = canvas.axes(None, SIDE + 1.3 + LETTER * max(len(name) for name in names), SIDE + 0.5)
    image = ax.imshow(matrix, cmap="cividis", vmin=0.0, vmax=1.0, interpolation="nearest")
    for edge in edges:
        ax.axhline(edge - 0.5, color="white", lw=1)
        ax.axvline(edge - 0.5, color="white", lw=1)
    rows = len(order) * LINE / (ax.get_window_extent().height / ax.figure.dpi)
    middles: List[float] = []
    labels: List[str] = []
    for middle, name in zip(((a + b - 1) / 2 for a, b in zip(bounds, bounds[1:])), names):
        # A label that would lie on the one before is left out: its block is too small to be read
        # anyway.
        if not middles or middle - middles[-1] >= rows:
            middles.append(middle)
            labels.append(name)
    ax.set_yticks(middles, labels=labels, fontsize=7)
    ax.set_xticks([])
    ax.set_title(canvas.plain(f"{study.name}: correlation of {len(order)} trials"))
    ax.figure.colorbar(image, ax=ax, label="correlation", fraction=0.046, pad=0.03)
    return ax


@renamed("kernel_matrix")
def covariance(study: Study, *, ax: Optional[Any] = None) -> Any:
    """The old name of :func:`kernel_matrix`.

    >>> from arbora.examples import svm_study
    >>> covariance(svm_study())
    Traceback (most recent call last):
    ...
    DeprecationWarning: covariance() is now called kernel_matrix()
    """
    return kernel_matrix(study, ax=ax)
