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

from typing import TYPE_CHECKING, Any, Dict, List

from arbora._arbora import __version__
from arbora.errors import (
    ArboraError,
    EvaluationError,
    ExhaustedError,
    InternalError,
    SearchError,
    SpaceError,
    StatsError,
    StoreError,
    TrialError,
    TrialPruned,
)
from arbora.expression import Expression, Parameter, Term
from arbora.minimize import Result, minimize
from arbora.space import Space
from arbora.strategy import Ask, Suggestion, TrialSummary, register_strategy
from arbora.study import Study, studies
from arbora.trial import Trial

if TYPE_CHECKING:
    from arbora import automl, ensemble, plot, selection, stats
    # Not in the list below, because they need scikit-learn; exported all the same.
    from arbora.automl import AutoClassifier as AutoClassifier
    from arbora.automl import AutoRegressor as AutoRegressor
    from arbora.plan import Plan, Splits
    from arbora.verdict import Judged, Record, SplitSpread, Verdict

__all__ = [
    "ArboraError",
    "Ask",
    "EvaluationError",
    "ExhaustedError",
    "Expression",
    "InternalError",
    "Judged",
    "Parameter",
    "Plan",
    "Record",
    "Result",
    "SearchError",
    "Space",
    "SpaceError",
    "SplitSpread",
    "Splits",
    "StatsError",
    "StoreError",
    "Study",
    "Suggestion",
    "Term",
    "Trial",
    "TrialError",
    "TrialPruned",
    "TrialSummary",
    "Verdict",
    "__version__",
    "ensemble",
    "minimize",
    "plot",
    "pruners",
    "register_strategy",
    "selection",
    "stats",
    "strategies",
    "studies",
]


def strategies() -> Dict[str, str]:
    """Return every strategy by name, with what it does: the recommended ones first, each with when to use it,
    then those from the papers, then those that were registered.

    >>> next(iter(strategies()))
    'auto'
    >>> "gp-conditional" in strategies()
    True
    """
    from arbora import _arbora

    return dict(_arbora.strategies())


def pruners() -> Dict[str, str]:
    """Return every pruner by name, with what it does; the default first.

    >>> next(iter(pruners()))
    'curve'
    >>> "median" in pruners()
    True
    """
    from arbora import _arbora

    return dict(_arbora.pruners())


# Imported when first used: plots bring matplotlib along, which takes longer to import than
# everything else together.
_LATER = {
    "AutoClassifier": "arbora.automl",
    "AutoRegressor": "arbora.automl",
    "Judged": "arbora.verdict",
    "Record": "arbora.verdict",
    "Plan": "arbora.plan",
    "SplitSpread": "arbora.verdict",
    "Splits": "arbora.plan",
    "Verdict": "arbora.verdict",
    "automl": "arbora.automl",
    "ensemble": "arbora.ensemble",
    "plot": "arbora.plot",
    "selection": "arbora.selection",
    "stats": "arbora.stats",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'arbora' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(_LATER[name])
    return module if _LATER[name] == f"arbora.{name}" else getattr(module, name)


def __dir__() -> List[str]:
    """What there is, also what is imported later; nothing that this module only uses itself."""
    ours = [name for name in globals() if name.startswith("__") and name != "__getattr__" and name != "__dir__"]
    return sorted({*__all__, *_LATER, *ours})
