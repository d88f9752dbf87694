"""Who wins, and is it luck? Ranks, tests and intervals for a table of your own.

A table has one row per problem (a data set, a seed) and one column per method: nested lists, a
NumPy array, or a data frame whose columns are named like the methods. Lower is better unless
``direction="maximize"``.

>>> errors = [
...     [0.10, 0.12, 0.20],
...     [0.31, 0.30, 0.35],
...     [0.08, 0.11, 0.19],
...     [0.22, 0.25, 0.27],
...     [0.15, 0.15, 0.18],
...     [0.40, 0.43, 0.49],
... ]
>>> test = stats.friedman(errors, names=["forest", "svm", "knn"])   # do they differ at all?
>>> round(test.statistic, 2), round(test.p, 4)
(10.17, 0.0062)
>>> found = stats.nemenyi(errors, names=["forest", "svm", "knn"])   # which ones?
>>> round(found.critical_difference, 2), found.groups
(1.35, [('forest', 'svm'), ('svm', 'knn')])
>>> found.differ("forest", "knn")
True

:func:`arbora.plot.critical_difference` draws it. Two methods are compared by :func:`wilcoxon`,
several pairs with their p-values adjusted by :func:`holm`; samples that are not paired by
:func:`mann_whitney`.

>>> forest, svm, knn = zip(*errors)
>>> p = [stats.wilcoxon(forest, other).p for other in (svm, knn)]
>>> [round(adjusted, 4) for adjusted in stats.holm(p)]
[0.0782, 0.0625]

The numbers are those of ``arbora bench report``; Demšar (2006), *Statistical comparisons of
classifiers over multiple data sets*, explains which test to use when.
"""

from __future__ import annotations

from arbora.stats.ranking import (
    FriedmanResult,
    NemenyiResult,
    Ranks,
    critical_difference,
    friedman,
    nemenyi,
    ranks,
)
from arbora.stats.samples import (
    Interval,
    MannWhitneyResult,
    WilcoxonResult,
    bootstrap_mean,
    holm,
    mann_whitney,
    wilcoxon,
)

__all__ = [
    "FriedmanResult",
    "Interval",
    "MannWhitneyResult",
    "NemenyiResult",
    "Ranks",
    "WilcoxonResult",
    "bootstrap_mean",
    "critical_difference",
    "friedman",
    "holm",
    "mann_whitney",
    "nemenyi",
    "ranks",
    "wilcoxon",
]
