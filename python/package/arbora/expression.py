"""Conditions and constraints, written with Python's operators.

>>> space = Space()
>>> model = space.choice("model", ["svm", "net"])
>>> layers = space.integer("layers", 1, 5, when=model == "net")
>>> (model == "net") & (layers > 2)
Expression('model == "net" and layers > 2')
"""

from __future__ import annotations

from typing import Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from arbora import _arbora

__all__ = ["Condition", "Expression", "Parameter", "Scalar", "Term"]

Scalar = Union[None, bool, int, float, str]
"""What a parameter can be set to."""

_OR, _AND, _NOT, _ATOM = range(4)
_SUM, _PRODUCT, _OPERAND = range(3)


def _wrapped(text: str, level: int, wanted: int) -> str:
    return text if level >= wanted else f"({text})"


class _Text:
    """A text that grows at its end: the text before, and what was added.

    ``e = e + x`` fifty thousand times keeps fifty thousand short pieces and joins them once, when
    the text is asked for.

    >>> text = _Text(_Text(None, "a"), " + b")
    >>> text.joined()
    'a + b'
    """

    __slots__ = ("_pieces",)
    _pieces: Tuple[Optional[_Text], str]

    def __init__(self, before: Optional[_Text], piece: str) -> None:
        self._pieces = before, piece

    def joined(self) -> str:
        pieces: List[str] = []
        at: Optional[_Text] = self
        while at is not None:
            at, piece = at._pieces
            pieces.append(piece)
        whole = "".join(reversed(pieces))
        self._pieces = None, whole
        return whole

    def then(self, piece: str) -> _Text:
        return _Text(self, piece)

    def __reduce__(self) -> Tuple[type, Tuple[None, str]]:
        return _Text, (None, self.joined())


class _Truth:
    """What holds or does not: combined by ``&``, ``|`` and ``~``."""

    __slots__ = ()
    _written: _Text

    @property
    def _text(self) -> str:
        return self._written.joined()

    def __and__(self, other: Condition) -> Expression:
        first, second = _truth(self), _truth(other)
        return Expression(first._at(_AND).then(f" and {second._at(_NOT).joined()}"), _AND)

    def __or__(self, other: Condition) -> Expression:
        first, second = _truth(self), _truth(other)
        return Expression(first._at(_OR).then(f" or {second._at(_AND).joined()}"), _OR)

    def __rand__(self, other: Condition) -> Expression:
        return _truth(other) & _truth(self)

    def __ror__(self, other: Condition) -> Expression:
        return _truth(other) | _truth(self)

    def __invert__(self) -> Expression:
        return Expression(f"not {_truth(self)._at(_ATOM).joined()}", _NOT)

    def __bool__(self) -> bool:
        raise TypeError(
            f"`{self._text}` has no truth value: it is decided for every configuration anew. "
            "Write `&`, `|` and `~` instead of `and`, `or` and `not`, with each comparison in parentheses, "
            "and `(1 < x) & (x < 5)` instead of `1 < x < 5`."
        )

    def __str__(self) -> str:
        return self._text


class Expression(_Truth):
    """A condition or constraint. Comparing parameters makes one; it can also be written as text.

    >>> x = Parameter("x")
    >>> (x > 2) | (x == None)
    Expression('x > 2 or x == none')
    >>> ~(x > 2)
    Expression('not (x > 2)')
    >>> if x > 2 and x < 5: pass
    Traceback (most recent call last):
    TypeError: `x > 2` has no truth value: ...
    """

    __slots__ = ("_level", "_written")

    def __init__(self, text: Union[str, _Text], _level: int = _OR) -> None:
        self._written = text if isinstance(text, _Text) else _Text(None, text)
        self._level = _level

    def _at(self, level: int) -> _Text:
        return self._written if self._level >= level else _Text(None, f"({self._text})")

    def __repr__(self) -> str:
        return f"Expression({self._text!r})"


