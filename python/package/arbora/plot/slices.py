"""One panel per parameter: the loss against its value, in the trials where it takes part."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from arbora.plot import canvas
from arbora.study import Study


def slices(study: Study, parameters: Optional[Sequence[str]] = None) -> Any:
    """Plot the loss against each parameter; later trials are darker, and the best is marked.
    Returns an array of axes.

    >>> from arbora.examples import svm_study
    >>> panels = slices(svm_study(), ["C"])
    >>> panels[0].get_xlabel()
    'C'
    """
    names = list(parameters or study.space.names)
    trials, scales = canvas.complete(study), canvas.places(study, names)
    columns = min(4, len(names))
    rows = -(-len(names) // columns)
    figure, grid = canvas.pyplot().subplots(
        rows, columns, figsize=(3.0 * columns + 0.6, 2.6 * rows), layout="constrained", sharey=True, squeeze=False
    )
    panels = list(grid.flat)
    best, last = study._incumbent(), max(1, trials[-1].number)
    for panel, name in zip(panels, names):
        here = [trial for trial in trials if name in trial]
        places = [scales[name].unit(trial[name]) for trial in here]
        panel.scatter(
            places, [canvas.value(trial) for trial in here], c=[trial.number for trial in here], cmap=canvas.scale(),
            vmin=0, vmax=last, s=20, linewidths=0,
        )
        if not here:
            panel.text(0.5, 0.5, "no complete trial has it", transform=panel.transAxes, ha="center", color="0.5", fontsize=8)
        if best is not None and name in best:
            panel.plot(scales[name].unit(best[name]), best.value, "*", color=canvas.ORANGE, mec="black", ms=13)
        scales[name].onto(panel.xaxis, 4)
        panel.tick_params(axis="x", labelsize=8, rotation=30 if not scales[name].is_number else 0)
        panel.set(xlabel=canvas.plain(name), xlim=scales[name].limits())
        panel.spines[["top", "right"]].set_visible(False)
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    for row in grid:
        row[0].set_ylabel(canvas.word(study))
    if canvas.is_log([canvas.value(trial) for trial in trials]):
        panels[0].set_yscale("log")
    shade = canvas.pyplot().cm.ScalarMappable(canvas.pyplot().Normalize(0, last), canvas.scale())
    steps = canvas.round_numbers(0, last, 5, False, True)
    bar = figure.colorbar(
        shade, ax=grid, label="trial", pad=0.01, aspect=25, ticks=steps, shrink=1.5 / max(rows, 1.5), anchor=(0, 1)
    )
    bar.outline.set_visible(False)
    return panels[: len(names)]
