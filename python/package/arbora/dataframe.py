"""Trials as a pandas table."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from arbora.trial import Trial

if TYPE_CHECKING:
    import pandas

FIELDS = ("number", "state", "loss", "value", "cost", "duration", "asked_at", "started_at", "ended_at", "worker", "reason")


def dataframe(trials: List[Trial], parameters: List[str]) -> pandas.DataFrame:
    """One row per trial; one column per fact, parameter and attribute."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("trials_dataframe needs pandas: pip install pandas") from error
    columns = {name: [getattr(trial, name) for trial in trials] for name in FIELDS}
    for name in parameters:
        columns[f"parameters_{name}"] = [trial.configuration.get(name) for trial in trials]
    kept = dict.fromkeys(name for trial in trials for name in trial.attributes)
    for name in kept:
        columns[f"attributes_{name}"] = [trial.attributes.get(name) for trial in trials]
    return pandas.DataFrame(columns)
