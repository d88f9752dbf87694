"""Strategies of your own: a function that answers "what should be tried next?", under a name."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, TypeVar, Union, overload

from arbora import _arbora
from arbora.arguments import number as real_number
from arbora.arguments import text, truth
from arbora.space import Configuration, Space

__all__ = ["Ask", "Suggestion", "TrialSummary", "register_strategy"]


class TrialSummary(NamedTuple):
    """A trial as a strategy sees it.

    >>> trial = TrialSummary(0, {"x": 0.5}, "complete", loss=0.25)
    >>> trial.configuration["x"], trial.loss
    (0.5, 0.25)
    """

    number: int
    """Counts from zero, in the order of asking."""
    configuration: Configuration
    """The values of the active parameters, by name."""
    state: str
    """``pending``, ``complete``, ``failed``, ``pruned`` or ``abandoned``."""
    loss: Optional[float] = None
    """Smaller is better, whatever the direction of the study; None unless it is complete."""
    cost: Optional[float] = None
    """What the evaluation cost, if that was told."""
    share: float = 1.0
    """How much of an evaluation it does. Losses of different shares cannot be compared."""
    fold: Optional[int] = None
    """The one fold of a cross-validation it evaluates; None for all of them."""
    reason: Optional[str] = None
    """Why it failed, was pruned or was abandoned."""
    memo: Mapping[str, Any] = {}
    """What the strategy stored with it, see :class:`Suggestion`."""


class Suggestion(NamedTuple):
    """What to try next, if there is more to say than the values.

    >>> Suggestion({"x": 0.5}, memo={"temperature": 0.9}).configuration
    {'x': 0.5}
    """

    configuration: Mapping[str, Any]
    """A value for every active parameter, and for no other."""
    memo: Mapping[str, Any] = {}
    """Numbers, text, lists and dicts to be stored with the trial. They come back as ``memo`` of its
    summary: a strategy that remembers its state this way goes on exactly where it stopped."""
    share: float = 1.0
    """How much of an evaluation is wanted, above 0 and up to 1: of training rows, epochs or time."""


class Ask:
    """What a strategy may know when it is asked for the next configuration.

    ``space`` is the :class:`arbora.Space`; ``trials`` are all trials so far, pending ones included,
    as :class:`TrialSummary`; ``number`` is that of the trial asked for. ``seed`` is a number made
    from the seed of the study and the number of the trial: take all randomness from it or from
    ``rng``, and a study that was stopped goes on exactly as if it had not been. ``repeats`` says
    whether a configuration may be suggested again.

    >>> from arbora.examples import bowl_space
    >>> ask = Ask(bowl_space(), [TrialSummary(0, {"x": 0.5}, "complete", loss=0.2)], seed=7)
    >>> ask.number, ask.best.loss, ask.is_new({"x": 0.5})
    (1, 0.2, False)
    """

    __slots__ = ("_rng", "_unseen", "name", "number", "repeats", "seed", "space", "trials")

    def __init__(
        self,
        space: Space,
        trials: List[TrialSummary],
        *,
        seed: int,
        repeats: bool = False,
        name: str = "",
        _unseen: Optional[_arbora.Unseen] = None,
    ) -> None:
        self.space, self.trials, self.seed, self.repeats, self.name = space, trials, seed, repeats, name
        self.number = len(trials)
        self._rng: Optional[random.Random] = None
        self._unseen = space._native.unseen(_tried(trials, repeats)) if _unseen is None else _unseen

    @property
    def rng(self) -> random.Random:
        """A generator of random numbers, begun from ``seed``.

        >>> from arbora.examples import bowl_space
        >>> ask = Ask(bowl_space(), [], seed=7)
        >>> ask.rng is ask.rng
        True
        """
        if self._rng is None:
            self._rng = random.Random(self.seed)
        return self._rng

    @property
    def complete(self) -> List[TrialSummary]:
        """Full evaluations that have a loss.

        >>> from arbora.examples import bowl_space
        >>> Ask(bowl_space(), [TrialSummary(0, {"x": 0.5}, "failed")], seed=7).complete
        []
        """
        return [trial for trial in self.trials if trial.loss is not None and trial.share == 1.0 and trial.fold is None]

    @property
    def pending(self) -> List[Configuration]:
        """The configurations that are being evaluated now.

        >>> from arbora.examples import bowl_space
        >>> Ask(bowl_space(), [TrialSummary(0, {"x": 0.5}, "pending")], seed=7).pending
        [{'x': 0.5}]
        """
        return [trial.configuration for trial in self.trials if trial.state == "pending"]

    @property
    def best(self) -> Optional[TrialSummary]:
        """The complete trial with the smallest loss; None before the first.

        >>> from arbora.examples import bowl_space
        >>> Ask(bowl_space(), [], seed=7).best is None
        True
        """
        return min(self.complete, key=lambda trial: float(trial.loss or 0.0), default=None)

    def is_new(self, configuration: Mapping[str, Any]) -> bool:
        """May this configuration be suggested, or was it tried before?

        >>> from arbora.examples import bowl_space
        >>> Ask(bowl_space(), [], seed=7).is_new({"x": 0.5})
        True
        """
        return not self._unseen.contains(configuration)

    def random(self) -> Configuration:
        """A random configuration that may be suggested: for the first trials, or when nothing
        better is known. Raises :class:`arbora.ExhaustedError` if there is none left.

        >>> from arbora.examples import bowl_space
        >>> ask = Ask(bowl_space(), [], seed=7)
        >>> ask.is_new(ask.random())
        True
        """
        return self._unseen.draw(self.rng.getrandbits(64))


Answer = Union[Mapping[str, Any], Suggestion]
Suggest = Callable[[Ask], Answer]
Given = TypeVar("Given", bound=Suggest)


@overload
def register_strategy(name: str, suggest: Given, *, when: str = "", replace: bool = False) -> Given: ...


@overload
def register_strategy(
    name: str, suggest: None = None, *, when: str = "", replace: bool = False
) -> Callable[[Given], Given]: ...


def register_strategy(name: str, suggest: Any = None, *, when: str = "", replace: bool = False) -> Any:
    """Register a strategy of your own: a function from an :class:`arbora.Ask` to the next
    configuration, as a dict or as an :class:`arbora.Suggestion`.

    From then on ``name`` works wherever a strategy is chosen: ``Study(space, strategy=name)``,
    ``minimize``, ``ArboraSearchCV``, and with ``--plugin FILE`` in ``arbora tune`` and
    ``arbora bench``. A stored study keeps the name, so register the strategy before you open it.

    The function must depend on its argument alone. What it returns is checked; what it raises ends
    the call of ``ask`` or ``optimize``. ``when`` says when to use the strategy, for
    :func:`arbora.strategies`. ``replace=True`` puts another function under a name of yours, for
    notebooks; studies that are open keep the one they have.

    >>> from arbora.examples import bowl_space
    >>> def corner(ask):
    ...     "The default first, then anything."
    ...     return ask.space.default if not ask.trials else ask.random()
    >>> _ = register_strategy("corner", corner, when="for an example")
    >>> strategies()["corner"]
    'The default first, then anything; use it for an example (registered)'
    >>> study = Study(bowl_space(), strategy="corner", seed=1)
    >>> study.ask()["x"]
    0.5

    It is also a decorator:

    >>> @register_strategy("anything")
    ... def anything(ask):
    ...     return ask.random()
    >>> minimize(lambda trial: trial["x"], bowl_space(), strategy="anything", trials=5).loss < 1
    True
    """
    _check_name(text("name", name))
    about, is_replaced = text("when", when), truth("replace", replace)
    if suggest is None:
        return lambda given: register_strategy(name, given, when=when, replace=replace)
    _check_function(name, suggest)

    def call(*facts: Any) -> Tuple[Dict[str, Any], Dict[str, Any], float]:
        return _answer(name, suggest, *facts)

    _arbora.register_strategy(name, suggest, call, _summary(suggest, about), is_replaced)
    return suggest


def _answer(
    name: str, suggest: Suggest, space: _arbora.Space, trials: List[Tuple[Any, ...]], seed: int, repeats: bool,
    unseen: _arbora.Unseen,
) -> Tuple[Dict[str, Any], Dict[str, Any], float]:
    """What the function says, as the native half takes it."""
    known = [TrialSummary(*trial) for trial in trials]
    given = suggest(Ask(Space._of(space), known, seed=seed, repeats=repeats, name=name, _unseen=unseen))
    found = given if isinstance(given, Suggestion) else Suggestion(given)
    if not isinstance(found.configuration, Mapping) or not isinstance(found.memo, Mapping):
        raise TypeError(f"strategy `{name}` must return a dict of values by name, or an arbora.Suggestion, not {given!r}")
    share = real_number(f"strategy `{name}`: share", found.share)
    if not 0.0 < share <= 1.0:
        raise ValueError(f"strategy `{name}`: share = {share!r} must be above 0 and at most 1")
    return dict(found.configuration), dict(found.memo), share


def _tried(trials: List[TrialSummary], repeats: bool) -> List[Configuration]:
    return [] if repeats else [trial.configuration for trial in trials if trial.state != "abandoned"]


def _check_name(name: str) -> None:
    if not name or not all(letter.isalnum() and letter.isascii() or letter in "-_" for letter in name):
        raise ValueError(f"`{name}` cannot be the name of a strategy: use letters, digits, `-` and `_`")


def _check_function(name: str, suggest: Any) -> None:
    import inspect

    if not callable(suggest):
        raise TypeError(f"strategy `{name}`: suggest must be a function of one argument, the ask, not {suggest!r}")
    try:
        signature = inspect.signature(suggest)
    except ValueError:
        return
    try:
        signature.bind(None)
    except TypeError as error:
        raise TypeError(f"strategy `{name}`: suggest is called with one argument, the ask: {error}") from None


def _summary(suggest: Any, when: str) -> str:
    """One line for people."""
    documented = (getattr(suggest, "__doc__", None) or "").strip().splitlines()
    first = documented[0].rstrip(".") if documented else f"the function `{getattr(suggest, '__qualname__', 'of yours')}`"
    return f"{first}; use it {when} (registered)" if when else f"{first} (registered)"
