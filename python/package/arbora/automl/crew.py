"""Processes that evaluate, one job each at a time, and really end when they are late.

A learner in native code cannot be interrupted from within, and a thread cannot be killed: only a process can. Each
worker is a fresh interpreter, not a fork, because a fork of a process that has used OpenMP hangs; it does not import the
user's main module, so scripts need no guard. The table is written to files once, and mapped by every worker. What a worker
does with a job says ``child``; one that died is replaced when there is work for it.
"""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

from arbora.automl.child import FORKS, STOP, answer
from arbora.automl.evaluation import Evaluator
from arbora.automl.message import receive, send

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Ended(NamedTuple):
    """How a job ended."""

    key: Any
    result: Any
    """What it gave; None if it failed."""
    reason: Optional[str]
    """Why it failed."""
    trace: Optional[str]
    seconds: float
    is_out_of_time: bool
    """Was it ended because all time was up, rather than its own?"""


class Job:
    """A job that a worker has."""

    def __init__(self, key: Any, limit: Optional[float], ends_at: Optional[float]) -> None:
        self.key, self.limit, self.ends_at = key, limit, ends_at
        self.began, self.has_begun = time.monotonic(), False

    def begin(self) -> None:
        """Its time counts from now: starting a process and loading libraries does not."""
        self.began, self.has_begun = time.monotonic(), True

    def late_at(self) -> Optional[float]:
        """When it is to be ended."""
        times = [self.ends_at, self.began + self.limit if self.limit is not None and self.has_begun else None]
        return min((at for at in times if at is not None), default=None)

    def ended(self, result: Any = None, reason: Optional[str] = None, trace: Optional[str] = None) -> Ended:
        """The end of it, now."""
        return Ended(self.key, result, reason, trace, time.monotonic() - self.began, False)


class Worker:
    """One process, started again when it died."""

    def __init__(self, context: bytes, threads: int, said: queue.SimpleQueue[Any]) -> None:
        self.context, self.threads, self.said = context, threads, said
        self.process: Optional[subprocess.Popen[bytes]] = None
        self.job: Optional[Job] = None
        self.serial = 0
        """The number of its job: what is said about earlier ones comes too late."""

    def give(self, job: Job, message: Dict[str, Any]) -> None:
        """Sends it a job."""
        if self.process is None or self.process.poll() is not None:
            self.end()
            self.process = self.started()
        self.job, self.serial = job, self.serial + 1
        self.send((self.serial, message))

    def send(self, message: Any) -> None:
        """Says something; if the process died meanwhile, its listener knows."""
        assert self.process is not None and self.process.stdin is not None, "it was started with a pipe"
        try:
            send(self.process.stdin, message)
        except OSError:
            return

    def stop(self) -> None:
        """Ends its job, and the process only if that is the only way."""
        self.job = None
        if FORKS:
            self.send(STOP)
        else:
            self.end()

    def started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "from arbora.automl.child import main; main()"]
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        environment = {name: str(self.threads) for name in THREADS}
        environment.update(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH", "")]))
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True,
        )
        threading.Thread(target=self.listen, args=(process,), daemon=True).start()
        assert process.stdin is not None, "it was started with a pipe"
        try:
            send(process.stdin, list(sys.path))
            send(process.stdin, self.context)
        except OSError:
            pass
        return process

    def listen(self, process: subprocess.Popen[bytes]) -> None:
        """Hands on what the process says, and its end; in a thread."""
        assert process.stdout is not None, "it was started with a pipe"
        try:
            while True:
                self.said.put((self, process, *receive(process.stdout)))
        except (EOFError, OSError, ValueError):
            self.said.put((self, process, "ended", None, process.wait()))

    def end(self) -> None:
        """Ends the process and what it has started."""
        process, self.process, self.job = self.process, None, None
        if process is None:
            return
        if hasattr(os, "killpg"):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        else:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass


