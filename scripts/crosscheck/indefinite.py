"""Kriging with the ico kernel, which is indefinite: left as it is, or its spectrum flipped.

K = UΛUᵀ, K⁺ = U|Λ|Uᵀ = A·K with A = U·sign(Λ)·Uᵀ  [Zaefferer & Horn 2018, §4.2; Chen et al. 2009].
"""

from __future__ import annotations

import numpy as np
from asking import ask, claim, held, largest, report
from kriging import distances, draw, estimates, flat, hypers_of, losses, question

Said = tuple[np.ndarray, np.ndarray]


def left_alone(k: np.ndarray, cross: np.ndarray, nugget: float, y: np.ndarray, reinterpolate: bool) -> Said:
    """The formulas of a definite matrix; the absolute value of what would be a negative variance."""
    level, a, variance = estimates(k, nugget, y)
    inner = k if reinterpolate else k + nugget * np.eye(len(y))
    variance = abs(a @ k @ a) / len(y) if reinterpolate else variance
    return level + cross.T @ a, variance * np.abs(1 - (cross * np.linalg.solve(inner, cross)).sum(0))


def flipped(k: np.ndarray, cross: np.ndarray, nugget: float, y: np.ndarray, reinterpolate: bool) -> Said:
    """Test vectors follow the training columns, k⁺ = A·k, and the self-similarity flips its residual
    too, κ⁺ = kᵀ|K|⁻¹k + |1 − kᵀK⁻¹k|, so that the matrix of training and test point is positive
    semi-definite. A training matrix that is definite is left alone."""
    values, vectors = np.linalg.eigh(k)
    if values[0] >= -1e-8:
        return left_alone(k, cross, nugget, y, reinterpolate)
    a_map = vectors @ np.diag(np.sign(values)) @ vectors.T
    k_plus, cross_plus = a_map @ k, a_map @ cross
    level, a, variance = estimates(k_plus, nugget, y)
    residual = np.abs(1 - (cross * np.linalg.solve(k, cross)).sum(0))
    mean = level + cross_plus.T @ a
    if reinterpolate:
        return mean, a @ k_plus @ a / len(y) * residual
    own = (cross * np.linalg.solve(k_plus, cross)).sum(0) + residual
    solved = np.linalg.solve(k_plus + nugget * np.eye(len(y)), cross_plus)
    return mean, variance * (own - (cross_plus * solved).sum(0))


def repaired(k: np.ndarray) -> np.ndarray:
    """K⁺ scaled to a diagonal of ones; a definite matrix stays."""
    values, vectors = np.linalg.eigh(k)
    if values[0] >= -1e-8:
        return k
    k_plus = vectors @ np.diag(np.abs(values)) @ vectors.T
    size = np.sqrt(np.diag(k_plus))
    return k_plus / np.outer(size, size)


def augmented(k: np.ndarray, cross: np.ndarray, nugget: float, y: np.ndarray, reinterpolate: bool) -> Said:
    """The authors' program: the training matrix is repaired alone, a test vector is that of the
    repaired matrix of training and test point together."""
    training = repaired(k)
    level, a, variance = estimates(training, nugget, y)
    inner = training if reinterpolate else training + nugget * np.eye(len(y))
    variance = a @ training @ a / len(y) if reinterpolate else variance
    mean, spread = [], []
    for column in cross.T:
        test = repaired(np.block([[k, column[:, None]], [column[None, :], np.ones((1, 1))]]))[-1, :-1]
        mean.append(level + test @ a)
        spread.append(variance * abs(1 - test @ np.linalg.solve(inner, test)))
    return np.array(mean), np.array(spread)


WAYS = {"none": left_alone, "linear": flipped, "augmented": augmented}


def case(rng: np.random.Generator) -> tuple[list, dict, np.ndarray, float]:
    """Rows, hypers, the kernel among the rows, and how near zero its spectrum comes, of those seen."""
    rows = draw(rng, 30)
    h, length_x = hypers_of("ico", rng), float(np.exp(rng.uniform(-3.5, 0.5)))
    k = np.exp(-distances("ico", h, length_x, rows))
    return rows, {"length:x": length_x} | flat(h), k, float(np.abs(np.linalg.eigvalsh(k[:12, :12])).min())


def check() -> None:
    rng = np.random.default_rng(3)
    counts = {way: [0, 0] for way in WAYS}
    while min(min(count) for count in counts.values()) < 5:
        rows, hypers, k, nearest = case(rng)
        # 1/λ is the factor by which both sides lose digits.
        if nearest < 1e-4:
            continue
        least = np.linalg.eigvalsh(k[:12, :12])[0]
        for way, formula in WAYS.items():
            # What is left alone needs a nugget that makes the matrix definite.
            nugget = 0.05 if way != "none" else max(0.05, 0.02 - 1.5 * least)
            if nugget > 1:
                continue
            counts[way][int(least < 0)] += 1
            for reinterpolate in (False, True):
                spec = {"kind": "kriging", "reinterpolate": reinterpolate, "correction": way}
                given = hypers | {"nugget": nugget}
                (said,) = ask("believe", [question("ico", given, rows, 12, "exponential", **spec)])
                held(said, given)
                y = losses(rows[:12])
                mean, variance = formula(k[:12, :12], k[:12, 12:], nugget, y, reinterpolate)
                name = f"kriging, ico, correction {way}, {'re-interpolated' if reinterpolate else 'plain'}"
                report(f"{name}: mean", largest(said["mean"], mean), 1e-9)
                report(f"{name}: variance", largest(said["variance"], variance), 1e-9)
    for way, (definite, indefinite) in counts.items():
        claim(f"kriging, ico, correction {way}: both kinds of matrices", min(definite, indefinite) > 0,
              f"{definite} definite, {indefinite} indefinite")
