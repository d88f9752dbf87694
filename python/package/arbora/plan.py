"""Plans: which rows are used for training, validation, selection and test, trial by trial.

Tuning overfits the validation rows. A plan makes the splits, keeps test rows out of reach, and can
draw new splits for every trial, which makes losses noisier but less biased.

>>> plan = Plan(folds=3, reshuffle=True, test=0.25, seed=7)
>>> splits = plan.split_rows(12, classes=["a", "b", "b"] * 4)
>>> len(splits.test), len(splits.search)
(3, 9)
>>> splits.of_trial(0) == splits.of_trial(0), splits.of_trial(0) == splits.of_trial(1)
(True, False)
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Sequence, Sized, Tuple, Union

from arbora import _arbora
from arbora.keywords import renamed
from arbora.trial import Trial

__all__ = ["Plan", "Splits"]

Split = Tuple[List[int], List[int]]
"""Training rows and validation rows."""


class Plan:
    """How to divide rows; one plan can be used on many data sets.

    Choose one of ``folds`` (k-fold cross-validation, repeated ``times`` times), ``hold_out`` (one
    split with this share of validation rows) and ``ordered`` (this many splits of rows in time
    order, where validation rows follow training rows). The default is 5-fold cross-validation.

    ``reshuffle=True`` draws new splits for every trial, and a number for every so many trials; test
    and selection rows never change. ``test`` and ``selection`` are shares of rows that are set
    aside first: for the final test, and for choosing among finished trials. With ``ordered`` these
    are the latest rows. ``cap`` limits the training rows; surplus rows move to the validation set.
    Splits depend on ``seed`` and trial alone.

    >>> Plan(folds=10, times=3)
    Plan(folds=10, times=3)
    >>> Plan(hold_out=0.2, reshuffle=True, cap=5000, seed=1)
    Plan(hold_out=0.2, reshuffle=True, cap=5000, seed=1)

    A plan is also a scikit-learn splitter, with the splits of the first trial; ``stratify`` then
    says whether to stratify by the classes in ``y``.

    >>> [len(valid) for train, valid in Plan(folds=3).split([[0.0]] * 9)]
    [3, 3, 3]
    """

    def __init__(
        self,
        *,
        folds: Optional[int] = None,
        times: int = 1,
        hold_out: Optional[float] = None,
        ordered: Optional[int] = None,
        reshuffle: Union[bool, int] = False,
        stratify: bool = True,
        test: Optional[float] = None,
        selection: Optional[float] = None,
        cap: Optional[int] = None,
        seed: int = 0,
    ) -> None:
        ways = [name for name, way in (("folds", folds), ("hold_out", hold_out), ("ordered", ordered)) if way is not None]
        if len(ways) > 1:
            raise TypeError(f"rows are divided in one way, not by {' and '.join(ways)}")
        if times != 1 and ways not in ([], ["folds"]):
            raise TypeError(f"times = {times} repeats folds; it says nothing about {ways[0]}")
        self.folds = 5 if not ways else folds
        self.times, self.hold_out, self.ordered = times, hold_out, ordered
        self.reshuffle, self.stratify = reshuffle, stratify
        self.test, self.selection, self.cap, self.seed = test, selection, cap, seed

    def split_rows(
        self,
        rows: Union[int, Sized],
        *,
        classes: Optional[Sequence[Any]] = None,
        groups: Optional[Sequence[Any]] = None,
        test: Optional[Sequence[int]] = None,
    ) -> Splits:
        """Apply the plan to so many rows. With ``classes``, every part gets its share of each
        class. Rows of one of the ``groups`` stay together; shares are then as close as whole groups
        allow. ``test`` lists test rows that the data set brings along.

        >>> splits = Plan(folds=2).split_rows(4, groups=["ann", "ann", "bob", "bob"])
        >>> sorted(valid for train, valid in splits.of_trial(0))
        [[0, 1], [2, 3]]
        """
        return Splits(self, rows if isinstance(rows, int) else _count(rows), classes, groups, test)

    @renamed("split_rows")
    def over(self, rows: Union[int, Sized], **known: Any) -> Splits:
        """The old name of :meth:`split_rows`.

        >>> Plan(folds=2).over(4)
        Traceback (most recent call last):
        ...
        DeprecationWarning: over() is now called split_rows()
        """
        return self.split_rows(rows, **known)

    def to_dict(self) -> Dict[str, Any]:
        """The plan as plain data, to keep with a study.

        >>> Plan(folds=3).to_dict()["resample"]
        {'kind': 'folds', 'count': 3, 'times': 1}
        """
        resample: Dict[str, Any]
        if self.hold_out is not None:
            resample = {"kind": "hold_out", "share": float(self.hold_out)}
        elif self.ordered is not None:
            resample = {"kind": "ordered", "count": self.ordered}
        else:
            resample = {"kind": "folds", "count": self.folds, "times": self.times}
        reshuffle: Any = "each_trial" if self.reshuffle else "never"
        if self.reshuffle is not True and self.reshuffle is not False:
            reshuffle = {"each_generation": {"size": int(self.reshuffle)}}
        fields = {"test": self.test, "selection": self.selection, "cap": self.cap}
        given = {name: value for name, value in fields.items() if value is not None}
        return {"seed": self.seed, "resample": resample, "reshuffle": reshuffle, **given}

    # As a splitter for scikit-learn.

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Tuple[Any, Any]]:
        """The splits of the first trial, as arrays if NumPy is there.

        >>> sum(len(valid) for train, valid in Plan(folds=5).split([[0.0]] * 10))
        10
        """
        return iter(_arrays(self.split_rows(X, classes=self.classes_of(y), groups=groups).of_trial(0)))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many splits a trial has.

        >>> Plan(folds=3, times=2).get_n_splits()
        6
        """
        if self.hold_out is not None:
            return 1
        return self.ordered if self.ordered is not None else (self.folds or 0) * self.times

    def classes_of(self, y: Any) -> Optional[List[Any]]:
        """The classes in ``y`` to stratify by; None if it holds numbers or ``stratify`` is off.

        >>> Plan().classes_of(["a", "b"]), Plan().classes_of([0.5, 1.0]), Plan(stratify=False).classes_of(["a"])
        (['a', 'b'], None, None)
        """
        if y is None or not self.stratify or self.ordered is not None:
            return None
        listed = _listed(y)
        is_number = any(isinstance(label, float) and not label.is_integer() for label in listed)
        return None if is_number or any(isinstance(label, list) for label in listed) else listed

    def get_metadata_routing(self) -> Any:
        """Tells scikit-learn that ``groups`` are wanted.

        >>> Plan().get_metadata_routing().consumes("split", ["groups"])     # doctest: +SKIP
        {'groups'}
        """
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.split.add_request(param="groups", alias=True)
        return request

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        defaults = {"times": 1, "reshuffle": False, "stratify": True, "seed": 0}
        given = (f"{name}={value!r}" for name, value in vars(self).items() if value != defaults.get(name))
        return f"Plan({', '.join(given)})"


