"""Progress of a run: a line in the terminal, or a bar in a notebook."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, Optional, Protocol

from arbora.trial import Trial

__all__ = ["Progress"]

WIDTH = 24
PAUSE = 0.1
"""Seconds between two pictures of a bar in a notebook."""


class Watched(Protocol):
    """What a progress bar asks a study."""

    @property
    def best_trial(self) -> Trial: ...


class Progress:
    """A callback for :meth:`Study.optimize`, used by ``progress=True``.

    On a terminal it redraws one line after every trial, in a notebook a bar; elsewhere it writes a
    line after every tenth of the way.

    >>> from arbora.examples import bowl_space
    >>> import io
    >>> out = io.StringIO()
    >>> study = Study(bowl_space(), seed=1)
    >>> study.optimize(lambda trial: 0.25, trials=2, callbacks=(Progress(2, out=out),))
    >>> "2/2" in out.getvalue() and "best 0.25" in out.getvalue()
    True
    """

    def __init__(self, trials: Optional[int] = None, timeout: Optional[float] = None, *, out: Any = None) -> None:
        self.trials, self.timeout = trials, timeout
        self.out = sys.stderr if out is None else out
        self.is_terminal = bool(getattr(self.out, "isatty", lambda: False)())
        self.page = NotebookBar() if out is None and in_notebook() else None
        self.started, self.done, self.failed, self.said = time.monotonic(), 0, 0, -1
        self.best: Optional[Trial] = None
        self.turn = threading.Lock()

    def __call__(self, study: Watched, trial: Trial) -> None:
        """Draw after a trial. Jobs take turns, so that no older state covers a newer one."""
        with self.turn:
            self.done += 1
            self.failed += trial.state == "failed"
            if trial.loss is not None and trial.share == 1.0:  # A part of an evaluation is never the best.
                if self.best is None:
                    self.best = study.best_trial
                elif self.best.loss is None or trial.loss < self.best.loss:
                    self.best = trial
            self.say()

    def share(self) -> Optional[float]:
        """The share of the run that is done; None if there is no limit."""
        gone = []
        if self.trials:
            gone.append(self.done / self.trials)
        if self.timeout:
            gone.append((time.monotonic() - self.started) / self.timeout)
        return min(1.0, max(gone)) if gone else None

    def say(self) -> None:
        """Write the present state."""
        share = self.share()
        if self.page is not None:
            self.page.show(share, self.words(share))
            return
        if self.is_terminal:
            self.out.write(f"\r{self.line(share)}\x1b[K")
        else:
            tenth = self.done if share is None else int(10 * share)
            if tenth == self.said:
                return
            self.said = tenth
            self.out.write(self.line(share) + "\n")
        self.out.flush()

    def line(self, share: Optional[float]) -> str:
        """The line itself."""
        bar = "" if share is None else "▕" + ("█" * round(WIDTH * share)).ljust(WIDTH, "·") + "▏ "
        return bar + self.words(share)

    def words(self, share: Optional[float]) -> str:
        """How many trials, the best of them, and the time."""
        elapsed = time.monotonic() - self.started
        parts = [f"{self.done}/{self.trials} trials" if self.trials else f"{self.done} trials"]
        if self.best is not None:
            parts.append(f"best {self.best.value:.6g}")
        if self.failed:
            parts.append(f"{self.failed} failed")
        parts.append(_clock(elapsed))
        if share:
            parts.append(f"{_clock(elapsed * (1 - share) / share)} left")
        return "  ".join(parts)

    def close(self) -> None:
        """Ends the line."""
        if self.page is not None:
            self.page.close()
        elif self.is_terminal and self.done:
            self.out.write("\n")
            self.out.flush()


def in_notebook() -> bool:
    """Is this a notebook, which shows HTML? IPython is there already if it is."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class NotebookBar:
    """One output cell of a notebook, redrawn a few times a second at most."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.latest, self.shown_at = "", float("-inf")

    def show(self, share: Optional[float], words: str) -> None:
        """Show the present state."""
        value = "" if share is None else f'value="{share:.4f}" '
        self.latest = f'<div><progress {value}max="1" style="vertical-align:middle;width:14em"></progress> {words}</div>'
        if time.monotonic() - self.shown_at >= PAUSE:
            self.draw()

    def draw(self) -> None:
        """Shows the latest."""
        display = sys.modules["IPython"].display
        page, self.latest, self.shown_at = display.HTML(self.latest), "", time.monotonic()
        if self.handle is None:
            self.handle = display.display(page, display_id=True)
        else:
            self.handle.update(page)

    def close(self) -> None:
        """Draw the last state, however soon after the one before."""
        if self.latest:
            self.draw()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
