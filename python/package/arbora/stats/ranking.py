"""Several methods over several problems: ranks, Friedman's test, Nemenyi's critical difference."""

from __future__ import annotations

from typing import Any, Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple

from arbora import _arbora
from arbora.errors import StatsError
from arbora.stats.table import Averages, Table, is_maximized

__all__ = ["FriedmanResult", "NemenyiResult", "Ranks", "critical_difference", "friedman", "nemenyi", "ranks"]


class Ranks(NamedTuple):
    """The ranks of methods; see :func:`ranks`.

    >>> stats.ranks([[0.1, 0.2], [0.3, 0.3]], names=["a", "b"])
    Ranks(average={'a': 1.25, 'b': 1.75}, win_rates={'a': 0.625, 'b': 0.375}, rows=[[1.0, 2.0], [1.5, 1.5]])
    """

    average: Dict[Any, float]
    """The average rank of each method."""
    win_rates: Dict[Any, float]
    """The share of comparisons with a method drawn at random, itself among them, that each one
    wins; ties are half a win: 1 − (rank − ½)/k."""
    rows: List[List[float]]
    """The ranks on each problem."""


class FriedmanResult(NamedTuple):
    """What Friedman's test says; see :func:`friedman`.

    >>> test = stats.friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> test.statistic, round(test.p, 4), test.ranks
    (4.5, 0.1054, {0: 1.25, 1: 2.0, 2: 2.75})
    """

    statistic: float
    """χ², corrected for ties, as SciPy gives it."""
    p: float
    """Its p-value, with k − 1 degrees of freedom."""
    f: float
    """Iman and Davenport's F, made of χ²: less conservative."""
    f_p: float
    """Its p-value, with k − 1 and (k − 1)(N − 1) degrees of freedom."""
    uncorrected: float
    """χ² without a correction for ties, as papers often print it."""
    uncorrected_p: float
    """Its p-value."""
    ranks: Dict[Any, float]
    """The average rank of each method."""
    problems: int
    """How many there are."""


class NemenyiResult(NamedTuple):
    """Which methods can be told apart; see :func:`nemenyi`.

    >>> found = stats.nemenyi({"a": 1.2, "b": 1.9, "c": 2.9}, problems=20)
    >>> found.best, found.groups
    ('a', [('a', 'b')])
    """

    ranks: Dict[Any, float]
    """The average rank of each method, best first."""
    critical_difference: float
    """Methods whose average ranks differ by as much are different."""
    groups: List[Tuple[Any, ...]]
    """The methods that cannot be told apart, best first: the bars of the diagram. Groups may
    overlap; who is in none differs from all."""
    alpha: float
    """The level of the test."""
    problems: int
    """How many there are."""

    @property
    def best(self) -> Any:
        """The method of the lowest average rank.

        >>> stats.nemenyi([[1, 2], [1, 2]], names=["a", "b"]).best
        'a'
        """
        return next(iter(self.ranks))

    def differ(self, first: Hashable, second: Hashable) -> bool:
        """Are these two different?

        >>> stats.nemenyi([[1, 2]] * 10, names=["a", "b"]).differ("a", "b")
        True
        """
        for name in (first, second):
            if name not in self.ranks:
                known = ", ".join(map(str, self.ranks))
                raise StatsError(f"no method is called {name!r}; there are {known}", "Names", {"names": [name]})
        return first != second and not any(first in group and second in group for group in self.groups)


def ranks(table: Any, *, names: Optional[Sequence[Hashable]] = None, direction: str = "minimize") -> Ranks:
    """The ranks of the methods on every problem, 1 for the best; those that tie share the mean of
    their places.

    >>> stats.ranks([[0.9, 0.8, 0.7], [0.5, 0.6, 0.6]], direction="maximize").rows
    [[1.0, 2.0, 3.0], [3.0, 1.5, 1.5]]
    """
    rows, known = Table.of(table, names)
    placed, average, wins = _arbora.ranks(rows, is_maximized(direction))
    return Ranks(dict(zip(known, average)), dict(zip(known, wins)), placed)


def friedman(
    table: Any, *, names: Optional[Sequence[Hashable]] = None, direction: str = "minimize"
) -> FriedmanResult:
    """Friedman's test: do the methods differ at all?

    The table needs two problems and two methods at least. A small ``p`` says that some methods
    differ, and :func:`nemenyi` which.

    >>> test = stats.friedman([[0.10, 0.12, 0.20], [0.31, 0.30, 0.35], [0.08, 0.11, 0.19], [0.22, 0.25, 0.27]])
    >>> round(test.statistic, 2), round(test.p, 4)
    (6.5, 0.0388)
    """
    rows, known = Table.of(table, names)
    (chi2, p, f, f_p, uncorrected, uncorrected_p), average = _arbora.friedman(rows, is_maximized(direction))
    return FriedmanResult(chi2, p, f, f_p, uncorrected, uncorrected_p, dict(zip(known, average)), len(rows))


def nemenyi(
    table: Any,
    *,
    problems: Optional[int] = None,
    names: Optional[Sequence[Hashable]] = None,
    direction: str = "minimize",
    alpha: float = 0.05,
) -> NemenyiResult:
    """Nemenyi's test: which methods differ? Those whose average ranks are a critical difference
    apart.

    With ``problems`` the first argument is not a table but the average ranks over so many problems,
    as papers print them: a mapping from names, or a sequence. ``alpha`` is 0.01, 0.05 or 0.1; there
    are 2 to 20 methods.

    >>> found = stats.nemenyi({"C4.5": 3.143, "m": 2.0, "cf": 2.893, "m, cf": 1.964}, problems=14, alpha=0.1)
    >>> round(found.critical_difference, 2)          # Demšar 2006, section 3.2.2
    1.12
    >>> found.groups
    [('m, cf', 'm', 'cf'), ('cf', 'C4.5')]
    """
    if problems is None:
        rows, known = Table.of(table, names)
        problems = len(rows)
        order, average, difference, bars = _arbora.nemenyi(rows, is_maximized(direction), alpha)
    else:
        if direction != "minimize":
            raise StatsError("average ranks have no direction: 1 is the best", "Direction", {"direction": direction})
        values, known = Averages.of(table, names)
        order, average, difference, bars = _arbora.nemenyi_of_ranks(values, problems, alpha)
    sorted_names = [known[i] for i in order]
    groups = [tuple(sorted_names[first : last + 1]) for first, last in bars]
    return NemenyiResult(dict(zip(sorted_names, average)), difference, groups, alpha, problems)


def critical_difference(methods: int, problems: int, *, alpha: float = 0.05) -> float:
    """How far apart the average ranks of so many methods over so many problems must be to differ.

    >>> round(stats.critical_difference(4, 14), 2)   # Demšar 2006, section 3.2.2
    1.25
    """
    return _arbora.critical_difference(methods, problems, alpha)
