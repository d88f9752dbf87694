"""One process that does jobs, as its parent sees it.

It is a fresh interpreter, not a fork, because a fork of a process that has used OpenMP hangs; it does not import the
user's main module, so scripts need no guard. What it does with a job says ``child``.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Dict, NamedTuple, Optional

from arbora.automl.child import FORKS, STOP
from arbora.automl.message import receive, send

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
