"""One call for a function, a space and a number of trials."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from arbora.keywords import called_here
from arbora.settings import Strategy
from arbora.space import Configuration, Space
from arbora.study import Study
from arbora.trial import Objective

__all__ = ["Result", "minimize"]


class Result(NamedTuple):
    """What :func:`minimize` found.

    >>> from arbora.examples import bowl_space
    >>> result = minimize(lambda trial: trial["x"], bowl_space(), trials=5, seed=1)
    >>> result.loss == result.configuration["x"]
    True
    """

    configuration: Configuration
    """The best configuration."""
    loss: float
    """Its loss."""
    study: Study
    """The study, with all trials."""


@called_here(n_trials="trials", n_jobs="jobs", show_progress_bar="progress", sampler="strategy", study_name="name")
def minimize(
    objective: Objective,
    space: Optional[Space] = None,
    *,
    trials: int = 100,
    timeout: Union[float, str, None] = None,
    jobs: int = 1,
    strategy: Strategy = "auto",
    seed: Optional[int] = None,
    storage: Optional[Any] = None,
    name: str = "study",
    progress: bool = False,
) -> Result:
    """Minimise a function of a trial. A trial is also a mapping, so a function of a dict works,
    too.

    >>> from arbora.examples import bowl_space
    >>> result = minimize(lambda c: (c["x"] - 0.3) ** 2, bowl_space(), trials=15, seed=1)
    >>> abs(result.configuration["x"] - 0.3) < 0.05
    True
    """
    study = Study(space, strategy=strategy, seed=seed, storage=storage, name=name)
    study.optimize(objective, trials=trials, timeout=timeout, jobs=jobs, progress=progress)
    return Result(study.best_configuration, study.best_loss, study)
