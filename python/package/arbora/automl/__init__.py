"""A table of data in, a model out: which learner, with which settings, and what its score is worth.

``AutoClassifier`` and ``AutoRegressor`` search a conditional space of learners, preprocessing and
parameters within a time budget. Each fit runs in its own process with a hard time limit. The best
trials are ensembled at no extra cost, and the choice among them resists luck. Both need
scikit-learn, which is imported on first use.

>>> from arbora.examples import small_table
>>> rows, labels = small_table()
>>> from arbora.automl import AutoClassifier
>>> model = AutoClassifier(trials=5, space="cash", random_state=1, isolate=False)
>>> model.fit(rows, labels).predict(rows[:2])
array(['left', 'right'], dtype='<U5')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arbora.automl.estimator import AutoClassifier, AutoRegressor

__all__ = ["AutoClassifier", "AutoRegressor"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from arbora.automl import estimator

        return getattr(estimator, name)
    raise AttributeError(f"module 'arbora.automl' has no attribute {name!r}")
