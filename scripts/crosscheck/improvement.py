"""Expected improvement and its slopes against sixty digits; of log-normal losses against quadrature."""

from __future__ import annotations

import numpy as np
from asking import ask, report
from mpmath import mp, mpf
from scipy import integrate, stats

mp.dps = 60

Z = [3, 2, 1.5, 1, 0.5, 0.1, 0, -0.1, -0.5, -0.999, -1, -1.001, -1.5, -2, -3, -5, -8, -13, -20, -38, -50, -100]
Z += [-1e3, -1e4, -1e5]
"""Stable formulas change at −1, and EI itself has underflowed below −38."""


def expected(mean: float, sd: float, best: float) -> tuple[mpf, mpf, mpf]:
    """ln EI and its slopes, EI = σ·h(z), h(z) = φ(z) + z·Φ(z), z = (best − μ)/σ
    [Jones, Schonlau & Welch 1998]: ∂/∂μ = −Φ/(σ·h), ∂/∂σ = φ/(σ·h)."""
    mean, sd, best = mpf(mean), mpf(sd), mpf(best)
    z = (best - mean) / sd
    density = mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)
    below = mp.erfc(-z / mp.sqrt(2)) / 2
    h = density + z * below
    return mp.log(sd) + mp.log(h), -below / (sd * h), density / (sd * h)


def check_expected() -> None:
    cases = [(0.25 - z * sd, sd, 0.25) for z in Z for sd in (1.0, 0.03125, 17.3)]
    (said,) = ask("score", [{"expected": cases}])
    for (mean, sd, best), (score, by_mean, by_sd) in zip(cases, said, strict=True):
        exact = expected(mean, sd, best)
        # A score passes through zero: its error is that of what is added up, which is at least 1 in size.
        report("ln EI, z from 3 to −10⁵: score", float(abs(score - exact[0]) / max(abs(exact[0]), 1)), 2e-15)
        report("ln EI, z from 3 to −10⁵: slope by mean", float(abs(by_mean / exact[1] - 1)), 1e-14)
        report("ln EI, z from 3 to −10⁵: slope by deviation", float(abs(by_sd / exact[2] - 1)), 1e-14)


def check_log_normal() -> None:
    """E[max(0, best − y)] of a log-normal y of this mean and deviation."""
    cases = [(0.6, 0.3, 0.5), (2.0, 1.5, 0.4), (0.5, 0.05, 0.6), (1.0, 0.2, 0.1)]
    (said,) = ask("score", [{"log_normal": cases}])
    for (mean, sd, best), (score, _, _) in zip(cases, said, strict=True):
        sigma = np.sqrt(np.log1p((sd / mean) ** 2))
        law = stats.lognorm(s=sigma, scale=mean / np.exp(sigma**2 / 2))
        exact, _ = integrate.quad(lambda y: (best - y) * law.pdf(y), 0, best, epsabs=1e-14)
        report("EI of log-normal losses", abs(np.exp(score) / exact - 1), 1e-7)


def check() -> None:
    check_expected()
    check_log_normal()
