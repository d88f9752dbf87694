"""Losses in the order of asking, with the best so far."""

from __future__ import annotations

from typing import Any, List, Optional

from arbora.plot import canvas
from arbora.study import Study


def history(study: Study, *, log: Optional[bool] = None, ax: Optional[Any] = None) -> Any:
    """Every trial as a dot, failed ones along the lower edge, and the best value so far as a line.
    Losses that span decades have a logarithmic axis unless ``log`` says otherwise.

    >>> from arbora.examples import svm_study
    >>> axes = history(svm_study())
    >>> axes.get_xlabel()
    'trial'
    """
    ax = canvas.axes(ax)
    trials, better = canvas.complete(study), max if study.direction == "maximize" else min
    numbers, values = [trial.number for trial in trials], [canvas.value(trial) for trial in trials]
    best: List[float] = []
    for value in values:
        best.append(value if not best else better(best[-1], value))
    ax.scatter(numbers, values, s=18, color=canvas.GREY, alpha=0.8, linewidths=0, label="trial")
    ax.step([*numbers, max(numbers) + 1], [*best, best[-1]], where="post", color=canvas.BLUE, lw=2, label="best so far")
    failed = [trial.number for trial in study.trials if trial.state == "failed"]
    if failed:
        ax.plot(
            failed, [0.02] * len(failed), "x", color=canvas.RED, ms=6, transform=ax.get_xaxis_transform(), label="failed"
        )
    if canvas.is_log(values) if log is None else log:
        ax.set_yscale("log")
    ax.set(xlabel="trial", ylabel=canvas.word(study))
    ax.set_title(canvas.plain(f"{study.name}: best {best[-1]:.5g}"))
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
