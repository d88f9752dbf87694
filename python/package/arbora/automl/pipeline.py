"""From a table and settings to a model: the search, the choice, and the last fits on all rows."""

from __future__ import annotations

import os
import time
import warnings
from dataclasses import dataclass
from typing import Any, Collection, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from arbora import _arbora
from arbora.automl import ensemble_fit, estimate, report, resampling
from arbora.automl.ask_policy import EnsemblePolicy, StudyPolicy
from arbora.automl.evaluation import Evaluator, Fitted
from arbora.automl.oof_predictions import OofPredictions
from arbora.automl.race import Race
from arbora.automl.search import Search
from arbora.automl.settings import Settings
from arbora.automl.spaces import search_space
from arbora.automl.table_info import TableInfo
from arbora.automl.worker import Ended, threads_of
from arbora.automl.worker_pool import InProcessPool, WorkerPool
from arbora.errors import ArboraError, StoreError
from arbora.plan import Splits
from arbora.progress import Progress
from arbora.space import Configuration, Space
from arbora.study import Study, studies
from arbora.verdict import Verdict

SLOTS = 13
"""Of an ensemble that is optimised: the twelve of Lévesque 2018, section 4.4, made odd, since equal
halves cancel."""
EXPECTED_MEMBERS = 5
"""Different trials that an ensemble is expected to have, for guessing what its fits will take."""


@dataclass(frozen=True)
class Data:
    """A table as the search sees it."""

    matrix: Any
    target: Any
    """Positions of classes, or numbers."""
    classes: int
    sizes: Any
    groups: Optional[Any]


@dataclass(frozen=True)
class Model:
    """What came of it."""

    study: Study
    single: int
    """The trial that was chosen."""
    best: Fitted
    weights: Dict[int, float]
    blend: ensemble_fit.FittedEnsemble
    verdict: Verdict
    score: float
    """The metric of the model on new rows, as far as can be told: see ``estimate``."""
    flattering: float
    """The same on the rows that chose it."""
    is_interrupted: bool
    """Did the user end it before its time?"""


def fit(data: Data, settings: Settings) -> Model:
    """Searches, chooses and fits."""
    plan = resampling.plan(
        len(data.target),
        cells_per_second=data.matrix.size / settings.budget.seconds if settings.budget.seconds else 0.0,
        folds=settings.folds,
        resampling=settings.resampling,
        max_rows=settings.max_rows,
        has_ensemble=settings.ensemble != "none",
        seed=settings.seed,
    )
    codes = data.target if data.classes else None
    splits = resampling.splits(plan, len(data.target), codes, data.groups)
    facts = _facts(data, settings, len(splits.of_trial(0)[0][0]))
    chosen = search_space(settings.space, facts)
    evaluator = Evaluator(data.matrix, data.target, data.classes, settings.metric, chosen.build)
    study = _study(chosen.space, settings, is_noisy=bool(plan.reshuffle))
    crew: Union[WorkerPool, InProcessPool] = InProcessPool(evaluator)
    if settings.is_isolated:
        crew = WorkerPool(evaluator, size=settings.jobs, memory_limit=settings.memory_limit)
    try:
        return _Fitting(data, settings, study, splits, crew).run(chosen.first)
    finally:
        crew.close()


def _facts(data: Data, settings: Settings, rows: int) -> TableInfo:
    numbers = [i for i, size in enumerate(data.sizes) if size == 0]
    rarest = int(np.bincount(data.target).min()) if data.classes else 0
    gaps = bool(np.isnan(data.matrix[:, numbers]).any())
    seed, threads = settings.seed % 2**31, threads_of(settings.jobs)
    return TableInfo(rows, tuple(data.sizes), gaps, data.classes, rarest, settings.metric.name, seed, threads)


def _known(storage: str) -> List[str]:
    """The studies of a file that may not be there yet."""
    try:
        return studies(storage)
    except StoreError as error:
        if error.kind != "NoFile":
            raise
        return []


def _study(space: Space, settings: Settings, *, is_noisy: bool) -> Study:
    """A study of its own for every fit: one that went on would have seen rows it must not know."""
    name, number = "automl", 1
    place = None if settings.storage is None else os.fspath(settings.storage)
    known = [] if place is None else _known(place)
    while name in known:
        number += 1
        name = f"automl-{number}"
    return Study(
        space,
        name=name,
        strategy=settings.strategy,
        direction=settings.metric.direction,
        seed=settings.seed,
        storage=settings.storage,
        repeats=is_noisy,
        range=settings.metric.range,
    )