class Splits:
    """A plan applied to the rows of a data set; made by :meth:`Plan.split_rows`.

    >>> splits = Plan(hold_out=0.5, reshuffle=True).split_rows(4)
    >>> [(train, valid)] = splits.of_trial(0)
    >>> sorted(train + valid)
    [0, 1, 2, 3]
    """

    def __init__(
        self,
        plan: Plan,
        count: int,
        classes: Optional[Sequence[Any]],
        groups: Optional[Sequence[Any]],
        test: Optional[Sequence[int]],
    ) -> None:
        self._made_of = (plan, count, _numbered(classes), _numbered(groups), None if test is None else _listed(test))
        self._native = _arbora.Splits(plan.to_dict(), *self._made_of[1:])

    @property
    def plan(self) -> Plan:
        """The plan that made these splits.

        >>> Plan(folds=3).split_rows(9).plan
        Plan(folds=3)
        """
        return self._made_of[0]

    @property
    def test(self) -> List[int]:
        """Test rows, for the very end: nothing is trained on them or chosen by them.

        >>> Plan(folds=2, test=0.5).split_rows(8).test == Plan(folds=2, test=0.5, reshuffle=True).split_rows(8).test
        True
        """
        return self._native.test()

    @property
    def selection(self) -> List[int]:
        """Selection rows, which are used only to choose among finished trials.

        >>> len(Plan(folds=2, selection=0.25).split_rows(8).selection)
        2
        """
        return self._native.selection()

    @property
    def search(self) -> List[int]:
        """Rows for training and validation during the search.

        >>> len(Plan(folds=2, selection=0.25).split_rows(8).search)
        6
        """
        return self._native.search()

    def of_trial(self, trial: Union[int, Trial]) -> List[Split]:
        """Training and validation rows of a trial, split by split.

        >>> [(train, valid)] = Plan(ordered=1).split_rows(6).of_trial(0)
        >>> train, valid
        ([0, 1, 2], [3, 4, 5])
        """
        return self._native.of_trial(_number(trial))

    def unseen_splits(self, number: int) -> List[Split]:
        """Splits that no trial has seen, to confirm the result of the search.

        >>> splits = Plan(folds=2, reshuffle=True).split_rows(20)
        >>> splits.unseen_splits(0) in [splits.of_trial(trial) for trial in range(50)]
        False
        """
        return self._native.fresh(number)

    @renamed("unseen_splits")
    def fresh(self, number: int) -> List[Split]:
        """The old name of :meth:`unseen_splits`.

        >>> Plan(folds=2).split_rows(4).fresh(0)
        Traceback (most recent call last):
        ...
        DeprecationWarning: fresh() is now called unseen_splits()
        """
        return self.unseen_splits(number)

    def identity(self, trial: Union[int, Trial]) -> Dict[str, Any]:
        """The identity of a trial's splits, to be kept with it. Trials of one round share their
        splits.

        >>> Plan(folds=2, reshuffle=5, seed=3).split_rows(20).identity(7)
        {'seed': 3, 'round': 1}
        """
        return {"seed": self.plan.seed, "round": self._native.round(_number(trial))}

    def __len__(self) -> int:
        return self.plan.get_n_splits()

    def __reduce__(self) -> Tuple[Any, ...]:
        return Splits, self._made_of

    def __repr__(self) -> str:
        return f"{self.plan!r}.split_rows({self._made_of[1]})"


def _number(trial: Union[int, Trial]) -> int:
    return trial.number if isinstance(trial, Trial) else trial


def _count(rows: Any) -> int:
    shape = getattr(rows, "shape", None)
    return int(shape[0]) if shape else len(rows)


def _listed(items: Any) -> List[Any]:
    """A plain list of what an array, a column of a table or a sequence holds."""
    tolist = getattr(items, "tolist", None)
    return list(items) if tolist is None else list(tolist())


def _numbered(labels: Optional[Sequence[Any]]) -> Optional[List[int]]:
    """Labels as numbers, in the order of their first appearance."""
    if labels is None:
        return None
    known: Dict[Any, int] = {}
    return [known.setdefault(label, len(known)) for label in _listed(labels)]


def _arrays(splits: List[Split]) -> List[Tuple[Any, Any]]:
    try:
        import numpy
    except ImportError:
        return list(splits)
    return [(numpy.asarray(train, dtype=numpy.intp), numpy.asarray(valid, dtype=numpy.intp)) for train, valid in splits]
