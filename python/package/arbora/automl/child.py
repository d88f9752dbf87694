"""The other side of a worker: a process that evaluates what it is sent, within its memory, until its parent is gone."""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
import traceback
from typing import Any, BinaryIO, Dict, Optional, Tuple

from arbora.automl.message import receive, send


def main() -> None:
    """Serves the parent at the other end of the standard streams."""
    inbox, outbox = _streams()
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(inbox, jobs), daemon=True).start()
    # A function of the user's module is found where the parent would find it.
    sys.path[:] = jobs.get()
    evaluator, limit = pickle.loads(jobs.get())
    _load_libraries()
    evaluator.matrix, evaluator.target = _mapped(evaluator.matrix), _mapped(evaluator.target)
    kept = _limit_memory(limit)
    while True:
        job = jobs.get()
        send(outbox, ("begun", None))
        send(outbox, answer(evaluator, job, kept))


def _streams() -> Tuple[BinaryIO, BinaryIO]:
    """Takes the standard streams away from learners, whose printing would garble the conversation."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    return inbox, outbox


def _listen(inbox: BinaryIO, jobs: queue.SimpleQueue[Any]) -> None:
    """Ends the process, in the middle of a fit if need be, when the parent is gone."""
    try:
        while True:
            jobs.put(receive(inbox))
    except (EOFError, OSError):
        os._exit(1)


def _load_libraries() -> None:
    """What nearly every learner needs, loaded before time and memory are counted."""
    import sklearn.compose
    import sklearn.ensemble
    import sklearn.preprocessing  # noqa: F401


def _mapped(path: str) -> Any:
    import numpy as np

    return np.load(path, mmap_mode="r")


def _limit_memory(megabytes: Optional[float]) -> Optional[float]:
    """Allows so much memory on top of what libraries and data take; where the system has no such limit, none."""
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


def answer(evaluator: Any, job: Dict[str, Any], limit: Optional[float]) -> Tuple[str, Any]:
    """Does a job: ``done`` and its result, or ``failed``, why and where."""
    try:
        if "splits" in job:
            return "done", evaluator.evaluate(job["configuration"], job["splits"])
        return "done", evaluator.fit(job["configuration"])
    except MemoryError:
        return "failed", (f"out of memory: more than {limit:g} MB" if limit else "out of memory", None)
    except Exception as error:
        text = str(error)
        name = type(error).__name__
        return "failed", (f"{name}: {text}" if text else name, traceback.format_exc())
