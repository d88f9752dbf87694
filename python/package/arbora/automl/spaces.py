"""The search space that a user asks for, by name or as their own."""

from __future__ import annotations

from arbora.automl.cash import cash
from arbora.automl.default_space import modern
from arbora.automl.search_space import Given, SearchSpace
from arbora.automl.table_info import TableInfo
from arbora.space import Space

NAMED = {"modern": modern, "cash": cash}


def search_space(given: Given, facts: TableInfo) -> SearchSpace:
    """The search space of this name, or that of a user: a space and a function from a configuration
    to an estimator."""
    if isinstance(given, str) and given in NAMED:
        return NAMED[given](facts)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Space) and callable(given[1]):
        return SearchSpace(given[0], given[1])
    raise ValueError(
        f'space = {given!r} is invalid: it is "modern", "cash", or a pair of an arbora.Space and a function from a '
        "configuration to a scikit-learn estimator"
    )
