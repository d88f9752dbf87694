"""Quadratic discriminant analysis with a regulariser of any size, also for more columns than rows.

log p(c | x) = −½ (x − μ_c)ᵀ S_c⁻¹ (x − μ_c) − ½ log |S_c| + log π_c + const
S_c = (Σ_c + rI)/(1 + r)

Scikit-learn's version stops at r/(1 + r) = 1 and refuses a class with fewer rows than columns,
whatever its regulariser. Cost O(columns³) for each class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from arbora.automl.probabilities import softmax


class Quadratic(ClassifierMixin, BaseEstimator):
    """A normal density for each class.

    >>> import numpy as np
    >>> rows = np.array([[0.0, 0.1], [0.2, 0.0], [3.0, 3.1], [3.2, 3.0]])
    >>> Quadratic(0.1).fit(rows, np.array([0, 0, 1, 1])).predict(rows)
    array([0, 0, 1, 1])
    """

    def __init__(self, ridge: float = 1e-3) -> None:
        self.ridge = ridge

    def fit(self, X: Any, y: Any) -> Quadratic:
        """Means, and Cholesky factors of the covariances."""
        self.classes_, counts = np.unique(y, return_counts=True)
        self.priors_ = np.log(counts / counts.sum())
        self.means_ = [X[y == label].mean(axis=0) for label in self.classes_]
        self.factors_ = [self._factor(X[y == label], mean) for label, mean in zip(self.classes_, self.means_)]
        return self

    def _factor(self, rows: Any, mean: Any) -> Any:
        centred = rows - mean
        covariance = centred.T @ centred / len(rows)
        return np.linalg.cholesky((covariance + self.ridge * np.eye(rows.shape[1])) / (1 + self.ridge))

    def decision_function(self, X: Any) -> Any:
        """Logarithms of the densities times the priors."""
        from scipy.linalg import solve_triangular

        columns = []
        for mean, factor, prior in zip(self.means_, self.factors_, self.priors_):
            whitened = solve_triangular(factor, (X - mean).T, lower=True)
            columns.append(prior - 0.5 * (whitened**2).sum(axis=0) - np.log(np.diag(factor)).sum())
        return np.column_stack(columns)

    def predict_proba(self, X: Any) -> Any:
        """Probabilities, in the order of ``classes_``."""
        return softmax(self.decision_function(X))

    def predict(self, X: Any) -> Any:
        """The class of the greatest probability."""
        return self.classes_[self.decision_function(X).argmax(axis=1)]
