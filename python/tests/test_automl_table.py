"""Tables as people have them: kinds of columns, gaps, unseen categories, and what is refused."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")
pandas = pytest.importorskip("pandas", reason="these tables are frames of pandas")

from arbora.automl import target  # noqa: E402
from arbora.automl.table import MOST_CATEGORIES, Table  # noqa: E402


def frame(**columns: Any) -> Any:
    return pandas.DataFrame(columns)


def test_every_kind_of_column_becomes_numbers() -> None:
    table = frame(
        number=[1.5, None, 3.0],
        whole=pandas.array([1, None, 3], dtype="Int64"),
        truth=[True, False, True],
        maybe=pandas.array([True, None, False], dtype="boolean"),
        word=["b", None, "a"],
        category=pandas.Categorical(["high", "low", None], categories=["low", "high"], ordered=True),
        coded=pandas.Categorical([3, 1, 3]),
    )
    read = Table.of(table)
    assert read.sizes == (0, 0, 0, 0, 2, 2, 2)
    gap = float("nan")
    expected = [
        [1.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [gap, gap, 0.0, gap, gap, 0.0, 0.0],
        [3.0, 3.0, 1.0, 0.0, 0.0, gap, 1.0],
    ]
    np.testing.assert_array_equal(read.encode(table), expected)


def test_unseen_and_missing_categories_are_gaps_and_types_may_widen() -> None:
    read = Table.of(frame(word=["a", "b", "a"], coded=pandas.Categorical([1, 2, 1])))
    later = read.encode(frame(word=["c", None], coded=[1.0, float("nan")]))
    np.testing.assert_array_equal(later, [[float("nan"), 0.0], [float("nan"), float("nan")]])


def test_rare_categories_beyond_the_limit_share_one() -> None:
    words = [f"w{i % 400}" for i in range(2000)] + ["often"] * 50
    read = Table.of(frame(word=words, x=range(len(words))))
    codes = read.encode(frame(word=["often", "never seen", "w399"], x=[0, 0, 0]))[:, 0]
    assert read.sizes[0] == MOST_CATEGORIES
    assert codes[1] == codes[2] == MOST_CATEGORIES - 1 != codes[0]


def test_arrays_and_lists_are_tables_too() -> None:
    np.testing.assert_array_equal(Table.of(np.eye(2, dtype=bool)).encode(np.eye(2, dtype=bool)), np.eye(2))
    mixed = [["red", 1], ["blue", None], ["red", 2.5]]
    np.testing.assert_array_equal(Table.of(mixed).encode(mixed), [[1, 1], [0, float("nan")], [1, 2.5]])


def test_columns_that_tell_nothing_are_left_out() -> None:
    rows = 120
    with pytest.warns(UserWarning, match="`name` has a different text in nearly every row"):
        read = Table.of(frame(name=[f"n{i}" for i in range(rows)], empty=[None] * rows, same=["k"] * rows, x=range(rows)))
    assert read.ignored == ["name", "empty", "same"]
    assert read.encode(frame(name=["a"], empty=[5], same=["z"], x=[7])).tolist() == [[7.0]]


DATES = ["2023-12-31", "2024-01-01", "2024-02-29", "2024-02-29"]
AS_NUMBERS = [[19722, 2023, 12, 31, 6], [19723, 2024, 1, 1, 0], [19782, 2024, 2, 29, 3], [19782, 2024, 2, 29, 3]]


@pytest.mark.parametrize(
    "cells",
    [
        DATES,
        pandas.to_datetime(DATES),
        pandas.to_datetime(DATES).tz_localize("Asia/Tokyo"),
        [datetime.date.fromisoformat(text) for text in DATES],
        [text.replace("-", "/") for text in DATES],
        [text + "T00:00:00Z" for text in DATES],
        ["31.12.2023", "1.1.2024", "29.02.2024", "29.02.2024"],
        ["31/12/2023", "01/01/2024", "29/02/2024", "29/02/2024"],
        ["12/31/2023", "01/01/2024", "2/29/2024", "02/29/2024 12:00 am"],
    ],
    ids=str,
)
def test_dates_become_numbers_however_they_are_written(cells: Any) -> None:
    given = frame(when=cells, x=[1.0, 2.0, 3.0, 4.0])
    read = Table.of(given)
    assert read.dates == ["when"] and read.sizes == (0,) * 6
    np.testing.assert_array_equal(read.encode(given), np.column_stack([AS_NUMBERS, [1, 2, 3, 4]]))
    # Later they may be of another kind, and missing.
    later = read.encode(frame(when=[None, "2024-03-01"], x=[5.0, 6.0]))
    assert np.isnan(later[0, :5]).all() and later[1].tolist() == [19783, 2024, 3, 1, 4, 6]
    assert read.encode(frame(when=pandas.to_datetime(["2024-03-01"]), x=[6.0])).tolist() == [later[1].tolist()]
    with pytest.raises(ValueError, match="column `when` held dates when the model was fitted, and holds 'soon' now"):
        read.encode(frame(when=["soon"], x=[1.0]))


def test_many_different_dates_are_not_texts_that_tell_nothing(recwarn: Any) -> None:
    # A year of days from a CSV file was 250 categories, or ignored.
    days = [str(np.datetime64("2023-01-01") + i) for i in range(365)]
    read = Table.of(frame(when=days, hour=[f"{day} 0{i % 9}:30" for i, day in enumerate(days)]))
    assert [column.keys for column in read.columns] == [
        ("days", "month", "day", "weekday"), ("days", "month", "day", "weekday", "hour")
    ]
    assert not recwarn.list


def test_a_few_texts_among_dates_are_gaps_and_many_make_categories() -> None:
    some = [f"2024-01-{day:02}" for day in range(1, 20)]
    read = Table.of(frame(when=[*some, "unknown"]))
    assert read.dates == ["when"] and np.isnan(read.encode(frame(when=["later", some[0]]))[0]).all()
    assert Table.of(frame(when=[*some[:4], *["unknown", "never", "soon"] * 2], x=range(10))).dates == []
    same = Table.of(frame(when=["2024-01-01"] * 3, x=[1, 2, 3]))
    assert same.ignored == ["when"]
    assert Table.of(frame(when=pandas.Categorical(DATES), x=range(4))).dates == [], "the user knows better"


def test_dates_that_can_be_read_in_two_ways_are_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match="column `when` holds dates that can be read day first or month first, such as '01/02/2024'"):
        Table.of(frame(when=["01/02/2024", "03/04/2024"], x=[1, 2]))
    with pytest.raises(ValueError, match="column `when` holds times of day"):
        Table.of(frame(when=[datetime.time(1, 2), datetime.time(3, 4)], x=[1, 2]))


@pytest.mark.parametrize("point", [",", "."])
def test_numbers_as_text_are_warned_about_unless_they_are_few(point: str, recwarn: Any) -> None:
    texts = [f"{i}{point}5" for i in range(30)]
    with pytest.warns(UserWarning, match=f"column `x` holds numbers as text, such as '0{point}5'"):
        assert Table.of(frame(x=texts)).sizes == (30,)
    Table.of(frame(codes=["1", "2", "3"] * 10, words=[*texts[:29], "word"], dates=[f"2024-01-{i + 1:02}" for i in range(30)]))
    assert not recwarn.list


def test_spans_of_time_are_numbers_of_days() -> None:
    read = Table.of(frame(span=pandas.to_timedelta(["36 hours", None])))
    np.testing.assert_array_equal(read.encode(frame(span=pandas.to_timedelta(["36 hours", None]))), [[1.5], [np.nan]])


def test_what_is_no_table_is_refused() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for wrong, words in [
        ([1.0, 2.0], "Reshape your data"),
        (np.zeros((2, 2, 2)), "two: rows and columns"),
        (np.zeros((0, 2)), "0 sample"),
        (np.zeros((2, 0)), "0 feature"),
        (np.zeros((2, 2), dtype=complex), "Complex data not supported"),
        (frame(a=[None, None]), "no column of the table tells anything"),
    ]:
        with pytest.raises(ValueError, match=words):
            Table.of(wrong)
    with pytest.raises(TypeError, match="sparse"):
        Table.of(sparse.eye(3).tocsr())


def test_a_table_that_changed_is_refused() -> None:
    read = Table.of(frame(a=[1.0, 2.0], b=[3.0, 4.0]))
    for changed, words in [
        (frame(a=["x"], b=[1.0]), "column `a` held numbers when the model was fitted, and holds 'x' now"),
        (frame(a=[1.0]), "seen at fit time, yet now missing: b"),
        ([[1.0]], "has 1 features, but Arbora is expecting 2"),
        (frame(b=[1.0], a=[1.0]), "same order"),
        (frame(a=[1.0], c=[1.0]), "unseen at fit time: c"),
        (frame(a=[float("inf")], b=[1.0]), "infinity: column `a`"),
    ]:
        with pytest.raises(ValueError, match=words):
            read.encode(changed)


def test_classes_of_any_type() -> None:
    for labels in (["yes", "no"], [True, False], [3, 7], [1.0, 2.0], ["a", 1]):
        values = np.array(labels * 3, dtype=object if len({type(label) for label in labels}) > 1 else None)
        classes, codes = target.classes(values)
        assert [classes[code] for code in codes] == values.tolist()


def test_targets_that_cannot_be() -> None:
    for wrong, words in [
        ([1.0, None, 2.0], "target of 1 of 3 rows is missing"),
        ([1, 2], "inconsistent numbers of samples"),
        (np.zeros((3, 2)), "bad input shape"),
        (None, "target y is None"),
    ]:
        values = np.array(wrong, dtype=object) if isinstance(wrong, list) else wrong
        with pytest.raises(ValueError, match=words):
            target.column(values, 3)
    with pytest.raises(ValueError, match="only one class"):
        target.classes(np.array([1, 1]))
    with pytest.raises(ValueError, match="AutoRegressor"):
        target.classes(np.array([0.5, 1.0]))
    with pytest.raises(ValueError, match="AutoClassifier"):
        target.numbers(np.array(["a", "b"], dtype=object))
    with pytest.raises(ValueError, match="the target is 7 in every row: there is nothing to learn"):
        target.numbers(np.array([7, 7, 7]))


def test_numbers_that_are_no_classes_are_refused() -> None:
    # As the target of scikit-learn's diabetes: whole numbers, 200 of them in 331 rows.
    rng = np.random.default_rng(0)
    measured = np.concatenate([np.arange(200), rng.integers(0, 200, 131)])
    for values, words in [
        (measured, "Unknown label type: continuous: there are 200 classes in 331 rows, all numbers; AutoRegressor"),
        (measured.astype(float), "AutoRegressor predicts numbers"),
        (np.array([f"name {n}" for n in measured]), "200 classes in 331 rows: most have a row of their own"),
        (np.array([0, 1]), "2 classes in 2 rows: each has one row, which cannot both teach and judge"),
    ]:
        with pytest.raises(ValueError, match=words):
            target.classes(values)
    with pytest.warns(UserWarning, match=r"1 of 3 classes have one row only \('c'\)"):
        target.classes(np.array(["a", "b"] * 5 + ["c"]))


def test_many_classes_of_some_rows_each_are_fine(recwarn: Any) -> None:
    classes, _ = target.classes(np.repeat(np.arange(100), 3))
    assert len(classes) == 100 and not recwarn.list


def test_a_table_that_is_too_small_to_tell_is_warned_about(recwarn: Any) -> None:
    target.check_rows(target.FEW_ROWS)
    assert not recwarn.list
    with pytest.warns(UserWarning, match="3 rows are very few"):
        target.check_rows(3)
