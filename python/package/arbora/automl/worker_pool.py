"""A pool of worker processes with hard time limits, one job each at a time.

A learner in native code cannot be interrupted from within, and a thread cannot be killed: only a
process can. The table is written to files once, and mapped by every worker. A worker that died is
replaced when there is work for it.
"""

from __future__ import annotations

import os
import queue
import time
from typing import Any, Dict, List, Optional

import numpy as np

from arbora.automl.evaluation import Evaluator
from arbora.automl.folder import Folder
from arbora.automl.worker import Ended, Heard, Job, Worker, cause_of_death, threads_of
from arbora.automl.worker_main import answers


class WorkerPool:
    """Worker processes that share one table."""

    def __init__(self, evaluator: Evaluator, *, size: int, memory_limit: Optional[float]) -> None:
        self.workers: List[Worker] = []
        self.said: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        self.folder = Folder()
        try:
            self._start(evaluator, size, memory_limit)
        except BaseException:
            self.close()
            raise

    def _start(self, evaluator: Evaluator, size: int, memory_limit: Optional[float]) -> None:
        paths = {name: os.path.join(self.folder.path, f"{name}.npy") for name in ("matrix", "target")}
        np.save(paths["matrix"], evaluator.matrix)
        np.save(paths["target"], evaluator.target)
        sent = Evaluator(paths["matrix"], paths["target"], evaluator.classes, evaluator.metric, evaluator.build)
        context = _by_value((sent, memory_limit))
        self.workers = [Worker(context, threads_of(size), self.said) for _ in range(size)]
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
        """Begin a job, with a limit of ``limit`` seconds and a deadline ``ends_at``."""
        worker = next(worker for worker in self.workers if worker.job is None)
        worker.give(Job(key, len(message.get("splits", ())), limit, ends_at), message)

    def wait(self) -> List[Ended]:
        """Wait for at least one job to end; returns those that have."""
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
        """What came of all that was said by now."""
        ended: List[Ended] = []
        try:
            # Without an end in sight, waiting in pieces leaves room for an interrupt on every
            # platform.
            heard = self.said.get(timeout=1.0 if patience is None else min(1.0, patience))
            while True:
                ended += self._understood(heard)
                heard = self.said.get_nowait()
        except queue.Empty:
            return ended

    def _understood(self, heard: Heard) -> List[Ended]:
        worker, word, content = heard.worker, heard.word, heard.content
        job = worker.job
        if job is None or heard.process is not worker.process or heard.serial not in (None, worker.serial):
            return []
        if word == "begun":
            job.began = heard.at
            return []
        if word == "part":
            job.parts.append(content)
            return []
        seconds = heard.seconds
        if word == "ended":
            seconds = 0.0 if job.began is None else heard.at - job.began
            worker.end()
        worker.job = None
        if word in ("gone", "ended"):
            return [job.failed(f"the process died: {cause_of_death(content)}", seconds)]
        if word == "late":
            return [job.late(seconds)]
        if word == "done":
            return [job.done(content, seconds)]
        return [job.failed(content[0], seconds, content[1])]

    def _late(self) -> List[Ended]:
        now, ended = time.monotonic(), []
        for worker in self.workers:
            job = worker.job
            at = None if job is None else job.late_at()
            if job is None or at is None or now < at:
                continue
            worker.stop()
            if job.ends_at is not None and now >= job.ends_at:
                ended.append(job.failed("the time is up", job.so_far())._replace(is_out_of_time=True))
            else:
                ended.append(job.late(job.so_far()))
        return ended

    def stop(self) -> None:
        """Ends the jobs under way after an interrupt; nothing more is heard of them."""
        for worker in self.workers:
            # The process, too: a message to it may have been cut in half. The next job starts
            # another.
            worker.end()

    def close(self) -> None:
        """Ends all processes and removes the files."""
        for worker in self.workers:
            worker.end()
        self.folder.remove()


class InProcessPool:
    """The same in this process, one job after the other. Time limits cannot be enforced here."""

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
        job = Job(key, len(message.get("splits", ())), None, None)
        job.began = time.monotonic()
        for word, content in answers(self.evaluator, message, None):
            if word == "part":
                job.parts.append(content)
            elif word == "done":
                self.ended = [job.done(content, job.so_far())]
            else:
                self.ended = [job.failed(content[0], job.so_far(), content[1])]

    def wait(self) -> List[Ended]:
        """The job that has ended."""
        ended, self.ended = self.ended, []
        return ended

    def stop(self) -> None:
        """There is nothing under way."""
        self.ended = []

    def close(self) -> None:
        """There is nothing to end."""


def _by_value(item: Any) -> bytes:
    """A pickle that includes functions and classes of the user's script; cloudpickle comes with
    joblib."""
    try:
        import cloudpickle as pickler
    except ImportError:
        from joblib.externals import cloudpickle as pickler
    packed: bytes = pickler.dumps(item)
    return packed
