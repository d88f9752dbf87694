"""Studies: one search over a space, by asking and telling."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union, overload

from arbora import _arbora
from arbora.arguments import path, seconds, text, trial_number, whole
from arbora.connection import MEMORY, worker_name
from arbora.errors import ExhaustedError, StoreError
from arbora.keywords import called_here
from arbora.session import Session, native_settings
from arbora.settings import Pruner, Strategy, settings
from arbora.space import Space
from arbora.study_results import StudyResults
from arbora.trial import Objective, Trial
from arbora.trial_result import Failed, Pruned, TrialResult, result

__all__ = ["Study", "studies"]

Callback = Callable[["Study", Trial], None]


class Study(StudyResults):
    """One search over a space. A suggestion depends on space, history and seed alone.

    ``storage`` is a file that survives crashes and that any number of processes may share; if it
    holds a study of this ``name``, that study is continued. Without it the study lives in memory,
    and other processes get copies. Without a ``space`` the study learns it from the
    ``trial.suggest_…`` calls of the objective, see :mod:`arbora.define_by_run`. ``strategy`` is a
    name from :func:`arbora.strategies` or a specification as a dict. ``repeats=True`` lets the
    strategy evaluate a configuration again; use it for noisy objectives. A ``seed`` that is not
    given is drawn and kept.

    ``pruner`` decides which trials are stopped early, for objectives that report on their way and
    ask :meth:`Trial.should_prune`: a name from :func:`arbora.pruners` or a specification as a dict.
    The default, ``curve``, stops a trial that has little chance to become the best; ``"none"`` stops
    none.

    Two settings are for verdicts and change no suggestion: ``deterministic`` says that a
    configuration always gives the same value, and ``range`` which values are possible, such as
    ``(0, 1)`` for an accuracy or ``(0, None)`` for an error.

    >>> from arbora import Space, Study
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
        pruner: Optional[Pruner] = None,
    ) -> None:
        _check_space(space)
        place = MEMORY if storage is None else path("storage", storage)
        chosen = settings(
            strategy=strategy, direction=direction, seed=seed, repeats=repeats, threads=threads,
            deterministic=deterministic, range=range, pruner=pruner,
        )
        self._session = Session(place, text("name", name), chosen)
        if space is None:
            self._session.discover()
        else:
            self._session.create(space._native)

    @classmethod
    def _of(cls, storage: str, native: _arbora.Study) -> Study:
        study = cls.__new__(cls)
        study._session = Session(storage, native.name(), native_settings(native), native)
        study._session.continue_discovery()
        return study

    @classmethod
    def load(cls, storage: Any, name: Optional[str] = None) -> Study:
        """Open a study in a file; its ``name`` is needed only if the file holds several.

        >>> from arbora.examples import bowl_space
        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "study.db"
        >>> study = Study(bowl_space(), storage=file, name="bowl", seed=1)
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

    # Asking and telling.

    @overload
    def ask(
        self,
        count: None = None,
        *,
        worker: Optional[str] = None,
        lease: Union[float, str, None] = None,
        stale: str = "again",
    ) -> Trial: ...

    @overload
    def ask(
        self,
        count: int,
        *,
        worker: Optional[str] = None,
        lease: Union[float, str, None] = None,
        stale: str = "again",
    ) -> List[Trial]: ...

    def ask(
        self,
        count: Optional[int] = None,
        *,
        worker: Optional[str] = None,
        lease: Union[float, str, None] = None,
        stale: str = "again",
    ) -> Union[Trial, List[Trial]]:
        """Return the next trial: a queued one, one whose worker died, or a new suggestion.

        With a ``count``, return a list of that many trials, to be evaluated side by side. Each is
        chosen knowing that the others are running. The list is shorter if the space is exhausted.
        If asking is interrupted or fails, the trials of the list are queued again.

        With a ``lease``, the trial becomes stale after that many seconds without a heartbeat and is
        handed out again; :meth:`optimize` sends heartbeats by itself. ``stale`` says what happens
        to the stale trials of other workers: ``again``, ``abandon`` or ``leave``. Ctrl-C ends a
        suggestion that takes long and leaves the study unchanged.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> trial = study.ask()
        >>> trial.state
        'running'
        >>> len(study.ask(3))
        3
        """
        self._session.warn_of_copy()
        worker = worker_name() if worker is None else text("worker", worker)
        terms = worker, seconds("lease", lease), stale
        if count is None:
            return self._session.ask(*terms)
        asked: List[Trial] = []
        try:
            for _ in range(whole("count", count, least=1)):
                asked.append(self._session.ask(*terms))
        except ExhaustedError:
            if not asked:
                raise
        except BaseException:
            for trial in asked:
                self.release(trial)
            raise
        return asked

    def tell(
        self,
        trial: Union[Trial, int],
        value: Optional[float] = None,
        *,
        loss: Optional[float] = None,
        failed: Failed = False,
        cost: Optional[float] = None,
        duration: Union[float, str, None] = None,
        attributes: Optional[Mapping[str, Any]] = None,
        pruned: Pruned = False,
    ) -> None:
        """Say how a trial ended: the objective's ``value``, in the direction of the study; or a
        ``loss``, which is always minimised; or that it ``failed``, and why; or that it was
        ``pruned``: stopped early. The result is stored once this returns.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.tell(study.ask(), 0.7)
        >>> study.tell(study.ask(), loss=0.8, cost=12.0)
        >>> study.tell(study.ask(), failed="out of memory")
        >>> study.tell(study.ask(), pruned="no better than guessing")
        >>> study.trials[-2]
        Trial(3, {'x': ...}, state='failed', reason='out of memory')
        """
        ended = result(value, loss, failed, cost, duration, attributes, pruned)
        self._session.warn_of_copy()
        self._session.warn_of_bad_loss(self._session.tell(trial, ended), ended)

    def add(
        self,
        configuration: Mapping[str, Any],
        value: Optional[float] = None,
        *,
        loss: Optional[float] = None,
        failed: Failed = False,
        cost: Optional[float] = None,
        duration: Union[float, str, None] = None,
        attributes: Optional[Mapping[str, Any]] = None,
    ) -> Trial:
        """Add a result that is known already, from an earlier study or a table.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.add({"x": 0.75}, loss=0.9).number
        1
        """
        ended = result(value, loss, failed, cost, duration, attributes)
        self._session.warn_of_copy()
        added = self.trial(self._live().add(configuration, ended))
        self._session.warn_of_bad_loss(added.number, ended)
        return added

    def enqueue(self, configuration: Mapping[str, Any]) -> Trial:
        """Queue a configuration: the next worker that asks gets it. Missing values take their
        default.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.enqueue({"x": 0.5}).state
        'waiting'
        >>> study.ask()["x"]
        0.5
        """
        self._session.warn_of_copy()
        return self.trial(self._live().queue(self.space.complete(configuration)))

    def abandon(self, trial: Union[Trial, int], reason: str = "given up") -> None:
        """Give a trial up: nothing is learnt from it, and its configuration may be suggested again.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.abandon(study.ask(), "the machine was needed")
        >>> study.trials[-1].state
        'abandoned'
        """
        self._live().tell(trial_number(trial), TrialResult(abandoned=reason))

    def release(self, trial: Union[Trial, int]) -> None:
        """Put a trial back: the next worker that asks gets it.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> trial = study.ask()
        >>> study.release(trial)
        >>> study.ask().number == trial.number
        True
        """
        self._live().release(trial_number(trial))

    def set_attribute(self, name: str, value: Any) -> None:
        """Keep something with the study: numbers, text, lists and dicts of them.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.set_attribute("folds", 5)
        """
        self._live().note(None, {name: value})

    def evolve(self, space: Space) -> None:
        """Change the space of the running study: add branches, alternatives and parameters, or
        widen ranges. A change that would make an old trial invalid is refused.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
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
        """Ask, evaluate and tell: ``trials`` times, until the ``timeout`` (seconds, or text such as
        ``"10m"``), until the space is exhausted or until :meth:`stop` is called. ``jobs``
        evaluations run at once, in threads.

        The objective is called with the trial, which is also a mapping from the names of the active
        parameters to their values. If it raises, the trial fails and keeps the traceback; the study
        goes on if the exception is one of ``catch`` and stops otherwise. If it raises
        :class:`arbora.TrialPruned`, the trial is pruned and the study goes on. Ctrl-C puts the running
        trial back, to be tried again; with several jobs it waits for the running ones, and a second
        Ctrl-C puts them back. ``callbacks`` are called with study and trial after each trial. A
        heartbeat renews the ``lease`` of a running trial, so that the trials of a dead process are
        handed out again after that many seconds.

        >>> from arbora.examples import bowl_space
        >>> study = Study(bowl_space(), seed=1)
        >>> study.optimize(lambda trial: (trial["x"] - 0.3) ** 2, trials=15)
        >>> abs(study.best_configuration["x"] - 0.3) < 0.05
        True
        """
        from arbora.optimize import Options, Run

        options = Options(trials, timeout, jobs, callbacks, catch, progress, lease)
        Run(self._session, self, objective, options).run()

    def stop(self) -> None:
        """End :meth:`optimize` after the running trials; for objectives and callbacks.

        >>> from arbora.examples import bowl_space
        >>> study = Study(bowl_space(), seed=1)
        >>> study.optimize(lambda trial: trial["x"], trials=50, callbacks=(lambda study, trial: study.stop(),))
        >>> len(study.trials)
        1
        """
        self._session.is_stopping = True

    # Copying.

    def copy(self) -> Study:
        """A copy in memory. It needs no file, so that it can be pickled and taken elsewhere.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> len(study.copy()) == len(study)
        True
        """
        if not self._has_space:
            return _blank(MEMORY, self.name, self._session.settings._asdict())
        return _restored(self._live().dump())

    def __reduce__(self) -> Tuple[Any, ...]:
        session = self._session
        if session.native is None:
            return _blank, (session.storage, session.name, session.settings._asdict(), os.getpid())
        if session.storage == MEMORY:
            return _restored, (session.live().dump(), os.getpid())
        return Study.load, (session.storage, session.name)


def studies(storage: Any) -> List[str]:
    """The names of the studies in a file.

    >>> from arbora.examples import bowl_space
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "study.db"
    >>> _ = Study(bowl_space(), storage=file, name="bowl")
    >>> studies(file)
    ['bowl']
    """
    return _arbora.Study.names(os.fspath(storage))


def _check_space(space: Any) -> None:
    if space is None or isinstance(space, Space):
        return
    if callable(space):
        raise TypeError(f"a space is wanted here, not {space!r}; the objective goes to optimize, or first into minimize")
    way = "declare its parameters by Space().real and its sisters, or read it by Space.from_dict"
    raise TypeError(f"a space is wanted here, not {type(space).__name__} {space!r}; {way}")


# Pickles name the two functions below: they stay where they are.


def _blank(storage: str, name: str, settings: Dict[str, Any], process: Optional[int] = None) -> Study:
    kept = {key: value for key, value in settings.items() if key != "is_seeded"}
    study = Study(storage=None if storage == MEMORY else storage, name=name, **kept)
    study._session.copied_from = process if storage == MEMORY else None
    return study


def _restored(text: str, process: Optional[int] = None) -> Study:
    study = Study._of(MEMORY, _arbora.Study.restore(text))
    study._session.copied_from = process
    return study
