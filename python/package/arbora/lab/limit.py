"""An end to fits that take too long."""

from __future__ import annotations

import contextlib
import signal
from types import FrameType
from typing import Iterator, Optional

__all__ = ["cpu_limit"]


@contextlib.contextmanager
def cpu_limit(seconds: Optional[float]) -> Iterator[None]:
    """Raises `TimeoutError` in what takes more CPU time; None, and systems without such a timer,
    set no limit. For the main thread.

    >>> with cpu_limit(0.01):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    TimeoutError: more than 0.01 s of CPU time
    """
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: Optional[FrameType]) -> None:
        raise TimeoutError(f"more than {seconds:g} s of CPU time")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
