"""A space with nested conditions, worked out by hand: what is active, how it is encoded, its group.

    model ∈ {svm, forest, net}, always            kernel ∈ {rbf, poly, sigmoid}, C: of an svm
    rate (log), batch (whole), size (ordinal),    degree: of an svm with poly; shift: of one with poly or sigmoid
    loss ∈ {l1, l2, huber}: always                trees (log, whole), grow ∈ {deep, wide}: of a forest
                                                  layers: of a net; drop: layers ≥ 2; skip: layers ≥ 4
"""

from __future__ import annotations

from typing import Any

import numpy as np

Row = dict[str, Any]

SPACE: dict[str, Any] = {
    "parameters": {
        "model": {"type": "choice", "choices": ["svm", "forest", "net"]},
        "rate": {"type": "real", "low": 1e-4, "high": 1.0, "log": True},
        "batch": {"type": "integer", "low": 1, "high": 10},
        "size": {"type": "ordinal", "values": ["small", "medium", "large"]},
        "loss": {"type": "choice", "choices": ["l1", "l2", "huber"]},
        "C": {"type": "real", "low": 1e-3, "high": 1e3, "log": True, "when": "model == 'svm'"},
        "kernel": {"type": "choice", "choices": ["rbf", "poly", "sigmoid"], "when": "model == 'svm'"},
        "degree": {"type": "integer", "low": 1, "high": 5, "when": "kernel == 'poly'"},
        "shift": {"type": "real", "low": -2.0, "high": 3.0, "when": "kernel in ['poly', 'sigmoid']"},
        "trees": {"type": "integer", "low": 2, "high": 200, "log": True, "when": "model == 'forest'"},
        "grow": {"type": "choice", "choices": ["deep", "wide"], "when": "model == 'forest'"},
        "layers": {"type": "integer", "low": 1, "high": 6, "when": "model == 'net'"},
        "drop": {"type": "real", "low": 0.0, "high": 0.5, "when": "layers >= 2"},
        "skip": {"type": "real", "low": 0.0, "high": 1.0, "when": "layers >= 4"},
    }
}
COLUMNS = list(SPACE["parameters"])
LABELS = {name: p["choices"] for name, p in SPACE["parameters"].items() if p["type"] == "choice"}
DECIDING_LABELS = {"model", "kernel"}


def draw(rng: np.random.Generator) -> Row:
    """A random configuration: the active parameters only."""

    def pick(labels: list[str]) -> str:
        return labels[rng.integers(len(labels))]

    row: Row = {
        "model": pick(LABELS["model"]),
        "rate": 10 ** rng.uniform(-4, 0),
        "batch": int(rng.integers(1, 11)),
        "size": pick(["small", "medium", "large"]),
        "loss": pick(LABELS["loss"]),
    }
    if row["model"] == "svm":
        row |= {"C": 10 ** rng.uniform(-3, 3), "kernel": pick(LABELS["kernel"])}
        if row["kernel"] == "poly":
            row["degree"] = int(rng.integers(1, 6))
        if row["kernel"] != "rbf":
            row["shift"] = rng.uniform(-2, 3)
    elif row["model"] == "forest":
        row |= {"trees": int(rng.integers(2, 201)), "grow": pick(LABELS["grow"])}
    else:
        row["layers"] = int(rng.integers(1, 7))
        if row["layers"] >= 2:
            row["drop"] = rng.uniform(0, 0.5)
        if row["layers"] >= 4:
            row["skip"] = rng.uniform(0, 1)
    return row


def unit(name: str, value: Any) -> float:
    """Where a value lies in [0, 1].

    Real: (x − l)/(u − l), or the same of logarithms. Whole: the middle of its bin,
    (x − l + ½)/(u − l + 1); of logarithms the bins reach from ln(l − ½) to ln(u + ½). Category i of k:
    i/(k − 1). Ordinal: as a whole number.
    """
    p = SPACE["parameters"][name]
    if p["type"] == "choice":
        return p["choices"].index(value) / (len(p["choices"]) - 1)
    if p["type"] == "ordinal":
        return (p["values"].index(value) + 0.5) / len(p["values"])
    low, high, half = p["low"], p["high"], 0.5 * (p["type"] == "integer")
    if p.get("log"):
        low, high, value = np.log(low - half), np.log(high + half), np.log(value)
        return float((value - low) / (high - low))
    return float((value - low + half) / (high - low + 2 * half))


def encoded(rows: list[Row], absent: float) -> np.ndarray:
    """One line per row, one column per parameter; `absent` in the place of what is inactive."""
    return np.array([[unit(n, row[n]) if n in row else absent for n in COLUMNS] for row in rows])


def signature(row: Row) -> tuple:
    """The decisions taken: labels by their value, a number by what every test says of it
    [Lévesque et al. 2017, eq. 8]."""
    if row["model"] == "svm":
        return ("svm", row["kernel"])
    if row["model"] == "net":
        return ("net", row["layers"] >= 2, row["layers"] >= 4)
    return ("forest",)


def loss(row: Row) -> float:
    """Something to learn, far from mean 0 and deviation 1."""
    base = {"svm": 20.0, "forest": 23.0, "net": 18.0}[row["model"]]
    places = {name: unit(name, value) for name, value in row.items()}
    wave = np.sin(5 * places["rate"]) + (places["batch"] - 0.4) ** 2 + 0.3 * places["loss"]
    return float(base + 2 * wave + sum(np.cos(3 * u) for u in places.values()) / 2)
