"""Statistics agree with SciPy and with what papers print, take tables of every kind, and name what is wrong with one."""

from __future__ import annotations

import functools
import pickle
from typing import Any, Callable, Dict, List

import pytest

from arbora import ArboraError, StatsError, stats

np = pytest.importorskip("numpy")
scipy_stats = pytest.importorskip("scipy.stats")

# Demšar 2006, Table 6: ranks of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets. Ranks of ranks are the same ranks.
PRINTED = [
    [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
    [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2],
]  # fmt: skip
# Table 2: areas under curve of the first two, times 1000.
PLAIN = [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957]
WITH_M = [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978]
NAMES = ["C4.5", "m", "cf", "m+cf"]


def drawn(seed: int, *shape: int, digits: int = 9) -> Any:
    """Numbers; with one digit after the point many of them tie."""
    return np.random.default_rng(seed).normal(size=shape).round(digits)


def test_the_printed_example_of_friedman_and_nemenyi() -> None:
    test = stats.friedman(PRINTED, names=NAMES)
    assert test.uncorrected == pytest.approx(9.28, abs=5e-3)
    assert [round(rank, 3) for rank in test.ranks.values()] == [3.143, 2.0, 2.893, 1.964]
    strict, loose = (stats.nemenyi(PRINTED, names=NAMES, alpha=alpha) for alpha in (0.05, 0.1))
    assert (round(strict.critical_difference, 2), round(loose.critical_difference, 2)) == (1.25, 1.12)
    assert strict.groups == [("m+cf", "m", "cf", "C4.5")]
    assert loose.groups == [("m+cf", "m", "cf"), ("cf", "C4.5")]
    assert loose.differ("C4.5", "m") and not loose.differ("C4.5", "cf") and not loose.differ("m", "m")
    assert stats.nemenyi(test.ranks, problems=14, alpha=0.1) == loose


def test_the_printed_example_of_wilcoxon() -> None:
    test = stats.wilcoxon(PLAIN, WITH_M, zeros="split")
    assert test.statistic == 12.0
    assert test.p == pytest.approx(2 * scipy_stats.norm.cdf(-2.54), abs=2e-4)


@pytest.mark.parametrize("digits", [9, 1])
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (5, 3), (30, 8), (100, 20)])
def test_friedman_and_ranks_are_scipys(rows: int, columns: int, digits: int) -> None:
    table = drawn(rows, rows, columns, digits=digits)
    test = stats.friedman(table)
    if columns > 2:  # SciPy wants three
        expected = scipy_stats.friedmanchisquare(*table.T)
        assert (test.statistic, test.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    expected_ranks = scipy_stats.rankdata(table, axis=1)
    assert stats.ranks(table).rows == expected_ranks.tolist()
    assert list(test.ranks.values()) == pytest.approx(expected_ranks.mean(axis=0))
    freedom = columns - 1
    f = (rows - 1) * test.statistic / (rows * freedom - test.statistic) if test.f != float("inf") else test.f
    assert test.f == pytest.approx(f)
    assert test.f_p == pytest.approx(scipy_stats.f.sf(test.f, freedom, freedom * (rows - 1)), abs=1e-12)


@pytest.mark.parametrize("methods", range(2, 21))
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_critical_differences_are_those_of_the_studentised_range(methods: int, alpha: float) -> None:
    quantile = scipy_stats.studentized_range.ppf(1 - alpha, methods, 100_000) / 2**0.5
    expected = quantile * (methods * (methods + 1) / (6 * 30)) ** 0.5
    assert stats.critical_difference(methods, 30, alpha=alpha) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("zeros", ["drop", "pratt", "split"])
@pytest.mark.parametrize(("count", "digits"), [(8, 9), (25, 9), (60, 9), (40, 1), (15, 0)])
def test_wilcoxon_is_scipys(count: int, digits: int, zeros: str) -> None:
    first, second = drawn(count, 2, count, digits=digits)
    test = stats.wilcoxon(first, second, zeros=zeros)
    expected = scipy_stats.wilcoxon(
        first, second, zero_method={"drop": "wilcox", "pratt": "pratt", "split": "zsplit"}[zeros],
        method="exact" if test.is_exact else "asymptotic",
    )
    assert (test.statistic, test.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert test.is_exact == (digits == 9 and count <= 25)


@pytest.mark.parametrize(("sizes", "digits"), [((4, 7), 9), ((20, 20), 9), ((30, 12), 9), ((15, 15), 1)])
def test_mann_whitney_is_scipys(sizes: List[int], digits: int) -> None:
    first, second = (drawn(size + i, size, digits=digits) + 0.5 * i for i, size in enumerate(sizes))
    test = stats.mann_whitney(first, second)
    expected = scipy_stats.mannwhitneyu(first, second, method="exact" if test.is_exact else "asymptotic")
    assert (test.statistic, test.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert test.is_exact == (digits == 9 and max(sizes) <= 20)


def test_bootstrap_is_close_to_scipys() -> None:
    sample = drawn(1, 40)
    mean, low, high = stats.bootstrap_mean(sample, seed=3)
    expected = scipy_stats.bootstrap((sample,), np.mean, method="percentile", random_state=1).confidence_interval
    assert mean == pytest.approx(sample.mean())
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.02)
    assert stats.bootstrap_mean(sample, seed=3) == (mean, low, high) != stats.bootstrap_mean(sample, seed=4)


def test_tables_of_every_kind_say_the_same() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(PRINTED, columns=NAMES)
    expected = stats.nemenyi(PRINTED, names=NAMES)
    for table in (frame, frame.set_index(frame.index + 10)):
        assert stats.nemenyi(table) == expected
    assert stats.nemenyi(np.array(PRINTED), names=NAMES) == expected
    assert stats.nemenyi([tuple(row) for row in PRINTED], names=pandas.Index(NAMES)) == expected
    assert stats.nemenyi(pandas.Series(expected.ranks), problems=14) == expected
    assert stats.nemenyi(frame, names=[1, 2, 3, 4]).best == 4
    assert stats.wilcoxon(frame["m"], frame["cf"]) == stats.wilcoxon([row[1] for row in PRINTED], [row[2] for row in PRINTED])


def test_what_is_maximized_is_turned_round() -> None:
    table = drawn(2, 20, 4, digits=1)
    for statistic in (stats.ranks, stats.friedman, stats.nemenyi):
        function: Callable[..., Any] = statistic
        assert function(table, direction="maximize") == function(-table)


def test_win_rates_average_one_half_and_monotone_changes_are_not_seen() -> None:
    table = drawn(5, 10, 6)
    ranks = stats.ranks(table)
    assert sum(ranks.win_rates.values()) == pytest.approx(3.0)
    assert stats.ranks(np.exp(table)) == ranks


def test_results_are_frozen_and_can_be_pickled() -> None:
    found = stats.nemenyi(PRINTED, names=NAMES)
    with pytest.raises(AttributeError):
        found.alpha = 0.1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found).startswith("NemenyiResult(ranks={'m+cf': 1.96")


GOOD = [[1.0, 2.0], [2.0, 1.0], [1.0, 3.0]]
BAD: Dict[str, Any] = {
    r"row 1, column 0 of the table \(counted from 0\) is NaN": lambda f: f([[1.0, 2.0], [float("nan"), 1.0]]),
    r"methods \(columns of the table\): at least 2 needed, got 1": lambda f: f([[1.0], [2.0]]),
    r"problems \(rows of the table\): at least 2 needed, got 1": lambda f: f([[1.0, 2.0]]),
    r"problems \(rows of the table\): at least 1 needed, got 0": lambda f: f([]),
    "row 1 of the table .* has 1 entries, the first one has 2": lambda f: f([[1.0, 2.0], [1.0]]),
    "row 0 of the table, entry 1 .*: 'x' is not a number": lambda f: f([[1.0, "x"], [1.0, 2.0]]),
    "row 0 of the table, entry 0 .*: None is not a number": lambda f: f([[None, 1.0], [1.0, 2.0]]),
    "row 0 of the table is 1.0, not a sequence": lambda f: f([1.0, 2.0]),
    "3 is no table": lambda f: f(3),
    "there are 3 names for 2 methods": lambda f: f(GOOD, names=["a", "b", "c"]),
    "two methods are called 'a'": lambda f: f(GOOD, names=["a", "a"]),
    "direction is 'up'; it is 'minimize' or 'maximize'": lambda f: f(GOOD, direction="up"),
}


@pytest.mark.parametrize("function", [stats.friedman, stats.nemenyi])
@pytest.mark.parametrize("message", BAD)
def test_bad_tables_are_named(message: str, function: Callable[..., Any]) -> None:
    with pytest.raises(StatsError, match=message) as caught:
        BAD[message](function)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, ArboraError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.nemenyi(GOOD, alpha=0.2), "no critical value for 2 methods at level 0.2"),
        (lambda: stats.nemenyi(drawn(1, 5, 21)), "no critical value for 21 methods"),
        (lambda: stats.nemenyi([0.1, 0.2], problems=9), "they lie between 1 and 2, not at 0.1"),
        (lambda: stats.nemenyi([1.5, 1.9], problems=9), "add up to 3, these to 3.4"),
        (lambda: stats.nemenyi([1.2, 1.8], problems=9, direction="maximize"), "no direction"),
        (lambda: stats.nemenyi(GOOD).differ(0, "x"), "no method is called 'x'; there are 0, 1"),
        (lambda: stats.critical_difference(3, 0), "problems: at least 1 needed"),
        (lambda: stats.wilcoxon([1.0], [1.0, 2.0]), "paired samples have 1 and 2 entries"),
        (lambda: stats.wilcoxon([1.0, float("nan")], [1.0, 2.0]), "entry 1 of the first sample"),
        (lambda: stats.wilcoxon([1.0], [2.0], zeros="zsplit"), "known are drop, pratt, split"),
        (lambda: stats.mann_whitney([], [1.0]), "entries of each sample: at least 1 needed"),
        (lambda: stats.mann_whitney("ab", [1.0]), "the first sample is 'ab'"),
        (lambda: stats.holm([0.1, 1.5]), "p-value number 1 .* is 1.5"),
        (lambda: stats.bootstrap_mean([]), "values to bootstrap: at least 1"),
        (lambda: stats.bootstrap_mean([1.0], resamples=0), "resamples of a bootstrap: at least 1"),
    ],
)
def test_bad_arguments_are_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(StatsError, match=message):
        call()


