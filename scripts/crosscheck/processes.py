"""Gaussian processes at given hypers, against the joint normal distribution of all values.

y = m + f(x) + ε on standardised losses, f ~ GP(0, σ_f²·k), ε ~ N(0, σ_n²); predictions are those of
f, on the scale of the losses  [Rasmussen & Williams 2006, ch. 2].
"""

from __future__ import annotations

from collections.abc import Callable

import machines
import numpy as np
from asking import ask, claim, held, largest, report
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

LEVEL = {"mean": 0.2, "amplitude": 1.3, "noise": 0.15}


def matern52(squares: np.ndarray) -> np.ndarray:
    """(1 + √5·r + 5r²/3)·e^{−√5·r} of r² = Σ (Δⱼ/ℓⱼ)²."""
    r = np.sqrt(5 * squares)
    return (1 + r + r**2 / 3) * np.exp(-r)


def squared_exponential(squares: np.ndarray) -> np.ndarray:
    """e^{−r²/2}."""
    return np.exp(-squares / 2)


def laplace(sums: np.ndarray) -> np.ndarray:
    """e^{−s} of s = Σ |Δⱼ|/ℓⱼ."""
    return np.exp(-sums)


PROFILES: dict[str, tuple[Callable[[np.ndarray], np.ndarray], int]] = {
    "matern52": (matern52, 2),
    "se": (squared_exponential, 2),
    "laplace": (laplace, 1),
}
"""The profile of each kernel, and the power p in Σ (|Δⱼ|/ℓⱼ)ᵖ."""


def stationary(kind: str, x: np.ndarray, lengths: np.ndarray, symbols: list[int]) -> np.ndarray:
    """The kernel among all rows of x; columns in `symbols` are at distance 1 wherever they differ."""
    profile, power = PROFILES[kind]
    gaps = np.abs(x[:, None, :] - x[None, :, :])
    gaps[:, :, symbols] = gaps[:, :, symbols] != 0
    return profile(((gaps / lengths) ** power).sum(-1))


