"""A worker process, as its parent sees it.

It is a new interpreter, not a fork, because a fork of a process that has used OpenMP hangs. It does
not import the user's main module, so scripts need no guard. ``worker_main`` is the other end.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from arbora.automl.evaluation import Evaluation, Part
from arbora.automl.message import receive, send
from arbora.automl.worker_main import FORKS, STOP

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def threads_of(size: int) -> int:
    """Threads for each of so many workers: what the environment says, or its share of the cores."""
    given = os.environ.get(THREADS[0], "")
    return int(given) if given.isdigit() and int(given) > 0 else max(1, (os.cpu_count() or 1) // size)


class Ended(NamedTuple):
    """How a job ended."""

    key: Any
    result: Any
    """What it gave; None if it failed."""
    reason: Optional[str]
    """Why it failed."""
    trace: Optional[str]
    seconds: float
    """How long it ran, by the clock of the process that did it."""
    is_out_of_time: bool = False
    """Was it ended because all time was up, rather than its own?"""
    parts: Tuple[Part, ...] = ()
    """The splits that were done when its own time was up."""


class Job:
    """A job that a worker has, and what is known of it so far."""

    def __init__(self, key: Any, splits: int, limit: Optional[float], ends_at: Optional[float]) -> None:
        self.key, self.splits, self.limit, self.ends_at = key, splits, limit, ends_at
        self.began: Optional[float] = None
        """When its time began to count: starting a process and loading libraries does not."""
        self.parts: List[Part] = []

    def late_at(self) -> Optional[float]:
        """When it is to be ended from here; a worker that forks keeps the job's own limit by
        itself."""
        is_ours = self.limit is not None and self.began is not None and not FORKS
        times = [self.ends_at, (self.began or 0.0) + (self.limit or 0.0) if is_ours else None]
        return min((at for at in times if at is not None), default=None)

    def so_far(self) -> float:
        """Seconds since it began, now."""
        return 0.0 if self.began is None else time.monotonic() - self.began

    def done(self, fitted: Any, seconds: float) -> Ended:
        """The end of a job that gave something."""
        return Ended(self.key, Evaluation.of(self.parts, self.splits) if self.splits else fitted, None, None, seconds)

    def failed(self, reason: str, seconds: float, trace: Optional[str] = None) -> Ended:
        """The end of a job that gave nothing."""
        return Ended(self.key, None, reason, trace, seconds)

    def late(self, seconds: float) -> Ended:
        """The end of a job that ran longer than it may."""
        if self.splits and len(self.parts) == self.splits:
            return self.done(None, seconds)
        done = f", after {len(self.parts)} of {self.splits} splits" if self.parts else ""
        return self.failed(f"took longer than {self.limit:.3g} s{done}", seconds)._replace(parts=tuple(self.parts))


class Heard(NamedTuple):
    """What a process said, see ``child``; its end is the word ``ended``, with its exit code."""

    worker: Worker
    process: subprocess.Popen[bytes]
    at: float
    word: str
    serial: Optional[int]
    seconds: float
    content: Any


class Worker:
    """One process, started again when it died."""

    def __init__(self, context: bytes, threads: int, said: queue.SimpleQueue[Heard]) -> None:
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
        self.send((self.serial, message, job.limit))

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
        command = [sys.executable, "-c", "from arbora.automl.worker_main import main; main()"]
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
        """Hands on what the process says and when, and its end; in a thread, since the others are
        often busy."""
        assert process.stdout is not None, "it was started with a pipe"
        try:
            while True:
                word, serial, seconds, content = receive(process.stdout)
                self.said.put(Heard(self, process, time.monotonic(), word, serial, seconds, content))
        except (EOFError, OSError, ValueError):
            code = process.wait()
            self.said.put(Heard(self, process, time.monotonic(), "ended", None, 0.0, code))

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


def cause_of_death(code: int) -> str:
    """An exit code in words.

    >>> cause_of_death(-9), cause_of_death(3)
    ('SIGKILL', 'exit code 3')
    """
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