def test_errors_carry_their_data() -> None:
    with pytest.raises(StatsError) as caught:
        stats.friedman([[1.0, 2.0], [1.0]])
    assert (caught.value.kind, caught.value.row, caught.value.expected) == ("Ragged", 1, 2)


@functools.lru_cache(maxsize=None)
def plots() -> Any:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    return pyplot


@pytest.mark.parametrize("best", ["left", "right"])
@pytest.mark.parametrize("methods", [2, 3, 8, 20])
def test_the_diagram_draws_every_method_and_every_group(methods: int, best: str) -> None:
    pyplot = plots()
    from arbora.plot import critical_difference

    names = [f"method {i} of a long name" for i in range(methods)]
    found = stats.nemenyi(drawn(methods, 12, methods), names=names)
    axes = critical_difference(found, best=best)
    axes.figure.canvas.draw()
    texts = [text.get_text() for text in axes.texts]
    assert all(any(name in text for text in texts) for name in names)
    thick = [line for line in axes.lines if line.get_linewidth() == 4]
    assert len(thick) == len(found.groups)
    assert all(line.get_xdata()[0] < line.get_xdata()[1] for line in thick)
    extents = [text.get_window_extent() for text in axes.texts if "method" in text.get_text()]
    assert not any(a.overlaps(b) for i, a in enumerate(extents) for b in extents[:i]), "names do not overlap"
    whole = axes.figure.bbox
    assert all(whole.x0 <= box.x0 and box.x1 <= whole.x1 for box in extents), "names lie within the figure"
    sides = {text.get_text(): text.get_position()[0] for text in axes.texts}
    best_place = next(place for text, place in sides.items() if str(found.best) in text)
    assert (best_place < 0.5) == (best == "left")
    pyplot.close("all")


def test_the_diagram_takes_a_table_or_printed_ranks() -> None:
    pyplot = plots()
    from arbora.plot import critical_difference

    _, axes = pyplot.subplots()
    assert critical_difference(PRINTED, names=NAMES, ax=axes) is axes
    drawn_texts = [text.get_text() for text in axes.texts]
    ranks = dict(zip(NAMES, (3.143, 2.0, 2.893, 1.964)))
    other = critical_difference(ranks, problems=14)
    assert [text.get_text() for text in other.texts] == drawn_texts
    with pytest.raises(StatsError, match="best is 'top'"):
        critical_difference(PRINTED, best="top")
    pyplot.close("all")
