"""The tree-structured process of Jenatton et al. 2017, against the joint normal of everything.

y = b + zᵀc + g_p(x) + ε,  c ~ N(0, Σ) with Σ diagonal, g_p ~ GP(0, σ_f²·k) of its own in every leaf p,
ε ~ N(0, σ²): losses have covariance ZΣZᵀ + blocks of σ_f²·k + σ²I (eq. 4). Of a path is asked b + zᵀc
alone (eq. 6).

    side ∈ {left, right}, always
    left:   twig ∈ {a, b, none}; u: of both twigs     a: leaf ∈ {p, q}, va if p     b: vb
    right:  turn ∈ {c, d}                             c: vc                         d: vd
    s and hue ∈ {red, green, blue}: always
"""

from __future__ import annotations

from typing import Any

import numpy as np
from asking import ask, held, largest, report
from processes import conditioned, stationary

NUMBER = {"type": "real", "low": 0.0, "high": 1.0}
SPACE: dict[str, Any] = {
    "parameters": {
        "side": {"type": "choice", "choices": ["left", "right"]},
        "s": {"type": "real", "low": 1e-3, "high": 1e2, "log": True},
        "hue": {"type": "choice", "choices": ["red", "green", "blue"]},
        "twig": {"type": "choice", "choices": ["a", "b", "none"], "when": "side == 'left'"},
        "turn": {"type": "choice", "choices": ["c", "d"], "when": "side == 'right'"},
        "u": {**NUMBER, "when": "twig in ['a', 'b']"},
        "leaf": {"type": "choice", "choices": ["p", "q"], "when": "twig == 'a'"},
        "va": {**NUMBER, "when": "leaf == 'p'"},
        "vb": {**NUMBER, "when": "twig == 'b'"},
        "vc": {**NUMBER, "when": "turn == 'c'"},
        "vd": {**NUMBER, "when": "turn == 'd'"},
    }
}
HUES = SPACE["parameters"]["hue"]["choices"]
DECISIONS = ["side", "twig", "turn", "leaf"]
NUMBERS = ["s", "u", "va", "vb", "vc", "vd"]
SHARED_NUMBERS = ["s", "u"]
"""They exist in several leaves; so does the hue."""

Row = dict[str, Any]


def draw(rng: np.random.Generator) -> Row:
    row: Row = {"side": str(rng.choice(["left", "right"])), "hue": str(rng.choice(HUES))}
    row["s"] = 10 ** rng.uniform(-3, 2)
    if row["side"] == "left":
        row["twig"] = str(rng.choice(["a", "b", "none"]))
        if row["twig"] != "none":
            row["u"] = rng.random()
        if row["twig"] == "a":
            row["leaf"] = str(rng.choice(["p", "q"]))
            if row["leaf"] == "p":
                row["va"] = rng.random()
        elif row["twig"] == "b":
            row["vb"] = rng.random()
    else:
        row["turn"] = str(rng.choice(["c", "d"]))
        row["v" + row["turn"]] = rng.random()
    return row


def path(row: Row) -> tuple:
    """The decisions taken, in their order: equal paths, same leaf."""
    return tuple((name, row[name]) for name in DECISIONS if name in row)


def place(name: str, row: Row) -> float:
    """In [0, 1]; ½ where it is absent, which is everywhere or nowhere in a leaf."""
    if name not in row:
        return 0.5
    return float((np.log10(row[name]) + 3) / 5) if name == "s" else float(row[name])


def features(row: Row, spec: dict) -> dict[tuple, tuple[str, float]]:
    """z: for every feature that is not zero, the hyper with its variance and its value.

    A one for the root and for every decision but the last, which is the leaf itself. With linear
    nodes also the parameters that several leaves share: a number as it is, a label as a one of its
    own. With offsets b_p a one for the whole path.
    """
    decisions = path(row)
    z: dict[tuple, tuple[str, float]] = {("root",): ("node:root", 1.0)}
    z |= {decisions[: i + 1]: (f"node:{decisions[i][0]}", 1.0) for i in range(len(decisions) - 1)}
    if spec.get("offsets"):
        z[decisions] = ("offset", 1.0)
    if spec["nodes"] == "linear":
        z |= {(name,): (f"slope:{name}", place(name, row)) for name in SHARED_NUMBERS if name in row}
        z[("hue", row["hue"])] = ("slope:hue", 1.0)
    return z