def conditioned(
    prior: np.ndarray, y: np.ndarray, mean: float, noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """Means and variances of the values after the first n, given noisy observations of those."""
    n = len(y)
    seen = prior[:n, :n] + noise**2 * np.eye(n)
    gain = prior[n:, :n] @ np.linalg.inv(seen)
    covariance = prior[n:, n:] - gain @ prior[:n, n:]
    return mean + gain @ (y - mean), np.diag(covariance)


def posterior(k: np.ndarray, losses: np.ndarray, level: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """The process with kernel k among all rows, on losses as they are."""
    shift, spread = losses.mean(), losses.std()
    prior = level["amplitude"] ** 2 * k
    mean, variance = conditioned(prior, (losses - shift) / spread, level["mean"], level["noise"])
    return shift + spread * mean, spread**2 * variance


def question(kernel: object, hypers: dict[str, float], rows: list, count: int, losses: np.ndarray) -> dict:
    """What is asked: the first `count` rows were seen, what of the rest?"""
    return {
        "believe": {
            "space": machines.SPACE,
            "surrogate": {"kind": "gp", "kernel": kernel, "infer": {"kind": "fixed"}},
            "hypers": hypers,
            "seen": rows[:count],
            "losses": losses.tolist(),
            "at": rows[count:],
        }
    }


def world(rng: np.random.Generator, seen: int, asked: int) -> tuple[list, np.ndarray]:
    """Rows and the losses of those that were seen, among which one group is not."""
    drawn = [machines.draw(rng) for _ in range(3 * (seen + asked))]
    rows = [row for row in drawn if row.get("kernel") != "sigmoid"][:seen] + drawn[-asked:]
    return rows, np.array([machines.loss(row) for row in rows[:seen]])


def compare(name: str, said: dict, k: np.ndarray, losses: np.ndarray) -> None:
    mean, variance = posterior(k, losses, LEVEL)
    report(f"{name}: mean", largest(said["mean"], mean), 1e-10)
    report(f"{name}: variance", largest(said["variance"], variance), 1e-10)


def dense_kernels(rng: np.random.Generator) -> None:
    """Three kernels over all columns, inactive ones at ½; labels by position i/(k−1), or as symbols."""
    rows, losses = world(rng, 30, 25)
    lengths = rng.uniform(0.5, 4.0, len(machines.COLUMNS))
    hypers = LEVEL | {f"length:{n}": v for n, v in zip(machines.COLUMNS, lengths, strict=True)}
    x = machines.encoded(rows, 0.5)
    for kind in PROFILES:
        for categories in ("index", "label"):
            kernel = {"kind": kind, "categories": categories}
            (said,) = ask("believe", [question(kernel, hypers, rows, 30, losses)])
            held(said, hypers)
            symbols = [machines.COLUMNS.index(n) for n in machines.LABELS] if categories == "label" else []
            compare(f"gp, {kind}, labels by {categories}", said, stationary(kind, x, lengths, symbols), losses)


def conditional_kernels(rng: np.random.Generator) -> None:
    """k·1[same signature]  [Lévesque et al. 2017, eq. 8]: inside a group its inactive columns lie at
    one place, and labels that decide are equal; a group that was never seen has the prior."""
    rows, losses = world(rng, 40, 40)
    columns = [n for n in machines.COLUMNS if n not in machines.DECIDING_LABELS]
    lengths = rng.uniform(0.5, 4.0, len(columns))
    hypers = LEVEL | {f"length:{n}": v for n, v in zip(columns, lengths, strict=True)}
    chosen = [machines.COLUMNS.index(n) for n in columns]
    x = machines.encoded(rows, 0.5)[:, chosen]
    signatures = [machines.signature(row) for row in rows]
    together = np.array([[a == b for b in signatures] for a in signatures])
    assert not together[40:, :40].any(axis=1).all(), "no group was left unseen"
    for kind in PROFILES:
        for categories in ("index", "label"):
            kernel = {"kind": "conditional", "inner": {"kind": kind, "categories": categories}}
            (said,) = ask("believe", [question(kernel, hypers, rows, 40, losses)])
            held(said, hypers)
            symbols = [columns.index(n) for n in machines.LABELS if n in columns] if categories == "label" else []
            k = stationary(kind, x, lengths, symbols) * together
            compare(f"gp, conditional {kind}, labels by {categories}", said, k, losses)


def mondrian_tends_to_laplace(rng: np.random.Generator) -> None:
    """P(same cell) = p = e^{−‖Δ‖₁/ℓ} in every tree, so the share among M trees is off by
    √(p(1−p)/M), and the posterior alike  [Lévesque et al. 2017, §IV.B]."""
    rows, losses = world(rng, 15, 12)
    hypers = LEVEL | {"length": 2.0}
    x = machines.encoded(rows, 0.5)
    exact, _ = posterior(stationary("laplace", x, np.full(x.shape[1], 2.0), []), losses, LEVEL)
    off = {}
    for trees in (30, 1000, 30_000):
        (said,) = ask("believe", [question({"kind": "mondrian", "trees": trees}, hypers, rows, 15, losses)])
        held(said, hypers)
        off[trees] = float(np.sqrt(np.mean((np.array(said["mean"]) - exact) ** 2)) / losses.std())
        bound = 1.5 / np.sqrt(trees)
        claim(f"gp, mondrian, {trees} trees: mean near laplace", off[trees] < bound,
              f"{off[trees]:.4f} of the losses' deviation (allowed {bound:.4f})")
    claim("gp, mondrian: a thousand times the trees, nearer", off[30_000] < off[30] / 10,
          f"{off[30] / off[30_000]:.0f} times (31.6 expected)")


def against_scikit_learn(rng: np.random.Generator) -> None:
    """The same by scikit-learn's regressor, which shares nothing with the lines above either."""
    rows, losses = world(rng, 30, 25)
    lengths = rng.uniform(0.5, 4.0, len(machines.COLUMNS))
    hypers = LEVEL | {f"length:{n}": v for n, v in zip(machines.COLUMNS, lengths, strict=True)}
    x = machines.encoded(rows, 0.5)
    shift, spread = losses.mean(), losses.std()
    for kind, theirs in (("matern52", Matern(lengths, nu=2.5)), ("se", RBF(lengths))):
        kernel = {"kind": kind, "categories": "index"}
        (said,) = ask("believe", [question(kernel, hypers, rows, 30, losses)])
        whole = ConstantKernel(LEVEL["amplitude"] ** 2) * theirs
        regressor = GaussianProcessRegressor(whole, alpha=LEVEL["noise"] ** 2, optimizer=None)
        regressor.fit(x[:30], (losses - shift) / spread - LEVEL["mean"])
        mean, deviation = regressor.predict(x[30:], return_std=True)
        mean = shift + spread * (LEVEL["mean"] + mean)
        report(f"gp, {kind}, scikit-learn: mean", largest(said["mean"], mean), 1e-10)
        report(f"gp, {kind}, scikit-learn: variance", largest(said["variance"], (spread * deviation) ** 2), 1e-9)


def check() -> None:
    rng = np.random.default_rng(1)
    for _ in range(3):
        dense_kernels(rng)
        conditional_kernels(rng)
    mondrian_tends_to_laplace(rng)
    against_scikit_learn(rng)
