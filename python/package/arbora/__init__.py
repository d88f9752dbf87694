"""Bayesian optimisation of conditional search spaces.

>>> import arbora
>>> space = arbora.Space()
>>> model = space.choice("model", ["svm", "forest"])
>>> _ = space.real("C", 1e-5, 1e5, log=True, when=model == "svm")
>>> _ = space.integer("trees", 1, 500, log=True, when=model == "forest")
>>> study = arbora.Study(space, seed=7)
>>> trial = study.ask()                       # trial.configuration holds the active parameters only
>>> study.tell(trial, loss=0.08)
>>> study.best_loss
0.08
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

from arbora._arbora import __version__
from arbora.errors import (
    ArboraError,
    ExhaustedError,
    InternalError,
    SearchError,
    SpaceError,
    StoreError,
    TrialError,
)
from arbora.expression import Expression, Parameter, Term
from arbora.minimize import Result, minimize
from arbora.space import Space
from arbora.study import Study, studies
from arbora.trial import Trial

if TYPE_CHECKING:
    from arbora import plot

__all__ = [
    "ArboraError",
    "ExhaustedError",
    "Expression",
    "InternalError",
    "Parameter",
    "Result",
    "SearchError",
    "Space",
    "SpaceError",
    "StoreError",
    "Study",
    "Term",
    "Trial",
    "TrialError",
    "__version__",
    "minimize",
    "plot",
    "strategies",
    "studies",
]


def strategies() -> Dict[str, str]:
    """The strategies there are, with what they stand for.

    >>> "gp-conditional" in strategies()
    True
    """
    from arbora import _arbora

    return dict(_arbora.strategies())


def __getattr__(name: str) -> Any:
    # Plots bring matplotlib along, which takes longer to import than everything else together.
    if name == "plot":
        import importlib

        return importlib.import_module("arbora.plot")
    raise AttributeError(f"module 'arbora' has no attribute {name!r}")
