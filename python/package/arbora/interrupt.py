"""Ctrl-C while a study runs: noticed even if the objective swallows it, and never in the middle
of a step."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from arbora import _arbora

__all__ = ["Interrupts"]


class Interrupts:
    """Count interrupts and pass them on, at once or after a step that must not be cut in half.

    For the main thread: Python delivers no signals to others.

    >>> with Interrupts() as interrupts:
    ...     interrupts.count
    0
    """

    def __init__(self) -> None:
        self.count = 0
        self._is_held = False
        self._before: Any = None
        self._thread = threading.current_thread()

    def __enter__(self) -> Interrupts:
        before = signal.getsignal(signal.SIGINT)
        if self._thread is threading.main_thread() and callable(before):
            self._before = before
            signal.signal(signal.SIGINT, self._notice)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            _arbora.interrupted(0)

    def _notice(self, number: int, frame: Any) -> None:
        self.count += 1
        # Whoever waits for a file that another program holds hears it even within a step.
        _arbora.interrupted(self.count)
        if not self._is_held:
            self._before(number, frame)

    @property
    def concerns_this_thread(self) -> bool:
        """Interrupts reach only the thread that made this object."""
        return threading.current_thread() is self._thread

    @contextmanager
    def held(self) -> Iterator[None]:
        """A step that must not be cut in half: an interrupt is counted, and :meth:`check` raises it
        afterwards."""
        if not self.concerns_this_thread:
            yield
            return
        before, self._is_held = self._is_held, True
        try:
            yield
        finally:
            self._is_held = before

    def check(self, since: Optional[int]) -> None:
        """Raise ``KeyboardInterrupt`` if one came after the count was ``since``."""
        if since is not None and self.concerns_this_thread and self.count > since:
            raise KeyboardInterrupt
