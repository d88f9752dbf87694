"""Tuning scikit-learn: a search with the contract of ``GridSearchCV`` over a conditional space.

>>> from sklearn.datasets import load_iris
>>> from sklearn.pipeline import Pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from sklearn.svm import SVC
>>> from sklearn.ensemble import RandomForestClassifier
>>> from arbora.sklearn import ArboraSearchCV
>>> pipeline = Pipeline([("scale", StandardScaler()), ("model", SVC())])
>>> space = Space()
>>> model = space.choice("model", ["svm", "forest"])
>>> _ = space.real("model__C", 1e-3, 1e3, log=True, when=model == "svm")
>>> _ = space.integer("model__max_depth", 1, 10, when=model == "forest")
>>> learners = {"svm": SVC(), "forest": RandomForestClassifier(n_estimators=10, random_state=0)}
>>> search = ArboraSearchCV(pipeline, space, values={"model": learners}, trials=6, cv=3, random_state=1)
>>> search = search.fit(*load_iris(return_X_y=True))
>>> bool(search.best_score_ > 0.9), len(search.cv_results_["params"])
(True, 6)
>>> print(search.verdict_)
6 trials complete.
Best seen: trial ...
"""

from __future__ import annotations

try:
    import sklearn as _  # noqa: F401
except ImportError as error:
    raise ImportError("arbora.sklearn needs scikit-learn: pip install scikit-learn") from error

from arbora.sklearn.search import ArboraSearchCV

__all__ = ["ArboraSearchCV"]
