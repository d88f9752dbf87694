"""The leaderboard: all trials of a search, the best first."""

from __future__ import annotations

from statistics import mean
from typing import Any, Dict, List, Optional

from arbora.study import Study
from arbora.trial import Trial


def rows(study: Study, metric: str, weights: Dict[int, float]) -> List[Dict[str, Any]]:
    """A dict for each trial: its place, its learner, the metric, its weight in the model, its time,
    its configuration.

    >>> from arbora.examples import svm_study
    >>> rows(svm_study(), "loss", {3: 1.0})[0]["place"]
    1
    """
    trials = [trial for trial in study.trials if trial.is_ended]
    order = sorted(trials, key=lambda trial: (trial.loss is None, trial.loss or 0.0, trial.number))
    decider = study.space.names[0]
    return [
        {
            "place": place if trial.loss is not None else None,
            "trial": trial.number,
            decider: trial.get(decider),
            metric: trial.value,
            "weight": weights.get(trial.number, 0.0),
            "seconds": trial.duration,
            "state": trial.state,
            "reason": trial.reason or _stopped(trial),
            "configuration": {name: value for name, value in trial.configuration.items() if name != decider},
        }
        for place, trial in enumerate(order, 1)
    ]


def _stopped(trial: Trial) -> Optional[str]:
    """A trial that was clearly behind, or out of its time, is complete, but not judged like the
    others."""
    folds, late = trial.attributes.get("stopped_after"), trial.attributes.get("cut_short")
    if late is not None:
        return f"{late} (mean {mean(trial.attributes['split_values']):.4g})"
    return None if folds is None else f"behind after {folds} fold{'' if folds == 1 else 's'}"


def table(study: Study, metric: str, weights: Dict[int, float]) -> Any:
    """The same as a pandas frame if pandas is there, as a list of dicts otherwise."""
    listed = rows(study, metric, weights)
    try:
        import pandas
    except ImportError:
        return listed
    return pandas.DataFrame(listed)
