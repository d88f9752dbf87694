"""Automatic models from outside: fit, predict, verdicts, ensembles, limits, and scikit-learn's manners."""

from __future__ import annotations

import os
import pathlib
import pickle
import re
import subprocess
import sys
import time
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")
pandas = pytest.importorskip("pandas", reason="these tables are frames of pandas")

from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402

import arbora  # noqa: E402
from arbora.automl.command import main  # noqa: E402


def mixed(rows: int = 120, seed: int = 0) -> Any:
    """A frame of everything, and labels that depend on two of its columns."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame({
        "height": rng.normal(size=rows),
        "colour": rng.choice(["red", "green", "blue"], rows),
        "member": rng.random(rows) < 0.5,
        "income": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows)),
        "region": pandas.Categorical(rng.choice(["n", "s"], rows)),
    })
    score = 2 * frame["height"] + 2.0 * (frame["colour"] == "red") + 0.3 * rng.normal(size=rows)
    return frame, np.where(score > 0.5, "yes", "no"), score.to_numpy()


def quick(**options: Any) -> Any:
    given = {"trials": 8, "time_budget": None, "isolate": False, "random_state": 1, "strategy": "random"}
    return arbora.AutoClassifier(**{**given, **options})


@pytest.fixture(scope="module")
def fitted() -> Any:
    frame, labels, _ = mixed()
    return quick(trials=10, metric="log_loss", folds=3, strategy="gp-conditional").fit(frame, labels)


def test_a_mixed_table_end_to_end(fitted: Any) -> None:
    frame, labels, _ = mixed(200, seed=9)
    assert fitted.score(frame, labels) > 0.85
    chances = fitted.predict_proba(frame)
    assert chances.shape == (200, 2)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert (fitted.classes_[chances.argmax(axis=1)] == fitted.predict(frame)).all()
    strange = pandas.DataFrame({"height": [None], "colour": ["pink"], "member": [True], "income": [None], "region": [None]})
    assert fitted.predict(strange)[0] in ("yes", "no")
    assert list(fitted.feature_names_in_) == list(frame.columns) and fitted.n_features_in_ == 5


def test_what_is_known_after_a_fit(fitted: Any) -> None:
    board = fitted.leaderboard_
    assert len(board) == 10 and list(board["place"]) == list(range(1, 11))
    assert board["log_loss"].is_monotonic_increasing
    assert sum(fitted.ensemble_.values()) == pytest.approx(1.0)
    assert len(fitted.estimators_) == len(fitted.ensemble_)
    weighted = board[board["weight"] > 0]
    assert set(weighted["trial"]) == set(fitted.ensemble_)
    assert fitted.verdict_.trusted.trial in fitted.verdict_.tied
    assert "Best seen" in str(fitted.verdict_)
    assert fitted.best_configuration_ == fitted.best_estimator_.configuration
    assert fitted.study_.trials[0].attributes["splits"]["round"] == 0
    # Every learner's defaults were tried, the cheapest first.
    assert [trial["learner"] for trial in fitted.study_.trials[:2]] == ["linear", "boosting"]
    assert len({trial["learner"] for trial in fitted.study_.trials}) >= 7


def test_plots_and_pickles(fitted: Any) -> None:
    pytest.importorskip("matplotlib")
    assert fitted.plot_space_tree().get_xlabel() in ("loss", "value")
    again = pickle.loads(pickle.dumps(fitted))
    frame, _, _ = mixed(20, seed=3)
    np.testing.assert_array_equal(again.predict_proba(frame), fitted.predict_proba(frame))
    assert len(again.study_) == len(fitted.study_) and str(again.verdict_) == str(fitted.verdict_)


def test_the_same_seed_gives_the_same_model() -> None:
    frame, labels, _ = mixed(60)
    first, second = (quick(trials=9, space="cash", strategy="gp-conditional").fit(frame, labels) for _ in range(2))
    assert first.ensemble_ == second.ensemble_
    np.testing.assert_array_equal(first.predict_proba(frame), second.predict_proba(frame))
    second.set_params(random_state=2).fit(frame, labels)
    assert [t.configuration for t in first.study_.trials] != [t.configuration for t in second.study_.trials]


def test_numbers_are_predicted_too() -> None:
    frame, _, score = mixed(150)
    auto = arbora.AutoRegressor(trials=7, time_budget=None, isolate=False, random_state=1, metric="rmse", folds=2)
    auto.fit(frame, score * 1e6)
    assert auto.score(frame, score * 1e6) > 0.8
    assert auto.study_.direction == "minimize" and not hasattr(auto, "classes_")
    assert auto.validation_score_ <= min(trial.value for trial in auto.study_.trials if trial.value) * 1.05
    together = clone(auto).set_params(ensemble="optimised", ensemble_size=3, trials=12).fit(frame, score)
    assert together.score(frame, score) > 0.8
    assert not any("stopped_after" in trial.attributes for trial in together.study_.trials)
    with pytest.raises(ValueError, match="classifiers only"):
        clone(auto).set_params(space="cash").fit(frame, score)


@pytest.mark.parametrize("resampling", ["fixed", "reshuffle"])
def test_the_three_kinds_of_ensemble(resampling: str) -> None:
    frame, labels, _ = mixed(90)
    options = {"space": "cash", "trials": 12, "resampling": resampling, "strategy": "gp-cond", "folds": 3}
    alone = quick(ensemble="none", **options).fit(frame, labels)
    assert list(alone.ensemble_.values()) == [1.0]
    chosen = alone.study_.trustworthy_trial if resampling == "reshuffle" else alone.study_.best_trial
    assert alone.best_configuration_ == chosen.configuration
    together = quick(ensemble="optimised", ensemble_size=5, **options).fit(frame, labels)
    later = quick(ensemble="post-hoc", ensemble_size=5, **options).fit(frame, labels)
    for model in (together, later):
        best = model.study_.trial(max(model.ensemble_, key=model.ensemble_.get))
        assert model.validation_score_ >= best.value - 0.05
        assert len(model.study_.trials) == 12
    # The search for an ensemble asks for other trials than the search for one model.
    assert [t.configuration for t in together.study_.trials] != [t.configuration for t in later.study_.trials]
    rounds = {trial.attributes["splits"]["round"] for trial in later.study_.trials}
    assert len(rounds) == (12 if resampling == "reshuffle" else 1)


def test_every_fit_begins_anew(tmp_path: pathlib.Path) -> None:
    frame, labels, _ = mixed(60)
    auto = quick(trials=3, space="cash", storage=tmp_path / "auto.db")
    auto.fit(frame, labels).fit(frame, labels)
    assert arbora.studies(tmp_path / "auto.db") == ["automl", "automl-2"]
    assert len(auto.study_) == 3


def nearest(configuration: Any) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(configuration["count"])


def test_groups_stay_together() -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 6)
    labels = rng.integers(0, 2, 20)[groups]
    # The group says everything, and a column says the group: only splits that tear groups apart can profit from it.
    rows = np.column_stack([rng.permutation(20)[groups], rng.normal(size=120) / 10])
    space = arbora.Space()
    space.integer("count", 1, 4)
    options = {"space": (space, nearest), "ensemble": "none"}
    honest = quick(**options).fit(rows, labels, groups=groups)
    leaking = quick(**options).fit(rows, labels)
    assert leaking.study_.best_value > 0.95 > honest.study_.best_value


def test_a_hundred_and_a_hundred_thousand_rows() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100_000, 3))
    labels = (rows[:, 0] + 0.1 * rng.normal(size=100_000) > 0).astype(int)
    large = quick(trials=2, max_rows=2_000).fit(rows, labels)
    assert len(large.study_.trials[0].attributes["split_values"]) == 1
    assert large.score(rows[:1000], labels[:1000]) > 0.9
    small = quick(trials=4).fit(rows[:100], labels[:100])
    assert len(small.study_.trials[0].attributes["split_values"]) == 5


@pytest.mark.parametrize("ensemble", ["post-hoc", "optimised"])
def test_a_study_has_as_many_trials_as_were_asked_for(ensemble: str) -> None:
    frame, labels, _ = mixed(60)
    auto = quick(trials=2, folds=2, ensemble=ensemble).fit(frame, labels)
    assert [(trial.state, trial["learner"]) for trial in auto.study_.trials] == [("complete", "linear"), ("complete", "boosting")]


def test_rare_classes_do_not_end_the_search() -> None:
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(60, 3)), np.array([0] * 40 + [1] * 17 + [2, 2, 3])
    with pytest.warns(UserWarning, match=r"1 of 4 classes have one row only \(3\)"):
        auto = quick(trials=7, metric="balanced_accuracy", folds=3).fit(rows, labels)
    assert all(trial.state == "complete" for trial in auto.study_.trials), [t.reason for t in auto.study_.trials]
    assert auto.predict_proba(rows).shape == (60, 4)


def test_a_space_of_ones_own() -> None:
    from sklearn.tree import DecisionTreeClassifier

    space = arbora.Space()
    space.integer("depth", 1, 3)
    frame, labels, _ = mixed(60)

    def build(configuration: Any) -> Any:
        from arbora.automl.columns import gaps_as_category

        assert callable(gaps_as_category)
        return DecisionTreeClassifier(max_depth=configuration["depth"], random_state=0)

    auto = quick(space=(space, build), trials=50, resampling="fixed").fit(frame[["height", "member"]], labels)
    # The space is finite and nothing is noisy: three trials exhaust it.
    assert len(auto.study_.trials) == 3
    assert auto.best_estimator_.estimator.max_depth == auto.best_configuration_["depth"]


SCRIPT = """
import time, numpy as np, arbora
from sklearn.tree import DecisionTreeClassifier

