"""The loop that asks, evaluates and tells, in one thread or several."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Tuple, Type, Union

from arbora.arguments import exceptions, functions, number, seconds, some_seconds, whole
from arbora.connection import MEMORY, worker_name
from arbora.errors import ArboraError, ExhaustedError, TrialError, TrialPruned
from arbora.failures import LOG, Failures
from arbora.interrupt import Interrupts
from arbora.progress import Progress
from arbora.session import Session
from arbora.trial import Objective, Trial
from arbora.trial_result import TrialResult, failure, stopped

Callback = Callable[[Any, Trial], None]
Catch = Union[Type[BaseException], Sequence[Type[BaseException]]]


class Options(NamedTuple):
    """How long to run and how; see ``Study.optimize``."""

    trials: Optional[int] = None
    timeout: Union[float, str, None] = None
    jobs: int = 1
    callbacks: Union[Callback, Sequence[Callback]] = ()
    catch: Catch = ()
    progress: bool = False
    lease: Union[float, str] = 60.0


class Run:
    """One call of ``Study.optimize``; callbacks are given the ``study``.

    >>> from arbora.examples import bowl_space
    >>> study = Study(bowl_space(), seed=1)
    >>> Run(study._session, study, lambda trial: trial["x"], Options(trials=3)).run()
    >>> len(study.trials)
    3
    """

    def __init__(self, session: Session, study: Any, objective: Objective, options: Options) -> None:
        if not callable(objective):
            raise TypeError(f"the objective must be a function of a trial, not {objective!r}")
        self.session, self.study, self.objective = session, study, objective
        self.left = None if options.trials is None else whole("trials", options.trials, 0)
        self.jobs = whole("jobs", options.jobs, 1)
        self.lock = threading.Lock()
        allowed = seconds("timeout", options.timeout)
        self.ends_at = None if allowed is None else time.monotonic() + allowed
        self.callbacks = functions("callbacks", options.callbacks)
        self.catch = exceptions("catch", options.catch)
        self.lease = some_seconds("lease", options.lease)
        self.error: Optional[BaseException] = None
        self.interrupts = Interrupts()
        # Trials being evaluated, by number; once they were put back, none of them is told.
        self.running: Dict[int, Trial] = {}
        self.is_over = False
        self.failures = Failures()
        if options.progress:
            self.callbacks = (Progress(self.left, allowed), *self.callbacks)

    def run(self) -> None:
        """Run until there is a reason to stop; raise what an objective or a callback raised."""
        self.session.is_stopping = False
        with self.interrupts:
            if self.session.native is None:
                # The first trial discovers the space; the others need one to ask for.
                self.work(1)
            if self.error is None:
                if self.jobs == 1:
                    self.work(None)
                else:
                    self.work_in_threads()
        for callback in self.callbacks:
            close = getattr(callback, "close", None)
            if close is not None:
                close()
        self.failures.say_sum()
        if self.error is not None:
            raise self.error

    def work_in_threads(self) -> None:
        """Threads cannot be stopped: after one interrupt no trial begins, after two the running
        ones are put back."""
        threads = [threading.Thread(target=self.work, args=(None,), daemon=True) for _ in range(self.jobs)]
        before, is_told = self.interrupts.count, False
        with self.interrupts.held():
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                heard = self.interrupts.count - before
                if heard > 0 and not is_told:
                    is_told, self.error, self.session.is_stopping = True, KeyboardInterrupt(), True
                    running = len(self.running)
                    LOG.warning("interrupted: %d trials are still running; Ctrl-C again puts them back", running)
                if heard > 1:
                    self.put_all_back()
                    break
                time.sleep(0.02)

    def put_all_back(self) -> None:
        """Put all running trials back; threads that end later tell nothing."""
        with self.lock:
            self.is_over = True
            left = list(self.running.values())
        for trial in left:
            self.put_back(trial)

    def work(self, at_most: Optional[int]) -> None:
        """Run trials until there is a reason to stop."""
        worker = worker_name()
        beating = self.heartbeat(worker)
        try:
            done = 0
            while (at_most is None or done < at_most) and self.goes_on():
                if beating is None:
                    beating = self.heartbeat(worker)
                self.one(worker, beating)
                done += 1
        except ExhaustedError as exhausted:
            with self.lock:
                is_first, self.session.is_stopping = not self.session.is_stopping, True
            if is_first:
                LOG.warning("the study ends after %d trials: %s", self.failures.ended, exhausted)
        except BaseException as error:
            self.error = self.error or error
            self.session.is_stopping = True
        finally:
            if beating is not None:
                beating.stop()

    def heartbeat(self, worker: str) -> Any:
        """Start a heartbeat; a study in memory, which no other process sees, needs none."""
        if self.session.storage == MEMORY or self.session.native is None:
            return None
        return self.session.live().heartbeat(worker, self.lease)

    def goes_on(self) -> bool:
        """May another trial begin? If so, take it from the budget."""
        if self.session.is_stopping or (self.ends_at is not None and time.monotonic() >= self.ends_at):
            return False
        if self.left is None:
            return True
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def one(self, worker: str, beating: Any) -> None:
        """Ask for a trial, evaluate it and tell. An interrupted trial is put back: it says
        nothing about its configuration."""
        count, is_settled = self.interrupts.count, False
        with self.interrupts.held():
            self.session.warn_of_copy()
            lease = None if beating is None else self.lease
            trial = self.session.ask(worker, lease, stop=lambda: self.is_unwanted(count))
            if beating is not None:
                beating.add(trial.number)
            self.running[trial.number] = trial
        try:
            self.interrupts.check(count)
            result, error = self.evaluate(trial)
            # An objective may swallow the interrupt and return what it has: half of what was asked
            # for.
            self.interrupts.check(count)
            with self.interrupts.held():
                is_settled, ended = True, self.settle(trial, result, error)
        finally:
            with self.interrupts.held():
                if beating is not None:
                    beating.remove(trial.number)
                if self.running.pop(trial.number, None) is not None and not is_settled and not self.is_over:
                    self.put_back(trial)
        if error is not None and not isinstance(error, self.catch):
            raise error
        if ended is not None:
            self.failures.count(ended.reason if ended.state == "failed" else None, f"trial {ended.number}")
            for callback in self.callbacks:
                callback(self.study, ended)

    def is_unwanted(self, count: int) -> bool:
        """Has an interrupt come since the count was taken, so that a suggestion is no longer
        wanted?"""
        return self.interrupts.count > count or self.session.is_stopping

    def evaluate(self, trial: Trial) -> Tuple[TrialResult, Optional[BaseException]]:
        """The result to tell, and what the objective raised, unless it was an interrupt."""
        error: Optional[BaseException] = None
        failures: Tuple[Type[BaseException], ...] = (Exception, *self.catch)
        started = time.monotonic()
        try:
            result = evaluated(self.objective, trial)
        except TrialPruned as raised:
            result = stopped(raised, trial._verdict)
        except failures as raised:
            error, result = raised, failure(raised)
        return result._replace(duration=time.monotonic() - started), error

    def settle(self, trial: Trial, result: TrialResult, error: Optional[BaseException]) -> Optional[Trial]:
        """Tell the result, unless the trial was put back meanwhile."""
        with self.lock:
            if self.is_over:
                return None
            self.running.pop(trial.number, None)
        try:
            return self.tell(trial, result)
        except ArboraError:
            # What the objective raised is why there is nothing to tell, and what its author must
            # see.
            if error is not None and self.session.native is None:
                raise error from None
            raise

    def put_back(self, trial: Trial) -> None:
        """Queue the trial again; if that fails, it is handed out when its lease ends."""
        if self.session.native is not None:
            with contextlib.suppress(ArboraError):
                self.session.live().release(trial.number)

    def tell(self, trial: Trial, result: TrialResult) -> Optional[Trial]:
        """Tell the result and return the stored trial; None if another worker told it first."""
        try:
            return self.session.trial(self.session.tell(trial, result))
        except TrialError as error:
            if error.kind != "AlreadyTold" or self.session.storage == MEMORY:
                raise
            import warnings

            warnings.warn(f"trial {trial.number} was given to another worker meanwhile, which told it first", stacklevel=2)
            return None


def evaluated(objective: Objective, trial: Trial) -> TrialResult:
    """Call the objective and check what it returns."""
    try:
        value: Any = objective(trial)
    except TypeError as error:
        inside = error.__traceback__ and error.__traceback__.tb_next
        if inside is not None:
            raise
        # The call itself went wrong, nothing of the objective ran.
        name = getattr(objective, "__name__", repr(objective))
        raise TypeError(f"the objective is called with one argument, the trial, but {name}(trial) says: {error}") from None
    if value is None:
        return TrialResult(failure="the objective returned None")
    try:
        return TrialResult(value=number("what the objective returns", value))
    except TypeError as error:
        several = isinstance(value, (tuple, list)) and len(value) > 1
        way = "; a study has one objective: return a weighted sum, and keep the parts by trial.set_attribute"
        raise TypeError(f"{error}{way if several else ''}") from None