class Term:
    """A number computed from parameters, for constraints such as ``layers * units <= 2048``.

    >>> layers, units = Parameter("layers"), Parameter("units")
    >>> layers * (units + 1) <= 2048
    Expression('layers * (units + 1) <= 2048')
    """

    __slots__ = ("_level", "_written")
    _written: _Text
    _level: int

    def __init__(self, text: Union[str, _Text], _level: int = _SUM) -> None:
        self._written = text if isinstance(text, _Text) else _Text(None, text)
        self._level = _level

    @property
    def _text(self) -> str:
        return self._written.joined()

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compared("==", other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compared("!=", other)

    def __lt__(self, other: Operand) -> Expression:
        return self._compared("<", other)

    def __le__(self, other: Operand) -> Expression:
        return self._compared("<=", other)

    def __gt__(self, other: Operand) -> Expression:
        return self._compared(">", other)

    def __ge__(self, other: Operand) -> Expression:
        return self._compared(">=", other)

    __hash__ = object.__hash__

    def _compared(self, sign: str, other: object) -> Expression:
        return Expression(f"{self._text} {sign} {_term(other)._text}", _NOT)

    def __add__(self, other: Operand) -> Term:
        return _sum(self, "+", _term(other))

    def __radd__(self, other: Operand) -> Term:
        return _sum(_term(other), "+", self)

    def __sub__(self, other: Operand) -> Term:
        return _sum(self, "-", _term(other))

    def __rsub__(self, other: Operand) -> Term:
        return _sum(_term(other), "-", self)

    def __mul__(self, other: Operand) -> Term:
        return _product(self, "*", _term(other))

    def __rmul__(self, other: Operand) -> Term:
        return _product(_term(other), "*", self)

    def __truediv__(self, other: Operand) -> Term:
        return _product(self, "/", _term(other))

    def __rtruediv__(self, other: Operand) -> Term:
        return _product(_term(other), "/", self)

    def __neg__(self) -> Term:
        return Term(f"-{_wrapped(self._text, self._level, _OPERAND)}", _PRODUCT)

    def __bool__(self) -> bool:
        raise TypeError(
            f"`{self._text}` has no truth value: it differs from configuration to configuration. "
            "Write `&`, `|` and `~` instead of `and`, `or` and `not`."
        )

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Term({self._text!r})"


class Parameter(Term, _Truth):
    """A declared parameter: what :meth:`Space.real` and its sisters return, to be used in
    conditions.

    >>> kernel, shuffle = Parameter("kernel"), Parameter("shuffle")
    >>> kernel.is_in(["rbf", "poly"]) & ~shuffle
    Expression('kernel in ["rbf", "poly"] and not shuffle')
    """

    __slots__ = ("name",)
    name: str
    """Its name."""

    def __init__(self, name: str) -> None:
        super().__init__(_arbora.write_name(name), _OPERAND)
        self.name = name

    def is_in(self, values: Iterable[Scalar]) -> Expression:
        """Is it one of these values?

        >>> Parameter("kernel").is_in(["rbf", "poly"])
        Expression('kernel in ["rbf", "poly"]')
        """
        if isinstance(values, str):
            raise TypeError(f"is_in takes a list of values, got the text {values!r}; put it in brackets")
        return Expression(f"{self._text} in [{', '.join(_arbora.write_value(value) for value in values)}]", _NOT)

    def __repr__(self) -> str:
        return f"Parameter({self.name!r})"


Operand = Union[Term, Scalar]
Condition = Union[Expression, Parameter, str]
"""A condition: an expression, a boolean parameter, or text such as ``"model == 'svm' and layers >
2"``."""
Conditions = Union[Condition, Mapping[str, Union[Scalar, Sequence[Scalar]]], Sequence[Condition], None]


def _truth(condition: Union[Condition, _Truth]) -> Expression:
    if isinstance(condition, Expression):
        return condition
    if isinstance(condition, Parameter):
        return Expression(condition._text, _ATOM)
    if isinstance(condition, str):
        return Expression(condition)
    raise TypeError(f"expected a condition such as `model == 'svm'`, got {condition!r}")


def _term(operand: object) -> Term:
    if isinstance(operand, Term):
        return operand
    if isinstance(operand, _Truth):
        raise TypeError(f"`{operand}` is a condition and cannot be computed with; did you forget parentheses?")
    return Term(_arbora.write_value(operand), _OPERAND)


def _sum(first: Term, sign: str, second: Term) -> Term:
    return Term(first._written.then(f" {sign} {_wrapped(second._text, second._level, _PRODUCT)}"), _SUM)


def _product(first: Term, sign: str, second: Term) -> Term:
    left = first._written if first._level >= _PRODUCT else _Text(None, f"({first._text})")
    return Term(left.then(f" {sign} {_wrapped(second._text, second._level, _OPERAND)}"), _PRODUCT)


def written(conditions: Conditions) -> List[str]:
    """The texts of conditions that must all hold."""
    if conditions is None:
        return []
    if isinstance(conditions, Mapping):
        return [_tested(name, value)._text for name, value in conditions.items()]
    if isinstance(conditions, (_Truth, str)):
        return [_truth(conditions)._text]
    if isinstance(conditions, (list, tuple)):
        return [_truth(condition)._text for condition in conditions]
    raise TypeError(f"expected a condition such as `model == 'svm'`, got {conditions!r}")


def _tested(name: Union[str, Parameter], value: Union[Scalar, Sequence[Scalar]]) -> Expression:
    parameter = name if isinstance(name, Parameter) else Parameter(name)
    return parameter.is_in(value) if isinstance(value, (list, tuple, set)) else parameter == value
