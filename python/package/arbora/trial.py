"""Trials: one evaluation each, asked for and then told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, Sequence, Tuple
from typing import Type, TypeVar, Union, overload

from arbora import _arbora, arguments, markup
from arbora.connection import Connection
from arbora.errors import SpaceError
from arbora.expression import Scalar

if TYPE_CHECKING:
    import datetime

__all__ = ["Objective", "Trial"]

Held = TypeVar("Held")


class Field(Generic[Held]):
    """A fact about a trial, read-only, as the native half gave it."""

    def __init__(self, doc: str, of: str = "") -> None:
        self.__doc__, self._name = doc, of

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = self._name or name

    @overload
    def __get__(self, trial: None, owner: Type[Trial]) -> Field[Held]: ...

    @overload
    def __get__(self, trial: Trial, owner: Type[Trial]) -> Held: ...

    def __get__(self, trial: Optional[Trial], owner: Type[Trial]) -> Union[Field[Held], Held]:
        if trial is None:
            return self
        held: Held = trial._fields[self._name]
        return held

    def __set__(self, trial: Trial, value: Held) -> None:
        raise AttributeError(f"a trial is read-only: its {self._name} cannot be set")


class _Words(str):
    """The message of a ``KeyError``, which shows it by ``repr``: without quotes, and with nothing
    that steers a terminal."""

    def __repr__(self) -> str:
        return _arbora.visible(self)


class Trial(Mapping[str, Any]):
    """One evaluation. It is also a mapping: the values of its active parameters by name.

    >>> from arbora import Space, Study
    >>> space = Space()
    >>> _ = space.real("x", 0.0, 1.0)
    >>> study = Study(space, seed=1)
    >>> trial = study.ask()
    >>> trial.number, trial.state, trial["x"] == trial.configuration["x"]
    (0, 'running', True)
    >>> study.tell(trial, loss=0.5)
    >>> study.trials[0].loss
    0.5
    """

    __slots__ = ("_connection", "_fields", "_verdict")

    number = Field[int]("Counts from zero, in the order of asking.")
    configuration = Field[Dict[str, Any]]("The values of the active parameters, by name.")
    params = Field[Dict[str, Any]]("Another name of :attr:`configuration`.", of="configuration")
    state = Field[str](
        """``waiting``, ``running``, ``stale``, ``complete``, ``failed``, ``pruned`` or ``abandoned``, when the trial
        was read."""
    )
    share = Field[float](
        """How much of an evaluation is wanted, of training rows, epochs or time. It is 1.0, all of it, unless the
        strategy evaluates in part, such as ``hyperband``. A loss of less than all is never the best."""
    )
    fold = Field[Optional[int]](
        "The one fold of a cross-validation to evaluate, from zero, if the strategy races over folds; otherwise None."
    )
    origin = Field[str]("``suggested`` by the strategy, ``queued`` or ``added`` by the user.")
    loss = Field[Optional[float]]("The loss: smaller is better, whatever the direction of the study.")
    value = Field[Optional[float]]("What the objective returned, in the direction of the study.")
    cost = Field[Optional[float]]("What the evaluation cost, if that was told.")
    duration = Field[Optional[float]]("How long the evaluation took, in seconds.")
    worker = Field[Optional[str]]("The worker that has the trial, or had it last.")
    reason = Field[Optional[str]]("Why it failed, was pruned or was abandoned.")
    trace = Field[Optional[str]]("The traceback of a failure.")
    attributes = Field[Dict[str, Any]]("What users keep with the trial; see :meth:`set_attribute`.")
    intermediate = Field[List[Tuple[int, float]]]("Steps and values reported on the way; see :meth:`report`.")

    def __init__(self, connection: Optional[Connection], fields: Dict[str, Any]) -> None:
        self._connection = connection
        self._fields = fields
        self._verdict: Optional[str] = None
        """Why the pruner would stop it, when it was last asked."""

    @property
    def is_ended(self) -> bool:
        """Complete, failed, pruned or abandoned?

        >>> from arbora.examples import bowl_study
        >>> trial = bowl_study().trials[0]
        >>> trial.is_ended
        True
        """
        return self.state in ("complete", "failed", "pruned", "abandoned")

    @property
    def asked_at(self) -> datetime.datetime:
        """When it was suggested, queued or added.

        >>> from arbora.examples import bowl_study
        >>> trial = bowl_study().trials[0]
        >>> trial.asked_at.tzname()
        'UTC'
        """
        return _time(self._fields["asked_at"])

    @property
    def started_at(self) -> Optional[datetime.datetime]:
        """When it was last handed to a worker.

        >>> from arbora.examples import bowl_study
        >>> trial = bowl_study().trials[0]
        >>> trial.started_at is None
        True
        """
        at = self._fields["started_at"]
        return None if at is None else _time(at)

    @property
    def ended_at(self) -> Optional[datetime.datetime]:
        """When it ended.

        >>> from arbora.examples import bowl_study
        >>> trial = bowl_study().trials[0]
        >>> trial.ended_at >= trial.asked_at
        True
        """
        at = self._fields["ended_at"]
        return None if at is None else _time(at)

    def set_attribute(self, name: str, value: Any) -> None:
        """Keep something with the trial: numbers, text, lists and dicts of them.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> trial = study.ask()
        >>> trial.set_attribute("epochs", 12)
        >>> study.trial(trial.number).attributes
        {'epochs': 12}
        """
        self._live().note(self.number, {name: value})
        self.attributes[name] = value

    def report(self, value: float, step: int) -> None:
        """Keep an intermediate value of the objective, after ``step`` epochs, folds or minutes, for
        :meth:`should_prune`. Each step is reported once, and steps go up.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> trial = study.ask()
        >>> trial.report(0.9, step=1)
        >>> study.trial(trial.number).intermediate
        [(1, 0.9)]
        """
        step, value = arguments.step_of(value, step), arguments.number("the value", value)
        if not -float("inf") < value < float("inf") and all(abs(known) < float("inf") for _, known in self.intermediate):
            from arbora.failures import LOG

            LOG.warning("trial %d reported %s at step %d: it will hardly get better", self.number, value, step)
        self._keep(step, value)

    def should_prune(self) -> bool:
        """Is the trial not worth its next step? The pruner of the study decides by what this trial
        and all others have reported, also in other processes. If so, end the objective by
        ``raise arbora.TrialPruned``.

        >>> from arbora.examples import bowl_space
        >>> study = Study(bowl_space(), pruner={"kind": "threshold", "upper": 1.0}, seed=1)
        >>> trial = study.ask()
        >>> trial.report(0.9, step=1)
        >>> trial.should_prune()
        False
        >>> trial.report(1.5, step=2)
        >>> trial.should_prune()
        True
        """
        self._verdict = self._live().should_prune(self.number)
        return self._verdict is not None

    def _keep(self, step: int, value: float) -> None:
        self._live().report(self.number, step, value)
        self.intermediate.append((step, value))

    # Optuna's words. In a study with a declared space they read the value and check that it lies in
    # the range asked
    # for; a study without a space learns its space from them.

    def suggest_float(
        self, name: str, low: float, high: float, *, step: Optional[float] = None, log: bool = False
    ) -> float:
        """A real number of this range.

        >>> study = Study(seed=1)
        >>> study.optimize(lambda trial: trial.suggest_float("x", -1.0, 1.0) ** 2, trials=3)
        >>> study.space.names
        ['x']
        """
        fields = {"type": "real", "low": float(low), "high": float(high)}
        return float(self._suggest(name, _with(fields, step=step, log=log or None)))

    def suggest_int(self, name: str, low: int, high: int, *, step: int = 1, log: bool = False) -> int:
        """A whole number of this range.

        >>> study = Study(seed=1)
        >>> study.optimize(lambda trial: trial.suggest_int("n", 1, 9) / 10, trials=3)
        >>> all(isinstance(trial["n"], int) for trial in study.trials)
        True
        """
        # As there, a range that is no multiple of the step ends at the last one that is.
        high = low + (high - low) // step * step if step > 0 else high
        fields = {"type": "integer", "low": low, "high": high}
        return int(self._suggest(name, _with(fields, step=None if step == 1 else step, log=log or None)))

    def suggest_categorical(self, name: str, choices: Sequence[Scalar]) -> Any:
        """One of several alternatives: the value itself.

        >>> study = Study(seed=1)
        >>> study.optimize(lambda trial: len(trial.suggest_categorical("model", ["svm", "forest"])), trials=2)
        >>> study.best_value
        3.0
        """
        return self._suggest(name, {"type": "choice", "choices": list(choices)})

    def _suggest(self, name: str, fields: Dict[str, Any]) -> Any:
        if name in self.configuration:
            asked = _arbora.Space()
            asked.declare(name, fields)
            return asked.check({name: self.configuration[name]})[name]
        message = (
            f"parameter `{name}` does not take part in this trial; its space is declared, so test with "
            f"`{name!r} in trial` first, or leave the space out and let the study discover it"
        )
        raise SpaceError(message, "InactiveValue", {"name": name})

    def _live(self) -> _arbora.Study:
        if self._connection is None:
            raise RuntimeError("this trial was read from a pickle and belongs to no study; use its study instead")
        return self._connection.live()

    def __getitem__(self, name: str) -> Any:
        try:
            return self.configuration[name]
        except KeyError:
            raise KeyError(_Words(self._why_absent(name))) from None

    def __contains__(self, name: object) -> bool:
        return name in self.configuration

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a parameter, or ``default`` where it is inactive.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.ask().get("not there", 0.0)
        0.0
        """
        return self.configuration.get(name, default)

    def _why_absent(self, name: str) -> str:
        parameters: Dict[str, Any] = {}
        if self._connection is not None and self._connection.native is not None:
            parameters = self._connection.live().space().to_dict()["parameters"]
        if name in parameters:
            needed = parameters[name].get("when")
            reason = f" (it needs {needed})" if needed is not None else ""
            return f"parameter `{name}` is inactive in this trial{reason}; trial.get({name!r}) answers None for it"
        near = _arbora.similar(str(name), list(parameters))
        hint = f"; did you mean `{near}`?" if near else f"; there are {', '.join(parameters)}" if parameters else ""
        return f"there is no parameter `{name}`{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.configuration)

    def __len__(self) -> int:
        return len(self.configuration)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trial) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return Trial, (None, self._fields)

    def __repr__(self) -> str:
        end = f", loss={self.loss!r}" if self.loss is not None else f", reason={self.reason!r}" if self.reason else ""
        return f"Trial({self.number}, {self.configuration!r}, state={self.state!r}{end})"

    def _repr_html_(self) -> str:
        ended = {"value": self.value, "reason": self.reason, "duration": self.duration and f"{self.duration:.3g} s"}
        known = {name: value for name, value in ended.items() if value is not None}
        return markup.values(f"Trial {self.number}, {self.state}", self, known)


def _no_number(trial: Trial, *_: Any) -> Any:
    """Refuse arithmetic with the trial itself: the mistake of objectives written as functions of
    numbers."""
    name = next(iter(trial), "x")
    raise TypeError(f"a trial is no number: an objective gets the trial and takes values by name, such as trial[{name!r}]")


_ARITHMETIC = "add sub mul truediv floordiv mod pow matmul"
_OTHERS = "neg pos abs float int round lt le gt ge"
for _name in [*_ARITHMETIC.split(), *(f"r{_one}" for _one in _ARITHMETIC.split()), *_OTHERS.split()]:
    setattr(Trial, f"__{_name}__", _no_number)


Objective = Callable[[Trial], float]
"""A function to optimize."""


def _with(fields: Dict[str, Any], **more: Any) -> Dict[str, Any]:
    fields.update((name, value) for name, value in more.items() if value is not None)
    return fields


def _time(milliseconds: int) -> datetime.datetime:
    import datetime

    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
