"""The splits of each trial: the same for all, or drawn anew.

Splits are a function of (seed, round) and the data; a trial keeps both. Trials that are evaluated
together share a round.
"""

from __future__ import annotations

import abc
import copy
import inspect
import math
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from arbora.errors import EvaluationError
from arbora.plan import Plan, Split, Splits, _arrays, _count

Pairs = List[Tuple[Any, Any]]

WAY_OUT = "give a number of folds, a splitter with a random_state or an arbora.Plan"


class Rounds(abc.ABC):
    """The splitter of each round."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind, self.seed = kind, seed

    def round(self, trial: int, generation: Optional[int] = None) -> int:
        """The round of a trial; members of a generation are ranked against each other and share
        theirs."""
        return trial if generation is None else generation

    @abc.abstractmethod
    def splitter(self, round: int) -> Any:
        """What divides the rows in a round, as scikit-learn wants it."""

    def fresh(self, number: int) -> Any:
        """A splitter of rows as no trial has seen them divided."""
        # Far beyond the number of any trial.
        return self.splitter(2**31 + number)

    def identity(self, round: int) -> Dict[str, Any]:
        """What is kept with a trial."""
        return {"kind": self.kind, "seed": self.seed, "round": round}


class Fixed(Rounds):
    """The same splits for every trial, also from a splitter that would draw others at every call.
    """

    def __init__(self, cv: Any, seed: int, anew: Optional[Rounds]) -> None:
        super().__init__("fixed", seed)
        self.cv, self.anew = cv, anew
        self.pairs: Optional[Pairs] = None

    def round(self, trial: int, generation: Optional[int] = None) -> int:
        return 0

    def splitter(self, round: int) -> Any:
        return self

    def fresh(self, number: int) -> Any:
        if self.anew is None:
            raise ValueError(f"{self.cv!r} cannot be drawn anew, so its leaders cannot be confirmed; {WAY_OUT}")
        return self.anew.fresh(number)

    def split(self, X: Any, y: Any = None, **more: Any) -> Pairs:
        """Divides once and remembers."""
        if self.pairs is None:
            self.pairs = list(self.cv.split(X, y, **more))
        return self.pairs


class Planned(Rounds):
    """The splits of a plan."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("plan", plan.seed)
        self.plan = plan
        self.splits: Optional[Splits] = None

    def round(self, trial: int, generation: Optional[int] = None) -> int:
        if self.plan.reshuffle is True:
            return super().round(trial, generation)
        return trial // int(self.plan.reshuffle) if self.plan.reshuffle else 0

    def splitter(self, round: int) -> Any:
        size = 1 if self.plan.reshuffle is True or not self.plan.reshuffle else int(self.plan.reshuffle)
        return _Drawn(self, lambda splits: splits.of_trial(round * size))

    def fresh(self, number: int) -> Any:
        return _Drawn(self, lambda splits: splits.unseen_splits(number))

    def over(self, X: Any, y: Any, groups: Any) -> Splits:
        """The plan over these rows."""
        if self.splits is None:
            try:
                self.splits = self.plan.split_rows(X, classes=self.plan.classes_of(y), groups=groups)
            except EvaluationError as error:
                # In the words by which scikit-learn knows such an error.
                raise ValueError(f"{error} (n_samples={_count(X)})") from error
        return self.splits


class _Drawn:
    def __init__(self, planned: Planned, draw: Callable[[Splits], List[Split]]) -> None:
        self.planned, self.draw = planned, draw

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Tuple[Any, Any]]:
        return iter(_arrays(self.draw(self.planned.over(X, y, groups))))


class Reseeded(Rounds):
    """A splitter of scikit-learn's with another random state in every round."""

    def __init__(self, cv: Any, seed: int) -> None:
        super().__init__(type(cv).__name__, seed)
        self.cv = cv

    def splitter(self, round: int) -> Any:
        import numpy

        cv = copy.deepcopy(self.cv)
        if hasattr(cv, "shuffle"):
            cv.shuffle = True
        cv.random_state = int(numpy.random.SeedSequence([self.seed, round]).generate_state(1)[0])
        return cv


class Part:
    """Another splitter, with a share of the rows that teach: for strategies that first look at
    cheap evaluations."""

    def __init__(self, splitter: Any, share: float, seed: int) -> None:
        self.splitter, self.share, self.seed = splitter, share, seed

    def split(self, X: Any, y: Any = None, **more: Any) -> Pairs:
        """Keeps the first rows of a random order that is the same for every share, so that a
        greater one adds rows."""
        import numpy

        order = numpy.random.RandomState(self.seed).permutation(_count(X))
        place = numpy.argsort(order)
        pairs = []
        for train, valid in self.splitter.split(X, y, **more):
            count = max(2, math.ceil(self.share * len(train)))
            pairs.append((numpy.sort(train[numpy.argsort(place[train])[:count]]), valid))
        return pairs


class Measured:
    """Another splitter, which remembers how many rows validated for each that taught."""

    def __init__(self, splitter: Any) -> None:
        self.splitter = splitter
        self.ratio: Optional[float] = None

    def split(self, X: Any, y: Any = None, **more: Any) -> Pairs:
        """Divides as the other does."""
        pairs = list(self.splitter.split(X, y, **more))
        self.ratio = sum(len(valid) / len(train) for train, valid in pairs if len(train)) / len(pairs) if pairs else None
        return pairs


def rounds(cv: Any, checked: Any, *, resampling: str, is_classifier: bool, seed: int) -> Rounds:
    """The rounds of a search: ``cv`` as the user gave it, ``checked`` as scikit-learn understands
    it."""
    if isinstance(cv, Plan):
        return Planned(_usable(cv, resampling))
    anew: Optional[Rounds] = None
    if cv is None or isinstance(cv, int):
        anew = Planned(Plan(folds=checked.get_n_splits(), reshuffle=True, stratify=is_classifier, seed=seed))
    elif "random_state" in inspect.signature(type(cv)).parameters:
        anew = Reseeded(cv, seed)
    if resampling == "fixed":
        return Fixed(checked, seed, anew)
    if anew is None:
        raise ValueError(f"resampling='reshuffle' cannot draw the splits of {cv!r} anew; {WAY_OUT}, or fixed splits")
    return anew


def _usable(plan: Plan, resampling: str) -> Plan:
    if plan.test is not None or plan.selection is not None:
        raise ValueError(
            f"cv={plan!r} sets rows apart, but refit learns from all rows it is given; "
            "take test and selection rows away before fit"
        )
    if resampling == "reshuffle" and not plan.reshuffle:
        plan = copy.copy(plan)
        plan.reshuffle = True
    return plan