class Crew:
    """Some workers on one table."""

    def __init__(self, evaluator: Evaluator, *, size: int, memory_limit: Optional[float]) -> None:
        self.folder = tempfile.mkdtemp(prefix="arbora-")
        paths = {name: os.path.join(self.folder, f"{name}.npy") for name in ("matrix", "target")}
        np.save(paths["matrix"], evaluator.matrix)
        np.save(paths["target"], evaluator.target)
        sent = Evaluator(paths["matrix"], paths["target"], evaluator.classes, evaluator.metric, evaluator.build)
        self.said: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threads = max(1, (os.cpu_count() or 1) // size)
        context = _by_value((sent, memory_limit))
        self.workers = [Worker(context, threads, self.said) for _ in range(size)]
        for worker in self.workers:
            # All load their libraries at once, before the first is sent more than a pipe holds.
            worker.process = worker.started()

    @property
    def has_room(self) -> bool:
        """Could another job begin?"""
        return any(worker.job is None for worker in self.workers)

    @property
    def is_busy(self) -> bool:
        """Is a job under way?"""
        return any(worker.job is not None for worker in self.workers)

    def give(
        self, key: Any, message: Dict[str, Any], *, limit: Optional[float] = None, ends_at: Optional[float] = None
    ) -> None:
        """Begins a job, which may take ``limit`` seconds and is ended at ``ends_at`` at the latest."""
        worker = next(worker for worker in self.workers if worker.job is None)
        worker.give(Job(key, limit, ends_at), message)

    def wait(self) -> List[Ended]:
        """The jobs that have ended, after at least one has."""
        ended: List[Ended] = []
        while not ended and self.is_busy:
            ended += self._heard(self._patience())
            ended += self._late()
        return ended

    def _patience(self) -> Optional[float]:
        times = [worker.job.late_at() for worker in self.workers if worker.job is not None]
        soonest = min((at for at in times if at is not None), default=None)
        return None if soonest is None else max(0.0, soonest - time.monotonic())

    def _heard(self, patience: Optional[float]) -> List[Ended]:
        try:
            # Without an end in sight, waiting in pieces leaves room for an interrupt on every platform.
            heard = self.said.get(timeout=1.0 if patience is None else min(1.0, patience))
        except queue.Empty:
            return []
        worker, process, word, serial, content = heard
        job = worker.job
        if job is None or process is not worker.process or serial not in (None, worker.serial):
            return []
        if word == "begun":
            job.begin()
            return []
        if word == "ended":
            worker.end()
        worker.job = None
        if word in ("gone", "ended"):
            return [job.ended(reason=f"the process died: {_death(content)}")]
        if word == "done":
            return [job.ended(result=content)]
        return [job.ended(reason=content[0], trace=content[1])]

    def _late(self) -> List[Ended]:
        now, ended = time.monotonic(), []
        for worker in self.workers:
            job = worker.job
            at = None if job is None else job.late_at()
            if job is None or at is None or now < at:
                continue
            worker.stop()
            if job.ends_at is not None and now >= job.ends_at:
                ended.append(job.ended(reason="the time is up")._replace(is_out_of_time=True))
            else:
                ended.append(job.ended(reason=f"took longer than {job.limit:.3g} s"))
        return ended

    def close(self) -> None:
        """Ends all processes and removes the files."""
        for worker in self.workers:
            worker.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Alone:
    """The same in this process, one job after the other; nothing can be ended before it ends by itself."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.ended: List[Ended] = []

    @property
    def has_room(self) -> bool:
        """Could another job begin?"""
        return not self.ended

    @property
    def is_busy(self) -> bool:
        """Is a job under way?"""
        return bool(self.ended)

    def give(
        self, key: Any, message: Dict[str, Any], *, limit: Optional[float] = None, ends_at: Optional[float] = None
    ) -> None:
        """Does a job."""
        job = Job(key, None, None)
        word, content = answer(self.evaluator, message, None)
        self.ended = [job.ended(result=content) if word == "done" else job.ended(reason=content[0], trace=content[1])]

    def wait(self) -> List[Ended]:
        """The job that has ended."""
        ended, self.ended = self.ended, []
        return ended

    def close(self) -> None:
        """There is nothing to end."""


def _by_value(item: Any) -> bytes:
    """A pickle that carries the functions and classes of the user's script along; cloudpickle comes with joblib."""
    try:
        import cloudpickle as pickler
    except ImportError:
        from joblib.externals import cloudpickle as pickler
    packed: bytes = pickler.dumps(item)
    return packed


def _death(code: int) -> str:
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
