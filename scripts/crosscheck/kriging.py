"""Kernels that know when a parameter is absent, and Kriging with them.

Formulas are those of Zaefferer & Horn 2018, unless another source is named. Three parameters: x in
[0, 1], always; y in [0, 1] if x > 0.5; c of three labels if x > 0.3. k(a, b) = e^{−Σ d}, one distance
d per parameter; x is compared by (Δ/ℓ)².
"""

from __future__ import annotations

from typing import Any

import numpy as np
from asking import ask, held, largest, report
from processes import LEVEL, matern52, posterior

SPACE = {
    "parameters": {
        "x": {"type": "real", "low": 0.0, "high": 1.0},
        "y": {"type": "real", "low": 0.0, "high": 1.0, "when": "x > 0.5"},
        "c": {"type": "choice", "choices": ["r", "s", "t"], "when": "x > 0.3"},
    }
}
LABELS = ["r", "s", "t"]
Row = dict[str, Any]
Setting = Any
"""A number, a label, or None where the parameter is absent."""


def draw(rng: np.random.Generator, count: int) -> list[Row]:
    rows: list[Row] = []
    for x, y, c in zip(rng.random(count), rng.random(count), rng.integers(3, size=count), strict=True):
        row: Row = {"x": float(x)}
        if x > 0.5:
            row["y"] = float(y)
        if x > 0.3:
            row["c"] = LABELS[c]
        rows.append(row)
    return rows


def losses(rows: list[Row]) -> np.ndarray:
    def one(row: Row) -> float:
        own = 3 * (row["y"] - 0.4) ** 2 if "y" in row else 0.3
        return 7 + np.sin(5 * row["x"]) + own + {None: 0.1, "r": 0.5, "s": -0.4, "t": 0.0}[row.get("c")]

    return np.array([one(row) for row in rows])


# Distances between two settings of one parameter; h has the hypers of the rule. Our lengths ℓ are
# weights θ = ℓ⁻² of the paper.


def gap(a: Setting, b: Setting) -> float:
    """(a − b)² of numbers, 1[a ≠ b] of labels."""
    return float(a != b) if isinstance(a, str) or isinstance(b, str) else (a - b) ** 2


def on_arc(value: Setting, angle: float) -> np.ndarray:
    """Eq. 1: a number at (sin πρx, cos πρx), absence at the origin. Label c: (ρ·e_c, √(1 − ρ²)), so
    that all labels are at distance 1 from absence and at one distance from each other."""
    place = np.zeros(len(LABELS) + 1)
    if isinstance(value, str):
        place[LABELS.index(value)], place[-1] = angle, np.sqrt(1 - angle**2)
    elif value is not None:
        place[:2] = np.sin(np.pi * angle * value), np.cos(np.pi * angle * value)
    return place


def arc(h: dict[str, float], a: Setting, b: Setting) -> float:
    """Eq. 1, squared."""
    return float(((on_arc(a, h["angle"]) - on_arc(b, h["angle"])) ** 2).sum()) / h["length"] ** 2


def plain_arc(h: dict[str, float], a: Setting, b: Setting) -> float:
    """Eq. 1, not squared, as Hutter & Osborne 2013 have it."""
    return float(np.sqrt(arc(h, a, b)))


def ico(h: dict[str, float], a: Setting, b: Setting) -> float:
    """§4.2: absence is at a distance of its own from every value."""
    if a is None and b is None:
        return 0.0
    return h["absence"] ** -2 if a is None or b is None else gap(a, b) / h["length"] ** 2


def imp(h: dict[str, float], a: Setting, b: Setting) -> float:
    """§4.3: absence is like the value ρ, maybe outside the range; ρ = 3 is none of three labels."""
    stand_in = h["stand_in"]
    filled = [stand_in if v is None else LABELS.index(v) if isinstance(v, str) else v for v in (a, b)]
    is_label = isinstance(a, str) or isinstance(b, str)
    return (float(filled[0] != filled[1]) if is_label else gap(*filled)) / h["length"] ** 2


