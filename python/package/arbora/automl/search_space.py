"""What AutoML searches: a space, the estimator of each configuration, and which to try first."""

from __future__ import annotations

from typing import Any, Callable, List, Mapping, Sequence, Tuple, Union

from arbora.space import Configuration, Space

Build = Callable[[Mapping[str, Any]], Any]
Given = Union[str, Tuple[Space, Build]]


class SearchSpace:
    """What can be tried on a table.

    >>> from arbora.examples import bowl_space
    >>> search = SearchSpace(bowl_space(), lambda configuration: ...)
    >>> search.space.names, search.first
    (['x'], [])
    """

    def __init__(self, space: Space, build: Build, first: Sequence[Configuration] = ()) -> None:
        self.space = space
        self.build = build
        """From a configuration to an unfitted scikit-learn estimator for the encoded matrix."""
        self.first: List[Configuration] = list(first)
        """Tried before the strategy is asked."""
