"""The spaces that `configspace_check.py` compares: one of ours for each thing they can say, and those that the examples
in the package's own documentation build."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import textwrap
from collections.abc import Iterator

import ConfigSpace
from ConfigSpace import (
    AndConjunction,
    Categorical,
    ConfigurationSpace,
    Constant,
    EqualsCondition,
    Float,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    ForbiddenEqualsRelation,
    ForbiddenGreaterThanRelation,
    ForbiddenInClause,
    ForbiddenLessThanRelation,
    GreaterThanCondition,
    InCondition,
    Integer,
    LessThanCondition,
    Normal,
    NotEqualsCondition,
    OrConjunction,
    OrdinalHyperparameter,
)
from ConfigSpace.forbidden import (
    ForbiddenGreaterThanClause,
    ForbiddenGreaterThanEqualsRelation,
    ForbiddenLessThanClause,
    ForbiddenLessThanEqualsRelation,
    ForbiddenOrConjunction,
)
from ConfigSpace.hyperparameters import Hyperparameter


def every_type() -> ConfigurationSpace:
    """One hyperparameter of each type, nothing conditional."""
    space = ConfigurationSpace(seed=1)
    space.add(
        Float("linear", (-3.0, 7.5), default=1.25),
        Float("logarithmic", (1e-6, 1e3), log=True),
        Float("normal", (0.0, 1.0), distribution=Normal(0.9, 0.2)),
        Float("log_normal", (1e-4, 1.0), distribution=Normal(0.01, 3.0), log=True),
        Integer("count", (-5, 30), default=3),
        Integer("units", (1, 1024), log=True),
        Integer("layers", (1, 9), distribution=Normal(3, 2)),
        Categorical("kernel", ["rbf", "poly", "linear"], weights=[1, 2, 5], default="poly"),
        Categorical("flag", [True, False]),
        Categorical("batch", [16, 32, 64.5]),
        Categorical("features", ["sqrt", "log2", None], default="log2"),
        OrdinalHyperparameter("size", ["small", "medium", "large"], default_value="medium"),
        OrdinalHyperparameter("grid", [1, 4, 16]),
        Constant("version", 3),
        Constant("tag", "v1"),
    )
    return space


def simple_conditions() -> ConfigurationSpace:
    """Every condition on its own, on parents of every type."""
    space = ConfigurationSpace(seed=2)
    model = Categorical("model", ["svm", "forest", "net", "none"])
    size = OrdinalHyperparameter("size", ["small", "medium", "large"])
    depth, rate = Integer("depth", (1, 20)), Float("rate", (1e-4, 1.0), log=True)
    children = [Float(f"child{i}", (0.0, 1.0)) for i in range(12)]
    space.add(model, size, depth, rate, *children)
    space.add(
        EqualsCondition(children[0], model, "svm"),
        NotEqualsCondition(children[1], model, "svm"),
        InCondition(children[2], model, ["svm", "net"]),
        EqualsCondition(children[3], depth, 7),
        NotEqualsCondition(children[4], depth, 7),
        LessThanCondition(children[5], depth, 7),
        GreaterThanCondition(children[6], depth, 7),
        InCondition(children[7], depth, [1, 5, 20]),
        LessThanCondition(children[8], rate, 0.01),
        GreaterThanCondition(children[9], rate, 0.01),
        GreaterThanCondition(children[10], size, "small"),
        LessThanCondition(children[11], size, "large"),
    )
    return space


def nested_conditions() -> ConfigurationSpace:
    """Chains of parents, conjunctions and disjunctions, an absent parent in every place."""
    space = ConfigurationSpace(seed=3)
    root = Categorical("root", ["a", "b", "c"])
    second = Categorical("second", ["x", "y", "z"])
    third = Integer("third", (1, 10))
    fourth = Float("fourth", (0.0, 1.0))
    both, either, mixed = (Float(name, (0.0, 1.0)) for name in ["both", "either", "mixed"])
    deep = Integer("deep", (1, 100), log=True)
    space.add(root, second, third, fourth, both, either, mixed, deep)
    space.add(
        EqualsCondition(second, root, "a"),
        InCondition(third, second, ["x", "y"]),
        GreaterThanCondition(fourth, third, 4),
        AndConjunction(EqualsCondition(both, root, "a"), LessThanCondition(both, third, 6)),
        OrConjunction(EqualsCondition(either, second, "z"), EqualsCondition(either, root, "b")),
        OrConjunction(
            AndConjunction(EqualsCondition(mixed, second, "x"), GreaterThanCondition(mixed, third, 2)),
            AndConjunction(NotEqualsCondition(mixed, root, "a"), NotEqualsCondition(mixed, root, "b")),
            LessThanCondition(mixed, fourth, 0.3),
        ),
        OrConjunction(GreaterThanCondition(deep, mixed, 0.5), LessThanCondition(deep, either, 0.5)),
    )
    return space


def forbidden_clauses() -> ConfigurationSpace:
    """Equalities, lists, conjunctions, disjunctions and bounds, also about conditional parameters."""
    space = ConfigurationSpace(seed=4)
    model = Categorical("model", ["svm", "forest", "net"])
    kernel = Categorical("kernel", ["rbf", "poly", "linear"])
    depth = Integer("depth", (1, 12), default=4)
    rate = Float("rate", (0.0, 1.0))
    size = OrdinalHyperparameter("size", ["small", "medium", "large"])
    space.add(model, kernel, depth, rate, size)
    space.add(EqualsCondition(kernel, model, "svm"), InCondition(depth, model, ["forest", "net"]))
    space.add(
        ForbiddenEqualsClause(depth, 12),
        ForbiddenAndConjunction(ForbiddenEqualsClause(kernel, "poly"), ForbiddenEqualsClause(size, "large")),
        ForbiddenAndConjunction(ForbiddenInClause(depth, [1, 2, 3]), ForbiddenInClause(size, ["small", "large"])),
        ForbiddenAndConjunction(
            ForbiddenGreaterThanClause(rate, 0.75),
            ForbiddenOrConjunction(ForbiddenLessThanClause(depth, 6), ForbiddenEqualsClause(kernel, "linear")),
        ),
        ForbiddenAndConjunction(ForbiddenLessThanClause(size, "large"), ForbiddenLessThanClause(rate, 0.1)),
    )
    return space


def relations() -> ConfigurationSpace:
    """Relations between hyperparameters, one of them conditional."""
    space = ConfigurationSpace(seed=5)
    switch = Categorical("switch", ["on", "off"])
    low, high = Integer("low", (1, 20), default=3), Integer("high", (1, 20), default=9)
    part, whole = Float("part", (0.0, 2.0), default=0.5), Float("whole", (0.0, 2.0), default=1.0)
    left = Categorical("left", ["a", "b", "c"], default="a")
    right = Categorical("right", ["c", "b", "a"], default="b")
    inner, outer = Integer("inner", (1, 9), default=2), Integer("outer", (1, 9), default=7)
    space.add(switch, low, high, part, whole, left, right, inner, outer)
    space.add(EqualsCondition(high, switch, "on"))
    space.add(
        ForbiddenGreaterThanRelation(low, high),
        ForbiddenLessThanRelation(whole, part),
        ForbiddenEqualsRelation(left, right),
        ForbiddenGreaterThanEqualsRelation(inner, outer),
        ForbiddenAndConjunction(ForbiddenLessThanEqualsRelation(outer, low), ForbiddenEqualsClause(switch, "on")),
    )
    return space


def auto_sklearn_like() -> ConfigurationSpace:
    """A classifier with its parameters and a preprocessor that some classifiers cannot have."""
    space = ConfigurationSpace(seed=6)
    classifier = Categorical("classifier:__choice__", ["libsvm_svc", "random_forest", "sgd"])
    preprocessor = Categorical("preprocessor:__choice__", ["none", "pca", "kitchen_sinks"])
    kernel = Categorical("libsvm_svc:kernel", ["rbf", "poly", "sigmoid"])
    penalty = Float("libsvm_svc:C", (0.03125, 32768), log=True)
    gamma = Float("libsvm_svc:gamma", (3.0517578125e-05, 8), log=True)
    degree, offset = Integer("libsvm_svc:degree", (2, 5)), Float("libsvm_svc:coef0", (-1, 1))
    bootstrap = Categorical("random_forest:bootstrap", [True, False])
    leaf = Integer("random_forest:min_samples_leaf", (1, 20))
    loss = Categorical("sgd:loss", ["hinge", "log", "modified_huber"], default="log")
    rate, eta = Categorical("sgd:learning_rate", ["constant", "optimal"]), Float("sgd:eta0", (1e-7, 0.1), log=True)
    keep = Float("pca:keep_variance", (0.5, 0.9999))
    sinks = Integer("kitchen_sinks:n_components", (50, 10000), log=True)
    space.add(classifier, preprocessor, kernel, penalty, gamma, degree, offset)
    space.add(bootstrap, leaf, loss, rate, eta, keep, sinks)
    space.add(
        *[EqualsCondition(hp, classifier, "libsvm_svc") for hp in [kernel, penalty, gamma]],
        EqualsCondition(degree, kernel, "poly"),
        InCondition(offset, kernel, ["poly", "sigmoid"]),
        *[EqualsCondition(hp, classifier, "random_forest") for hp in [bootstrap, leaf]],
        *[EqualsCondition(hp, classifier, "sgd") for hp in [loss, rate]],
        EqualsCondition(eta, rate, "constant"),
        EqualsCondition(keep, preprocessor, "pca"),
        EqualsCondition(sinks, preprocessor, "kitchen_sinks"),
        ForbiddenAndConjunction(
            ForbiddenEqualsClause(preprocessor, "kitchen_sinks"),
            ForbiddenInClause(classifier, ["random_forest", "libsvm_svc"]),
        ),
    )
    return space


EXAMPLES = [
    every_type,
    simple_conditions,
    nested_conditions,
    forbidden_clauses,
    relations,
    auto_sklearn_like,
]


def documented() -> Iterator[tuple[str, ConfigurationSpace]]:
    """The spaces that the code blocks in the package's own documentation build, each block run as it stands."""
    for file in sorted(pathlib.Path(ConfigSpace.__file__).parent.rglob("*.py")):
        blocks = re.findall(r"^([ ]*)```python exec[^\n]*\n(.*?)^[ ]*```", file.read_text(), re.MULTILINE | re.DOTALL)
        for number, (_, block) in enumerate(blocks):
            names: dict[str, object] = {}
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(textwrap.dedent(block), names)  # noqa: S102 - their examples are code
            except Exception as error:  # noqa: BLE001 - an example of theirs that does not run is not ours to mend
                print(f"{file.stem} {number}: skipped, their example does not run ({type(error).__name__}: {error})")
                continue
            built = [value for value in names.values() if isinstance(value, ConfigurationSpace) and len(value)]
            parts = [value for value in names.values() if isinstance(value, Hyperparameter)]
            for space in built or [ConfigurationSpace(space={part.name: part for part in parts})] * bool(parts):
                yield f"{file.stem} {number}", space
