"""The main function of a worker process: it evaluates the jobs it is sent, within a memory limit,
until its parent is gone.

On Linux it loads libraries and data once and then forks for every job, so that ending a job costs
nothing but that job, and each begins with clean memory. That is safe here, unlike in the user's
process, because nothing has run in it that a fork could break. It also ends a job at its limit by
itself, whatever the parent is busy with. Elsewhere jobs run in the process itself, which the parent
ends with them.

What it says is a word, the number of the job, the seconds since that began, and what belongs to the
word: ``begun``, ``part`` (a split is done), then one of ``done``, ``failed``, ``late`` and
``gone``.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
import warnings
from typing import IO, Any, Dict, Generator, Iterator, List, Optional, Tuple

from arbora.automl.message import receive, send

FORKS = sys.platform.startswith("linux")
STOP = "stop"
"""The message that ends the job under way."""

Said = Tuple[str, Any]
"""A word, and what belongs to it."""


def main() -> None:
    """Serves the parent at the other end of the standard streams."""
    inbox, outbox = _streams()
    try:
        # A function of the user's module is found where the parent would find it.
        sys.path[:] = receive(inbox)
        evaluator, limit = pickle.loads(receive(inbox))
        _load_libraries()
        evaluator.matrix, evaluator.target = _mapped(evaluator.matrix), _mapped(evaluator.target)
        serve = _serve_by_forks if FORKS else _serve_here
        serve(inbox, outbox, evaluator, limit)
    except (EOFError, OSError):
        # The parent is gone.
        os._exit(1)


def _streams() -> Tuple[IO[bytes], IO[bytes]]:
    """Takes the standard streams away from learners, whose printing would garble the conversation.
    """
    inbox, outbox = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    return inbox, outbox


def _load_libraries() -> None:
    """What nearly every learner needs, loaded before time and memory are counted."""
    import sklearn.compose
    import sklearn.ensemble
    import sklearn.preprocessing  # noqa: F401


def _mapped(path: str) -> Any:
    import numpy as np

    return np.load(path, mmap_mode="r")


def _serve_by_forks(inbox: IO[bytes], outbox: IO[bytes], evaluator: Any, limit: Optional[float]) -> None:
    while True:
        message = receive(inbox)
        if message == STOP:
            # It crossed the answer of the job it was meant for.
            continue
        serial, job, longest = message
        began = time.monotonic()
        send(outbox, ("begun", serial, 0.0, None))
        for word, content in _forked(inbox, evaluator, job, limit, None if longest is None else began + longest):
            send(outbox, (word, serial, time.monotonic() - began, content))


def _forked(
    inbox: IO[bytes], evaluator: Any, job: Dict[str, Any], limit: Optional[float], ends_at: Optional[float]
) -> Iterator[Said]:
    """Does a job in a fork: hands on what it says until its answer, its death, its limit, or the
    word to end it."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # Threads of the linear algebra look after themselves in forks.
        warnings.simplefilter("ignore")
        pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        _die_with_parent()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            for said in answers(evaluator, job, _limit_memory(limit)):
                send(pipe, said)
        os._exit(0)
    os.close(writer)
    try:
        os.setpgid(pid, pid)
    except OSError:
        # The fork was faster.
        pass
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        word, content = yield from _handed_on(inbox, pipe, pid, ends_at)
    # What it has started ends with it.
    _kill(pid)
    status = os.waitpid(pid, 0)[1]
    yield word, os.waitstatus_to_exitcode(status) if word == "gone" else content


def _die_with_parent() -> None:
    """Asks the kernel to end this process when its parent ends, however that happens."""
    import ctypes

    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def _handed_on(
    inbox: IO[bytes], pipe: IO[bytes], pid: int, ends_at: Optional[float]
) -> Generator[Said, None, Said]:
    """Yields every part of a job as it is done; returns its last word."""
    import select

    ready: List[IO[bytes]] = [pipe]
    while pipe in ready:
        left = None if ends_at is None else max(0.0, ends_at - time.monotonic())
        ready = select.select([inbox, pipe], [], [], left)[0]
        if pipe in ready:
            word, content = _next_word(pipe, "gone")
            if word != "part":
                return word, content
            yield word, content
    try:
        if inbox in ready:
            # The word to end it, or the end of the parent; what comes after is the next job.
            receive(inbox)
    finally:
        _kill(pid)
    # What it had said before is still in the pipe.
    word, content = _next_word(pipe, "late")
    while word == "part":
        yield word, content
        word, content = _next_word(pipe, "late")
    return word, content


def _next_word(pipe: IO[bytes], end: str) -> Said:
    """What a fork says next; ``end`` when it says no more."""
    try:
        word, content = receive(pipe)
        return word, content
    except EOFError:
        return end, None


def _kill(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _serve_here(inbox: IO[bytes], outbox: IO[bytes], evaluator: Any, limit: Optional[float]) -> None:
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(inbox, jobs), daemon=True).start()
    kept = _limit_memory(limit)
    while True:
        serial, job, _ = jobs.get()
        began = time.monotonic()
        send(outbox, ("begun", serial, 0.0, None))
        for word, content in answers(evaluator, job, kept):
            send(outbox, (word, serial, time.monotonic() - began, content))


def _listen(inbox: IO[bytes], jobs: queue.SimpleQueue[Any]) -> None:
    """Ends the process, in the middle of a fit if need be, when the parent is gone."""
    try:
        while True:
            jobs.put(receive(inbox))
    except (EOFError, OSError):
        os._exit(1)


def _limit_memory(megabytes: Optional[float]) -> Optional[float]:
    """Allows so much memory on top of what libraries and data take; where the system has no such
    limit, none."""
    if megabytes is None:
        return None
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            taken = int(file.read().split()[0]) * resource.getpagesize()
        most = taken + int(megabytes * 2**20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError, ValueError):
        return None
    return megabytes


def answers(evaluator: Any, job: Dict[str, Any], limit: Optional[float]) -> Iterator[Said]:
    """Does a job: a ``part`` for every split, then ``done`` (with what was fitted, if that was the
    job) or ``failed``, why and where."""
    try:
        if "splits" in job:
            for part in evaluator.parts(job["configuration"], job["splits"], job.get("bars", ())):
                yield "part", part
            yield "done", None
        else:
            yield "done", evaluator.fit(job["configuration"])
    except MemoryError:
        yield "failed", (f"out of memory: more than {limit:g} MB" if limit else "out of memory", None)
    except Exception as error:
        text = str(error)
        name = type(error).__name__
        yield "failed", (f"{name}: {text}" if text else name, traceback.format_exc())
