"""The search loop: ask, evaluate in a worker, tell and keep the predictions, until the budget is
used up."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from arbora.automl.ask_policy import EnsemblePolicy, StudyPolicy
from arbora.automl.evaluation import Evaluation
from arbora.automl.oof_predictions import OofPredictions
from arbora.automl.race import Race, told
from arbora.automl.worker import Ended
from arbora.automl.worker_pool import InProcessPool, WorkerPool
from arbora.errors import ExhaustedError
from arbora.plan import Splits
from arbora.space import Configuration
from arbora.study import Study
from arbora.trial import Trial

LARGEST_RESERVE = 0.4
"""Largest share of the time that is reserved for the final fits."""
FIRST_TRIES = 3
"""As long as no trial is complete, this many are begun in any case: without one there is no
model."""
LEADERS = 20
"""About how many of the best trials provide the members of an ensemble."""


class Budget:
    """Trials and seconds."""

    def __init__(self, trials: Optional[int], seconds: Optional[float]) -> None:
        self.trials, self.seconds = trials, seconds
        self.began = time.monotonic()
        self.ends_at = None if seconds is None else self.began + seconds

    def search_ends_at(self, reserve: float) -> Optional[float]:
        """When the search must end to leave this many seconds."""
        if self.ends_at is None or self.seconds is None:
            return None
        return self.ends_at - min(reserve, LARGEST_RESERVE * self.seconds)


class Search:
    """One search over a study."""

    def __init__(
        self,
        study: Study,
        splits: Splits,
        crew: Union[WorkerPool, InProcessPool],
        budget: Budget,
        unseen: OofPredictions,
        *,
        source: Union[StudyPolicy, EnsemblePolicy],
        trial_timeout: Optional[float],
        patience: Optional[float],
        members: int,
        growth: float,
        choosing: float,
        race: Optional[Race],
        first: Sequence[Configuration],
        callbacks: List[Callable[[Study, Trial], None]],
    ) -> None:
        self.study, self.splits, self.crew, self.budget = study, splits, crew, budget
        self.unseen, self.source, self.callbacks = unseen, source, callbacks
        self.trial_timeout, self.patience = trial_timeout, patience
        self.members = members
        """The expected number of different trials to fit on all rows in the end."""
        self.growth = growth
        """The expected time of a final fit, which has more rows, relative to a fit of the trial."""
        self.choosing = choosing
        """Seconds that choosing among trials is expected to take for each of them."""
        self.race = race
        """None evaluates every trial on all its splits."""
        self.first: List[Configuration] = list(first)
        """Configurations to try before the strategy is asked. They are queued one by one, so
        that none is left over in the end."""
        self.fit_seconds: Dict[int, float] = {}
        self.running: Dict[int, Trial] = {}
        self.asked, self.is_exhausted, self.is_interrupted = 0, False, False

    def run(self) -> None:
        """Run until trials, time or the space are used up, or until the user interrupts it."""
        try:
            while True:
                while self.crew.has_room and self.goes_on():
                    self.begin()
                if not self.crew.is_busy:
                    return
                for ended in self.crew.wait():
                    self.take(ended)
        except KeyboardInterrupt:
            # What is there makes a model.
            if not self.unseen.leaders:
                raise
            self.is_interrupted = True
            self.crew.stop()
        finally:
            # The study is this search's own; an interrupt may come before a trial that was asked
            # for is known here.
            for trial in self.study.trials:
                if trial.state == "running":
                    self.study.abandon(trial, "interrupted")

    def goes_on(self) -> bool:
        """May another trial begin?"""
        if self.is_exhausted or (self.budget.trials is not None and self.asked >= self.budget.trials):
            return False
        if not self.unseen.leaders and self.asked < FIRST_TRIES:
            return True
        at = self.budget.search_ends_at(self.reserve())
        return at is None or time.monotonic() < at

    def reserve(self) -> float:
        """Estimated seconds for choosing members and for the final fits: members are some of the
        leaders."""
        known = self.unseen.leaders
        leaders = known[: LEADERS if self.members > 1 else 1]
        each = sum(self.fit_seconds[number] for number in leaders) / max(1, len(leaders))
        return 1.3 * self.growth * each * self.members + self.choosing * len(known)

    def begin(self) -> None:
        """Begins a trial, if there is one left to begin."""
        if self.first:
            self.study.enqueue(self.first.pop(0))
        try:
            trial = self.source.ask()
        except ExhaustedError:
            self.is_exhausted = True
            return
        self.asked += 1
        self.running[trial.number] = trial
        splits = [tuple(np.asarray(part, dtype=np.int32) for part in split) for split in self.splits.of_trial(trial)]
        bars = [] if self.race is None else self.race.bars()
        message = {"configuration": trial.configuration, "splits": splits, "bars": bars}
        self.crew.give(trial.number, message, **self.limits())

    def limits(self) -> Dict[str, Optional[float]]:
        """Time limits of a trial. Until one is complete, a trial may take a third of the budget,
        even beyond its end."""
        if not self.unseen.leaders:
            third = None if self.budget.seconds is None else max(10.0, self.budget.seconds / 3)
            return {"limit": self.trial_timeout or third, "ends_at": None}
        limit = self.patience if self.trial_timeout is None else self.trial_timeout
        return {"limit": limit, "ends_at": self.budget.search_ends_at(self.reserve())}

    def take(self, ended: Ended) -> None:
        """Tell the study how a trial ended."""
        number, result = ended.key, ended.result
        trial = self.running.pop(number)
        if ended.is_out_of_time:
            self.study.abandon(number, "the time was up")
            return
        if result is None and ended.parts:
            self.cut_short(trial, Evaluation.of(ended.parts, len(self.splits.of_trial(trial))), ended)
        elif result is None:
            where = {"trace": ended.trace} if ended.trace else {}
            self.study.tell(number, failed=ended.reason or "failed", duration=ended.seconds, attributes=where)
        else:
            self.complete(trial, result, ended.seconds)
        for callback in self.callbacks:
            callback(self.study, self.study.trial(number))

    def complete(self, trial: Trial, result: Evaluation, seconds: float) -> None:
        """Tell the study the result of a trial, and keep its predictions if they cover every
        row."""
        number = trial.number
        self.source.tell(trial, result, {"duration": seconds, "attributes": self.attributes(trial, result)})
        if not result.is_whole:
            return
        self.fit_seconds[number] = result.fit_seconds
        self.unseen.add(number, result, self.source.wanted)
        if self.race is not None:
            self.race.add([self.unseen.metric.as_loss(value) for value in result.values])

    def cut_short(self, trial: Trial, result: Evaluation, ended: Ended) -> None:
        """Tell what is known of a trial that reached its time limit: a loss that is never the
        best, or a failure if there is no trial to compare with."""
        metric = self.unseen.metric
        kept = {**self.attributes(trial, result), "cut_short": ended.reason}
        more: Dict[str, Any] = {"duration": ended.seconds, "attributes": kept}
        if self.unseen.losses:
            loss = told(metric.as_loss(result.value), self.unseen.losses)
            # Not by way of the source: a search for an ensemble wants to know of predictions for
            # all rows, or of none.
            self.study.tell(trial, metric.as_loss(loss), **more)
        else:
            self.study.tell(trial, failed=ended.reason or "failed", **more)

    def attributes(self, trial: Trial, result: Evaluation) -> Dict[str, Any]:
        """What is kept with a trial."""
        kept = {
            "split_values": result.values,
            "splits": self.splits.identity(trial.number),
            "fit_seconds": result.fit_seconds,
        }
        return kept if result.is_whole else {**kept, "stopped_after": len(result.values)}
