"""The spaces of the papers, as documents."""

from __future__ import annotations

from typing import Any, Dict

from arbora import spaces

__all__ = ["SPACES"]

Document = Dict[str, Any]


def real(low: float, high: float, when: Any = None, log: bool = True) -> Document:
    """A number, on a logarithmic scale unless said otherwise."""
    return {"type": "real", "low": low, "high": high, "log": log, **({} if when is None else {"when": when})}


def integer(low: int, high: int, when: Any = None) -> Document:
    """A whole number."""
    return {"type": "integer", "low": low, "high": high, **({} if when is None else {"when": when})}


def choice(*choices: Any, when: Any = None) -> Document:
    """One of these."""
    return {"type": "choice", "choices": list(choices), **({} if when is None else {"when": when})}


def cash() -> Document:
    """Nine learners and thirteen parameters  [Lévesque et al. 2017, §V]."""
    parameters: Document = spaces.cash().to_dict()["parameters"]
    return parameters


def svm() -> Document:
    """Four kernels; two parameters belong to two of them each  [Lévesque 2018, §4.4.1]."""
    return {
        "kernel": choice("linear", "rbf", "poly", "sigmoid"),
        "C": real(1e-5, 1e5),
        "gamma": real(1e-5, 1e5, {"kernel": ["rbf", "sigmoid"]}),
        "degree": integer(1, 10, {"kernel": "poly"}),
        "coef0": real(1e-2, 1e2, {"kernel": ["sigmoid", "poly"]}),
    }


def forest() -> Document:
    """A random forest  [Lévesque 2018, Table 2.1]."""
    return {
        "n_estimators": integer(2, 50),
        "criterion": choice("gini", "entropy"),
        "max_depth": integer(2, 150),
        "min_samples_split": integer(2, 30),
        "min_samples_leaf": integer(1, 30),
    }


def general(when: Any = None, prefix: str = "") -> Document:
    """What a network of any depth needs  [Jenatton et al. 2017, §4.2]."""
    return {
        f"{prefix}learning_rate": real(1e-5, 1e-1, when),
        f"{prefix}tolerance": real(1e-5, 1e-2, when),
        f"{prefix}normalisation": choice("unit_rows", "maximum_columns", "whitening", "none", when=when),
    }


def mlp_independent() -> Document:
    """Five depths, each with its own copies of everything."""
    parameters: Document = {"depth": choice(0, 1, 2, 3, 4)}
    for depth in range(5):
        when, prefix = {"depth": depth}, f"depth{depth}."
        parameters.update(general(when, prefix))
        parameters[f"{prefix}lambda"] = real(1e-6, 1e-1, when)
        if depth:
            parameters[f"{prefix}activation"] = choice("identity", "logistic", "tanh", "relu", when=when)
        for layer in range(1, depth + 1):
            parameters[f"{prefix}units{layer}"] = integer(1, 30, when)
    return parameters


def mlp_shared() -> Document:
    """A chain of decisions "stop here?"; what several depths need hangs where their paths part.
    Weights make the five depths equally likely."""
    parameters = general()
    for depth in range(5):
        here = {"stop%d" % depth: True} if depth < 4 else {"stop3": False}
        if depth < 4:
            stop: Document = {"type": "boolean", "weights": [4 - depth, 1]}
            parameters["stop%d" % depth] = stop if depth == 0 else {**stop, "when": {"stop%d" % (depth - 1): False}}
        parameters["lambda%d" % depth] = real(1e-6, 1e-1, here)
        if depth == 1:
            parameters["activation"] = choice("identity", "logistic", "tanh", "relu", when={"stop0": False})
        if depth:
            parameters["units%d" % depth] = integer(1, 30, {"stop%d" % (depth - 1): False})
    return parameters


SPACES = {
    "cash": cash,
    "svm": svm,
    "svm-rbf": lambda: {"C": real(1e-5, 1e5), "gamma": real(1e-5, 1e5)},
    "width": lambda: {"gamma": real(1e-5, 1e2)},
    "forest": forest,
    "mlp-independent": mlp_independent,
    "mlp-shared": mlp_shared,
}
"""By the first word of a problem's name."""
