"""The native study behind a :class:`arbora.Study`, and the process it belongs to."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, List, Optional

from arbora import _arbora
from arbora.errors import ArboraError, StoreError
from arbora.settings import Settings

__all__ = ["MEMORY", "Connection", "worker_name"]

MEMORY = ":memory:"

# Native studies of a parent process are kept for good: dropping one might wait for a lock that a
# thread of the parent
# held at the moment of the fork.
_left_behind: List[Any] = []
if hasattr(os, "register_at_fork"):
    # A forked child must find neither an open file nor a half-written one.
    os.register_at_fork(
        before=_arbora.before_fork, after_in_parent=_arbora.after_fork, after_in_child=_arbora.after_fork
    )

# Without the module `socket`: it is slow to import, and an import in a forked child can deadlock.
_HOST = os.environ.get("COMPUTERNAME", "windows") if sys.platform == "win32" else os.uname().nodename


def worker_name() -> str:
    """The name of this thread as a worker: host, process and thread.

    >>> worker_name().count("-") >= 2
    True
    """
    return f"{_HOST}-{os.getpid()}-{threading.get_ident()}"


class Connection:
    """A native study that is opened again in a forked process. There is none before a space is
    known."""

    def __init__(self, storage: str, name: str, settings: Settings, native: Optional[_arbora.Study] = None) -> None:
        self.storage, self.name, self.settings, self.native = storage, name, settings, native
        self.copied_from: Optional[int] = None
        """The process that a study in memory was pickled in."""
        self.begin()

    def begin(self) -> None:
        """Set what belongs to this process; again after a fork, where another thread may have held
        the lock."""
        self.process = os.getpid()
        self.lock = threading.Lock()

    def create(self, space: _arbora.Space) -> _arbora.Study:
        """Create the study in its storage, or continue the one that is there."""
        self.native = _arbora.Study.create(self.storage, self.name, space, self.settings)
        return self.native

    @property
    def seed(self) -> int:
        """The seed of the study: that of the stored one, if it was there before."""
        seed: int = self.settings.seed if self.native is None else self.live().options()["seed"]
        return seed

    def live(self) -> _arbora.Study:
        """The native study, opened by this process."""
        self.follow_fork()
        if self.native is None:
            raise ArboraError("the study has no space yet; optimize an objective that asks for parameters", "NoSpace")
        return self.native

    def follow_fork(self) -> None:
        """Open the study again if this process was forked since."""
        if self.process == os.getpid():
            return
        if self.storage == MEMORY:
            raise StoreError(
                f"study `{self.name}` lives in the memory of process {self.process}, and this process was forked from "
                "it; give the study a storage to use it in several processes",
                "Forked",
                {"name": self.name},
            )
        _left_behind.append(self.native)
        self.native = None if self.native is None else _arbora.Study.load(self.storage, self.name)
        self.begin()

    def warn_of_copy(self) -> None:
        """Warn a worker that was handed a copy of a study in memory: the original sees nothing of
        its trials."""
        process, self.copied_from = self.copied_from, None
        if process is not None and process != os.getpid() and process in _parents():
            import warnings

            warnings.warn(
                f"study `{self.name}` is a copy: the original lives in the memory of process {process} and does not "
                "see what is asked and told here; give it a storage (a file) to search in several processes, or "
                "return the copy",
                stacklevel=3,
            )


def _parents() -> List[int]:
    """The processes that this one was started by; a worker made by a fork server also knows whom it
    works for."""
    started = sys.modules.get("multiprocessing.process")
    worked_for = None if started is None else started.parent_process()
    return [os.getppid(), *([] if worked_for is None else [worked_for.pid])]