class _Fitting:
    def __init__(
        self, data: Data, settings: Settings, study: Study, splits: Splits, crew: Union[WorkerPool, InProcessPool]
    ) -> None:
        self.data, self.settings, self.study, self.splits, self.crew = data, settings, study, splits, crew
        self.unseen = OofPredictions(settings.metric, data.target)
        self.is_interrupted = False
        self.growth = len(data.target) / len(splits.of_trial(0)[0][0])
        """How many times more rows the last fits see."""

    def run(self, first: Sequence[Configuration]) -> Model:
        """Searches, beginning with some configurations, chooses and fits."""
        self.search(first)
        if not self.unseen.leaders:
            raise _nothing(self.study)
        verdict = self.study.verdict()
        single = self.single(verdict)
        wanted = self.chosen(self.unseen, single, verdict.noise)
        fitted = self.last_fits(list(dict.fromkeys([*wanted, single])))
        shares = _among(fitted, wanted)
        if single not in fitted:
            single = next(iter(shares))
        among = None if set(wanted) <= set(fitted) else fitted
        score, flattering = self.scores(shares, single, verdict, among)
        return Model(
            self.study, single, fitted[single], shares,
            ensemble_fit.FittedEnsemble([fitted[trial] for trial in shares], list(shares.values())),
            report.with_model(verdict, self.settings.metric.name, score, flattering), score, flattering, self.is_interrupted,
        )

    def chosen(self, unseen: OofPredictions, single: int, noise: float) -> Dict[int, float]:
        """Members of the model and their weights, by what they said about some rows."""
        if self.settings.ensemble == "none":
            return {single: 1.0}
        return ensemble_fit.weights(
            unseen,
            is_classification=self.data.classes > 0,
            size=self.settings.ensemble_size,
            single=single,
            noise=noise,
            seed=self.settings.seed,
        )

    def scores(
        self, shares: Dict[int, float], single: int, verdict: Verdict, among: Optional[Collection[int]]
    ) -> Tuple[float, float]:
        """What the model is worth on new rows, and what it looks like on those that chose it;
        ``among`` has the trials it can be made of, if not all."""
        if not self.unseen.covers_all:
            # Every trial has predicted other rows, so there is no ensemble, and a model of all
            # trials knows best.
            judged = [each for each in (verdict.trusted, verdict.best_seen) if each.trial == single]
            value = self.study.trial(single).value
            assert value is not None, "only complete trials are chosen"
            return (judged[0].expected if judged else value), value
        score = estimate.worth(
            self.unseen if among is None else self.unseen.at(slice(None), among),
            lambda seen: self.chosen(seen, seen.leaders[0], verdict.noise),
            groups=None if self.data.groups is None else np.asarray(self.data.groups)[self.unseen.rows],
            seed=self.settings.seed,
        )
        return score, ensemble_fit.score(self.unseen, shares)

    def search(self, first: Sequence[Configuration]) -> None:
        settings = self.settings
        source: Union[StudyPolicy, EnsemblePolicy] = StudyPolicy(self.study)
        if settings.ensemble == "optimised":
            rows = np.sort(np.concatenate([valid for _, valid in self.splits.of_trial(0)]))
            source = EnsemblePolicy(self.study, self.data.target[rows], self.data.classes, min(SLOTS, settings.ensemble_size))
        callbacks: List[Any] = []
        if settings.is_verbose:
            callbacks = [Progress(settings.budget.trials, settings.budget.seconds)]
        search = Search(
            self.study, self.splits, self.crew, settings.budget, self.unseen,
            source=source,
            trial_timeout=settings.trial_timeout,
            patience=settings.patience,
            members=1 if settings.ensemble == "none" else EXPECTED_MEMBERS,
            growth=self.growth / settings.jobs,
            choosing=self.choosing(),
            race=self.race(),
            first=first,
            callbacks=callbacks,
        )
        search.run()
        for callback in callbacks:
            callback.close()
        if search.is_interrupted:
            self.interrupt("the search was interrupted; its complete trials make the model (interrupt again not to wait for all of them)")

    def choosing(self) -> float:
        """Seconds for each trial that choosing members will take; a single one is chosen at once.
        """
        if self.settings.ensemble == "none":
            return 0.0
        judged = sum(len(valid) for _, valid in self.splits.of_trial(0))
        return estimate.seconds(judged, max(1, self.data.classes))

    def race(self) -> Optional[Race]:
        """Trials race unless each is needed whole: members of an ensemble that is optimised speak
        about all rows."""
        if not self.settings.races or self.settings.ensemble == "optimised":
            return None
        return Race(folds=len(self.splits.of_trial(0)))

    def single(self, verdict: Verdict) -> int:
        """The trial to rely on, among those that are still at hand."""
        by_model = self.settings.selection == "posterior_mean" or (
            self.settings.selection == "auto" and self.splits.plan.reshuffle
        )
        trial = verdict.trusted.trial if by_model else self.study.best_trial.number
        return trial if trial in self.unseen.leaders else self.unseen.leaders[0]

    def interrupt(self, words: str) -> None:
        """Says that the user wants to wait no longer, and what comes of it."""
        self.is_interrupted = True
        warnings.warn(words, RuntimeWarning, stacklevel=6)

    def last_fits(self, trials: List[int]) -> Dict[int, Fitted]:
        """Fits trials on all rows; those that are not done in time are left out, but for the first
        that succeeds."""
        fitted: Dict[int, Fitted] = {}
        try:
            self.fit_all(trials, fitted)
        except KeyboardInterrupt:
            if not fitted:
                raise
            self.interrupt(f"interrupted; the model has {len(fitted)} of {len(trials)} members")
            self.crew.stop()
        if not fitted:
            raise ArboraError(f"none of {len(trials)} chosen trials could be fitted on all rows; give more time", "NoModel")
        return fitted

    def fit_all(self, trials: List[int], fitted: Dict[int, Fitted]) -> None:
        waiting = list(trials)
        while waiting or self.crew.is_busy:
            while waiting and self.crew.has_room and not (fitted and self.is_over()):
                trial = waiting.pop(0)
                message = {"configuration": self.study.trial(trial).configuration}
                # Without any there would be no model, so the first may take longer than all the
                # time there is.
                ends_at = self.settings.budget.ends_at if fitted else None
                self.crew.give(trial, message, limit=self.longest(trial), ends_at=ends_at)
            if not self.crew.is_busy:
                break
            for ended in self.crew.wait():
                self.keep(ended, fitted)

    def longest(self, trial: int) -> float:
        """Seconds after which a last fit is taken for one that hangs: many times what is expected.
        """
        expected: float = self.study.trial(trial).attributes["fit_seconds"] * self.growth
        return max(60.0, 20.0 * expected)

    def keep(self, ended: Ended, fitted: Dict[int, Fitted]) -> None:
        if ended.result is not None:
            fitted[ended.key] = ended.result
        elif self.settings.is_verbose:
            import sys

            said = _arbora.visible(f"trial {ended.key} is left out of the model: {ended.reason}")
            print(said, file=sys.stderr)

    def is_over(self) -> bool:
        ends_at = self.settings.budget.ends_at
        return ends_at is not None and time.monotonic() >= ends_at


def _among(fitted: Dict[int, Fitted], shares: Dict[int, float]) -> Dict[int, float]:
    """The weights of those that were fitted, adding up to one again."""
    total = sum(share for trial, share in shares.items() if trial in fitted)
    if total == 0:
        return {next(iter(fitted)): 1.0}
    return {trial: share / total for trial, share in shares.items() if trial in fitted}


def _nothing(study: Study) -> ArboraError:
    reasons: Dict[str, int] = {}
    for trial in study.trials:
        if trial.reason is not None:
            reasons[trial.reason] = reasons.get(trial.reason, 0) + 1
    frequent = sorted(reasons.items(), key=lambda item: -item[1])[:3]
    told = "; ".join(f"{reason} ({count} times)" for reason, count in frequent)
    message = f"no trial succeeded: {told}" if told else "no trial could begin; give more time or more trials"
    return ArboraError(message, "NoModel", {"reasons": reasons})