def imp_arc(h: dict[str, float], a: Setting, b: Setting) -> float:
    """§4.4: β₁·d_arc + β₂·d_imp, both of unit size."""
    halves = {"angle": h["angle"], "length": h["arc"]}, {"stand_in": h["stand_in"], "length": h["imp"]}
    return arc(halves[0], a, b) + imp(halves[1], a, b)


def standard(h: dict[str, float], a: Setting, b: Setting) -> float:
    """`Stan`, absence filled with the middle ½ of the scale: of three labels, the second."""
    stand_in: Setting = LABELS[1] if isinstance(a, str) or isinstance(b, str) else 0.5
    return gap(*(stand_in if v is None else v for v in (a, b))) / h["length"] ** 2 if a is not b else 0.0


def wedge(h: dict[str, float], a: Setting, b: Setting) -> float:
    """Numbers on a segment from (ρ₁, 0) to ρ₂(cos γ, sin γ), absence at the origin  [Horn et al. 2019];
    labels as in `arc`."""
    if "angle" in h:
        return arc(h, a, b)
    near, far = 1 / h["near"], 1 / h["far"]

    def place(v: Setting) -> np.ndarray:
        if v is None:
            return np.zeros(2)
        return np.array([near + v * (far * np.cos(h["bend"]) - near), v * far * np.sin(h["bend"])])

    return float(((place(a) - place(b)) ** 2).sum())


DEFINITE = {"arc": arc, "imp": imp, "imp_arc": imp_arc, "standard": standard, "wedge": wedge, "plain_arc": plain_arc}
RULES = DEFINITE | {"ico": ico}


