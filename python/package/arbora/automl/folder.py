"""A temporary folder that does not outlive its process for long, however that ends.

A process that is killed cannot clean up, so the next one does. Each folder has a file that its
owner keeps locked; the system lets go of the lock when the owner ends, whichever way, and then
whoever gets the lock may remove the folder. Numbers of processes would not do: they are given away
again.
"""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from typing import IO, Optional

PREFIX = "arbora-automl-"
LOCK = "owner.lock"


class Folder:
    """A new folder, locked; those that others left behind are removed first.

    >>> folder = Folder()
    >>> os.path.isdir(folder.path)
    True
    >>> folder.remove()
    >>> os.path.exists(folder.path)
    False
    """

    def __init__(self) -> None:
        sweep()
        lock: Optional[IO[str]] = None
        while lock is None:
            self.path = tempfile.mkdtemp(prefix=PREFIX)
            lock = _owned(os.path.join(self.path, LOCK))
        self.lock = lock

    def remove(self) -> None:
        """Removes it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.lock.close()


def sweep() -> None:
    """Removes the folders of processes that are no more."""
    for path in glob.glob(os.path.join(glob.escape(tempfile.gettempdir()), PREFIX + "*")):
        try:
            with open(os.path.join(path, LOCK), "r+", encoding="ascii") as file:
                if _lock(file):
                    shutil.rmtree(path, ignore_errors=True)
        except OSError:
            # Somebody else's, or somebody has removed it, or is about to lock it.
            continue


def _owned(path: str) -> Optional[IO[str]]:
    """A new file, locked; None if somebody swept it away, who took its folder for one that was left
    behind."""
    try:
        file = open(path, "x", encoding="ascii")
    except FileNotFoundError:
        return None
    try:
        # Where locks are not to be had, nobody sweeps either.
        _lock(file)
        if os.path.exists(path):
            return file
    except BlockingIOError:
        pass
    file.close()
    return None


def _lock(file: IO[str]) -> bool:
    """Locks a file until it is closed, or until the process ends; False if there are no locks.
    Raises BlockingIOError if somebody else has it."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except (ImportError, OSError):
        return False
    return True
