"""A search that follows scikit-learn's conventions."""

from __future__ import annotations

import copy
import numbers
from typing import Any, Callable, Dict, Optional, Tuple

import numpy
from sklearn.base import is_classifier
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import check_random_state, get_tags
from sklearn.utils._param_validation import Interval, StrOptions

from arbora import _arbora
from arbora.selection import confirmed
from arbora.sklearn.resampling import rounds
from arbora.sklearn.run import Run
from arbora.space import Space
from arbora.study import Study
from arbora.verdict import Verdict

__all__ = ["ArboraSearchCV"]

_NUMBER_OF_TRIALS = Interval(numbers.Integral, 1, None, closed="left")


class ArboraSearchCV(BaseSearchCV):
    """Tune an estimator over a conditional space, by cross-validation.

    Parameters and attributes of ``GridSearchCV`` have the same meaning here: ``scoring`` (one
    metric or several), ``refit`` (also a metric or a function of ``cv_results_``), ``cv``,
    ``n_jobs``, ``error_score``, ``return_train_score``, groups and routed metadata;
    ``cv_results_``, ``best_estimator_``, ``best_params_``, ``best_score_`` and ``best_index_``.
    Each call of ``fit`` begins a new study.

    Parameters
    ----------
    estimator
        The estimator to tune. In a pipeline, parameters are called ``step__parameter``.
    space
        An :class:`arbora.Space` of its parameters. An inactive parameter keeps the value that the
        estimator has, and is masked in ``cv_results_``. A suffix after ``@`` is cut off, so that
        ``model__depth@forest`` and ``model__depth@boosting`` can have different ranges.
    values
        Objects for the alternatives of the space:
        ``{"model": {"svm": SVC(), "forest": RandomForestClassifier()}}``.
    trials, timeout
        When to stop: after this many trials, or when no new trial may begin after this many
        seconds. A search also ends with an error if the first ten trials all fail, and with a
        warning if the space has nothing left to try.
    strategy
        A name from :func:`arbora.strategies`, or a specification. Strategies that begin with cheap
        evaluations, such as ``"hyperband"``, train on a share of the rows first;
        ``cv_results_["share"]`` holds that share.
    objective
        With several metrics, the one to optimise; by default the one that ``refit`` names.
    cv
        As in scikit-learn, or an :class:`arbora.Plan`.
    resampling
        ``"fixed"``: all trials see the same splits, and the search can overfit them.
        ``"reshuffle"``: each trial has its own splits, which depend on seed and trial; scores are
        noisier but less biased. Trials that are evaluated together, if there are more jobs than
        splits, share their splits, and so does a generation of ``"cma"``.
    selection
        ``"least_loss"``: the best mean score. ``"posterior_mean"``: the best *expected* score by a
        model of all trials, which depends less on luck; best with reshuffling.
        ``"expected_best"``: the best expected score in the whole space; if no trial has tried that
        configuration, one more trial does.
    verbose
        1: a line for each trial with its score, the best so far and its configuration. More: also
        scikit-learn's lines for every fit.
    confirm
        The number of extra rounds of new splits on which the trials that the verdict calls tied
        (ten at most) are evaluated again; their best mean score then decides. Use it when the
        verdict advises to confirm.
    callbacks
        Functions of study and trial, called after each trial; ``study.stop()`` ends the search.
    storage
        A file that keeps the study of each ``fit``, for the command line.
    random_state
        The same number gives the same search.

    Attributes
    ----------
    study_
        The study; trial ``i`` is row ``i`` of ``cv_results_``.
    verdict_
        What was found and how certain it is, see :meth:`arbora.Study.verdict`.
    confirmations_
        Scores of the leaders on new splits, by trial; empty without ``confirm``, or without ties.
    best_configuration_
        The best parameters, as named in the space.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> space = Space()
    >>> kernel = space.choice("kernel", ["linear", "rbf"])
    >>> _ = space.real("C", 1e-3, 1e3, log=True)
    >>> _ = space.real("gamma", 1e-3, 1e3, log=True, when=kernel == "rbf")
    >>> search = ArboraSearchCV(SVC(), space, trials=8, cv=3, resampling="reshuffle", random_state=0)
    >>> bool(search.fit(*load_iris(return_X_y=True)).best_score_ > 0.9)
    True
    >>> bool(search.cv_results_["param_gamma"].mask.any())
    True
    """

    _parameter_constraints: Dict[str, Any] = {
        **BaseSearchCV._parameter_constraints,
        "space": [Space],
        "values": [dict, None],
        "trials": [_NUMBER_OF_TRIALS],
        "timeout": [Interval(numbers.Real, 0, None, closed="neither"), None],
        "strategy": [str, dict],
        "objective": [str, None],
        "resampling": [StrOptions({"fixed", "reshuffle"})],
        "selection": [StrOptions({"least_loss", "posterior_mean", "expected_best"})],
        "confirm": [Interval(numbers.Integral, 0, None, closed="left")],
        "callbacks": [list, tuple, callable],
        "storage": "no_validation",
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        space: Any,
        *,
        values: Optional[Dict[str, Dict[Any, Any]]] = None,
        trials: int = 50,
        timeout: Optional[float] = None,
        strategy: Any = "auto",
        scoring: Any = None,
        objective: Optional[str] = None,
        n_jobs: Optional[int] = None,
        refit: Any = True,
        cv: Any = None,
        resampling: str = "fixed",
        selection: str = "least_loss",
        confirm: int = 0,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = numpy.nan,
        return_train_score: bool = False,
        callbacks: Any = (),
        storage: Any = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.space = space
        self.values = values
        self.trials = trials
        self.timeout = timeout
        self.strategy = strategy
        self.objective = objective
        self.resampling = resampling
        self.selection = selection
        self.confirm = confirm
        self.callbacks = callbacks
        self.storage = storage
        self.random_state = random_state

    @property
    def verdict_(self) -> Verdict:
        """What was found and how sure that is; judged when first asked for."""
        if not hasattr(self, "_verdict"):
            self._verdict = self._fitted().verdict()
        return self._verdict

    @property
    def best_configuration_(self) -> Dict[str, Any]:
        """The best parameters in the words of the space."""
        study = self._fitted()
        return study.trial(int(self.best_index_)).configuration

    def _fitted(self) -> Study:
        study: Optional[Study] = self.__dict__.get("study_")
        if study is None:
            raise AttributeError(f"{type(self).__name__} is not fitted yet; call fit first")
        return study

    def __sklearn_tags__(self) -> Any:
        # The base class forgets about targets of several columns.
        tags = super().__sklearn_tags__()
        tags.target_tags = copy.deepcopy(get_tags(self.estimator).target_tags)
        return tags

    def _check_input_parameters(self, X: Any, y: Any, *more: Any, **named: Any) -> None:
        if y is None and get_tags(self.estimator).target_tags.required:
            raise ValueError(f"{type(self.estimator).__name__} requires y to be passed, but the target y is None")

    def __getstate__(self) -> Dict[str, Any]:
        # Workers get a copy of the search with every fit; what is still running stays here.
        state: Dict[str, Any] = dict(super().__getstate__())
        if state.pop("_run", None) is not None:
            state.pop("study_", None)
        if "study_" in state and state["study_"].storage is not None:
            # A search that is fitted can be taken to where its storage is not.
            state["study_"] = state["study_"].copy()
        return state

    # What scikit-learn calls.

    def _run_search(self, evaluate_candidates: Callable[..., Any], *, callback_ctx: Any = None) -> None:
        _check_values(self.values or {}, self.space)
        self.__dict__.pop("_verdict", None)
        self._expected: Optional[int] = None
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        of_trials = rounds(
            self.cv,
            self._checked_cv_orig,
            resampling=self.resampling,
            is_classifier=is_classifier(self.estimator),
            seed=seed,
        )
        self.study_ = Study(
            self.space,
            name=_name(self.storage),
            strategy=self.strategy,
            direction="maximize",
            seed=seed,
            storage=self.storage,
            # The score of the same configuration on other splits is news.
            repeats=of_trials.round(1) != 0,
            range=_range(self.scoring, is_classifier(self.estimator)),
        )
        self._run = Run(self, of_trials, evaluate_candidates, callback_ctx)
        try:
            self._run.run()
        finally:
            del self._run

    def _format_results(self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None) -> Any:
        # While the search runs results are only collected; the table is made once, at the end.
        run: Optional[Run] = self.__dict__.get("_run")
        if run is None or run.is_done:
            return super()._format_results(candidate_params, n_splits, out, more_results)
        return run.collect(candidate_params, out)

    def _select_best_index(self, refit: Any, refit_metric: str, results: Any) -> Any:
        if self.confirmations_ and not callable(refit):
            return confirmed({trial: [-score for score in scores] for trial, scores in self.confirmations_.items()})
        if "share" in results and not callable(refit):
            # A score of a model that learnt from a few rows is not compared with one that learnt
            # from all.
            return self._fitted().best_trial.number
        if callable(refit) or self.selection == "least_loss":
            return BaseSearchCV._select_best_index(refit, refit_metric, results)
        return self.verdict_.trusted.trial if self._expected is None else self._expected


def _name(storage: Any) -> str:
    """Two fits never share a study: what one has learnt must not leak into the other."""
    import os

    return "search" if storage is None else f"search-{os.urandom(4).hex()}"


def _check_values(values: Dict[str, Dict[Any, Any]], space: Space) -> None:
    """Objects stand for choices of the space; a name or a choice that is not there would be
    ignored."""
    parameters = space.to_dict()["parameters"]
    for name, objects in values.items():
        if name not in parameters:
            near = _arbora.similar(str(name), list(parameters))
            hint = f"did you mean `{near}`?" if near else f"it has {', '.join(parameters)}"
            raise ValueError(f"values: the space has no parameter `{name}`; {hint}")
        choices = parameters[name].get("choices", parameters[name].get("values"))
        if choices is None:
            raise ValueError(f"values: `{name}` is a number, and objects stand for choices; leave it out")
        for label in objects:
            if label not in choices:
                raise ValueError(f"values: `{name}` has no choice {label!r}; it has {', '.join(map(repr, choices))}")


def _range(scoring: Any, is_classifier: bool) -> Tuple[Optional[float], Optional[float]]:
    """Which values scikit-learn's own scores can have; of others nothing is known.

    >>> _range("roc_auc", True), _range("neg_mean_squared_error", False), _range(None, True)
    ((0.0, 1.0), (None, 0.0), (0.0, 1.0))
    """
    name = ("accuracy" if is_classifier else None) if scoring is None else scoring
    if not isinstance(name, str):
        return None, None
    if name.startswith("neg_"):
        return None, 0.0
    if name in ("r2", "explained_variance"):
        return None, 1.0
    shares = ("accuracy", "balanced_accuracy", "top_k_accuracy", "roc_auc", "average_precision")
    families = ("f1", "precision", "recall", "jaccard", "roc_auc")
    is_share = name in shares or name.split("_")[0] in families or name.startswith("roc_auc")
    return (0.0, 1.0) if is_share else (None, None)
