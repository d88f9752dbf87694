"""Define by run: a study that learns its space from an objective's ``trial.suggest_…`` calls.

>>> def objective(trial):
...     model = trial.suggest_categorical("model", ["svm", "forest"])
...     if model == "svm":
...         return (trial.suggest_float("C", 1e-3, 1e3, log=True) - 1.0) ** 2
...     return 0.5 + 1 / trial.suggest_int("trees", 1, 100)
>>> study = Study(seed=3)
>>> study.optimize(objective, trials=8)
>>> print(study.space.tree)
├─ model = svm
│    C  0.001 … 1000, log
└─ model = forest
     trees  1 … 100

Every trial begins with a suggestion for the space known so far. If the objective asks for a
parameter that the suggestion has, it gets that value; any other parameter is drawn at random. A
trial that takes another path than suggested is stored with the parameters it really asked for, and
the space is revised so that all trials fit, by the rule that imports of other tools' studies use,
too (``infer_conditions`` in Rust). A range may change from trial to trial as long as type, scale
and step stay; the space holds the widest range.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from arbora import _arbora
from arbora.connection import Connection
from arbora.errors import SpaceError
from arbora.trial import Trial
from arbora.trial_result import TrialResult

__all__ = ["DISCOVERED", "Discovery", "DiscoveringTrial"]

Found = Tuple[Dict[str, Any], _arbora.Space]
DISCOVERED = "arbora.discovered"
"""The attribute that marks a study whose space is discovered."""
ASKED_FOR = "arbora.asked_for"
"""The attribute of a failed trial that lists what it asked for before it ended."""


class DiscoveringTrial(Trial):
    """A running trial of a study that discovers its space; its configuration is what the
    objective has asked for so far."""

    __slots__ = ("_asked", "_known", "_suggested")

    def __init__(self, connection: Connection, fields: Dict[str, Any], known: Dict[str, Any]) -> None:
        self._suggested: Dict[str, Any] = fields["configuration"]
        self._known = known
        self._asked: Dict[str, Dict[str, Any]] = {}
        super().__init__(connection, {**fields, "configuration": {}})

    def _suggest(self, name: str, fields: Dict[str, Any]) -> Any:
        alone = _arbora.Space()
        alone.declare(name, fields)
        if name in self._asked:
            if self._asked[name] != fields:
                raise SpaceError(f"parameter `{name}` was asked for twice in one trial, with different ranges", "Asked")
            return self.configuration[name]
        if name in self._known:
            merged(name, self._known[name], fields)
        value = self._fitting(name, alone)
        self._asked[name] = fields
        self.configuration[name] = value
        return value

    def _fitting(self, name: str, alone: _arbora.Space) -> Any:
        if name in self._suggested:
            try:
                return alone.check({name: self._suggested[name]})[name]
            except SpaceError:
                pass
        assert self._connection is not None, "a running trial has its study"
        return alone.sample(1, _seed(self._connection.seed, self.number, name))[0][name]

    def set_attribute(self, name: str, value: Any) -> None:
        """Keep something with the trial. Before there is a space, it is stored with the first
        result."""
        if self._is_first:
            self.attributes[name] = value
        else:
            super().set_attribute(name, value)

    def _keep(self, step: int, value: float) -> None:
        # Before there is a space it is kept here and stored with the rest.
        if self._is_first:
            self.intermediate.append((step, value))
        else:
            super()._keep(step, value)

    def should_prune(self) -> bool:
        """Is the trial not worth its next step? The first of a study has nobody to be compared
        with."""
        return False if self._is_first else super().should_prune()

    @property
    def _is_first(self) -> bool:
        return self._connection is not None and self._connection.native is None


class Discovery:
    """The part of a study that revises its space."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.worker = ""

    def ask(
        self, worker: str, lease: Optional[float], stale: str, stop: Optional[Callable[[], bool]] = None
    ) -> Trial:
        """The next trial; the first of a study suggests nothing."""
        self.worker = worker
        if self.connection.native is None:
            return DiscoveringTrial(self.connection, _blank(), {})
        native = self.connection.live()
        known = native.space().to_dict()["parameters"]
        return DiscoveringTrial(self.connection, native.ask(worker, lease, stale, stop), known)

    def tell(self, trial: Trial, result: TrialResult) -> int:
        """Store how the trial ended and, if it took another path, what it asked for. Returns its
        number."""
        if not isinstance(trial, DiscoveringTrial):
            self.connection.live().tell(trial.number, result)
            return trial.number
        # In a forked process the lock of the parent may never be released: this makes a new one.
        self.connection.follow_fork()
        with self.connection.lock:
            if self.connection.native is None:
                return self._first(trial, result)
            is_complete = result.failure is None and result.pruned is None
            if not is_complete:
                result = _with_attribute(result, list(trial.configuration))
            native, is_told = self.connection.live(), False
            while not is_told:
                # Others may bring news at any time: what was concluded without them is concluded
                # again.
                seen = native.sequence()
                found = self._found(native, trial, is_complete=is_complete)
                is_told = native.tell_found(trial.number, found, result, seen)
            return trial.number

    def _first(self, trial: DiscoveringTrial, result: TrialResult) -> int:
        """The first trial of all brings the first space."""
        if not trial._asked:
            raise SpaceError(
                "the objective asked for no parameter; call trial.suggest_float and its sisters, or declare a space",
                "NoParameters",
            )
        native = self.connection.create(_arbora.Space.from_dict({"parameters": trial._asked}))
        native.note(None, {DISCOVERED: True})
        number: int = native.queue(trial.configuration)
        native.ask(self.worker, None, "leave")
        native.note(number, trial.attributes)
        for step, value in trial.intermediate:
            native.report(number, step, value)
        if result.failure is not None or result.pruned is not None:
            result = _with_attribute(result, list(trial.configuration))
        native.tell(number, result)
        return number

    def _found(self, native: _arbora.Study, trial: DiscoveringTrial, *, is_complete: bool) -> Optional[Found]:
        """What the trial tried, and a space that fits it and all others; None if nothing is new."""
        stored = native.trial(trial.number)["configuration"]
        document = native.space().to_dict()["parameters"]
        parameters = {name: _bare(known) for name, known in document.items()}
        for name, asked in trial._asked.items():
            parameters[name] = merged(name, parameters[name], asked) if name in parameters else dict(asked)
        has_grown = any(parameters[name] != _bare(document.get(name, {})) for name in trial._asked)
        values = trial.configuration if is_complete else {**stored, **trial.configuration}
        if values == stored and not has_grown:
            return None
        observed = [*_observed(native.trials()), (trial.configuration, is_complete)]
        for name, condition in _arbora.infer_conditions(parameters, observed).items():
            if condition is not None:
                parameters[name]["when"] = condition
        space = _arbora.Space.from_dict({"parameters": parameters})
        return space.canonical(_known(values, parameters)), space


