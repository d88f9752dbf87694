"""What a search space may know about the data: sizes and kinds, never a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple


@dataclass(frozen=True)
class TableInfo:
    """Sizes and kinds of a table that was encoded as one matrix of numbers.

    >>> facts = TableInfo(rows=100, sizes=(0, 3), has_gaps=False, classes=2, rarest=40, metric="accuracy", seed=1)
    >>> facts.numbers, facts.categories, facts.is_classification
    ([0], [1], True)
    """

    rows: int
    """Rows of a training part: of a fold, not of the table."""
    sizes: Tuple[int, ...]
    """For each column how many categories it has; zero for a column of numbers."""
    has_gaps: bool
    """Is a number missing somewhere?"""
    classes: int
    """How many classes there are; zero if numbers are to be predicted."""
    rarest: int
    """Rows of the rarest class."""
    metric: str
    seed: int
    threads: int = 1
    """Threads that a learner may use."""

    @property
    def numbers(self) -> List[int]:
        """The columns of numbers."""
        return [i for i, size in enumerate(self.sizes) if size == 0]

    @property
    def categories(self) -> List[int]:
        """The columns of categories."""
        return [i for i, size in enumerate(self.sizes) if size > 0]

    @property
    def is_classification(self) -> bool:
        """Are classes to be predicted?"""
        return self.classes > 0

    @property
    def may_hold_back(self) -> bool:
        """May a learner set a tenth of its rows aside to know when to stop? A class of a few rows
        forbids it."""
        return not self.is_classification or self.rarest >= 20
