"""Slice sampling of hypers, against importance sampling: prior draws weighted by their likelihood.

Eight losses of one number, standardised; θ = (m, ln σ_f, ln σ_n, ln ℓ). Priors: m uniform between the
least and the greatest loss, ln σ_f ~ N(0, 1) in [−5, 5], σ_n a positive horseshoe of scale 1 in
[10⁻⁵, 1], ln ℓ ~ N(0, 1) with ℓ in [0.01, 20]  [Lévesque et al. 2017]. Every figure compared is the
mean of some function of θ, so both sides know their standard error.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from asking import ask, claim
from processes import matern52

X = np.array([0.05, 0.18, 0.3, 0.42, 0.55, 0.71, 0.84, 0.97])
LOSSES = np.array([1.1, 0.7, 0.2, 0.35, 0.8, 1.9, 2.4, 2.2])
NAMES = ["mean", "amplitude", "noise", "length:x"]
SHOWN = ["m", "ln σ_f", "ln σ_n", "ln ℓ"]
DRAWS = 12_000
PRIOR_DRAWS = 200_000


def standardised() -> np.ndarray:
    return (LOSSES - LOSSES.mean()) / LOSSES.std()


def within(draw: np.ndarray, low: float, high: float, count: int) -> np.ndarray:
    """The first `count` that lie in the range: the prior, cut off."""
    return draw[(draw >= low) & (draw <= high)][:count]


def prior(rng: np.random.Generator) -> np.ndarray:
    """Draws of θ. The horseshoe is |z·t|, z normal and t half-Cauchy  [Carvalho et al. 2010]."""
    y, n, many = standardised(), PRIOR_DRAWS, 4 * PRIOR_DRAWS
    mean = rng.uniform(min(y.min(), 0), max(y.max(), 0), n)
    amplitude = within(rng.normal(size=many), -5, 5, n)
    noise = within(np.abs(rng.normal(size=many) * rng.standard_cauchy(many)), 1e-5, 1, n)
    length = within(rng.normal(size=many), np.log(0.01), np.log(20), n)
    return np.stack([mean, amplitude, np.log(noise), length], axis=1)


def log_likelihood(theta: np.ndarray) -> np.ndarray:
    """ln N(y; m, σ_f²·K + σ_n²·I) for every row of θ, K Matérn 5/2."""
    y, gaps = standardised(), X[:, None] - X[None, :]
    k = matern52(gaps**2 / np.exp(2 * theta[:, 3])[:, None, None])
    covariance = np.exp(2 * theta[:, 1])[:, None, None] * k + np.exp(2 * theta[:, 2])[:, None, None] * np.eye(len(y))
    lower = np.linalg.cholesky(covariance)
    white = np.linalg.solve(lower, (y - theta[:, :1])[:, :, None])[:, :, 0]
    return -0.5 * (white**2).sum(1) - np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(1)


def weights(theta: np.ndarray) -> np.ndarray:
    """Importances, which sum to one."""
    level = np.concatenate([log_likelihood(part) for part in np.array_split(theta, 20)])
    weight = np.exp(level - level.max())
    return weight / weight.sum()


def chain(grows: bool) -> np.ndarray:
    """States of a chain: a fresh one steps out, one that goes on may only shrink its intervals."""
    # Beyond `settled` observations a chain that goes on leaves out the growing.
    infer = {"kind": "slice", "draws": DRAWS, "burn_in": 200, "settled": 100 if grows else 1}
    hypers = {} if grows else {"mean": 0.0, "amplitude": 1.0, "noise": 0.1, "length:x": 0.5}
    question = {
        "space": {"parameters": {"x": {"type": "real", "low": 0.0, "high": 1.0}}},
        "surrogate": {"kind": "gp", "kernel": "matern52", "infer": infer},
        "hypers": hypers,
        "seen": [{"x": x} for x in X],
        "losses": LOSSES.tolist(),
        "at": [],
        "seed": 11,
    }
    (said,) = ask("believe", [{"believe": question}])
    states = np.array(said["memory"]["states"])[:, [said["memory"]["names"].index(name) for name in NAMES]]
    return np.concatenate([states[:, :1], np.log(states[:, 1:])], axis=1)


def chain_error(values: np.ndarray, batches: int = 60) -> float:
    """Standard error of a chain's mean, by means of long batches: neighbours are not independent."""
    means = [part.mean() for part in np.array_split(values, batches)]
    return float(np.std(means, ddof=1) / np.sqrt(batches))


def functions(theta: np.ndarray, weight: np.ndarray) -> list[tuple[str, Callable[..., np.ndarray]]]:
    """Mean, spread and three quantiles of one coordinate, each as a function whose means are compared."""
    mean = float(weight @ theta)
    order = np.argsort(theta)
    cumulated = np.cumsum(weight[order])
    places = {share: theta[order][np.searchsorted(cumulated, share)] for share in (0.1, 0.5, 0.9)}
    below = [(f"{share:.0%} quantile", lambda t, at=at: (t <= at).astype(float)) for share, at in places.items()]
    return [("mean", lambda t: t), ("variance", lambda t: (t - mean) ** 2), *below]


def check() -> None:
    theta = prior(np.random.default_rng(5))
    weight = weights(theta)
    print(f"           importance sampling: {1 / (weight**2).sum():.0f} draws' worth of {len(theta)}")
    for grows in (True, False):
        states = chain(grows)
        for i, shown in enumerate(SHOWN):
            worst, figures = 0.0, ""
            for what, function in functions(theta[:, i], weight):
                ours, theirs = function(states[:, i]), function(theta[:, i])
                exact = float(weight @ theirs)
                error = np.hypot(chain_error(ours), np.sqrt((weight**2) @ (theirs - exact) ** 2))
                off = abs(ours.mean() - exact) / error
                if off >= worst:
                    worst, figures = off, f"{what} {ours.mean():.3f}, expected {exact:.3f}: {off:.1f} standard errors"
            how = "stepping out" if grows else "shrinking only"
            # Forty comparisons: the largest of so many normal deviates is rarely beyond 4.
            claim(f"slice sampling, {how}: {shown}", worst < 4, f"worst: {figures}")
