"""ArboraSearchCV: scikit-learn's contract, conditional spaces, budgets, copies."""

from __future__ import annotations

import pathlib
import pickle
import warnings
from typing import Any, Dict, List

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn")

import joblib
import numpy
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import arbora
from arbora.sklearn import ArboraSearchCV
from sklearn_cases import X, Y, one, search


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
