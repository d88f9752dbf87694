"""What the user wants of a fit, checked."""

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
    """The options of an estimator, each possible and none missing."""

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
    """Does a trial that is far behind after its first folds end there?"""
    jobs: int
    trial_timeout: Optional[float]
    """Seconds that a trial may take, if the user said so."""
    patience: Optional[float]
    """Seconds that a trial may take once there is one to fall back on, if not."""
    memory_limit: Optional[float]
    is_isolated: bool
    storage: Optional[Any]
    seed: int
    is_verbose: bool
