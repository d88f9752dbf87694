"""The settings of a study, as the native half takes them."""

from __future__ import annotations

from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple, Union

from arbora.arguments import number, seed_or_random, text, truth, whole

__all__ = ["Pruner", "Settings", "Strategy", "settings"]

Strategy = Union[str, Mapping[str, Any]]
Pruner = Union[str, Mapping[str, Any]]
Range = Tuple[Optional[float], Optional[float]]


class Settings(NamedTuple):
    """What a study is created with, apart from its space.

    >>> settings(seed=3).direction
    'minimize'
    """

    strategy: Union[str, Dict[str, Any]]
    direction: str
    seed: int
    repeats: bool
    threads: int
    deterministic: bool
    range: Range
    pruner: Union[str, Dict[str, Any], None] = None
    """If the user chose none, a stored study keeps its own, and a new one gets ``curve``."""
    is_seeded: bool = True
    """Did the user choose the seed? Otherwise a stored study keeps its own."""


def settings(
    *,
    strategy: Strategy = "auto",
    direction: str = "minimize",
    seed: Optional[int] = None,
    repeats: bool = False,
    threads: int = 1,
    deterministic: bool = False,
    range: Optional[Range] = None,
    pruner: Optional[Pruner] = None,
) -> Settings:
    """Check the settings that a user gives.

    >>> settings(threads=0)
    Traceback (most recent call last):
    ...
    ValueError: threads = 0 is invalid: it must be 1 or more
    """
    return Settings(
        strategy=dict(strategy) if isinstance(strategy, Mapping) else text("strategy", strategy),
        direction=text("direction", direction),
        seed=seed_or_random(seed),
        is_seeded=seed is not None,
        repeats=truth("repeats", repeats),
        threads=whole("threads", threads, 1),
        deterministic=truth("deterministic", deterministic),
        range=_range(range),
        pruner=_pruner(pruner),
    )


def _pruner(given: Any) -> Union[str, Dict[str, Any], None]:
    """A name or a specification. Pruners of another tool are objects: ours have names."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        return dict(given)
    way = 'it is a name such as "median" or a dict such as {"kind": "median", "startup_trials": 10}'
    raise TypeError(f"pruner = {given!r} is invalid: {way}; arbora.pruners() lists them")


def _range(given: Any) -> Range:
    """The least and the greatest value there can be; ``None`` where there is no end."""
    if given is None:
        return None, None
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise TypeError(f"range = {given!r} is invalid: it must be a pair such as (0, 1) or (0, None)")
    low, high = (None if end is None else number(f"range = {given!r}: each end", end) for end in given)
    return low, high
