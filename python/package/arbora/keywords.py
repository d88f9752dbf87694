"""Names of other tools and of earlier versions: the error or the warning gives the present one."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, TypeVar, cast

__all__ = ["called_here", "renamed"]

Function = TypeVar("Function", bound=Callable[..., Any])


def called_here(**names: str) -> Callable[[Function], Function]:
    """Marks a function whose arguments have other names elsewhere.

    >>> @called_here(n_trials="trials")
    ... def run(*, trials):
    ...     return trials
    >>> run(trials=3)
    3
    >>> run(n_trials=3)
    Traceback (most recent call last):
    ...
    TypeError: run() has no argument `n_trials`; here it is called `trials`: trials=3
    """

    def marked(function: Function) -> Function:
        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            for name in names.keys() & named.keys():
                ours = f"here it is called `{names[name]}`: {names[name]}={named[name]!r}"
                raise TypeError(f"{function.__qualname__}() has no argument `{name}`; {ours}")
            return function(*given, **named)

        return cast(Function, call)

    return marked


def renamed(name: str) -> Callable[[Function], Function]:
    """Marks a function that is kept under its old name.

    >>> @renamed("split_rows")
    ... def over():
    ...     return 3
    >>> over()
    Traceback (most recent call last):
    ...
    DeprecationWarning: over() is now called split_rows()
    """

    def marked(function: Function) -> Function:
        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            message = f"{function.__name__}() is now called {name}()"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return function(*given, **named)

        return cast(Function, call)

    return marked