def hypers_of(rule: str, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Hypers of y and c under a rule."""

    def length() -> float:
        return float(np.exp(rng.uniform(-1.2, 0.2)))

    def arc() -> dict[str, float]:
        return {"length": length(), "angle": float(rng.uniform(0.2, 1.0))}

    number, label = {"stand_in": float(rng.uniform(-1, 2))}, {"stand_in": float(rng.integers(4))}
    if rule in ("arc", "plain_arc"):
        return {"y": arc(), "c": arc()}
    if rule == "imp":
        return {"y": number | {"length": length()}, "c": label | {"length": length()}}
    if rule == "imp_arc":
        halves = [{"arc": half["length"], "angle": half["angle"], "imp": length()} for half in (arc(), arc())]
        return {"y": number | halves[0], "c": label | halves[1]}
    if rule == "wedge":
        bend = float(rng.uniform(0.3, 2.8))
        return {"y": {"near": length(), "far": length(), "bend": bend}, "c": arc()}
    if rule == "ico":
        # Far values near absence: what makes a matrix indefinite.
        return {name: {"length": 0.4 * length(), "absence": 4 * length()} for name in ("y", "c")}
    return {"y": {"length": length()}, "c": {"length": length()}}


def distances(rule: str, h: dict[str, dict[str, float]], length_x: float, rows: list[Row]) -> np.ndarray:
    """Σ d among all rows."""
    between = RULES[rule]

    def one(a: Row, b: Row) -> float:
        return ((a["x"] - b["x"]) / length_x) ** 2 + sum(between(h[n], a.get(n), b.get(n)) for n in ("y", "c"))

    return np.array([[one(a, b) for b in rows] for a in rows])


def question(
    rule: str, hypers: dict[str, float], rows: list[Row], count: int, shape: str, **surrogate: object
) -> dict:
    """What is asked: the first `count` rows were seen, what of the rest?"""
    name: object = {"kind": "arc", "distance": "plain"} if rule == "plain_arc" else rule
    kernel = {"kind": "hierarchical", "rule": name, "shape": shape}
    return {
        "believe": {
            "space": SPACE,
            "surrogate": {"kernel": kernel, "infer": {"kind": "fixed"}, **surrogate},
            "hypers": hypers,
            "seen": rows[:count],
            "losses": losses(rows[:count]).tolist(),
            "at": rows[count:],
        }
    }


def flat(h: dict[str, dict[str, float]]) -> dict[str, float]:
    """Hypers by the names our program has for them."""
    return {f"{what}:{name}": value for name, own in h.items() for what, value in own.items()}


def estimates(r: np.ndarray, nugget: float, y: np.ndarray) -> tuple[float, np.ndarray, float]:
    """§3, with R_η = R + ηI: μ̂ = 1ᵀR_η⁻¹y/1ᵀR_η⁻¹1, a = R_η⁻¹(y − 1μ̂), σ̂² = (y − 1μ̂)ᵀa/n."""
    inverse = np.linalg.inv(r + nugget * np.eye(len(y)))
    level = inverse.sum(0) @ y / inverse.sum()
    a = inverse @ (y - level)
    return float(level), a, float((y - level) @ a / len(y))


def kriging(
    r: np.ndarray, cross: np.ndarray, nugget: float, y: np.ndarray, reinterpolate: bool
) -> tuple[np.ndarray, np.ndarray]:
    """§3: ŷ = μ̂ + rᵀa, s² = σ̂²(1 − rᵀR_η⁻¹r) of the function without its noise; re-interpolated
    σ̂²_ri·(1 − rᵀR⁻¹r) with σ̂²_ri = aᵀRa/n."""
    level, a, variance = estimates(r, nugget, y)
    inner = r if reinterpolate else r + nugget * np.eye(len(y))
    variance = a @ r @ a / len(y) if reinterpolate else variance
    return level + cross.T @ a, variance * (1 - (cross * np.linalg.solve(inner, cross)).sum(0))


def kriging_with_rules(rng: np.random.Generator) -> None:
    """Every rule whose kernel is definite, with and without re-interpolation."""
    rows, nugget, length_x = draw(rng, 40), 0.03, 0.2
    y = losses(rows[:15])
    for rule in DEFINITE:
        h = hypers_of(rule, rng)
        hypers = {"length:x": length_x, "nugget": nugget} | flat(h)
        k = np.exp(-distances(rule, h, length_x, rows))
        for reinterpolate in (False, True):
            spec = {"kind": "kriging", "reinterpolate": reinterpolate}
            (said,) = ask("believe", [question(rule, hypers, rows, 15, "exponential", **spec)])
            held(said, hypers)
            mean, variance = kriging(k[:15, :15], k[:15, 15:], nugget, y, reinterpolate)
            name = f"kriging, {rule}, {'re-interpolated' if reinterpolate else 'plain'}"
            report(f"{name}: mean", largest(said["mean"], mean), 1e-10)
            report(f"{name}: variance", largest(said["variance"], variance), 1e-10)


def processes_with_rules(rng: np.random.Generator) -> None:
    """The same rules as Gaussian processes: e^{−s} of s = Σ d, and Matérn 5/2 of √s  [Swersky et al. 2014]."""
    rows, length_x = draw(rng, 40), 0.3
    y = losses(rows[:15])
    for rule in DEFINITE:
        h = hypers_of(rule, rng)
        hypers = LEVEL | {"length:x": length_x} | flat(h)
        s = distances(rule, h, length_x, rows)
        for shape, k in (("exponential", np.exp(-s)), ("matern52", matern52(s))):
            (said,) = ask("believe", [question(rule, hypers, rows, 15, shape, kind="gp")])
            held(said, hypers)
            mean, variance = posterior(k, y, LEVEL)
            report(f"gp, {rule}, {shape}: mean", largest(said["mean"], mean), 1e-10)
            report(f"gp, {rule}, {shape}: variance", largest(said["variance"], variance), 1e-10)


def check() -> None:
    rng = np.random.default_rng(2)
    for _ in range(3):
        kriging_with_rules(rng)
        processes_with_rules(rng)
