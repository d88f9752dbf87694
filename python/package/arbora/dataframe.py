"""Trials as a pandas table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

    from arbora.study import Study

FIELDS = ("number", "state", "loss", "value", "cost", "duration", "asked_at", "started_at", "ended_at", "worker", "reason")


def dataframe(study: Study) -> pandas.DataFrame:
    """One row per trial; the columns of parameters are in the order of the space."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("trials_dataframe needs pandas: pip install pandas") from error
    trials = study.trials
    columns = {name: [getattr(trial, name) for trial in trials] for name in FIELDS}
    for name in study.space.names:
        columns[f"parameters_{name}"] = [trial.configuration.get(name) for trial in trials]
    kept = dict.fromkeys(name for trial in trials for name in trial.attributes)
    for name in kept:
        columns[f"attributes_{name}"] = [trial.attributes.get(name) for trial in trials]
    return pandas.DataFrame(columns)
