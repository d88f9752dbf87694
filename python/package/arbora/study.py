"""Studies: one search over a space, by asking and telling."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from arbora import _arbora
from arbora.arguments import number, path, seconds, text, trial_number, truth, whole
from arbora.errors import ArboraError, StoreError
from arbora.keywords import called_here
from arbora.space import Configuration, Space, _seed
from arbora.trial import Trial

if TYPE_CHECKING:
    import pandas

    from arbora.discovery import Discovery
    from arbora.failures import Failures
    from arbora.verdict import Verdict

__all__ = ["Study", "studies"]

Strategy = Union[str, Mapping[str, Any]]
Callback = Callable[["Study", Trial], None]
Objective = Callable[[Trial], float]

MEMORY = ":memory:"
DISCOVERED = "arbora.discovered"
"""The attribute that marks a study whose space is discovered."""
# Native studies of a parent process: another thread may have held their locks when it was forked, for good.
_left_behind: List[Any] = []
if hasattr(os, "register_at_fork"):
    # A child must not find an open file, nor a thread in the middle of writing one.
    os.register_at_fork(
        before=_arbora.before_fork, after_in_parent=_arbora.after_fork, after_in_child=_arbora.after_fork
    )


class Study:
    """One search over a space. A suggestion is a pure function of space, history and seed.

    ``storage`` is a file that survives crashes and is shared by any number of processes; a study of that name that is
    there already is continued. Without it the study lives in memory, and other processes get copies of it. Without a
    ``space`` it is discovered from the objective's ``trial.suggest_…`` calls, see :mod:`arbora.discovery`. ``strategy``
    is a name of :func:`arbora.strategies` or a specification as a dict. ``repeats`` allows a configuration to be
    proposed again: say yes if the objective is noisy. A ``seed`` that is not given is drawn, and kept.

    Two settings are for verdicts and change no suggestion: ``deterministic`` says that a configuration always gives the
    same value, and ``range`` which values there can be, such as ``(0, 1)`` for an accuracy or ``(0, None)`` for an
    error.

    >>> space = Space()
    >>> model = space.choice("model", ["svm", "forest"])
    >>> _ = space.real("C", 1e-5, 1e5, log=True, when=model == "svm")
    >>> study = Study(space, seed=7)
    >>> for _ in range(10):
    ...     trial = study.ask()
    ...     study.tell(trial, loss=0.1 * trial["C"] ** 0.5 if trial["model"] == "svm" else 0.3)
    >>> study.best_configuration["model"]
    'svm'
    """

    @called_here(sampler="strategy", study_name="name")
    def __init__(
        self,
        space: Optional[Space] = None,
        *,
        name: str = "study",
        strategy: Strategy = "auto",
        direction: str = "minimize",
        seed: Optional[int] = None,
        storage: Optional[Any] = None,
        repeats: bool = False,
        threads: int = 1,
        deterministic: bool = False,
        range: Optional[Tuple[Optional[float], Optional[float]]] = None,
    ) -> None:
        _check_space(space)
        self._storage = MEMORY if storage is None else path("storage", storage)
        self._name = text("name", name)
        self._settings: Dict[str, Any] = {
            "strategy": dict(strategy) if isinstance(strategy, Mapping) else text("strategy", strategy),
            "direction": text("direction", direction),
            "seed": _seed(seed),
            "is_seeded": seed is not None,
            "repeats": truth("repeats", repeats),
            "threads": whole("threads", threads, 1),
            "deterministic": truth("deterministic", deterministic),
            "range": _range(range),
        }
        self._discovery: Optional[Discovery] = None
        self._native: Optional[_arbora.Study] = None
        self._begin()
        if space is None:
            self._discover()
        else:
            self._native = _arbora.Study.create(self._storage, name, space._native, self._settings)

    _copied_from: Optional[int] = None
    """The process that a study in memory was pickled in."""

    def _begin(self) -> None:
        self._process = os.getpid()
        self._is_stopping = False
        self._failures: Optional[Failures] = None

    def _discover(self) -> None:
        from arbora.discovery import Discovery

        _arbora.check_settings(self._settings)
        if self._storage != MEMORY and self._name in _arbora.Study.names(self._storage):
            # What is there must agree in everything but the space, which is taken as it is.
            space = _arbora.Study.load(self._storage, self._name).space()
            self._native = _arbora.Study.create(self._storage, self._name, space, self._settings)
        if self._native is None or DISCOVERED in self.attributes:
            self._discovery = Discovery(self)

    @classmethod
    def _of(cls, storage: str, native: _arbora.Study) -> Study:
        study = cls.__new__(cls)
        study._storage = storage
        study._name = native.name()
        study._settings = native.options()
        study._native = native
        study._discovery = None
        study._begin()
        if DISCOVERED in study.attributes:
            from arbora.discovery import Discovery

            study._discovery = Discovery(study)
        return study

    @classmethod
    def load(cls, storage: Any, name: Optional[str] = None) -> Study:
        """The study of a name in a file; if there is just one, its name is not needed.

        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "study.db"
        >>> study = Study(some_space, storage=file, name="bowl", seed=1)
        >>> study.optimize(lambda trial: trial["x"] ** 2, trials=3)
        >>> len(Study.load(file).trials)
        3
        """
        known = studies(storage)
        if name is None and len(known) != 1:
            which = f"name one of them: {', '.join(known)}" if known else "create one first"
            message = f"`{storage}` holds {len(known)} studies; {which}"
            raise StoreError(message, "NoStudy", {"name": None, "known": known})
        storage = os.fspath(storage)
        return cls._of(storage, _arbora.Study.load(storage, known[0] if name is None else name))

    # What is known.

    @property
    def name(self) -> str:
        """Its name in the storage.

        >>> study.name
        'study'
        """
        return self._name

    @property
    def storage(self) -> Optional[str]:
        """The file it is kept in; None if it lives in memory.

        >>> study.storage is None
        True
        """
        return None if self._storage == MEMORY else self._storage

    @property
    def space(self) -> Space:
        """Everything that can be tried, as of now. A copy: :meth:`evolve` changes the space of a study.

        >>> study.space == some_space
        True
        """
        return Space() if self._native is None else Space._of(self._live().space())

    @property
    def direction(self) -> str:
        """``minimize`` or ``maximize``.

        >>> study.direction
        'minimize'
        """
        direction: str = self._settings["direction"]
        return direction

    @property
    def strategy(self) -> Any:
        """How suggestions are made: a name, or a specification.

        >>> study.strategy
        'auto'
        """
        return self._live().options()["strategy"] if self._native else self._settings["strategy"]

    @property
    def seed(self) -> int:
        """The source of all randomness.

        >>> study.seed
        1
        """
        seed: int = self._live().options()["seed"] if self._native else self._settings["seed"]
        return seed

    @property
    def trials(self) -> List[Trial]:
        """All trials in order, as of now.

        >>> [trial.state for trial in study.trials]
        ['complete']
        """
        return [] if self._native is None else [Trial(self, fields) for fields in self._live().trials()]

    def trial(self, number: int) -> Trial:
        """One trial, as of now.

        >>> study.trial(0).loss
        0.5
        """
        return Trial(self, self._live().trial(trial_number(number)))

    @property
    def best_trial(self) -> Trial:
        """The trial of least loss among full evaluations, the earliest where several tie.

        >>> study.best_trial.number
        0
        """
        best = self._incumbent()
        if best is None:
            raise _no_loss(self)
        return best

    def _incumbent(self) -> Optional[Trial]:
        """The best trial, for those who can do without; ``None`` before the first full evaluation with a loss."""
        best = None if self._native is None else self._live().best()
        return None if best is None else Trial(self, best)

    @property
    def trustworthy_trial(self) -> Trial:
        """The trial of the best *expected* loss. The best loss seen is biased by luck, the more so the more trials
        there are; a model of all trials averages the luck of one with that of its neighbours. See :meth:`verdict`.

        >>> some_study.trustworthy_trial.number in some_study.verdict().tied
        True
        """
        return self.trial(self.verdict().trusted.trial)

    def verdict(self) -> Verdict:
        """What was found and how sure that is: the best seen and the most trustworthy trial, which others are tied,
        how much too good the best looks, the noise, and whether more trials are worth it. Data, and words by ``str()``.

        >>> print(some_study.verdict())
        11 trials complete, 1 failed.
        Best seen: trial ...
        """
        from arbora.verdict import Verdict

        found = None if self._native is None else _arbora.verdict(self._live())
        if found is None:
            raise _no_loss(self)
        return Verdict._of(*found)

    def expected_best(self) -> Configuration:
        """The configuration of the best expected loss in the whole space. It may be new, and then needs a trial:
        worth it when trials are few.

        >>> 0.0 <= study.expected_best()["x"] <= 1.0
        True
        """
        found = None if self._native is None else _arbora.expected_best(self._live())
        if found is None:
            raise _no_loss(self)
        return found

    @property
    def best_configuration(self) -> Configuration:
        """The configuration of the best trial.

        >>> study.best_configuration
        {'x': 0.25}
        """
        return self.best_trial.configuration

    @property
    def best_params(self) -> Configuration:
        """Another name of :attr:`best_configuration`.

        >>> study.best_params
        {'x': 0.25}
        """
        return self.best_configuration

    @property
    def best_loss(self) -> float:
        """The least loss.

        >>> study.best_loss
        0.5
        """
        loss = self.best_trial.loss
        assert loss is not None, "the best trial has a loss"
        return loss

    @property
    def best_value(self) -> float:
        """The best value of the objective, in the direction of the study.

        >>> study.best_value
        0.5
        """
        value = self.best_trial.value
        assert value is not None, "the best trial has a value"
        return value

    @property
    def attributes(self) -> Dict[str, Any]:
        """What users keep with the study.

        >>> study.set_attribute("data", "digits")
        >>> study.attributes
        {'data': 'digits'}
        """
        return {} if self._native is None else self._live().attributes()

    def set_attribute(self, name: str, value: Any) -> None:
        """Keeps something with the study: numbers, text, lists and dicts of them.

        >>> study.set_attribute("folds", 5)
        """
        self._live().note(None, {name: value})

    # Asking and telling.

    def ask(self, *, worker: Optional[str] = None, lease: Union[float, str, None] = None, stale: str = "again") -> Trial:
        """The next trial to evaluate: one that waits, one whose worker fell silent, or a new suggestion.

        With a ``lease`` the trial is stale after that many seconds without a sign of life, and handed out again;
        :meth:`optimize` gives such signs by itself. ``stale`` says what becomes of the stale trials of others:
        ``again``, ``abandon`` or ``leave``. Ctrl-C ends a suggestion that takes long, and the study is as it was.

        >>> trial = study.ask()
        >>> trial.state
        'running'
        """
        self._warn_of_a_copy()
        worker = _worker() if worker is None else text("worker", worker)
        return self._ask(worker, seconds("lease", lease), stale)

    def _ask(
        self, worker: str, lease: Optional[float], stale: str = "again", stop: Optional[Callable[[], bool]] = None
    ) -> Trial:
        """Asks while the answer is wanted: a long suggestion ends with ``KeyboardInterrupt`` once ``stop`` says so."""
        if self._discovery is not None:
            return self._discovery.ask(worker, lease, stale, stop)
        return Trial(self, self._live().ask(worker, lease, stale, stop))

    def tell(
        self,
        trial: Union[Trial, int],
        value: Optional[float] = None,
        *,
        loss: Optional[float] = None,
        failed: Union[str, BaseException, bool] = False,
        cost: Optional[float] = None,
        duration: Union[float, str, None] = None,
        attributes: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """How a trial ended: the objective's ``value``, in the direction of the study, or a ``loss``, which is better
        the smaller it is, or that it ``failed`` and why. Once this returns it is stored.

        >>> study.tell(study.ask(), 0.7)
        >>> study.tell(study.ask(), loss=0.8, cost=12.0)
        >>> study.tell(study.ask(), failed="out of memory")
        >>> study.trials[-1]
        Trial(3, {'x': ...}, state='failed', reason='out of memory')
        """
        fields = _telling(value, loss, failed, cost, duration, attributes)
        self._warn_of_a_copy()
        if self._discovery is not None and isinstance(trial, Trial):
            number = self._discovery.tell(trial, fields)
        else:
            number = trial_number(trial)
            self._live().tell(number, fields)
        self._speak(number, fields)

    def add(
        self,
        configuration: Mapping[str, Any],
        value: Optional[float] = None,
        *,
        loss: Optional[float] = None,
        failed: Union[str, BaseException, bool] = False,
        cost: Optional[float] = None,
        duration: Union[float, str, None] = None,
        attributes: Optional[Mapping[str, Any]] = None,
    ) -> Trial:
        """Adds a result that is known already, from an earlier study or a table.

        >>> study.add({"x": 0.75}, loss=0.9).number
        1
        """
        fields = _telling(value, loss, failed, cost, duration, attributes)
        self._warn_of_a_copy()
        added = self.trial(self._live().add(configuration, fields))
        self._speak(added.number, fields)
        return added

    def _speak(self, trial: int, fields: Dict[str, Any]) -> None:
        """A loss that is none was meant to be one: the first is worth a word. Who tells a failure knows of it."""
        given = fields.get("value", fields.get("loss"))
        if given is None or -float("inf") < given < float("inf"):
            return
        if self._failures is None:
            from arbora.failures import Failures

            self._failures = Failures()
        self._failures.count(self.trial(trial).reason, f"trial {trial}")

    def enqueue(self, configuration: Mapping[str, Any]) -> Trial:
        """Wants this tried: the next worker that asks gets it. Missing values take their default.

        >>> study.enqueue({"x": 0.5}).state
        'waiting'
        >>> study.ask()["x"]
        0.5
        """
        self._warn_of_a_copy()
        return self.trial(self._live().queue(self.space.complete(configuration)))

    def abandon(self, trial: Union[Trial, int], reason: str = "given up") -> None:
        """Gives a trial up: nothing is learnt from it, and its configuration may be suggested again.

        >>> study.abandon(study.ask(), "the machine was needed")
        >>> study.trials[-1].state
        'abandoned'
        """
        self._live().tell(trial_number(trial), {"abandoned": reason})

    def release(self, trial: Union[Trial, int]) -> None:
        """Puts a trial back: the next worker that asks gets it.

        >>> trial = study.ask()
        >>> study.release(trial)
        >>> study.ask().number == trial.number
        True
        """
        self._live().release(trial_number(trial))

    def evolve(self, space: Space) -> None:
        """Changes the space of the running study: new branches, alternatives and parameters, wider ranges. Old trials
        stay valid; what would make one invalid is refused.

        >>> wider = Space()
        >>> _ = wider.real("x", 0.0, 5.0)
        >>> study.evolve(wider)
        >>> study.trials[0].configuration
        {'x': 0.25}
        """
        self._live().evolve(space._native)

    # Running.

    @called_here(n_trials="trials", n_jobs="jobs", show_progress_bar="progress")
    def optimize(
        self,
        objective: Objective,
        *,
        trials: Optional[int] = None,
        timeout: Union[float, str, None] = None,
        jobs: int = 1,
        callbacks: Union[Callback, Sequence[Callback]] = (),
        catch: Union[Type[BaseException], Sequence[Type[BaseException]]] = (),
        progress: bool = False,
        lease: Union[float, str] = 60.0,
    ) -> None:
        """Asks, evaluates and tells: ``trials`` times, until the ``timeout`` is over (seconds, or text such as ``"10m"``),
        or until the space is exhausted or :meth:`stop` is called. ``jobs`` evaluations run at once, in threads.

        The objective gets the trial, which is also a mapping from the names of the active parameters to their values.
        If it raises, the trial has failed, with the traceback kept; the study goes on if the exception is one of
        ``catch`` and stops otherwise. Ctrl-C puts the running trial back, to be tried again; with several jobs the
        running ones are waited for, and a second Ctrl-C puts them back. ``callbacks`` are called with study and trial
        after each trial. While a trial runs its ``lease`` is prolonged, so that the trials of a dead process are handed
        out again after that many seconds.

        >>> study = Study(some_space, seed=1)
        >>> study.optimize(lambda trial: (trial["x"] - 0.3) ** 2, trials=15)
        >>> abs(study.best_configuration["x"] - 0.3) < 0.05
        True
        """
        from arbora.optimize import Run

        Run(self, objective, trials, timeout, jobs, callbacks, catch, progress, lease).run()

    def stop(self) -> None:
        """Ends :meth:`optimize` after the trials that are running; for objectives and callbacks.

        >>> study = Study(some_space, seed=1)
        >>> study.optimize(lambda trial: trial["x"], trials=50, callbacks=(lambda study, trial: study.stop(),))
        >>> len(study.trials)
        1
        """
        self._is_stopping = True

    # Looking.

    def trials_dataframe(self) -> pandas.DataFrame:
        """The trials as a pandas table, one row each; parameters in columns ``parameters_…``, inactive ones missing.

        >>> study.trials_dataframe()[["number", "state", "loss", "parameters_x"]].values.tolist()
        [[0, 'complete', 0.5, 0.25]]
        """
        from arbora.dataframe import dataframe

        return dataframe(self)

    def covariance(self, configurations: Optional[List[Mapping[str, Any]]] = None) -> List[List[float]]:
        """How alike the strategy takes configurations to be, by default those of all ended trials: the correlation
        matrix of its kernel, with the hyperparameters it believes in before it has seen a loss.

        >>> study.covariance([{"x": 0.1}, {"x": 0.1}, {"x": 0.9}])[0][:2]
        [1.0, 1.0]
        """
        if configurations is None:
            configurations = [trial.configuration for trial in self.trials if trial.is_ended]
        return self._live().covariance(list(configurations))

    # Living.

    def _live(self) -> _arbora.Study:
        if self._process != os.getpid():
            self._reopen()
        if self._native is None:
            raise ArboraError("the study has no space yet; optimize an objective that asks for parameters", "NoSpace")
        return self._native

    def _reopen(self) -> None:
        if self._storage == MEMORY:
            raise StoreError(
                f"study `{self._name}` lives in the memory of process {self._process}, and this one was forked from "
                "it; give the study a storage to use it from several processes",
                "Forked",
                {"name": self._name},
            )
        _left_behind.append(self._native)
        self._native = None if self._native is None else _arbora.Study.load(self._storage, self._name)
        self._begin()
        if self._discovery is not None:
            self._discovery.renew()

    def _warn_of_a_copy(self) -> None:
        """A worker that was handed a study in memory has a copy of it: without a word, all that it does is lost."""
        process, self._copied_from = self._copied_from, None
        if process is not None and process != os.getpid() and process in _parents():
            import warnings

            warnings.warn(
                f"study `{self._name}` is a copy, for the study lives in the memory of process {process}, which does not "
                "see what is asked and told here; give it a storage (a file) to search in several processes, or return the copy",
                stacklevel=3,
            )

    def copy(self) -> Study:
        """The study as it is now, in memory: it needs no file, so that it can be pickled and taken elsewhere.

        >>> len(study.copy()) == len(study)
        True
        """
        if self._native is None:
            return _blank(MEMORY, self._name, self._settings)
        return _restored(self._live().dump())

    def __len__(self) -> int:
        return 0 if self._native is None else self._live().count()

    def __bool__(self) -> bool:
        return True

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._native is None:
            return _blank, (self._storage, self._name, self._settings, os.getpid())
        if self._storage == MEMORY:
            return _restored, (self._live().dump(), os.getpid())
        return Study.load, (self._storage, self._name)

    def __repr__(self) -> str:
        where = "" if self._storage == MEMORY else f", storage={self._storage!r}"
        return f"<Study {self._name!r}{where}, {len(self)} trials>"

    def _repr_html_(self) -> str:
        from arbora import markup

        return markup.study(self)


def studies(storage: Any) -> List[str]:
    """The names of the studies in a file.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "study.db"
    >>> _ = Study(some_space, storage=file, name="bowl")
    >>> studies(file)
    ['bowl']
    """
    storage = os.fspath(storage)
    # Opening creates what is not there; looking must not.
    if "://" not in storage and not os.path.exists(storage):
        raise StoreError(f"there is no file `{storage}`; check the path", "NoFile", {"path": storage})
    return _arbora.Study.names(storage)


def _check_space(space: Any) -> None:
    if space is None or isinstance(space, Space):
        return
    if callable(space):
        raise TypeError(f"a space is wanted here, not {space!r}; the objective goes to optimize, or first into minimize")
    way = "declare its parameters by Space().real and its sisters, or read it by Space.from_dict"
    raise TypeError(f"a space is wanted here, not {type(space).__name__} {space!r}; {way}")


def _blank(storage: str, name: str, settings: Dict[str, Any], process: Optional[int] = None) -> Study:
    kept = {key: value for key, value in settings.items() if key != "is_seeded"}
    study = Study(storage=None if storage == MEMORY else storage, name=name, **kept)
    study._copied_from = process if storage == MEMORY else None
    return study


def _restored(text: str, process: Optional[int] = None) -> Study:
    study = Study._of(MEMORY, _arbora.Study.restore(text))
    study._copied_from = process
    return study


def _parents() -> List[int]:
    """The processes that this one was started by: a worker that is made by a server knows whom it works for."""
    started = sys.modules.get("multiprocessing.process")
    worked_for = None if started is None else started.parent_process()
    return [os.getppid(), *([] if worked_for is None else [worked_for.pid])]


def _range(given: Any) -> Tuple[Optional[float], Optional[float]]:
    """The least and the greatest value there can be; ``None`` where there is no end."""
    if given is None:
        return None, None
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise TypeError(f"range = {given!r} is not possible: it must be a pair such as (0, 1) or (0, None)")
    low, high = (None if end is None else number(f"range = {given!r}: each end", end) for end in given)
    return low, high


def _no_loss(study: Study) -> ArboraError:
    """Why there is no best trial: none was run, none ended with a loss, or none of a full evaluation."""
    why = None if study._native is None else study._live().missing()
    return ArboraError(why or "no trial has a loss yet; run some first", "NoBest", {})


def _worker() -> str:
    # Without the module `socket`: it is slow to import, and an import in a forked child may wait for a lock for ever.
    host = os.environ.get("COMPUTERNAME", "windows") if sys.platform == "win32" else os.uname().nodename
    return f"{host}-{os.getpid()}-{threading.get_ident()}"


def _telling(
    value: Optional[float],
    loss: Optional[float],
    failed: Union[str, BaseException, bool],
    cost: Optional[float],
    duration: Union[float, str, None],
    attributes: Optional[Mapping[str, Any]],
) -> Dict[str, Any]:
    has_failed = failed is not False and failed is not None
    if (value is not None) + (loss is not None) + has_failed != 1:
        raise TypeError("say how the trial ended by one of value, loss and failed")
    fields: Dict[str, Any] = {}
    if value is not None:
        fields["value"] = number("the value", value)
    if loss is not None:
        fields["loss"] = number("the loss", loss)
    if has_failed:
        fields.update(_failure(failed))
    more: Dict[str, Any] = {"attributes": None if attributes is None else dict(attributes)}
    more["cost"] = None if cost is None else number("the cost", cost)
    more["duration"] = seconds("duration", duration)
    fields.update((name, item) for name, item in more.items() if item is not None)
    return fields


def _failure(failed: Union[str, BaseException, bool]) -> Dict[str, Any]:
    if isinstance(failed, BaseException):
        import traceback

        name = type(failed).__name__
        try:
            text = str(failed)
        except Exception as trouble:
            text = f"its text cannot be had, __str__ raised {type(trouble).__name__}"
        trace = "".join(traceback.format_exception(type(failed), failed, failed.__traceback__))
        return {"failure": _writable(f"{name}: {text}" if text else name), "trace": _writable(trace)}
    return {"failure": "failed" if failed is True else _writable(str(failed))}


def _writable(text: str) -> str:
    """Without lone surrogates, as in names of files that are not UTF-8: they become ``\\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
