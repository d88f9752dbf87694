"""The loop that asks, evaluates and tells, in one thread or several."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple, Type, Union

from arbora.arguments import exceptions, functions, number, seconds, some_seconds, whole
from arbora.errors import ArboraError, ExhaustedError, TrialError
from arbora.failures import LOG, Failures
from arbora.interrupt import Interrupts
from arbora.study import _failure, _worker

if TYPE_CHECKING:
    from arbora.study import Callback, Objective, Study
    from arbora.trial import Trial

Catch = Union[Type[BaseException], Sequence[Type[BaseException]]]


class Run:
    """One call of ``Study.optimize``.

    >>> study = Study(some_space, seed=1)
    >>> Run(study, lambda trial: trial["x"], 3, None, 1, (), (), False, 60.0).run()
    >>> len(study.trials)
    3
    """

    def __init__(
        self,
        study: Study,
        objective: Objective,
        trials: Optional[int],
        timeout: Union[float, str, None],
        jobs: int,
        callbacks: Union[Callback, Sequence[Callback]],
        catch: Catch,
        progress: bool,
        lease: Union[float, str],
    ) -> None:
        if not callable(objective):
            raise TypeError(f"the objective must be a function of a trial, not {objective!r}")
        self.study, self.objective = study, objective
        self.left = None if trials is None else whole("trials", trials, 0)
        self.jobs = whole("jobs", jobs, 1)
        self.lock = threading.Lock()
        allowed = seconds("timeout", timeout)
        self.ends_at = None if allowed is None else time.monotonic() + allowed
        self.callbacks = functions("callbacks", callbacks)
        self.catch = exceptions("catch", catch)
        self.lease = some_seconds("lease", lease)
        self.error: Optional[BaseException] = None
        self.interrupts = Interrupts()
        # Trials being evaluated, by number; none of them is told any more once they were put back.
        self.running: Dict[int, Trial] = {}
        self.is_over = False
        self.failures = Failures()
        if progress:
            from arbora.progress import Progress

            self.callbacks = (Progress(self.left, allowed), *self.callbacks)

    def run(self) -> None:
        """Runs until there is a reason to stop; raises what an objective or a callback raised."""
        self.study._is_stopping = False
        with self.interrupts:
            if self.study._native is None:
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
        """Threads cannot be stopped: after one interrupt nothing new begins, after two what runs is given back."""
        threads = [threading.Thread(target=self.work, args=(None,), daemon=True) for _ in range(self.jobs)]
        before, is_told = self.interrupts.count, False
        with self.interrupts.held():
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                heard = self.interrupts.count - before
                if heard > 0 and not is_told:
                    is_told, self.error, self.study._is_stopping = True, KeyboardInterrupt(), True
                    running = len(self.running)
                    LOG.warning("interrupted: %d trials are still running; Ctrl-C again puts them back", running)
                if heard > 1:
                    self.put_all_back()
                    break
                time.sleep(0.02)

    def put_all_back(self) -> None:
        """Gives back what runs; threads that end later tell nothing."""
        with self.lock:
            self.is_over = True
            left = list(self.running.values())
        for trial in left:
            self.put_back(trial)

    def work(self, at_most: Optional[int]) -> None:
        """Trial after trial until there is a reason to stop."""
        worker = _worker()
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
                is_first, self.study._is_stopping = not self.study._is_stopping, True
            if is_first:
                LOG.warning("the study ends after %d trials: %s", self.failures.ended, exhausted)
        except BaseException as error:
            self.error = self.error or error
            self.study._is_stopping = True
        finally:
            if beating is not None:
                beating.stop()

    def heartbeat(self, worker: str) -> Any:
        """Signs of life matter to others only: a study in memory needs none."""
        if self.study.storage is None or self.study._native is None:
            return None
        return self.study._live().heartbeat(worker, self.lease)

    def goes_on(self) -> bool:
        """May another trial begin? Takes it from the budget."""
        if self.study._is_stopping or (self.ends_at is not None and time.monotonic() >= self.ends_at):
            return False
        if self.left is None:
            return True
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def one(self, worker: str, beating: Any) -> None:
        """Asks for a trial, evaluates it and tells. An interrupted trial is put back: it says nothing of its place."""
        count, is_settled = self.interrupts.count, False
        with self.interrupts.held():
            self.study._warn_of_a_copy()
            lease = None if beating is None else self.lease
            trial = self.study._ask(worker, lease, stop=lambda: self.is_unwanted(count))
            if beating is not None:
                beating.add(trial.number)
            self.running[trial.number] = trial
        try:
            self.interrupts.check(count)
            fields, error = self.evaluate(trial)
            # An objective may swallow the interrupt and return what it has: half of what was asked for.
            self.interrupts.check(count)
            with self.interrupts.held():
                is_settled, ended = True, self.settle(trial, fields, error)
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
        """Is a suggestion that is still being made no longer wanted? After an interrupt since the count was taken."""
        return self.interrupts.count > count or self.study._is_stopping

    def evaluate(self, trial: Trial) -> Tuple[Dict[str, Any], Optional[BaseException]]:
        """What is to be told, and what the objective raised, if that is a failure and no interrupt."""
        error: Optional[BaseException] = None
        failures: Tuple[Type[BaseException], ...] = (Exception, *self.catch)
        started = time.monotonic()
        try:
            fields = evaluated(self.objective, trial)
        except failures as raised:
            error, fields = raised, _failure(raised)
        fields["duration"] = time.monotonic() - started
        return fields, error

    def settle(self, trial: Trial, fields: Dict[str, Any], error: Optional[BaseException]) -> Optional[Trial]:
        """Tells, unless the trial was put back meanwhile."""
        with self.lock:
            if self.is_over:
                return None
            self.running.pop(trial.number, None)
        try:
            return self.tell(trial, fields)
        except ArboraError:
            # What the objective raised is why there is nothing to tell, and what its author must see.
            if error is not None and self.study._native is None:
                raise error from None
            raise

    def put_back(self, trial: Trial) -> None:
        """The trial waits again; one that cannot be put back is handed out when its lease ends."""
        if self.study._native is not None:
            with contextlib.suppress(ArboraError):
                self.study._live().release(trial.number)

    def tell(self, trial: Trial, fields: Dict[str, Any]) -> Optional[Trial]:
        """Tells, and answers with the trial as it is stored; None if somebody else told it first."""
        try:
            if self.study._discovery is not None:
                return self.study.trial(self.study._discovery.tell(trial, fields))
            self.study._live().tell(trial.number, fields)
        except TrialError as error:
            if error.kind != "AlreadyTold" or self.study.storage is None:
                raise
            import warnings

            warnings.warn(f"trial {trial.number} was given to another worker meanwhile, which told it first", stacklevel=2)
            return None
        return self.study.trial(trial.number)


def evaluated(objective: Callable[[Trial], Any], trial: Trial) -> Dict[str, Any]:
    """What the objective says, as it is told."""
    try:
        value = objective(trial)
    except TypeError as error:
        inside = error.__traceback__ and error.__traceback__.tb_next
        if inside is not None:
            raise
        # The call itself went wrong, nothing of the objective ran.
        name = getattr(objective, "__name__", repr(objective))
        raise TypeError(f"the objective is called with one argument, the trial, but {name}(trial) says: {error}") from None
    if value is None:
        return {"failure": "the objective returned None"}
    try:
        return {"value": number("what the objective returns", value)}
    except TypeError as error:
        several = isinstance(value, (tuple, list)) and len(value) > 1
        way = "; a study has one objective: return a weighted sum, and keep the parts by trial.set_attribute"
        raise TypeError(f"{error}{way if several else ''}") from None
