"""Spaces: everything that can be tried, and when each parameter is active."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from arbora import _arbora, markup
from arbora.arguments import number, seed_or_random, truth, whole
from arbora.errors import SpaceError
from arbora.expression import Condition, Conditions, Parameter, Scalar, written
from arbora.keywords import called_here
from arbora.space_formats import SpaceFormats
from arbora.tree import Tree

__all__ = ["Configuration", "Space"]

Configuration = Dict[str, Any]
"""Values of the active parameters by name."""

Prior = Union[str, Mapping[str, Any]]

_MOST = 10_000_000
"""Configurations in one list: some gigabytes."""


class Space(SpaceFormats):
    """A search space: everything that can be tried.

    Declare a space line by line. Each method returns its parameter, for use in the conditions of
    others. A parameter whose condition does not hold is *inactive*: the configuration has no value
    for it.

    >>> space = Space()
    >>> model = space.choice("model", ["svm", "forest"])
    >>> C = space.real("C", 1e-5, 1e5, log=True, when=model == "svm")
    >>> depth = space.integer("depth", 1, 30, when=model == "forest")
    >>> space.sample(2, seed=1)
    [{'model': 'svm', 'C': ...}, {'model': ..., ...: ...}]
    >>> print(space.tree)
    ├─ model = svm
    │    C  1e-5 … 100000, log
    └─ model = forest
         depth  1 … 30
    """

    __slots__ = ()

    def __init__(self) -> None:
        self._native = _arbora.Space()

    # Declaring.

    @called_here(none="or_none")
    def real(
        self,
        name: str,
        low: float,
        high: float,
        *,
        log: bool = False,
        step: Optional[float] = None,
        default: Optional[float] = None,
        prior: Optional[Prior] = None,
        or_none: Union[bool, float] = False,
        when: Conditions = None,
    ) -> Parameter:
        """A real number from ``low`` to ``high``, both included.

        ``log`` searches on a logarithmic scale; ``step`` allows only low, low + step, …, high, as
        exact decimals. ``prior`` says where you expect good values: ``"uniform"``,
        ``"log-uniform"``, ``{"kind": "normal", "mean": 0.9, "sd": 0.1}`` or ``{"kind":
        "log-normal", "mu": 0.0, "sigma": 2.0}``. With ``or_none`` the value may also be None; a
        number is the prior probability of None.

        >>> space = Space()
        >>> space.real("rate", 1e-5, 1.0, log=True, default=0.01)
        Parameter('rate')
        >>> space.real("dropout", 0.0, 0.5, step=0.05)
        Parameter('dropout')
        """
        fields = _given(low=low, high=high, log=truth("log", log) or None, step=step)
        return self._declare(name, "real", fields, default, or_none, prior, when)

    @called_here(none="or_none")
    def integer(
        self,
        name: str,
        low: int,
        high: int,
        *,
        log: bool = False,
        step: Optional[int] = None,
        default: Optional[int] = None,
        prior: Optional[Prior] = None,
        or_none: Union[bool, float] = False,
        when: Conditions = None,
    ) -> Parameter:
        """A whole number from ``low`` to ``high``, both included; the options are those of
        :meth:`real`.

        >>> Space().integer("units", 16, 1024, log=True, step=16)
        Parameter('units')
        """
        fields = _given(low=low, high=high, log=truth("log", log) or None, step=step)
        return self._declare(name, "integer", fields, default, or_none, prior, when)

    @called_here(values="choices")
    def choice(
        self,
        name: str,
        choices: Sequence[Scalar],
        *,
        default: Scalar = None,
        weights: Optional[Sequence[float]] = None,
        retired: Optional[Sequence[Scalar]] = None,
        when: Conditions = None,
    ) -> Parameter:
        """One of several alternatives without an order. ``weights`` are prior probabilities of
        being good, up to a factor.

        ``retired`` alternatives stay valid for old trials but are no longer suggested.

        >>> space = Space()
        >>> model = space.choice("model", ["svm", "forest", None], weights=[1, 2, 1])
        >>> space.choice("kernel", ["rbf", "poly"], when=model == "svm")
        Parameter('kernel')
        """
        fields = _given(choices=choices, weights=weights, retired=retired)
        return self._declare(name, "choice", fields, default, False, None, when)

    @called_here(choices="values")
    def ordinal(
        self,
        name: str,
        values: Sequence[Scalar],
        *,
        default: Scalar = None,
        weights: Optional[Sequence[float]] = None,
        retired: Optional[Sequence[Scalar]] = None,
        when: Conditions = None,
    ) -> Parameter:
        """One of several alternatives, listed from least to greatest.

        >>> space = Space()
        >>> size = space.ordinal("size", ["small", "medium", "large"], default="medium")
        >>> space.boolean("sharded", when=size >= "medium")
        Parameter('sharded')
        """
        fields = _given(values=values, weights=weights, retired=retired)
        return self._declare(name, "ordinal", fields, default, False, None, when)

    def boolean(
        self,
        name: str,
        *,
        default: Optional[bool] = None,
        weights: Optional[Sequence[float]] = None,
        when: Conditions = None,
    ) -> Parameter:
        """True or false; weights are given for false first.

        >>> space = Space()
        >>> shuffle = space.boolean("shuffle", default=True)
        >>> space.integer("buffer", 1, 100, when=shuffle)
        Parameter('buffer')
        """
        return self._declare(name, "boolean", _given(weights=weights), default, False, None, when)

    def constant(self, name: str, value: Scalar, *, when: Conditions = None) -> Parameter:
        """A constant, which shows in every configuration where it is active.

        >>> space = Space()
        >>> _ = space.constant("version", 3)
        >>> space.default
        {'version': 3}
        """
        return self._declare(name, "constant", {"value": value}, None, False, None, when)

    def _declare(
        self,
        name: str,
        kind: str,
        fields: Dict[str, Any],
        default: Scalar,
        or_none: Union[bool, float],
        prior: Optional[Prior],
        when: Conditions,
    ) -> Parameter:
        given = _given(default=default, prior=prior, when=written(when) or None)
        if or_none is not False:
            given["none"] = or_none if or_none is True else number(f"parameter `{name}`: or_none", or_none)
        self._native.declare(name, {"type": kind, **fields, **given})
        return Parameter(name)

    def forbid(self, condition: Conditions) -> None:
        """Never suggest a configuration in which this condition holds; of several conditions, all
        of them.

        >>> space = Space()
        >>> solver = space.choice("solver", ["cg", "lbfgs"])
        >>> penalty = space.choice("penalty", ["l1", "l2"])
        >>> space.forbid((solver == "cg") & (penalty == "l1"))
        >>> {"solver": "cg", "penalty": "l1"} in space
        False
        """
        self._native.constrain(False, _all(written(condition)))

    def require(self, condition: Conditions) -> None:
        """Suggest only configurations in which this condition holds, if its parameters are active.

        >>> space = Space()
        >>> layers, units = space.integer("layers", 1, 8), space.integer("units", 16, 1024, log=True)
        >>> space.require(layers * units <= 2048)
        >>> {"layers": 8, "units": 512} in space
        False
        """
        self._native.constrain(True, _all(written(condition)))

    # Using.

    @property
    def names(self) -> List[str]:
        """The names of the parameters, in the order of declaration.

        >>> Space().names
        []
        """
        return self._native.names()

    @property
    def default(self) -> Configuration:
        """The default configuration, or the nearest one that the constraints allow.

        >>> space = Space()
        >>> _ = space.integer("depth", 1, 9)
        >>> space.default
        {'depth': 5}
        """
        return self._native.default()

    @property
    def cardinality(self) -> Union[int, float, None]:
        """The number of configurations; infinity if some parameter is continuous, None if it is
        unknown.

        >>> space = Space()
        >>> _, _ = space.boolean("a"), space.integer("b", 1, 3)
        >>> space.cardinality
        6
        """
        return self._native.cardinality()

    @property
    def tree(self) -> Tree:
        """The decision tree of the space: each branch is a leaf. It prints as ``arbora space show``
        does.

        >>> space = Space()
        >>> model = space.choice("model", ["svm", "naive"])
        >>> _ = space.real("C", 0.1, 10.0, when=model == "svm")
        >>> [leaf.path for leaf in space.tree.leaves]
        [('model = svm',), ('model = naive',)]
        """
        return Tree(self._native)

    def sample(self, n: int = 1, *, seed: Optional[int] = None) -> List[Configuration]:
        """Random configurations from the priors; the same for the same seed.

        >>> space = Space()
        >>> _ = space.integer("depth", 1, 9)
        >>> space.sample(3, seed=7) == space.sample(3, seed=7)
        True
        """
        n = whole("n", n, 0)
        if n > _MOST:
            raise ValueError(
                f"n = {n} is more than one list should hold ({_MOST}); draw in several calls, each with its own seed"
            )
        return self._native.sample(n, seed_or_random(seed))

    def check(self, configuration: Mapping[str, Any]) -> Configuration:
        """Return the configuration in canonical form, or raise a :class:`SpaceError` if it is not
        valid.

        >>> space = Space()
        >>> _ = space.real("rate", 0.0, 1.0)
        >>> space.check({"rate": 1})
        {'rate': 1.0}
        >>> space.check({"rate": 2.0})
        Traceback (most recent call last):
        arbora.errors.SpaceError: parameter `rate`: value `2.0` is not in its domain, ...
        """
        return self._native.check(configuration)

    def complete(self, values: Mapping[str, Any]) -> Configuration:
        """Complete a configuration: drop inactive values, and set missing ones to their default.

        >>> space = Space()
        >>> model = space.choice("model", ["svm", "forest"])
        >>> _ = space.real("C", 0.1, 10.0, default=1.0, when=model == "svm")
        >>> space.complete({"model": "svm"}), space.complete({"model": "forest", "C": 2.0})
        ({'model': 'svm', 'C': 1.0}, {'model': 'forest'})
        """
        return self._native.canonical(values)

    def neighbours(self, configuration: Mapping[str, Any], *, seed: Optional[int] = None) -> List[Configuration]:
        """Configurations that differ in one parameter, and in what it activates. Numbers move at
        random.

        >>> space = Space()
        >>> _ = space.choice("model", ["svm", "forest", "net"])
        >>> space.neighbours({"model": "svm"}, seed=1)
        [{'model': 'forest'}, {'model': 'net'}]
        """
        return self._native.neighbours(configuration, seed_or_random(seed))

    def enumerate(self, *, limit: int = 100_000) -> List[Configuration]:
        """List the configurations of a finite space in order, at most ``limit`` of them.

        >>> space = Space()
        >>> a, b = space.integer("a", 1, 3), space.integer("b", 1, 3)
        >>> space.require(a < b)
        >>> space.enumerate()
        [{'a': 1, 'b': 2}, {'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
        """
        return self._native.enumerate(limit)

    def __getitem__(self, name: str) -> Parameter:
        if name not in self.names:
            raise KeyError(name)
        return Parameter(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, item: object) -> bool:
        """Is this the name of a parameter, or a valid configuration?"""
        if isinstance(item, str):
            return item in self.names
        if not isinstance(item, Mapping):
            return False
        try:
            self.check(item)
        except (SpaceError, TypeError, OverflowError):
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and self._native.is_same(other._native)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Space:
        return Space.from_dict(self.to_dict()) if len(self) else Space()

    def __deepcopy__(self, memo: Any) -> Space:
        return self.__copy__()

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Space.from_dict, (self.to_dict(),)) if len(self) else (Space, ())

    def __repr__(self) -> str:
        return f"Space.from_dict({self.to_dict()!r})" if len(self) else "Space()"

    def _repr_html_(self) -> str:
        try:
            return markup.outline(self.tree.lines, f"Space of {len(self)} parameters")
        except SpaceError:
            # Not a whole space yet.
            return markup.paragraphs(repr(self))


def _given(**fields: Any) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _all(texts: List[str]) -> str:
    return texts[0] if len(texts) == 1 else " and ".join(f"({text})" for text in texts)
