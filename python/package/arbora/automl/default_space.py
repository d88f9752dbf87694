"""A space of today's learners for tables: boosting, forests, linear models, networks, with the
preparation each needs.

The space depends on the table: imputation is offered only if values are missing, encodings only for
categories, and kernel machines only for few rows.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, List, Mapping

from arbora.automl import columns
from arbora.automl.learners import LEARNERS, Learner
from arbora.automl.search_space import SearchSpace
from arbora.automl.table_info import TableInfo
from arbora.space import Space

PREPARATION = "columns."
SOME_ROWS = 20_000
"""Up to here the defaults of every learner are tried first."""


def modern(facts: TableInfo) -> SearchSpace:
    """The search space. The defaults of every learner are tried first: the linear model, so that
    there is a result soon, then the most promising ones. On many rows only quick learners are tried
    first, beginning with boosting, so that they do not use up a short budget.

    >>> facts = TableInfo(rows=100, sizes=(0, 3), has_gaps=True, classes=2, rarest=40, metric="accuracy", seed=1)
    >>> recipe = modern(facts)
    >>> [configuration["learner"] for configuration in recipe.first[:2]]
    ['linear', 'boosting']
    >>> "columns.scaling" in recipe.first[1]
    False
    """
    offered = [learner for learner in LEARNERS if learner.is_offered(facts)]
    space = modern_space(offered, facts)
    first = [learner for learner in offered if learner.is_quick]
    if facts.rows <= SOME_ROWS:
        first = sorted(offered, key=lambda learner: learner.name != "linear")
    return SearchSpace(space, partial(build, facts=facts), [space.complete({"learner": learner.name}) for learner in first])


def modern_space(offered: List[Learner], facts: TableInfo) -> Space:
    """The space of some learners on a table."""
    space = Space()
    root = space.choice("learner", [learner.name for learner in offered])
    for learner in offered:
        learner.declare(space, root == learner.name, facts)
    filled = [learner.name for learner in offered if not learner.takes_gaps]
    scaled = [learner.name for learner in offered if learner.wants_scale]
    weighted = [learner.name for learner in offered if learner.takes_class_weights]
    if facts.has_gaps and filled:
        space.choice("columns.missing", ["median", "mean"], when=root.is_in(filled))
        space.boolean("columns.indicator", default=True, when=root.is_in(filled))
    if facts.categories and filled:
        encodings = ["indicators", "codes"] + (["target"] if columns.has_target_encoder(facts) else [])
        space.choice("columns.categories", encodings, when=root.is_in(filled))
    if facts.numbers and scaled:
        space.choice("columns.scaling", ["standard", "robust", "quantile"], when=root.is_in(scaled))
    if facts.metric == "balanced_accuracy" and weighted:
        space.boolean("balanced", default=True, when=root.is_in(weighted))
    return space


def build(configuration: Mapping[str, Any], facts: TableInfo) -> Any:
    """The pipeline of a configuration."""
    learner = next(learner for learner in LEARNERS if learner.name == configuration["learner"])
    settings = _below(configuration, learner.name + ".")
    if configuration.get("balanced"):
        settings["class_weight"] = "balanced"
    model = learner.build(settings, facts)
    return model if learner.takes_gaps else columns.pipeline(model, _below(configuration, PREPARATION), facts)


def _below(configuration: Mapping[str, Any], prefix: str) -> Dict[str, Any]:
    return {name[len(prefix) :]: value for name, value in configuration.items() if name.startswith(prefix)}