class Hanging(DecisionTreeClassifier):
    def fit(self, X, y):
        time.sleep(600)

def build(configuration):
    if configuration["how"] == "greedy":
        np.ones(2 ** 31)
    return Hanging() if configuration["how"] == "hangs" else DecisionTreeClassifier()

space = arbora.Space()
space.choice("how", ["hangs", "greedy", "fine"])
rows, labels = np.random.default_rng(0).normal(size=(60, 2)), [0, 1] * 30
auto = arbora.AutoClassifier(space=(space, build), trials=6, time_budget=40, trial_timeout=1, memory_limit=1000,
                             resampling="fixed", n_jobs=2, random_state=1)
auto.fit(rows, labels)
print(sorted((trial["how"], trial.state, trial.reason) for trial in auto.study_.trials))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are kept by Linux")
def test_limits_in_a_script_without_a_guard(tmp_path: pathlib.Path) -> None:
    # What the script defines itself must reach the workers, which do not run the script again.
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    package = str(pathlib.Path(arbora.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([
        ("fine", "complete", None),
        ("greedy", "failed", "out of memory: more than 1000 MB"),
        ("hangs", "failed", "took longer than 1 s"),
    ])


def fine_once(configuration: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    if configuration["minutes"] > 0:
        time.sleep(60 * configuration["minutes"])
    return DecisionTreeClassifier(max_depth=2)


def test_the_time_budget_ends_what_is_under_way() -> None:
    space = arbora.Space()
    space.ordinal("minutes", [0, 10, 20, 30])
    frame, labels, _ = mixed(60)
    auto = arbora.AutoClassifier(
        space=(space, fine_once), time_budget=4, trial_timeout=3600, strategy="grid", resampling="fixed", random_state=1
    ).fit(frame[["height"]], labels)
    # One trial is always waited for; the next would take ten minutes.
    assert [trial.state for trial in auto.study_.trials] in (["complete"], ["complete", "abandoned"])
    assert auto.predict(frame[["height"]]).shape == (60,)


def test_there_are_three_tries_however_short_the_budget() -> None:
    space = arbora.Space()
    space.ordinal("minutes", [30, 20, 0, 10])
    frame, labels, _ = mixed(60)
    auto = arbora.AutoClassifier(
        space=(space, fine_once), time_budget=0.5, trial_timeout=2, strategy="grid", resampling="fixed", random_state=1
    ).fit(frame[["height"]], labels)
    assert [trial.state for trial in auto.study_.trials] == ["failed", "failed", "complete"]


def test_an_interrupted_search_leaves_no_trial_open(tmp_path: pathlib.Path) -> None:
    def interrupted(configuration: Any) -> Any:
        raise KeyboardInterrupt

    space = arbora.Space()
    space.integer("x", 1, 2)
    storage = tmp_path / "auto.db"
    with pytest.raises(KeyboardInterrupt):
        quick(space=(space, interrupted), storage=storage).fit([[0.0], [1.0]] * 10, [0, 1] * 10)
    assert [(trial.state, trial.reason) for trial in arbora.Study.load(storage).trials] == [("abandoned", "interrupted")]


def test_a_search_that_finds_nothing_says_why() -> None:
    space = arbora.Space()
    space.integer("x", 1, 2)

    def build(configuration: Any) -> Any:
        raise RuntimeError(f"nothing for {configuration['x']}")

    with pytest.raises(arbora.ArboraError, match="no trial succeeded: RuntimeError: nothing for"):
        quick(space=(space, build)).fit([[0.0], [1.0]] * 10, [0, 1] * 10)


def test_wrong_settings_are_named() -> None:
    rows, labels = [[0.0], [1.0]] * 10, [0, 1] * 10
    for wrong, words in [
        ({"time_budget": "soon"}, "is not a duration"),
        ({"time_budget": 0}, "above zero"),
        ({"trials": None}, "would never end"),
        ({"trials": 0}, "at least one"),
        ({"metric": "rmse"}, "there are accuracy"),
        ({"ensemble": "all"}, "none, post-hoc, optimised"),
        ({"selection": "best"}, "least_loss"),
        ({"space": "huge"}, '"modern", "cash"'),
        ({"n_jobs": 0}, "at least one trial"),
        ({"ensemble_size": 0}, "at least one member"),
    ]:
        with pytest.raises(ValueError, match=words):
            quick(**wrong).fit(rows, labels)
    with pytest.raises(NotFittedError):
        quick().predict(rows)
    with pytest.raises(TypeError, match="sample_weight"):
        quick().fit(rows, labels, sample_weight=[1.0] * 20)


def one_tree(configuration: Any) -> Any:
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(max_depth=configuration["depth"], random_state=0)


@pytest.mark.filterwarnings("ignore:.*(rows are very few|have one row only):UserWarning")
def test_it_is_a_good_citizen_of_scikit_learn() -> None:
    from sklearn.model_selection import cross_val_score
    from sklearn.utils.estimator_checks import check_estimator

    frame, labels, _ = mixed(80)
    scores = cross_val_score(quick(trials=3, space="cash"), frame, labels, cv=2)
    assert scores.min() > 0.5
    for kind in (arbora.AutoClassifier, arbora.AutoRegressor):
        auto = kind(trials=2, time_budget=None, isolate=False, random_state=0)
        assert clone(auto).get_params() == auto.get_params()
    space = arbora.Space()
    space.constant("depth", 6)
    tree = arbora.AutoRegressor(space=(space, one_tree), trials=2, time_budget=None, isolate=False, random_state=0)
    for auto in (quick(trials=2, space="cash", folds=2), tree):
        results = check_estimator(auto, on_fail=None, on_skip=None)
        failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
        assert failed == {}


def test_the_command_writes_model_report_and_predictions(tmp_path: pathlib.Path, capsys: Any) -> None:
    import joblib

    frame, labels, score = mixed(80)
    frame.assign(y=labels, id=range(80)).to_csv(tmp_path / "train.csv", index=False)
    frame.head(5).assign(y=labels[:5]).to_csv(tmp_path / "test.csv", index=False)
    out = tmp_path / "out"
    given = [str(tmp_path / "train.csv"), "--target", "y", "--trials", "3", "--space", "cash", "--seed", "1", "--quiet"]
    assert main([*given, "--ignore", "id", "--test", str(tmp_path / "test.csv"), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "accuracy on the test rows" in said and "trials complete" in said
    assert sorted(os.listdir(out)) == ["leaderboard.csv", "model.joblib", "predictions.csv", "report.html"]
    model = joblib.load(out / "model.joblib")
    told = pandas.read_csv(out / "predictions.csv")
    read = pandas.read_csv(tmp_path / "test.csv").drop(columns="y")
    assert list(model.predict(read)) == list(told["y"])
    page = (out / "report.html").read_text()
    assert "interrupted" not in page
    assert "<h2>Verdict</h2>" in page and page.count("<svg") == 2
    # Nothing is fetched from anywhere.
    assert not any(word in page for word in ("<script", "<link", 'src="', 'href="http', "@import"))


def test_the_documentation_runs() -> None:
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "AUTOML.md").read_text(encoding="utf-8")
    snippets = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(snippets) == 2
    names: Any = {}
    for snippet in snippets:
        exec(compile(snippet.replace('"10m"', '"3s"'), "AUTOML.md", "exec"), names)
    assert set(names["auto"].classes_) == {"same", "different"}


def test_the_command_refuses_what_it_cannot_do(tmp_path: pathlib.Path, capsys: Any) -> None:
    frame, labels, _ = mixed(10)
    frame.assign(y=labels).to_csv(tmp_path / "train.csv", index=False)
    table = str(tmp_path / "train.csv")
    for given, words in [
        ([table, "--target", "z"], "has no column `z`"),
        ([str(tmp_path / "none.csv"), "--target", "y"], "No such file"),
        ([table, "--target", "y", "--time", "soon"], "--time = `soon` is not a duration"),
        ([table, "--target", "y", "--ignore", "q"], "--ignore names `q`"),
    ]:
        assert main(given) == 2
        assert words in capsys.readouterr().err
