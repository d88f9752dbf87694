"""The two estimators, as scikit-learn expects them."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Union

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError("AutoClassifier and AutoRegressor need scikit-learn: pip install scikit-learn") from error

from arbora import duration
from arbora.arguments import seed_or_random
from arbora.automl import leaderboard, metric, pipeline, target
from arbora.automl.pipeline import Data
from arbora.automl.search import Budget
from arbora.automl.settings import ENSEMBLES, SELECTIONS, Settings
from arbora.automl.table import Table

__all__ = ["AutoClassifier", "AutoRegressor", "Member"]


class Member:
    """One fitted configuration of a search, for tables as they were given to ``fit``.

    >>> from arbora.examples import small_table
    >>> rows, labels = small_table()
    >>> auto = AutoClassifier(space="cash", trials=6, time_budget=None, isolate=False, random_state=1).fit(rows, labels)
    >>> member = auto.best_estimator_
    >>> member.configuration["classifier"] in ("knn", "svm", "linsvm", "dt", "rf", "adab", "gnb", "lda", "qda")
    True
    >>> member.predict(rows[:2])
    array(['left', 'right'], dtype='<U5')
    """

    def __init__(self, table: Table, configuration: Dict[str, Any], fitted: Any, classes: Optional[Any]) -> None:
        self.table, self.configuration, self.fitted, self.classes_ = table, configuration, fitted, classes

    @property
    def estimator(self) -> Any:
        """The scikit-learn estimator, which takes the encoded matrix ``table.encode(X)`` and
        positions of classes."""
        return self.fitted.estimator

    def predict(self, X: Any) -> Any:
        """Classes or numbers."""
        predicted = self.fitted.predict(self.table.encode(X))
        return predicted[:, 0] if self.classes_ is None else self.classes_[predicted.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        """Probabilities, in the order of ``classes_``."""
        if self.classes_ is None:
            raise AttributeError("numbers are predicted here, which have no probabilities")
        return self.fitted.predict(self.table.encode(X))

    def __repr__(self) -> str:
        return f"<Member {self.configuration!r}>"


class _Auto(BaseEstimator):
    def __init__(
        self,
        *,
        space: Any = "modern",
        time_budget: Union[None, float, str] = 300.0,
        trials: Optional[int] = None,
        metric: Optional[str] = None,
        ensemble: str = "post-hoc",
        ensemble_size: int = 21,
        selection: str = "auto",
        strategy: Any = "auto",
        folds: Union[str, int] = "auto",
        resampling: str = "auto",
        max_rows: Union[str, int] = "auto",
        racing: bool = True,
        n_jobs: Optional[int] = None,
        trial_timeout: Union[None, float, str] = None,
        memory_limit: Optional[float] = None,
        isolate: bool = True,
        storage: Optional[Any] = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.space = space
        self.time_budget = time_budget
        self.trials = trials
        self.metric = metric
        self.ensemble = ensemble
        self.ensemble_size = ensemble_size
        self.selection = selection
        self.strategy = strategy
        self.folds = folds
        self.resampling = resampling
        self.max_rows = max_rows
        self.racing = racing
        self.n_jobs = n_jobs
        self.trial_timeout = trial_timeout
        self.memory_limit = memory_limit
        self.isolate = isolate
        self.storage = storage
        self.random_state = random_state
        self.verbose = verbose

    _is_classifier: bool
    _metric: str

    def fit(self, X: Any, y: Any, groups: Optional[Any] = None) -> Any:
        """Search for a model that predicts ``y`` from the columns of ``X``. Rows of one of the
        ``groups`` are never split between training and validation.
        """
        settings = self._settings()
        table = Table.of(X)
        matrix = table.encode(X)
        values = target.column(y, len(matrix))
        if len(matrix) < 2:
            raise ValueError(f"{len(matrix)} sample is too few: a part of the rows has to validate what the others taught")
        target.check_rows(len(matrix))
        classes, codes = target.classes(values) if self._is_classifier else (None, target.numbers(values))
        data = Data(matrix, codes, 0 if classes is None else len(classes), table.sizes, groups)
        self._keep(pipeline.fit(data, settings), table, classes)
        self.metric_ = settings.metric.name
        return self

    def _keep(self, model: pipeline.Model, table: Table, classes: Optional[Any]) -> None:
        self.n_features_in_ = len(table.columns)
        if table.names is not None:
            self.feature_names_in_ = np.array(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if classes is not None:
            self.classes_ = classes
        self.study_ = model.study
        self.verdict_ = model.verdict
        self.ensemble_: Dict[int, float] = model.weights
        self.validation_score_ = model.score
        self.selection_score_ = model.flattering
        self.interrupted_ = model.is_interrupted
        self.best_configuration_ = model.study.trial(model.single).configuration
        self.best_estimator_ = Member(table, self.best_configuration_, model.best, classes)
        self.estimators_ = [
            Member(table, model.study.trial(trial).configuration, fitted, classes)
            for trial, fitted in zip(model.weights, model.blend.members)
        ]
        self._table, self._blend = table, model.blend

    def _settings(self) -> Settings:
        if self.time_budget is None and self.trials is None:
            raise ValueError("without time_budget and trials the search would never end; give one of them")
        if self.trials is not None and self.trials < 1:
            raise ValueError(f"trials = {self.trials} is invalid: at least one is needed")
        seconds = _seconds(self.time_budget, "time_budget")
        judged = metric.named(self.metric or self._metric, self._is_classifier)
        _one_of("ensemble", self.ensemble, ENSEMBLES)
        _one_of("selection", self.selection, SELECTIONS)
        if self.ensemble_size < 1:
            raise ValueError(f"ensemble_size = {self.ensemble_size} is invalid: at least one member is needed")
        return Settings(
            space=self.space,
            budget=Budget(self.trials, seconds),
            metric=judged,
            ensemble=self.ensemble,
            ensemble_size=self.ensemble_size,
            selection=self.selection,
            strategy=self.strategy,
            folds=self.folds,
            resampling=self.resampling,
            max_rows=self.max_rows,
            races=bool(self.racing),
            jobs=_jobs(self.n_jobs),
            trial_timeout=_seconds(self.trial_timeout, "trial_timeout"),
            # One slow learner must not take the time of all others; in a short search all are slow.
            patience=None if seconds is None else max(seconds / 10, min(10.0, seconds / 4)),
            memory_limit=self.memory_limit,
            is_isolated=self.isolate,
            storage=self.storage,
            seed=_random(self.random_state),
            is_verbose=bool(self.verbose),
        )

    def _predicted(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._blend.predict(self._table.encode(X))

    @property
    def leaderboard_(self) -> Any:
        """All trials, the best first: a pandas frame if pandas is there, a list of dicts otherwise.
        """
        check_is_fitted(self)
        return leaderboard.table(self.study_, self.metric_, self.ensemble_)

    def plot_space_tree(self, *, ax: Optional[Any] = None) -> Any:
        """Draws the space as a tree of decisions, with all trials; see :func:`arbora.plot.tree`."""
        check_is_fitted(self)
        from arbora.plot import tree

        return tree(self.study_, ax=ax)

    def __getstate__(self) -> Dict[str, Any]:
        # A model that is fitted can be taken to where its storage is not.
        state: Dict[str, Any] = dict(super().__getstate__())
        if "study_" in state and state["study_"].storage is not None:
            state["study_"] = state["study_"].copy()
        return state

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_blend")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        # A time limit cuts the search where the clock says.
        tags.non_deterministic = self.time_budget is not None
        return tags


class AutoClassifier(ClassifierMixin, _Auto):
    """Find a classifier for a table of numbers, categories, booleans and missing values.

    What to search: ``space`` is ``"modern"`` (boosting, linear models, forests, networks and kernel
    machines, with preprocessing), ``"cash"`` (the nine classifiers of the papers), or a pair of
    your own: an :class:`arbora.Space` and a function from a configuration to a scikit-learn
    estimator of encoded tables. ``strategy`` is one of :func:`arbora.strategies`.

    How long: until ``time_budget`` (seconds, or text such as "10m"; it includes the final fits on
    all rows) or until ``trials``, whichever comes first.

    What to optimise: ``metric`` is ``accuracy`` (the default), ``balanced_accuracy``, ``log_loss``
    or ``roc_auc``, over ``folds`` (a number, or ``"hold-out"`` with at most ``max_rows`` training
    rows). ``resampling`` draws new folds for every trial (``"reshuffle"``) or not (``"fixed"``).
    With ``racing``, a trial that is clearly behind after its first folds stops there, unless the
    ensemble is ``"optimised"``.

    What to return: ``ensemble`` is ``"none"``, ``"post-hoc"`` (members are chosen from finished
    trials) or ``"optimised"`` (the search looks for the members that an ensemble lacks), with at
    most ``ensemble_size`` members. ``selection`` chooses the single trial to rely on: by
    ``"least_loss"`` or by the best ``"posterior_mean"``; ``"auto"`` takes the latter if folds are
    reshuffled. ``validation_score_`` estimates the score on new rows: members are chosen again
    without the rows that judge them. ``selection_score_`` is the metric on the rows that chose the
    members, and optimistic.

    How to run: ``n_jobs`` trials at once, each in its own process with a hard limit of
    ``trial_timeout`` seconds (by default a tenth of the budget, or ten seconds) and of
    ``memory_limit`` megabytes; ``isolate=False`` runs them in this process, without limits.
    ``storage`` is a file that keeps the study. Every call of ``fit`` begins a new search. Ctrl-C
    ends the search, and the completed trials make the model (``interrupted_`` and a warning say
    so).

    >>> from arbora.examples import small_table
    >>> rows, labels = small_table()
    >>> auto = AutoClassifier(space="cash", trials=6, time_budget=None, isolate=False, random_state=1)
    >>> auto.fit(rows, labels).score(rows, labels) > 0.8
    True
    >>> print(auto.verdict_)
    6 trials complete.
    Best seen: trial ...
    The model: accuracy ..., estimated on rows that neither taught nor chose its parts ...
    >>> round(sum(auto.ensemble_.values()), 9)
    1.0
    """

    _is_classifier, _metric = True, "accuracy"

    def predict(self, X: Any) -> Any:
        """The class of each row.

        >>> from arbora.examples import small_table
        >>> rows, labels = small_table()
        >>> auto = AutoClassifier(space="cash", trials=6, time_budget=None, isolate=False, random_state=1).fit(rows, labels)
        >>> set(auto.predict(rows)) <= set(labels)
        True
        """
        predicted = self._predicted(X)
        return self.classes_[predicted.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each row, in the order of ``classes_``.

        >>> from arbora.examples import small_table
        >>> rows, labels = small_table()
        >>> auto = AutoClassifier(space="cash", trials=6, time_budget=None, isolate=False, random_state=1).fit(rows, labels)
        >>> auto.predict_proba(rows).shape[1] == len(auto.classes_)
        True
        """
        return self._predicted(X)


