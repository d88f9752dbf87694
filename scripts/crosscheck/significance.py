"""Tests of significance, against SciPy: random samples, most of them with ties and zeros."""

from __future__ import annotations

import numpy as np
from asking import ask, claim, report
from scipy import stats

ZEROS = {"drop": "wilcox", "pratt": "pratt", "split": "zsplit"}


def samples(rng: np.random.Generator, count: int, ties: bool) -> np.ndarray:
    """Small whole numbers, which tie, or reals, which do not."""
    return rng.integers(0, 8, count).astype(float) if ties else rng.normal(size=count)


def check_wilcoxon(rng: np.random.Generator) -> None:
    """Exact for at most 25 pairs without ties or zeros, otherwise normal, no continuity correction."""
    cases = []
    for i in range(300):
        n, ties = int(rng.integers(4, 41)), i % 3 > 0
        first, second = samples(rng, n, ties), samples(rng, n, ties)
        # A table in which all zeros are dropped and nothing is left has no test.
        cases += [] if (first == second).all() else [(first, second, zeros) for zeros in ZEROS]
    asked = [{"wilcoxon": {"first": a.tolist(), "second": b.tolist(), "zeros": zeros}} for a, b, zeros in cases]
    exact = 0
    for (first, second, zeros), said in zip(cases, ask("significance", asked), strict=True):
        sizes = np.abs(first - second)
        sizes = sizes[sizes > 0] if zeros == "drop" else sizes
        is_exact = len(sizes) <= 25 and len(set(sizes)) == len(sizes) and 0 not in sizes
        exact += is_exact
        method = "exact" if is_exact else "asymptotic"
        theirs = stats.wilcoxon(first, second, zero_method=ZEROS[zeros], correction=False, method=method)
        name = f"Wilcoxon, zeros {zeros}, {'exact' if is_exact else 'normal'}"
        report(f"{name}: statistic", abs(said["statistic"] - theirs.statistic), 1e-12)
        report(f"{name}: p", abs(said["p"] - theirs.pvalue), 1e-13)
    claim("Wilcoxon: both kinds of p", 0 < exact < len(cases), f"{exact} of {len(cases)} exact")


def check_mann_whitney(rng: np.random.Generator) -> None:
    """Exact where nothing ties and no sample exceeds 20, else normal, with ties and continuity."""
    pairs = []
    for i in range(300):
        n, m = rng.integers(2, 26, 2)
        pairs.append((samples(rng, n, i % 3 > 0), samples(rng, m, i % 3 > 0)))
    asked = [{"mann_whitney": {"first": a.tolist(), "second": b.tolist()}} for a, b in pairs]
    for (first, second), said in zip(pairs, ask("significance", asked), strict=True):
        both = np.concatenate([first, second])
        is_exact = len(set(both)) == len(both) and max(len(first), len(second)) <= 20
        if len(set(both)) == 1:
            continue
        theirs = stats.mannwhitneyu(first, second, method="exact" if is_exact else "asymptotic")
        name = f"Mann-Whitney, {'exact' if is_exact else 'normal'}"
        report(f"{name}: statistic", abs(said["statistic"] - theirs.statistic), 1e-12)
        report(f"{name}: p", abs(said["p"] - theirs.pvalue), 1e-13)


def check_friedman(rng: np.random.Generator) -> None:
    """χ² = 12N/(k(k+1))·(ΣR̄ⱼ² − k(k+1)²/4), divided for ties by 1 − Σ(t³−t)/(N(k³−k)), which is
    SciPy's; Iman and Davenport's F = (N−1)χ²/(N(k−1) − χ²)."""
    tables = []
    for i in range(300):
        n, k = int(rng.integers(2, 25)), int(rng.integers(3, 9))
        tables.append(samples(rng, n * k, i % 3 > 0).reshape(n, k))
    tables = [table for table in tables if (np.ptp(table, axis=1) > 0).any()]
    for table, said in zip(tables, ask("significance", [{"friedman": t.tolist()} for t in tables]), strict=True):
        n, k = table.shape
        ranks = stats.rankdata(table, axis=1).mean(0)
        plain = 12 * n / (k * (k + 1)) * ((ranks**2).sum() - k * (k + 1) ** 2 / 4)
        theirs = stats.friedmanchisquare(*table.T)
        report("Friedman: mean ranks", np.abs(ranks - said["ranks"]).max(), 1e-12)
        report("Friedman: χ²", abs(said["statistic"] - plain), 1e-10)
        report("Friedman: p of χ²", abs(said["p"] - stats.chi2.sf(plain, k - 1)), 1e-10)
        report("Friedman: χ², ties corrected", abs(said["corrected"] - theirs.statistic), 1e-10)
        report("Friedman: p of that", abs(said["corrected_p"] - theirs.pvalue), 1e-10)
        rest = n * (k - 1) - theirs.statistic
        if rest > 1e-9:
            f = (n - 1) * theirs.statistic / rest
            report("Friedman: F of Iman and Davenport", abs(said["f"] / f - 1) if f > 0 else abs(said["f"]), 1e-9)
            report("Friedman: p of F", abs(said["f_p"] - stats.f.sf(f, k - 1, (k - 1) * (n - 1))), 1e-10)


def check_nemenyi() -> None:
    """CD = q·√(k(k+1)/6N), q the studentised range of infinite freedom over √2  [Demšar 2006]; our
    table has three digits."""
    cases = [(k, level) for k in (2, 3, 5, 6, 8, 11, 14, 20) for level in (0.01, 0.05, 0.1)]
    asked = [{"nemenyi": {"methods": k, "problems": 12, "level": level}} for k, level in cases]
    for (k, level), said in zip(cases, ask("significance", asked), strict=True):
        q = said["difference"] / np.sqrt(k * (k + 1) / (6 * 12))
        exact = stats.studentized_range.ppf(1 - level, k, np.inf) / np.sqrt(2)
        report("Nemenyi: q", abs(q - exact), 5.01e-4)


def check() -> None:
    rng = np.random.default_rng(6)
    check_wilcoxon(rng)
    check_mann_whitney(rng)
    check_friedman(rng)
    check_nemenyi()
