"""When which worker was busy with which trial."""

from __future__ import annotations

from typing import Any, Dict, Optional

from arbora.plot import canvas
from arbora.study import Study


COLOURS = {
    "complete": canvas.BLUE, "failed": canvas.RED, "pruned": canvas.GREY, "abandoned": canvas.GREY, "running": canvas.GREEN,
}
HATCHES = {"failed": "////", "pruned": "", "abandoned": "....", "running": ""}


def timeline(study: Study, *, ax: Optional[Any] = None) -> Any:
    """A row per worker, a bar per trial from its start to its end, coloured by how it ended.

    >>> from arbora.examples import svm_study
    >>> axes = timeline(svm_study())
    >>> axes.get_xlabel()
    'seconds since the first trial'
    """
    trials = [trial for trial in study.trials if trial.started_at is not None]
    if not trials:
        raise ValueError(f"study `{study.name}` has no trial that was handed to a worker")
    rows: Dict[str, int] = {}
    for trial in trials:
        rows.setdefault(trial.worker or "", len(rows))
    ax = canvas.axes(ax, 8.0, 1.4 + 0.45 * len(rows))
    origin = min(trial.started_at for trial in trials if trial.started_at is not None)
    now = max(trial.ended_at or trial.started_at or origin for trial in trials)
    for trial in trials:
        began = ((trial.started_at or origin) - origin).total_seconds()
        length = trial.duration or ((trial.ended_at or now) - (trial.started_at or origin)).total_seconds()
        state = trial.state if trial.state in COLOURS else "running"
        ax.barh(
            rows[trial.worker or ""], length, left=began, height=0.7, color=COLOURS[state], edgecolor="white",
            linewidth=0.5, hatch=HATCHES.get(state), label=state,
        )
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(*zip(*{label: (handle, label) for handle, label in zip(handles, labels)}.values()), frameon=False, ncols=4,
              loc="lower left", bbox_to_anchor=(0.0, 1.0))
    ax.set_yticks(list(rows.values()), labels=[f"worker {row + 1}" for row in rows.values()])
    ax.invert_yaxis()
    ax.set(xlabel="seconds since the first trial")
    ax.spines[["top", "right", "left"]].set_visible(False)
    return ax