class AutoRegressor(RegressorMixin, _Auto):
    """Find a regression model. Options are those of :class:`AutoClassifier`, but ``metric`` is
    ``r2`` (the default), ``rmse`` or ``mae``.

    >>> from arbora.examples import small_table
    >>> rows, labels = small_table()
    >>> auto = AutoRegressor(trials=4, time_budget=None, isolate=False, random_state=1)
    >>> auto.fit(rows, rows[:, 0] + rows[:, 1]).predict(rows[:2]).shape
    (2,)
    """

    _is_classifier, _metric = False, "r2"

    def predict(self, X: Any) -> Any:
        """The number of each row."""
        return self._predicted(X)[:, 0]


def _one_of(what: str, given: str, known: Any) -> None:
    if given not in known:
        raise ValueError(f"{what} = {given!r} is invalid: it is one of {', '.join(known)}")


def _seconds(given: Any, what: str) -> Optional[float]:
    return None if given is None else duration.seconds(given, what)


def _jobs(given: Optional[int]) -> int:
    """As scikit-learn counts: minus one means every core."""
    if given is None:
        return 1
    if given == 0:
        raise ValueError("n_jobs = 0 is invalid: at least one trial runs at a time")
    return given if given > 0 else max(1, (os.cpu_count() or 1) + 1 + given)


def _random(given: Any) -> int:
    if isinstance(given, np.random.RandomState):
        return int(given.randint(2**31))
    if isinstance(given, np.random.Generator):
        return int(given.integers(2**31))
    return seed_or_random(None if given is None else int(given))
