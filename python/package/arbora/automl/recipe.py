"""A recipe: a space, what its configurations stand for, and which of them to try first."""

from __future__ import annotations

from typing import Any, Callable, List, Mapping, Sequence, Tuple, Union

from arbora.automl.facts import Facts
from arbora.space import Configuration, Space

Build = Callable[[Mapping[str, Any]], Any]
Given = Union[str, Tuple[Space, Build]]


class Recipe:
    """What can be tried on a table.

    >>> recipe = Recipe(some_space, lambda configuration: ...)
    >>> recipe.space.names, recipe.first
    (['x'], [])
    """

    def __init__(self, space: Space, build: Build, first: Sequence[Configuration] = ()) -> None:
        self.space = space
        self.build = build
        """From a configuration to an unfitted scikit-learn estimator for the encoded matrix."""
        self.first: List[Configuration] = list(first)
        """Tried before the strategy is asked."""


def recipe(given: Given, facts: Facts) -> Recipe:
    """The recipe of this name, or the one of a user: a space and a function from a configuration to an estimator."""
    if given == "modern":
        from arbora.automl.modern import modern

        return modern(facts)
    if given == "cash":
        from arbora.automl.cash import cash

        return cash(facts)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Space) and callable(given[1]):
        return Recipe(given[0], given[1])
    raise ValueError(
        f'space = {given!r} is not possible: it is "modern", "cash", or a pair of an arbora.Space and a function from a '
        "configuration to a scikit-learn estimator"
    )
