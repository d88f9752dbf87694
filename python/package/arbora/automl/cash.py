"""The space of the papers: nine classifiers, 14 parameters  [Lévesque et al. 2017, section V, Table
1].

Features are standardised, categories spelled out, gaps filled by the mean. The paper's regulariser
of the quadratic discriminant goes to 1000, where (1 − r)Σ + rI makes no sense; it is read as (Σ +
rI)/(1 + r).
"""

from __future__ import annotations

from functools import partial
from typing import Any, Mapping

from arbora import spaces
from arbora.automl import columns
from arbora.automl.search_space import SearchSpace
from arbora.automl.table_info import TableInfo

STEPS = 100_000
"""A support vector machine that needs more has failed to converge, and is judged by what it has."""
PREPARED = {"missing": "mean", "scaling": "standard", "categories": "indicators"}


def cash(facts: TableInfo) -> SearchSpace:
    """The search space, for classification only."""
    if not facts.is_classification:
        raise ValueError('space = "cash" holds classifiers only; AutoRegressor has "modern"')
    return SearchSpace(spaces.cash(), partial(build, facts=facts))


def build(configuration: Mapping[str, Any], facts: TableInfo) -> Any:
    """The pipeline of a configuration."""
    settings = {name.split(".", 1)[1]: value for name, value in configuration.items() if "." in name}
    return columns.pipeline(_classifier(configuration["classifier"], settings, facts), PREPARED, facts)


def _classifier(name: str, settings: Mapping[str, Any], facts: TableInfo) -> Any:
    from sklearn import discriminant_analysis, ensemble, naive_bayes, neighbors, svm, tree

    from arbora.automl.probabilities import Calibrated

    if name == "knn":
        # A training part may have fewer rows than the range has neighbours.
        return neighbors.KNeighborsClassifier(min(settings["n_neighbors"], facts.rows))
    if name == "svm":
        return Calibrated(svm.SVC(max_iter=STEPS, random_state=facts.seed, **settings))
    if name == "linsvm":
        return Calibrated(svm.LinearSVC(dual=False, random_state=facts.seed, **settings))
    if name == "dt":
        return tree.DecisionTreeClassifier(random_state=facts.seed, **settings)
    if name == "rf":
        return ensemble.RandomForestClassifier(random_state=facts.seed, **settings)
    if name == "adab":
        return ensemble.AdaBoostClassifier(random_state=facts.seed, **settings)
    if name == "gnb":
        return naive_bayes.GaussianNB()
    if name == "lda":
        return discriminant_analysis.LinearDiscriminantAnalysis()
    from arbora.automl.discriminant import Quadratic

    return Quadratic(settings["reg_param"])