def _known(values: Dict[str, Any], parameters: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if name in parameters}


def _observed(trials: List[Dict[str, Any]]) -> List[Tuple[Dict[str, Any], bool]]:
    """What each ended trial asked for, and whether it came to its end."""
    observed = []
    for fields in trials:
        values = fields["configuration"]
        if fields["state"] == "complete":
            observed.append((values, True))
        elif ASKED_FOR in fields["attributes"]:
            asked = fields["attributes"][ASKED_FOR]
            observed.append(({name: values[name] for name in asked if name in values}, False))
    return observed


def _with_attribute(result: TrialResult, asked: List[str]) -> TrialResult:
    return result._replace(attributes={**(result.attributes or {}), ASKED_FOR: asked})


def _bare(fields: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "when"}


def merged(name: str, known: Dict[str, Any], asked: Dict[str, Any]) -> Dict[str, Any]:
    """The widest of two domains of one parameter.

    >>> merged("n", {"type": "integer", "low": 1, "high": 5}, {"type": "integer", "low": 1, "high": 9})
    {'type': 'integer', 'low': 1, 'high': 9}
    """
    def rest(fields: Dict[str, Any]) -> Dict[str, Any]:
        return {key: value for key, value in fields.items() if key not in ("low", "high", "choices", "when")}

    if rest(known) != rest(asked):
        raise SpaceError(
            f"parameter `{name}` is asked for as {rest(asked)}, but earlier it was {rest(known)}; "
            "its type, scale and step cannot change: give it another name",
            "IncompatibleChange",
            {"name": name},
        )
    wide = _bare(known)
    if "choices" in asked:
        wide["choices"] = [*known["choices"], *(c for c in asked["choices"] if not _among(c, known["choices"]))]
    elif "low" in asked:
        wide["low"], wide["high"] = min(known["low"], asked["low"]), max(known["high"], asked["high"])
    return wide


def _among(choice: Any, choices: List[Any]) -> bool:
    return any(type(choice) is type(other) and choice == other for other in choices)


def _seed(seed: int, number: int, name: str) -> int:
    import hashlib

    text = f"{seed}/{number}/{name}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest(), "little")


def _blank() -> Dict[str, Any]:
    import time

    empty = {"loss": None, "value": None, "cost": None, "duration": None, "ended_at": None, "worker": None}
    now = int(time.time() * 1000)
    return {
        **empty, "number": 0, "configuration": {}, "share": 1.0, "fold": None, "state": "running", "origin": "suggested", "asked_at": now,
        "started_at": now, "attempts": 1, "reason": None, "trace": None, "attributes": {}, "intermediate": [],
    }
