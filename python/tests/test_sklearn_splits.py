"""ArboraSearchCV: the rows that trials see, how one is chosen among them, and nothing that leaks."""

from __future__ import annotations

import math
import pathlib
from typing import Any, Dict, List, Set

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn")

import numpy
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold, TimeSeriesSplit, cross_validate
from sklearn.svm import SVC

import arbora
from arbora.sklearn import ArboraSearchCV
from sklearn_cases import X, Y, one, search, svm


class Witness(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Remembers every row it was ever shown for learning; the first column is the number of the row."""

    seen: List[Set[int]] = []

    def __init__(self, C: float = 1.0) -> None:
        self.C = C

    def fit(self, X: Any, y: Any) -> Witness:
        Witness.seen.append({int(row) for row in X[:, 0]})
        self.classes_ = numpy.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return numpy.full(len(X), self.classes_[0])


@pytest.mark.parametrize("resampling", ["fixed", "reshuffle"])
def test_nothing_leaks_in_nested_cross_validation(resampling: str, tmp_path: pathlib.Path) -> None:
    rows = numpy.arange(30.0).reshape(-1, 1)
    labels = numpy.arange(30) % 2
    inner = ArboraSearchCV(
        Witness(), one(), trials=3, cv=2, resampling=resampling, random_state=0, storage=tmp_path / "study.db"
    )
    Witness.seen = []
    outer = KFold(3)
    result = cross_validate(inner, rows, labels, cv=outer, return_estimator=True)
    per_fold = 3 * 2 + 1
    assert len(Witness.seen) == 3 * per_fold
    for fold, (train, test) in enumerate(outer.split(rows)):
        shown = Witness.seen[fold * per_fold : (fold + 1) * per_fold]
        assert set().union(*shown) == set(train) and not set().union(*shown) & set(test)
    assert [len(fitted.study_) for fitted in result["estimator"]] == [3, 3, 3]
    assert len(arbora.studies(tmp_path / "study.db")) == 3, "each fit has a study of its own"
    assert not hasattr(inner, "study_")


def test_splits_are_fixed_or_drawn_anew_and_kept_with_the_trial() -> None:
    def validated(**more: Any) -> List[Any]:
        Witness.seen = []
        fitted = ArboraSearchCV(Witness(), one(), trials=3, random_state=0, refit=False, **more)
        fitted.fit(numpy.arange(24.0).reshape(-1, 1), numpy.arange(24) % 2)
        identities = [trial.attributes["splits"] for trial in fitted.study_.trials]
        assert [identity["round"] for identity in identities] in ([0, 0, 0], [0, 1, 2])
        count = fitted.n_splits_
        shown = [Witness.seen[trial * count : (trial + 1) * count] for trial in range(3)]
        assert (len({str(rows) for rows in shown}) == 1) == (identities[2]["round"] == 0)
        return shown

    # A splitter that would draw other rows at every call draws once, if the splits are to be fixed.
    for fixed in (3, ShuffleSplit(2), KFold(3, shuffle=True), arbora.Plan(folds=3)):
        trials = validated(cv=fixed)
        assert trials[0] == trials[1] == trials[2]
    anew: Any
    for anew in (3, None, ShuffleSplit(2), StratifiedKFold(3), arbora.Plan(folds=3), arbora.Plan(hold_out=0.25)):
        trials = validated(cv=anew, resampling="reshuffle")
        assert trials[0] != trials[1] != trials[2]
        assert trials == validated(cv=anew, resampling="reshuffle"), "a function of seed and trial"
    assert validated(cv=arbora.Plan(folds=3, reshuffle=True, seed=4))[0] != trials[0]


def test_a_generation_shares_its_splits() -> None:
    fitted = search(strategy="cma", trials=16, resampling="reshuffle", refit=False).fit(X, Y)
    rounds = [trial.attributes["splits"]["round"] for trial in fitted.study_.trials]
    assert rounds == sorted(rounds) and len(set(rounds)) in (2, 3), "a handful of trials each"


def test_what_cannot_be_reshuffled_says_so() -> None:
    with pytest.raises(ValueError, match="cannot draw the splits of TimeSeriesSplit"):
        search(cv=TimeSeriesSplit(3), resampling="reshuffle").fit(X, Y)
    with pytest.raises(ValueError, match="take test and selection rows away"):
        search(cv=arbora.Plan(test=0.2)).fit(X, Y)


def test_the_verdict_knows_how_far_splits_differ() -> None:
    for cv, ratio in ((4, 1 / 3), (ShuffleSplit(3, test_size=0.2, random_state=0), 1 / 4)):
        fitted = search(trials=3, cv=cv).fit(X, Y)
        splits, trusted = fitted.verdict_.splits, fitted.study_.trustworthy_trial
        values = trusted.attributes["split_values"]
        results = fitted.cv_results_
        columns = [results[f"split{i}_test_score"][trusted.number] for i in range(fitted.n_splits_)]
        assert values == pytest.approx(columns)
        assert trusted.attributes["split_ratio"] == pytest.approx(ratio, rel=0.05)
        assert splits.mean == pytest.approx(trusted.value)
        share = trusted.attributes["split_ratio"]
        assert splits.error == pytest.approx(((1 / len(values) + share) * numpy.var(values, ddof=1)) ** 0.5)


def test_selection_by_posterior_mean() -> None:
    settings: Dict[str, Any] = {"trials": 12, "cv": arbora.Plan(hold_out=0.2), "resampling": "reshuffle"}
    fitted = search(selection="posterior_mean", **settings).fit(X, Y)
    assert fitted.best_index_ == fitted.verdict_.trusted.trial == fitted.study_.trustworthy_trial.number
    assert fitted.verdict_.complete == 12 and "12 trials complete" in str(fitted.verdict_)
    assert fitted.best_score_ == fitted.cv_results_["mean_test_score"][fitted.best_index_]
    assert fitted.verdict_.splits is None, "a single split says nothing of others"
    plain = search(**settings).fit(X, Y)
    assert plain.best_index_ == plain.study_.best_trial.number


def test_the_best_that_is_expected_anywhere_is_tried_once() -> None:
    guess = DummyRegressor(strategy="constant", constant=0.0)
    noisy = numpy.random.default_rng(0).normal(0.3, 0.5, size=60)
    settings: Dict[str, Any] = {"trials": 7, "cv": arbora.Plan(hold_out=0.2), "resampling": "reshuffle", "random_state": 0,
                                "scoring": "neg_mean_squared_error", "strategy": "random"}
    fitted = ArboraSearchCV(guess, one("constant"), selection="expected_best", **settings).fit(X[:60], noisy)
    plain = ArboraSearchCV(guess, one("constant"), **settings).fit(X[:60], noisy)
    assert len(plain.study_) == 7 and len(fitted.study_) == 8 == len(fitted.cv_results_["params"])
    assert fitted.best_index_ == 7 and fitted.best_configuration_ == plain.study_.expected_best()
    assert fitted.best_score_ == fitted.cv_results_["mean_test_score"][7]
    assert fitted.best_params_ == fitted.cv_results_["params"][7]
    # In a space of three configurations, which all were tried, nothing is tried again.
    few = arbora.Space()
    few.ordinal("C", [0.1, 1.0, 10.0])
    exhausted = ArboraSearchCV(SVC(), few, selection="expected_best", trials=5, cv=3, random_state=0)
    with pytest.warns(UserWarning, match="no more configurations than 3"):
        exhausted.fit(X, Y)
    assert len(exhausted.study_) == 3
    assert exhausted.best_configuration_ == exhausted.study_.expected_best()


def test_tied_leaders_are_confirmed_on_fresh_splits() -> None:
    cv: Any
    for cv in (3, ShuffleSplit(3, random_state=0), arbora.Plan(folds=3)):
        fitted = search(trials=8, cv=cv, confirm=2).fit(X, Y)
        leaders = fitted.confirmations_
        assert set(leaders) <= set(fitted.verdict_.tied) and len(leaders) > 1
        assert all(len(scores) == 2 * 3 for scores in leaders.values())
        best = max(leaders, key=lambda trial: (sum(leaders[trial]), -list(leaders).index(trial)))
        assert fitted.best_index_ == best
        assert fitted.study_.trial(best).attributes["confirmed"] == leaders[best]
        assert len(fitted.cv_results_["params"]) == 8, "they are no trials of the search"
        again = search(trials=8, cv=cv, confirm=2).fit(X, Y)
        assert again.confirmations_ == leaders
    with pytest.raises(ValueError, match="cannot be confirmed"):
        mixed = numpy.random.RandomState(0).permutation(150)
        search(trials=8, cv=TimeSeriesSplit(3), confirm=1).fit(X[mixed], Y[mixed])


def test_cheap_evaluations_learn_from_a_share_of_the_rows() -> None:
    Witness.seen = []
    rows, labels = numpy.arange(120.0).reshape(-1, 1), numpy.arange(120) % 2
    made = ArboraSearchCV(Witness(), one(), trials=40, cv=2, strategy="hyperband", random_state=0, refit=False)
    fitted = made.fit(rows, labels)
    shares = fitted.cv_results_["share"]
    assert len(set(shares)) > 1 and list(shares) == [trial.share for trial in fitted.study_.trials]
    for trial, share in enumerate(shares):
        assert [len(seen) for seen in Witness.seen[2 * trial : 2 * trial + 2]] == [math.ceil(share * 60)] * 2
    smaller, greater = (Witness.seen[2 * int(trial)] for trial in (shares.argmin(), shares.argmax()))
    assert smaller < greater, "a greater share adds rows"
    assert fitted.best_index_ == fitted.study_.best_trial.number
    assert shares[fitted.best_index_] == max(shares)
    race = {"kind": "racing", "strategy": {"kind": "random"}, "folds": 3}
    with pytest.raises(ValueError, match="one fold at a time"):
        search(strategy=race).fit(X, Y)


def test_groups_weights_and_routed_metadata() -> None:
    groups = numpy.arange(150) % 10
    fitted = search(cv=GroupKFold(3)).fit(X, Y, groups=groups)
    assert len(fitted.study_) == 6
    Witness.seen = []
    rows, labels, who = numpy.arange(40.0).reshape(-1, 1), numpy.arange(40) % 2, numpy.arange(40) // 5
    for cv in (4, arbora.Plan(folds=4)):
        made = ArboraSearchCV(Witness(), one(), trials=2, cv=cv, resampling="reshuffle", random_state=0)
        made.fit(rows, labels, groups=who)
        for shown in Witness.seen[:-1]:
            assert len({int(who[row]) for row in shown}) * 5 in (len(shown), 40), "groups stay together"
        Witness.seen = []
    weighted = search().fit(X, Y, sample_weight=numpy.ones(150))
    assert weighted.best_score_ > 0.9
    with sklearn.config_context(enable_metadata_routing=True):
        model = SVC().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        routed = ArboraSearchCV(model, svm(), trials=2, cv=arbora.Plan(folds=3), random_state=0, strategy="random")
        routed.fit(X, Y, sample_weight=numpy.ones(150), groups=groups)
        assert routed.best_score_ > 0.3
