"""ArboraSearchCV: scikit-learn's contract, conditional spaces, and nothing that leaks."""

from __future__ import annotations

import math
import pathlib
import pickle
import warnings
from typing import Any, Dict, List, Set

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn")

import joblib
import numpy
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import arbora
from arbora.sklearn import ArboraSearchCV

X, Y = load_iris(return_X_y=True)


def one(name: str = "C", low: float = 1e-3, high: float = 1e3) -> arbora.Space:
    space = arbora.Space()
    space.real(name, low, high, log=True)
    return space


def svm() -> arbora.Space:
    space = arbora.Space()
    kernel = space.choice("kernel", ["linear", "rbf"])
    space.real("C", 1e-3, 1e3, log=True)
    space.real("gamma", 1e-3, 1e3, log=True, when=kernel == "rbf")
    return space


def search(**more: Any) -> ArboraSearchCV:
    settings: Dict[str, Any] = {"trials": 6, "cv": 3, "random_state": 1, "strategy": "random", **more}
    return ArboraSearchCV(SVC(), svm(), **settings)


@parametrize_with_checks(
    [
        ArboraSearchCV(LogisticRegression(), one(), trials=2, cv=2, strategy="random", random_state=0),
        ArboraSearchCV(Ridge(), one("alpha"), trials=2, cv=2, strategy="random", random_state=0, resampling="reshuffle"),
    ]
)
def test_the_contract_of_an_estimator(estimator: Any, check: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_the_table_of_results_is_scikit_learns() -> None:
    fitted = search(return_train_score=True).fit(X, Y)
    table = fitted.cv_results_
    expected = {"mean_fit_time", "std_fit_time", "mean_score_time", "std_score_time", "params"}
    expected |= {f"param_{name}" for name in ("kernel", "C", "gamma")}
    for side in ("test", "train"):
        expected |= {f"split{split}_{side}_score" for split in range(3)} | {f"mean_{side}_score", f"std_{side}_score"}
    assert set(table) == expected | {"rank_test_score"}
    assert all(len(column) == 6 for column in table.values())
    splits = numpy.stack([table[f"split{split}_test_score"] for split in range(3)])
    assert numpy.allclose(table["mean_test_score"], splits.mean(axis=0))
    assert fitted.best_index_ == table["rank_test_score"].argmin()
    assert fitted.best_score_ == table["mean_test_score"].max() == fitted.study_.best_value
    assert fitted.best_params_ == table["params"][fitted.best_index_] == fitted.best_configuration_
    for row, params in enumerate(table["params"]):
        assert params == fitted.study_.trial(row).configuration
        assert table["param_gamma"].mask[row] == ("gamma" not in params)
    assert fitted.score(X, Y) == fitted.best_estimator_.score(X, Y) > 0.9
    assert list(fitted.classes_) == [0, 1, 2] and fitted.n_features_in_ == 4


def test_scores_are_those_of_cross_validation() -> None:
    fitted = search().fit(X, Y)
    for row, params in enumerate(fitted.cv_results_["params"][:2]):
        scores = cross_validate(SVC(**params), X, Y, cv=3)["test_score"]
        assert [fitted.cv_results_[f"split{split}_test_score"][row] for split in range(3)] == list(scores)
        assert fitted.study_.trial(row).attributes["scores"] == {"score": list(scores)}


def test_the_same_number_gives_the_same_search_and_every_fit_is_fresh() -> None:
    first = search(strategy="gp-conditional", trials=8).fit(X, Y)
    params, study = first.cv_results_["params"], first.study_
    first.fit(X, Y)
    assert first.cv_results_["params"] == params
    assert first.study_ is not study and len(first.study_) == len(study) == 8
    assert search(random_state=2).fit(X, Y).cv_results_["params"] != params[:6]


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


def test_several_metrics() -> None:
    fitted = search(scoring=["accuracy", "f1_macro"], refit="f1_macro").fit(X, Y)
    assert fitted.best_score_ == fitted.cv_results_["mean_test_f1_macro"].max() == fitted.study_.best_value
    assert set(fitted.study_.trials[0].attributes["scores"]) == {"accuracy", "f1_macro"}
    without = search(scoring={"acc": "accuracy", "f1": "f1_macro"}, refit=False, objective="acc").fit(X, Y)
    assert without.study_.best_value == without.cv_results_["mean_test_acc"].max()
    assert not hasattr(without, "best_estimator_")

    def both(estimator: Any, X: Any, y: Any) -> Dict[str, float]:
        accuracy = estimator.score(X, y)
        return {"right": accuracy, "wrong": -accuracy}

    assert search(scoring=both, refit="wrong").fit(X, Y).best_score_ <= 0
    with pytest.raises(ValueError, match="name one by objective= or refit="):
        search(scoring=["accuracy", "f1_macro"], refit=False).fit(X, Y)
    with pytest.raises(ValueError, match="not by refit='f1_macro'"):
        mixed = {"scoring": ["accuracy", "f1_macro"], "refit": "f1_macro", "objective": "accuracy"}
        search(selection="posterior_mean", **mixed).fit(X, Y)


def test_refit_may_be_a_function_or_nothing() -> None:
    fitted = search(refit=lambda table: int(table["mean_test_score"].argmin())).fit(X, Y)
    assert fitted.best_index_ == fitted.cv_results_["mean_test_score"].argmin()
    assert fitted.best_estimator_.get_params()["C"] == fitted.best_params_["C"]
    unfitted = search(refit=False).fit(X, Y)
    assert unfitted.best_params_ and not hasattr(unfitted, "predict")


def test_learners_are_exchanged_and_objects_have_names() -> None:
    space = arbora.Space()
    model = space.choice("model", ["svm", "small", "forest"])
    space.real("model__C@svm", 1e-3, 1e3, log=True, when=model == "svm")
    space.integer("model__max_depth@small", 1, 2, when=model == "small")
    space.integer("model__max_depth@forest", 3, 9, when=model == "forest")
    space.choice("scale", ["standard", "none"])
    forest = RandomForestClassifier(n_estimators=5, random_state=0)
    values: Dict[str, Dict[Any, Any]] = {
        "model": {"svm": SVC(), "small": forest, "forest": forest},
        "scale": {"standard": StandardScaler(), "none": "passthrough"},
    }
    pipeline = Pipeline([("scale", StandardScaler()), ("model", SVC())])
    made = ArboraSearchCV(pipeline, space, values=values, trials=12, cv=2, random_state=3, strategy="random")
    fitted = made.fit(X, Y)
    assert {type(params["model"]) for params in fitted.cv_results_["params"]} == {SVC, RandomForestClassifier}
    depths = fitted.cv_results_["param_model__max_depth"]
    for row, trial in enumerate(fitted.study_.trials):
        assert depths.mask[row] == (trial["model"] == "svm")
    assert fitted.best_estimator_.named_steps["model"] is not values["model"]["svm"], "they are cloned"
    assert not hasattr(forest, "estimators_")
    clash = arbora.Space()
    clash.real("C@a", 0.1, 1.0)
    clash.real("C@b", 0.1, 1.0)
    with pytest.raises(ValueError, match="both set `C`"):
        ArboraSearchCV(SVC(), clash, trials=1).fit(X, Y)


class Fragile(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fails above one, always or where the first row is even."""

    def __init__(self, C: float = 1.0, mode: str = "always") -> None:
        self.C, self.mode = C, mode

    def fit(self, X: Any, y: Any) -> Fragile:
        if self.C > 1.0 and (self.mode == "always" or len(X) % 2 == 0):
            raise RuntimeError(f"C = {self.C:.1f} is too much")
        self.classes_ = numpy.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return numpy.full(len(X), self.classes_[0])


def test_failed_fits_are_trials_that_failed() -> None:
    settings: Dict[str, Any] = {"trials": 8, "random_state": 0, "strategy": "random", "cv": 3}
    with pytest.warns(FitFailedWarning, match="fits failed"):
        fitted = ArboraSearchCV(Fragile(), one(), **settings).fit(X, Y)
    states = [trial.state for trial in fitted.study_.trials]
    assert set(states) == {"complete", "failed"}
    table = fitted.cv_results_
    assert len(table["params"]) == 8
    assert [bool(numpy.isnan(score)) for score in table["mean_test_score"]] == [state == "failed" for state in states]
    assert all("is too much" in trial.reason for trial in fitted.study_.trials if trial.state == "failed" and trial.reason)
    assert fitted.best_params_["C"] <= 1.0
    with pytest.warns(FitFailedWarning):
        scored = ArboraSearchCV(Fragile(), one(), error_score=0.0, **settings).fit(X, Y)
    assert {trial.value for trial in scored.study_.trials if trial["C"] > 1.0} == {0.0}
    assert all(trial.state == "complete" for trial in scored.study_.trials)
    with pytest.raises(RuntimeError, match="is too much"):
        ArboraSearchCV(Fragile(), one(), error_score="raise", **settings).fit(X, Y)
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="fits failed"):
        ArboraSearchCV(Fragile(), one(low=10.0), **settings).fit(X, Y)
    with pytest.warns((FitFailedWarning, UserWarning)):
        some = ArboraSearchCV(Fragile(mode="some"), one(), **{**settings, "cv": 7}).fit(X, Y)
    assert any(trial.state == "failed" for trial in some.study_.trials)


@pytest.mark.parametrize("mode, error_score", [("always", numpy.nan), ("always", 0.0), ("some", numpy.nan)])
def test_a_search_that_cannot_succeed_gives_up(mode: str, error_score: float) -> None:
    given = ArboraSearchCV(
        Fragile(mode=mode), one(low=10.0), trials=50, cv=7 if mode == "some" else 3, strategy="random", random_state=0,
        error_score=error_score,
    )
    with pytest.warns(FitFailedWarning) as warned:
        with pytest.raises(ValueError, match=r"10 in a row, so the search gave up: RuntimeError: C = .* is too much"):
            given.fit(X, Y)
    assert len(given.study_) == 10
    said = [str(each.message) for each in warned if each.category is FitFailedWarning]
    assert len(said) == 1 and "\n" not in said[0] and said[0].startswith("trial 0: ")


def test_a_success_keeps_the_search_going_and_failures_are_summed_up() -> None:
    with pytest.warns(FitFailedWarning) as warned:
        fitted = ArboraSearchCV(Fragile(), one(), trials=14, cv=3, strategy="random", random_state=0).fit(X, Y)
    failed = sum(trial.state == "failed" for trial in fitted.study_.trials)
    said = [str(each.message) for each in warned if each.category is FitFailedWarning]
    assert len(fitted.study_) == 14 and failed > 1 and len(said) == 2
    assert "3 of 3 fits failed: RuntimeError: C = " in said[0] and f"fits failed in {failed} of 14 trials" in said[1]


def test_the_reason_is_the_error_and_not_the_last_line_of_its_text() -> None:
    with pytest.warns(FitFailedWarning, match="ValueError: Input X contains NaN"), pytest.raises(ValueError, match="contains NaN"):
        ArboraSearchCV(SVC(), one(), trials=2, cv=2).fit(numpy.where(X > 5, numpy.nan, X), Y)


def test_a_line_for_each_trial(capsys: Any) -> None:
    with pytest.warns(FitFailedWarning):
        fitted = ArboraSearchCV(
            Fragile(), one(), trials=4, cv=3, strategy="random", random_state=0, verbose=1, refit=False
        ).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and fitted.verbose == 1
    for trial, line in zip(fitted.study_.trials, lines):
        words = f"score {trial.value:.4g}, best " if trial.value is not None else "failed: RuntimeError: C = "
        assert line.startswith(f"trial {trial.number} ({trial.number + 1} of 4): {words}") and line.endswith(f"C {trial['C']:.4g}")


def test_an_objective_that_chooses_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="objective='f1' chooses among several metrics, and scoring='accuracy' is one"):
        search(scoring="accuracy", objective="f1").fit(X, Y)
    assert search(scoring="accuracy", objective="accuracy").fit(X, Y).best_score_ > 0.9


def test_jobs_ask_for_several_trials_at_once() -> None:
    cv = arbora.Plan(hold_out=0.3)
    alone, together = search(trials=5, cv=cv).fit(X, Y), search(trials=5, cv=cv, n_jobs=2).fit(X, Y)
    assert together.cv_results_["params"] == alone.cv_results_["params"], "random search does not look back"
    assert list(together.cv_results_["mean_test_score"]) == list(alone.cv_results_["mean_test_score"])
    with joblib.parallel_backend("threading"):
        reshuffled = search(trials=4, cv=2, n_jobs=4, resampling="reshuffle").fit(X, Y)
    assert [trial.attributes["splits"]["round"] for trial in reshuffled.study_.trials] == [0, 0, 2, 2]


def test_budgets_callbacks_and_small_spaces() -> None:
    assert len(search(trials=50, timeout=1e-9).fit(X, Y).study_) == 1
    seen: List[int] = []

    def stop(study: arbora.Study, trial: arbora.Trial) -> None:
        seen.append(trial.number)
        if trial.number == 2:
            study.stop()

    assert len(search(trials=50, callbacks=[stop]).fit(X, Y).study_) == 3 == len(seen)
    small = arbora.Space()
    small.choice("kernel", ["linear", "rbf"])
    with pytest.warns(UserWarning, match="no more configurations than 2: the search ended before 9 trials"):
        assert len(ArboraSearchCV(SVC(), small, trials=9, cv=2).fit(X, Y).cv_results_["params"]) == 2


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


class Listener:
    """A callback of scikit-learn's own, which it has from 1.9 on."""

    def __init__(self) -> None:
        self.heard: List[Any] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.heard.append("setup")

    def teardown(self, estimator: Any, context: Any) -> None:
        self.heard.append("teardown")

    def on_fit_task_begin(self, estimator: Any, context: Any, **more: Any) -> None:
        self.heard.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator: Any, context: Any, **more: Any) -> None:
        self.heard.append(("end", context.task_name))


def test_progress_is_reported_in_scikit_learns_way() -> None:
    made, listener = search(trials=3, cv=2), Listener()
    if not hasattr(made, "set_callbacks"):
        pytest.skip("this scikit-learn has no callbacks")
    made.set_callbacks(listener)
    made.fit(X, Y)
    for task, count in (("search", 1), ("trials", 3), ("candidate-split-evaluation", 6)):
        assert listener.heard.count(("begin", task)) == listener.heard.count(("end", task)) == count


def test_a_fitted_search_can_be_taken_elsewhere(tmp_path: pathlib.Path) -> None:
    fitted = search(storage=tmp_path / "study.db").fit(X, Y)
    packed = pickle.dumps(fitted)
    trials = [trial.configuration for trial in fitted.study_.trials]
    (tmp_path / "study.db").rename(tmp_path / "gone.db")
    again = pickle.loads(packed)
    assert [trial.configuration for trial in again.study_.trials] == trials
    assert again.verdict_.complete == len(trials) and list(again.predict(X)) == list(fitted.predict(X))


def test_cloning_and_pickling() -> None:
    made = search(callbacks=(print,), storage=None)
    copied = clone(made)
    assert copied is not made and copied.space == made.space and copied.get_params()["estimator__C"] == 1.0
    fitted = search().fit(X, Y)
    again = pickle.loads(pickle.dumps(fitted))
    assert list(again.predict(X)) == list(fitted.predict(X))
    assert [trial.loss for trial in again.study_.trials] == [trial.loss for trial in fitted.study_.trials]
    assert again.verdict_ == fitted.verdict_
    with pytest.raises(AttributeError, match="not fitted yet"):
        search().verdict_
    assert "ArboraSearchCV(" in repr(made)


def test_wrong_settings_are_refused_at_fit() -> None:
    for wrong in ({"trials": 0}, {"resampling": "often"}, {"selection": "luck"}, {"timeout": -1.0}):
        with pytest.raises(ValueError, match="parameter of ArboraSearchCV"):
            search(**wrong).fit(X, Y)
    with pytest.raises(ValueError, match="'space' parameter"):
        ArboraSearchCV(SVC(), {"C": [1, 2]}).fit(X, Y)
    with pytest.raises(ValueError, match="Invalid parameter 'D'"):
        ArboraSearchCV(SVC(), one("D")).fit(X, Y)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"modle": {"svm": SVC()}}, "no parameter `modle`; did you mean `model`?"),
        ({"model": {"liner": SVC()}}, "`model` has no choice 'liner'; it has 'svm', 'other'"),
        ({"model__C": {1.0: 2.0}}, "`model__C` is a number"),
    ],
)
def test_objects_for_what_is_not_in_the_space_are_named(values: Any, words: str) -> None:
    space = arbora.Space()
    model = space.choice("model", ["svm", "other"])
    space.real("model__C", 1e-3, 1e3, log=True, when=model == "svm")
    search = ArboraSearchCV(Pipeline([("model", SVC())]), space, values=values, trials=2, cv=2)
    with pytest.raises(ValueError) as caught:
        search.fit(X, Y)
    assert words in str(caught.value)
