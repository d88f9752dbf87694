"""Spaces of the papers that come with the package, as files."""

from __future__ import annotations

import pathlib

from arbora.space import Space

__all__ = ["cash"]


def cash() -> Space:
    """Nine classifiers and the thirteen parameters they need  [Lévesque et al. 2017, section V].

    >>> space = cash()
    >>> len(space), len(space.tree.leaves)
    (14, 9)
    """
    return Space.from_file(pathlib.Path(__file__).with_name("cash.toml"))
