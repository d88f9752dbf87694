"""One ``fit``: asks a study, has scikit-learn evaluate, tells the study, and makes the table of
results."""

from __future__ import annotations

import math
import time
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence

from joblib import effective_n_jobs
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection._search import BaseSearchCV

from arbora.errors import ExhaustedError
from arbora.sklearn.resampling import Measured, Part, Rounds
from arbora.sklearn.words import Words, reason_of
from arbora.trial import Trial

Fit = Dict[str, Any]
"""What scikit-learn says about one fit on one split."""

MOST_LEADERS = 10
"""More trials than this are not confirmed: the best expected ones have the best chances."""


class Run:
    """The loop, and what it has seen."""

    def __init__(self, search: BaseSearchCV, rounds: Rounds, evaluate: Callable[..., Any], context: Any) -> None:
        self.search, self.study, self.rounds = search, search.study_, rounds
        self.evaluate, self.context = evaluate, context
        self.params: List[Dict[str, Any]] = []
        self.fits: List[Optional[List[Fit]]] = []
        self.seen = 0
        self.fresh: List[Fit] = []
        self.results: Dict[str, Any] = {}
        self.is_done = False
        self.last_error: Optional[ValueError] = None
        self.words = Words(search.trials, is_verbose=bool(search.verbose))
        # As many trials at once as it takes to keep all jobs busy.
        self.together = max(1, math.ceil(effective_n_jobs(search.n_jobs) / search.n_splits_))
        callbacks = search.callbacks
        self.callbacks = tuple(callbacks) if isinstance(callbacks, (list, tuple)) else (callbacks,)
        self.ends_at = None if search.timeout is None else time.monotonic() + search.timeout

    def run(self) -> None:
        """Trials until there is a reason to stop, then the table."""
        if isinstance(self.search.scoring, (list, tuple, set, dict)):
            self.objective(list(self.search.scoring))
        context = _begun(self.context, self.search, "search", None)
        try:
            while self.goes_on():
                self.batch(min(self.together, self.search.trials - len(self.params)), context)
        except ExhaustedError:
            self.words.exhausted()
        if not self.fits:
            raise ValueError("nothing was evaluated: the space has no configuration")
        if self.words.gives_up or not any(self.fits):
            raise ValueError(self.words.nothing()) from self.last_error
        self.words.close()
        if self.search.selection == "expected_best":
            self.expect(context)
        self.confirm(context)
        self.table()
        if context is not None:
            context.call_on_fit_task_end(estimator=self.search)

    def goes_on(self) -> bool:
        """May another batch begin? The first one always may."""
        if not self.params:
            return True
        is_over = self.ends_at is not None and time.monotonic() >= self.ends_at
        if is_over or self.words.gives_up or self.study._session.is_stopping:
            return False
        return bool(len(self.params) < self.search.trials)

    def batch(self, size: int, context: Any) -> None:
        """Asks for several trials, each knowing of the others, has them evaluated together, and
        tells."""
        trials: List[Trial] = []
        try:
            for _ in range(size):
                trials.append(self.study.ask())
        except ExhaustedError:
            if not trials:
                raise
        # Trials are evaluated together if they learn from as many rows.
        if len({trial.share for trial in trials}) > 1:
            for trial in trials:
                self.together_on([trial], context)
        else:
            self.together_on(trials, context)

    def together_on(self, trials: List[Trial], context: Any) -> None:
        """Evaluates trials on the same splits, and tells."""
        started = time.monotonic()
        first = trials[0].number
        round = self.rounds.round(first, self.study._live().generation(first))
        try:
            params = [self.params_of(trial) for trial in trials]
            splitter = Measured(self.splitter(round, trials[0]))
            fits = self.evaluated(params, splitter, context)
        except BaseException:
            for trial in trials:
                self.study.abandon(trial, "the search was broken off")
            raise
        duration = time.monotonic() - started
        self.params.extend(params)
        self.fits.extend(fits)
        for trial, of_trial in zip(trials, fits):
            self.tell(trial, of_trial, duration, {"splits": self.rounds.identity(round), "split_ratio": splitter.ratio})
            count = self.search.n_splits_
            broken = count if of_trial is None else sum(fit["fit_error"] is not None for fit in of_trial)
            why = self.reason(of_trial) if broken else None
            self.words.told(self.study, self.study.trial(trial.number), broken, count, why)
        for trial in trials:
            for callback in self.callbacks:
                callback(self.study, self.study.trial(trial.number))

    def splitter(self, round: int, trial: Trial) -> Any:
        if trial.fold is not None:
            raise ValueError("a race over folds asks for one fold at a time; choose a strategy of whole evaluations")
        splitter = self.rounds.splitter(round)
        return splitter if trial.share == 1.0 else Part(splitter, trial.share, self.rounds.seed % 2**32)

    def expect(self, context: Any) -> None:
        """Finds the configuration that a model expects to be the best of the whole space, and tries
        it if nobody has."""
        if all(trial.loss is None for trial in self.study.trials):
            return
        wanted = self.study.expected_best()
        known = [trial for trial in self.study.trials if trial.loss is not None and trial.configuration == wanted]
        if not known:
            self.study.enqueue(wanted)
            known = [self.study.ask()]
            self.together_on(known, context)
        if self.study.trial(known[0].number).loss is not None:
            self.search._expected = known[0].number

    def confirm(self, context: Any) -> None:
        """Evaluates again, on fresh splits, the trials that cannot be told apart from the most
        trustworthy one."""
        self.search.confirmations_ = {}
        leaders = self.search.verdict_.tied[:MOST_LEADERS] if self.search.confirm else []
        if len(leaders) < 2:
            return
        scores: Dict[int, List[float]] = {leader: [] for leader in leaders}
        for number in range(self.search.confirm):
            params = [self.params[leader] for leader in leaders]
            for leader, fits in zip(leaders, self.evaluated(params, self.rounds.fresh(number), context)):
                of_fits = [_score(fit, self.objective(_names(fit))) for fit in fits or ()]
                # A fit that fails now is as bad as can be: such a trial is not to be trusted.
                scores[leader].extend(score if math.isfinite(score) else -math.inf for score in of_fits or [math.nan])
        for leader, of_leader in scores.items():
            self.study.trial(leader).set_attribute("confirmed", [_finite(score) for score in of_leader])
        self.search.confirmations_ = scores

    def params_of(self, trial: Trial) -> Dict[str, Any]:
        """A configuration in the words of the estimator."""
        values = self.search.values or {}
        params: Dict[str, Any] = {}
        for name, value in trial.configuration.items():
            known = name.split("@")[0]
            if known in params:
                raise ValueError(f"`{name}` and another active parameter both set `{known}`; let one exclude the other")
            objects = values.get(name, {})
            params[known] = objects[value] if value in objects else value
        return params

    def evaluated(self, params: List[Dict[str, Any]], cv: Any, context: Any) -> List[Optional[List[Fit]]]:
        """The fits of each candidate; None for all of them if not a single fit of the batch
        succeeded."""
        inner = _begun(context, self.search, "trials", len(params) * self.search.n_splits_)
        more = {} if inner is None else {"callback_ctx": inner}
        splits, verbose = self.search.n_splits_, self.search.verbose
        try:
            # A grid says how many candidates it has; here they come one by one, and failures are
            # spoken of in another way.
            self.search.verbose = 0
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FitFailedWarning)
                self.evaluate(params, cv=cv, **more)
        except ValueError as error:
            # What a grid calls a misconfigured model is a bad trial here; only if all are bad it is
            # an error.
            if "fits failed" not in str(error):
                raise
            self.last_error = error
            return [None] * len(params)
        finally:
            self.search.verbose = verbose
            if inner is not None:
                inner.call_on_fit_task_end(estimator=self.search)
        return [self.fresh[at * splits : (at + 1) * splits] for at in range(len(params))]

    def collect(self, candidates: Sequence[Any], out: List[Fit]) -> Dict[str, Any]:
        """Called back by scikit-learn with all that was evaluated so far; the same dict is filled
        at the end."""
        self.fresh = out[self.seen :]
        self.seen = len(out)
        return self.results

    def tell(self, trial: Trial, fits: Optional[List[Fit]], duration: float, splits: Dict[str, Any]) -> None:
        attributes = dict(splits)
        score = self.search.error_score if fits is None else math.nan
        cost = None
        if fits is not None:
            scores = {name: [_score(fit, name) for fit in fits] for name in _names(fits[0])}
            attributes["scores"] = {name: [_finite(value) for value in of_name] for name, of_name in scores.items()}
            of_objective = scores[self.objective(list(scores))]
            score = sum(of_objective) / len(of_objective)
            attributes["split_values"] = [_finite(value) for value in of_objective]
            cost = sum(float(fit["fit_time"]) + float(fit["score_time"]) for fit in fits)
        told: Dict[str, Any] = {"cost": cost, "duration": duration, "attributes": attributes}
        if math.isfinite(score):
            self.study.tell(trial, score, **told)
        else:
            self.study.tell(trial, failed=self.reason(fits), **told)

    def objective(self, names: List[str]) -> str:
        """The metric that the search goes by."""
        if len(names) == 1 and names[0] == "score":
            if self.search.objective not in (None, "score", self.search.scoring):
                raise ValueError(
                    f"objective={self.search.objective!r} chooses among several metrics, and scoring={self.search.scoring!r} "
                    "is one; name them all by scoring=[...]"
                )
            return "score"
        refit = self.search.refit
        wanted = self.search.objective or (refit if isinstance(refit, str) else None)
        if wanted not in names:
            raise ValueError(
                f"the search goes by one metric, and objective={wanted!r} is none of {', '.join(names)}; "
                "name one by objective= or refit="
            )
        is_chosen_by_it = self.search.selection != "least_loss" or self.search.confirm
        if is_chosen_by_it and isinstance(refit, str) and refit != wanted:
            raise ValueError(
                f"selection={self.search.selection!r} and confirm choose by the metric the search goes by, {wanted!r}, "
                f"not by refit={refit!r}"
            )
        return str(wanted)

    def reason(self, fits: Optional[List[Fit]]) -> str:
        errors = [str(fit["fit_error"]) for fit in fits or () if fit["fit_error"] is not None]
        if fits is None:
            errors = [str(self.last_error)]
        return reason_of("\n".join(errors[:1]))

    def table(self) -> None:
        """``cv_results_``, a row per trial: also for those of which every fit failed, which
        scikit-learn left out."""
        known = next(fits for fits in self.fits if fits)
        splits, error_score = self.search.n_splits_, self.search.error_score
        failed = [{**fit, **_blank(fit, error_score)} for fit in known]
        out = [fit for fits in self.fits for fit in (fits or failed)]
        self.is_done = True
        with warnings.catch_warnings():
            if any(fits is None for fits in self.fits):
                # They were warned about one by one.
                warnings.filterwarnings("ignore", "One or more of the .* scores are non-finite")
            self.results.update(self.search._format_results(self.params, splits, out, self.more()))

    def more(self) -> Dict[str, Any]:
        """Columns of our own: how much of its training rows a trial learnt from, if not all did
        from all."""
        shares = [trial.share for trial in self.study.trials[: len(self.params)]]
        return {} if set(shares) == {1.0} else {"share": shares}


def _begun(context: Any, search: Any, name: str, subtasks: Optional[int]) -> Any:
    """A part of scikit-learn's own report of progress, from 1.9 on."""
    if context is None:
        return None
    inner = context.subcontext(task_name=name, max_subtasks=subtasks, sequential_subtasks=subtasks is None)
    return inner.call_on_fit_task_begin(estimator=search)


def _names(fit: Fit) -> List[str]:
    scores = fit["test_scores"]
    return list(scores) if isinstance(scores, dict) else ["score"]


def _score(fit: Fit, name: str) -> float:
    scores = fit["test_scores"]
    return float(scores[name] if isinstance(scores, dict) else scores)


def _finite(value: float) -> Optional[float]:
    return value if math.isfinite(value) else None


def _blank(fit: Fit, error_score: float) -> Fit:
    """A fit that failed, with the fields of one that did not."""
    blank: Fit = {"fit_time": 0.0, "score_time": 0.0}
    for name in ("test_scores", "train_scores"):
        if name in fit:
            scores = fit[name]
            blank[name] = dict.fromkeys(scores, error_score) if isinstance(scores, dict) else error_score
    return blank