def trend(rows: list[Row], spec: dict, variances: dict[str, float]) -> np.ndarray:
    """ZΣZᵀ."""
    described = [features(row, spec) for row in rows]
    names = sorted({name for z in described for name in z}, key=str)
    matrix = np.array([[z.get(name, ("", 0.0))[1] for name in names] for z in described])
    sizes = {name: variances[z[name][0]] for z in described for name in z}
    return matrix @ np.diag([sizes[name] for name in names]) @ matrix.T


def blocks(rows: list[Row], lengths: dict[str, float]) -> np.ndarray:
    """Matérn 5/2 of the parameters that are not in z, the hue as a symbol; zero across leaves."""
    columns = [name for name in [*NUMBERS, "hue"] if name in lengths]
    x = [[HUES.index(row["hue"]) if n == "hue" else place(n, row) for n in columns] for row in rows]
    symbols = [columns.index("hue")] if "hue" in columns else []
    k = stationary("matern52", np.array(x), np.array([lengths[n] for n in columns]), symbols)
    paths = [path(row) for row in rows]
    return k * np.array([[a == b for b in paths] for a in paths])


def hypers_of(spec: dict, rng: np.random.Generator) -> tuple[dict[str, float], dict[str, float]]:
    """Variances of weights, and length-scales of what is compared inside a leaf."""
    names = ["node:root", *(f"node:{name}" for name in DECISIONS), *(["offset"] if spec.get("offsets") else [])]
    inside, shared = [*NUMBERS, "hue"], [*SHARED_NUMBERS, "hue"]
    if spec["nodes"] == "linear":
        names += [f"slope:{name}" for name in shared]
        inside = [name for name in inside if name not in shared]
    return {n: float(rng.uniform(0.1, 2)) for n in names}, {n: float(rng.uniform(0.3, 1.5)) for n in inside}


def compare(spec: dict, rng: np.random.Generator) -> None:
    """30 rows seen, none of them at turn d nor beyond twig a; 40 asked about, those included."""
    drawn = [draw(rng) for _ in range(300)]
    rows = [row for row in drawn if row.get("turn") != "d" and row.get("twig") != "a"][:30] + drawn[-40:]
    losses = np.array([4 + 3 * place("s", row) + 2 * len(row) + np.sin(6 * place("vb", row)) for row in rows[:30]])
    variances, lengths = hypers_of(spec, rng)
    level = {"mean": 0.15, "amplitude": 0.8, "noise": 0.2}
    hypers = level | variances | {f"length:{name}": value for name, value in lengths.items()}
    surrogate = {"kind": "tree_gp", "infer": {"kind": "fixed"}, **spec}
    question = {"space": SPACE, "surrogate": surrogate, "hypers": hypers, "losses": losses.tolist()}
    (said,) = ask("believe", [{"believe": {**question, "seen": rows[:30], "at": rows[30:]}}])
    held(said, hypers)

    shift, spread = losses.mean(), losses.std()
    y = (losses - shift) / spread
    common = trend(rows, spec, variances)
    whole = common + level["amplitude"] ** 2 * blocks(rows, lengths)
    # The paths asked about stand behind the losses seen, whose covariance has the leaves' blocks as well.
    paths = common.copy()
    paths[:30, :30] = whole[:30, :30]
    for what, joint, answer in (("point", whole, said), ("path", paths, said["branches"])):
        mean, variance = conditioned(joint, y, level["mean"], level["noise"])
        name = f"tree gp, {spec['nodes']} nodes{', offsets' if spec.get('offsets') else ''}: {what}"
        report(f"{name} mean", largest(answer["mean"], shift + spread * mean), 1e-11)
        report(f"{name} variance", largest(answer["variance"], spread**2 * variance), 1e-11)


SPECS: list[dict] = [{"nodes": n, "offsets": o} for n in ("constant", "linear") for o in (False, True)]
"""What is compared: settings of a tree-structured process, beside `inner` and `infer`."""


def check() -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        for spec in SPECS:
            compare(spec, rng)
