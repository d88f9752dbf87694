"""Asking and telling, for studies with a declared space and for those that learn it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Union

from arbora import _arbora
from arbora.arguments import trial_number
from arbora.connection import MEMORY, Connection
from arbora.define_by_run import DISCOVERED, Discovery
from arbora.errors import StoreError
from arbora.settings import Settings
from arbora.trial import Trial
from arbora.trial_result import TrialResult

if TYPE_CHECKING:
    from arbora.failures import Failures

__all__ = ["Session", "native_settings"]


class Session(Connection):
    """What a study and its loop share: the native study, the discovery of its space, and whether to
    stop."""

    def __init__(self, storage: str, name: str, settings: Settings, native: Optional[_arbora.Study] = None) -> None:
        super().__init__(storage, name, settings, native)
        self.discovery: Optional[Discovery] = None

    def begin(self) -> None:
        """Set what belongs to this process."""
        super().begin()
        self.is_stopping = False
        self.failures: Optional[Failures] = None

    def discover(self) -> None:
        """Learn the space from trials. A stored study must agree in everything but the space, which
        is kept."""
        _arbora.check_settings(self.settings)
        if self.storage != MEMORY:
            try:
                self.create(_arbora.Study.load(self.storage, self.name).space())
            except StoreError as error:
                if error.kind != "NoStudy":
                    raise
        if self.native is None:
            self.discovery = Discovery(self)
        else:
            self.continue_discovery()

    def continue_discovery(self) -> None:
        """Go on learning the space of a stored study that began without one."""
        if DISCOVERED in self.live().attributes():
            self.discovery = Discovery(self)

    def ask(
        self, worker: str, lease: Optional[float], stale: str = "again", stop: Optional[Callable[[], bool]] = None
    ) -> Trial:
        """The next trial. A long suggestion ends with ``KeyboardInterrupt`` once ``stop`` returns
        true."""
        if self.discovery is not None:
            return self.discovery.ask(worker, lease, stale, stop)
        return Trial(self, self.live().ask(worker, lease, stale, stop))

    def tell(self, trial: Union[Trial, int], result: TrialResult) -> int:
        """Store how a trial ended; returns its number."""
        if self.discovery is not None and isinstance(trial, Trial):
            return self.discovery.tell(trial, result)
        number = trial_number(trial)
        self.live().tell(number, result)
        return number

    def trial(self, number: int) -> Trial:
        """One trial, as of now."""
        return Trial(self, self.live().trial(number))

    def warn_of_bad_loss(self, number: int, result: TrialResult) -> None:
        """Warn when a value that was told is not finite: the trial counts as failed, which its
        author may not expect."""
        given = result.loss if result.value is None else result.value
        if given is not None and not -float("inf") < given < float("inf"):
            if self.failures is None:
                from arbora.failures import Failures

                self.failures = Failures()
            self.failures.count(self.trial(number).reason, f"trial {number}")


def native_settings(native: _arbora.Study) -> Settings:
    """The settings of a stored study."""
    options = native.options()
    return Settings(**{**options, "range": tuple(options["range"])})
