"""The checked options of a fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

from arbora.automl.metric import Metric
from arbora.automl.search import Budget
from arbora.automl.search_space import Given

ENSEMBLES = ("none", "post-hoc", "optimised")
SELECTIONS = ("auto", "least_loss", "posterior_mean")


@dataclass(frozen=True)
class Settings:
    """The options of an estimator, complete and checked."""

    space: Given
    budget: Budget
    metric: Metric
    ensemble: str
    ensemble_size: int
    selection: str
    strategy: Any
    folds: Union[str, int]
    resampling: str
    max_rows: Union[str, int]
    races: bool
    """Stop trials that are far behind after their first folds?"""
    jobs: int
    trial_timeout: Optional[float]
    """Time limit of a trial in seconds, if the user set one."""
    patience: Optional[float]
    """Default time limit of a trial in seconds, once another trial is complete."""
    memory_limit: Optional[float]
    is_isolated: bool
    storage: Optional[Any]
    seed: int
    is_verbose: bool
