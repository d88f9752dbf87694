"""Data, spaces and searches that the tests of ArboraSearchCV share."""

from __future__ import annotations

from typing import Any, Dict

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn")

from sklearn.datasets import load_iris
from sklearn.svm import SVC

import arbora
from arbora.sklearn import ArboraSearchCV

X, Y = load_iris(return_X_y=True)


def one(name: str = "C", low: float = 1e-3, high: float = 1e3) -> arbora.Space:
    space = arbora.Space()
    space.real(name, low, high, log=True)
    return space


def svm() -> arbora.Space:
    space = arbora.Space()
    kernel = space.choice("kernel", ["linear", "rbf"])
    space.real("C", 1e-3, 1e3, log=True)
    space.real("gamma", 1e-3, 1e3, log=True, when=kernel == "rbf")
    return space


def search(**more: Any) -> ArboraSearchCV:
    settings: Dict[str, Any] = {"trials": 6, "cv": 3, "random_state": 1, "strategy": "random", **more}
    return ArboraSearchCV(SVC(), svm(), **settings)
