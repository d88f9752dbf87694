"""Two samples, several p-values, one mean."""

from __future__ import annotations

from typing import Any, List, NamedTuple

from arbora import _arbora
from arbora.stats.table import numbers

__all__ = [
    "Interval",
    "MannWhitneyResult",
    "WilcoxonResult",
    "bootstrap_mean",
    "holm",
    "mann_whitney",
    "wilcoxon",
]


class WilcoxonResult(NamedTuple):
    """What Wilcoxon's test says; see :func:`wilcoxon`.

    >>> stats.wilcoxon([1.0, 2.0, 3.0, 4.0], [1.5, 2.6, 3.7, 4.8])
    WilcoxonResult(statistic=0.0, p=0.125, pairs=4, is_exact=True)
    """

    statistic: float
    """T, the smaller sum of ranks."""
    p: float
    """Two-sided."""
    pairs: int
    """Pairs that differ."""
    is_exact: bool
    """Exact, or by the normal approximation?"""


class MannWhitneyResult(NamedTuple):
    """What the test of Mann and Whitney says; see :func:`mann_whitney`.

    >>> stats.mann_whitney([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    MannWhitneyResult(statistic=0.0, p=0.1, is_exact=True)
    """

    statistic: float
    """U of the first sample."""
    p: float
    """Two-sided."""
    is_exact: bool
    """Exact, or by the normal approximation?"""


class Interval(NamedTuple):
    """A mean and where it lies with 95 % confidence; see :func:`bootstrap_mean`.

    >>> stats.bootstrap_mean([2.0, 2.0])
    Interval(mean=2.0, low=2.0, high=2.0)
    """

    mean: float
    low: float
    high: float


def wilcoxon(first: Any, second: Any, *, zeros: str = "drop") -> WilcoxonResult:
    """Wilcoxon's signed-rank test: do two methods differ on the same problems (or the same seeds)?

    Pairs that do not differ are left out (``zeros="drop"``), ranked and then left out
    (``"pratt"``), or their ranks divided between both sides (``"split"``, as Demšar does). Exact up
    to 25 pairs without ties and zeros, otherwise by the normal approximation without a continuity
    correction.

    >>> forest, svm = [0.10, 0.31, 0.08, 0.22, 0.15], [0.12, 0.30, 0.11, 0.26, 0.20]
    >>> stats.wilcoxon(forest, svm)
    WilcoxonResult(statistic=1.0, p=0.125, pairs=5, is_exact=True)
    """
    sides = numbers(first, "the first sample"), numbers(second, "the second sample")
    return WilcoxonResult(*_arbora.wilcoxon(*sides, zeros))


def mann_whitney(first: Any, second: Any) -> MannWhitneyResult:
    """The U test of Mann and Whitney: do two samples differ that are not paired, such as runs of
    different seeds?

    Exact without ties up to 20 entries a side, otherwise by the normal approximation with a
    continuity correction. With fewer than five entries on a side hardly any difference is
    significant.

    >>> stats.mann_whitney([0.80, 0.83, 1.89, 1.04], [1.15, 0.88, 0.90, 0.74]).statistic
    9.0
    """
    sides = numbers(first, "the first sample"), numbers(second, "the second sample")
    return MannWhitneyResult(*_arbora.mann_whitney(*sides))


def holm(p: Any) -> List[float]:
    """P-values of several comparisons, adjusted by Holm's method: compare each with the level you
    would use for one.

    >>> [round(adjusted, 3) for adjusted in stats.holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    return _arbora.holm(numbers(p, "the p-values"))


def bootstrap_mean(values: Any, *, resamples: int = 10_000, seed: int = 0) -> Interval:
    """The mean of a sample and an interval that holds the true one with 95 % confidence, by the
    percentile bootstrap.

    >>> interval = stats.bootstrap_mean([0.10, 0.31, 0.08, 0.22, 0.15, 0.40])
    >>> round(interval.mean, 2), round(interval.low, 2), round(interval.high, 2)
    (0.21, 0.12, 0.3)
    """
    return Interval(*_arbora.bootstrap_mean(numbers(values, "the sample"), resamples, seed))
