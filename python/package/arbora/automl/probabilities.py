"""Probabilities for learners that only know on which side of a border a row lies."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

FOLDS = 3


class Calibrated(ClassifierMixin, BaseEstimator):
    """A classifier with a ``decision_function``, its values turned into probabilities by Platt's
    method.

    Sigmoids are fitted to out-of-fold values and the classifier itself to all rows, so calibration
    costs three more fits and no data [Platt 1999]. Where a class has fewer rows than folds, the
    values pass through a softmax as they are.
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: Any, y: Any) -> Calibrated:
        """Fits the classifier and, where possible, the sigmoids."""
        from sklearn.calibration import CalibratedClassifierCV

        self.classes_, counts = np.unique(y, return_counts=True)
        if counts.min() >= FOLDS:
            model = CalibratedClassifierCV(clone(self.classifier), method="sigmoid", cv=FOLDS, ensemble=False)
        else:
            model = clone(self.classifier)
        self.model_ = model.fit(X, y)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Probabilities, in the order of ``classes_``."""
        if hasattr(self.model_, "predict_proba"):
            return self.model_.predict_proba(X)
        return softmax(self.model_.decision_function(X))

    def predict(self, X: Any) -> Any:
        """The class of the greatest probability."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def softmax(decision: Any) -> Any:
    """Rows of decision values as probabilities; one column stands for two classes.

    >>> import numpy as np
    >>> softmax(np.array([0.0]))
    array([[0.5, 0.5]])
    """
    columns = np.column_stack([-decision / 2, decision / 2]) if decision.ndim == 1 else decision
    raised = np.exp(columns - columns.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)
