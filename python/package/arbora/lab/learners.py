"""Learners of scikit-learn, made from configurations of the papers' spaces."""

from __future__ import annotations

from typing import Any, Dict

__all__ = ["learner"]

STEPS = 20_000
"""A support vector machine that takes more has failed to converge; what it is by then counts."""


def learner(kind: str, configuration: Dict[str, Any], seed: int) -> Any:
    """The estimator a configuration describes, its features standardised unless it normalises them
    itself."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    if kind.startswith("mlp"):
        return network(kind, configuration, seed)
    scaler = MinMaxScaler() if kind == "forest" else StandardScaler()
    return make_pipeline(scaler, plain(kind, configuration, seed))


def plain(kind: str, configuration: Dict[str, Any], seed: int) -> Any:
    """Without scaling."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.svm import SVC

    if kind == "cash":
        settings = {name.split(".", 1)[1]: value for name, value in configuration.items() if "." in name}
        return one_of_nine(configuration["classifier"], settings, seed)
    if kind == "forest":
        return RandomForestClassifier(random_state=seed, **configuration)
    return SVC(max_iter=STEPS, **configuration)


def one_of_nine(name: str, settings: Dict[str, Any], seed: int) -> Any:
    """A learner of the CASH space."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC, LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    if name == "qda":  # (S + rI)/(1 + r) in the words of scikit-learn, (1 - s)S + sI, so that r may exceed one
        settings = {"reg_param": settings["reg_param"] / (1 + settings["reg_param"])}
    if name in ("dt", "rf", "adab"):
        settings = {**settings, "random_state": seed}
    if name == "svm":
        settings = {**settings, "max_iter": STEPS}
    if name == "linsvm":
        settings = {**settings, "dual": False, "max_iter": 1000}
    kinds = {
        "knn": KNeighborsClassifier,
        "svm": SVC,
        "linsvm": LinearSVC,
        "dt": DecisionTreeClassifier,
        "rf": RandomForestClassifier,
        "adab": AdaBoostClassifier,
        "gnb": GaussianNB,
        "lda": LinearDiscriminantAnalysis,
        "qda": QuadraticDiscriminantAnalysis,
    }
    return kinds[name](**settings)


def network(kind: str, configuration: Dict[str, Any], seed: int) -> Any:
    """A multilayer perceptron of zero to four layers; of zero, a linear model trained the same way.

    What Jenatton et al. 2017, section 4.2, leave open is as scikit-learn has it: at most 200
    passes, batches of at most 200 rows. Its ``tol`` is an absolute decrease of the loss over ten
    passes (two in the releases of their time); theirs is called a relative one.
    """
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline

    given = {name.split(".", 1)[-1]: value for name, value in configuration.items()}
    depth: int = given.get("depth", 4)
    if kind == "mlp-shared":
        depth = next((layer for layer in range(4) if given.get(f"stop{layer}")), 4)
        given["lambda"] = given[f"lambda{depth}"]
    layers = tuple(given[f"units{layer}"] for layer in range(1, depth + 1))
    estimator = MLPClassifier(
        hidden_layer_sizes=layers,
        activation=given["activation"] if layers else "identity",
        alpha=given["lambda"],
        learning_rate_init=given["learning_rate"],
        tol=given["tolerance"],
        random_state=seed,
    )
    return make_pipeline(normaliser(given["normalisation"]), estimator)


def normaliser(name: str) -> Any:
    """What is done to features first; whitening is "mean/standard-deviation feature-wise", so no
    rotation."""
    from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, Normalizer, StandardScaler

    if name == "unit_rows":
        return Normalizer()
    if name == "maximum_columns":
        return MaxAbsScaler()
    return StandardScaler() if name == "whitening" else FunctionTransformer()
