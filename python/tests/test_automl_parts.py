"""The parts of automatic models: spaces, metrics, plans, processes with limits."""

from __future__ import annotations

import csv
import os
import pathlib
import signal
import sys
import time
import warnings
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pandas = pytest.importorskip("pandas", reason="tables in files need pandas")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")

import arbora  # noqa: E402
from arbora import spaces  # noqa: E402
from arbora.automl import ensemble_fit, metric, resampling, sheet, tables  # noqa: E402
from arbora.automl.ask_policy import TRIALS_A_SLOT, EnsemblePolicy  # noqa: E402
from arbora.automl.default_space import modern  # noqa: E402
from arbora.automl.discriminant import Quadratic  # noqa: E402
from arbora.automl.evaluation import Evaluation, Evaluator  # noqa: E402
from arbora.automl.oof_predictions import OofPredictions  # noqa: E402
from arbora.automl.spaces import search_space  # noqa: E402
from arbora.automl.table_info import TableInfo  # noqa: E402
from arbora.automl.worker_pool import WorkerPool  # noqa: E402


def facts(**changed: Any) -> TableInfo:
    given = {"rows": 80, "sizes": (0, 0, 4), "has_gaps": True, "classes": 3, "rarest": 20, "metric": "accuracy", "seed": 1}
    return TableInfo(**{**given, **changed})


def table(rows: int = 100) -> Any:
    rng = np.random.default_rng(0)
    matrix = np.column_stack([rng.normal(size=(rows, 2)), rng.integers(0, 4, rows)])
    matrix[rng.random(rows) < 0.1, 0] = float("nan")
    matrix[rng.random(rows) < 0.1, 2] = float("nan")
    return matrix


def test_the_space_of_the_papers() -> None:
    space = spaces.cash()
    document = space.to_dict()["parameters"]
    assert [leaf.path[0].split(" = ")[1] for leaf in space.tree.leaves] == [
        "knn", "svm", "linsvm", "dt", "rf", "adab", "gnb", "lda", "qda",
    ]
    numbers = {name: field for name, field in document.items() if "low" in field}
    assert {name: (field["low"], field["high"], field.get("log", False)) for name, field in numbers.items()} == {
        "knn.n_neighbors": (1, 30, False),
        "svm.C": (1e-5, 1e5, True), "svm.gamma": (1e-5, 1e5, True), "linsvm.C": (1e-5, 1e5, True),
        "dt.max_depth": (1, 10, False), "dt.min_samples_split": (2, 100, False), "dt.min_samples_leaf": (2, 100, False),
        "rf.n_estimators": (1, 30, False), "rf.max_depth": (1, 10, False), "rf.min_samples_split": (2, 100, False),
        "rf.min_samples_leaf": (2, 100, False), "adab.n_estimators": (1, 30, False), "qda.reg_param": (1e-3, 1e3, True),
    }


@pytest.mark.parametrize(("name", "classes"), [("cash", 3), ("modern", 2), ("modern", 3), ("modern", 0)])
def test_every_configuration_can_be_fitted_on_gaps_and_categories(name: str, classes: int) -> None:
    matrix = table()
    rng = np.random.default_rng(1)
    target = rng.integers(0, classes, 100) if classes else matrix[:, 1] + rng.normal(size=100)
    judged = metric.named("accuracy" if classes else "mae", classes > 0)
    made = search_space(name, facts(classes=classes, metric=judged.name))
    evaluator = Evaluator(matrix, target, classes, judged, made.build)
    seen = set()
    # One of every leaf.
    for configuration in [*made.first, *made.space.sample(120, seed=3)]:
        leaf = made.space.tree.leaf_of(configuration).number
        if leaf in seen:
            continue
        seen.add(leaf)
        result = evaluator.evaluate(configuration, [(range(80), range(80, 100))])
        assert result.predictions.shape == (20, classes or 1)
        if classes:
            np.testing.assert_allclose(result.predictions.sum(axis=1), 1.0, rtol=1e-5)
    assert len(seen) == len(made.space.tree.leaves)


def test_the_modern_space_follows_the_table() -> None:
    plain = search_space("modern", facts(sizes=(0, 0), has_gaps=False)).space
    assert not any(name.startswith("columns.") and name != "columns.scaling" for name in plain.names)
    full = search_space("modern", facts(metric="balanced_accuracy")).space
    assert {"columns.missing", "columns.categories", "columns.scaling", "balanced"} <= set(full.names)
    large = search_space("modern", facts(rows=80_000))
    offered = large.space.to_dict()["parameters"]["learner"]["choices"]
    assert not {"svm", "neighbours"} & set(offered) and "forest" in offered
    assert [first["learner"] for first in large.first][:2] == ["boosting", "linear"]
    assert "forest" not in [first["learner"] for first in large.first]


def test_a_class_that_a_training_part_lacks_gets_no_chance() -> None:
    made = search_space("cash", facts(sizes=(0, 0), has_gaps=False))
    matrix, target = np.arange(24.0).reshape(12, 2), np.array([0, 1] * 5 + [2, 2])
    evaluator = Evaluator(matrix, target, 3, metric.named("accuracy", True), made.build)
    for configuration in ({"classifier": "gnb"}, {"classifier": "svm", "svm.C": 1.0, "svm.gamma": 0.1}):
        result = evaluator.evaluate(configuration, [(range(10), [10, 11])])
        assert (result.predictions[:, 2] == 0).all() and result.value == 0.0
    alone = evaluator.evaluate({"classifier": "gnb"}, [([0, 2, 4], [1, 3])])
    assert alone.predictions.tolist() == [[1.0, 0.0, 0.0]] * 2


def test_metrics_agree_with_scikit_learn() -> None:
    from sklearn import metrics

    rng = np.random.default_rng(0)
    for classes in (2, 4):
        truth, said = rng.integers(0, classes, 200), rng.dirichlet(np.ones(classes), 200)
        named = {name: metric.named(name, True).of(truth, said) for name in metric.CLASSIFICATION}
        assert named["accuracy"] == pytest.approx(metrics.accuracy_score(truth, said.argmax(1)))
        assert named["balanced_accuracy"] == pytest.approx(metrics.balanced_accuracy_score(truth, said.argmax(1)))
        assert named["log_loss"] == pytest.approx(metrics.log_loss(truth, said), rel=1e-9)
        score = said[:, 1] if classes == 2 else said
        assert named["roc_auc"] == pytest.approx(metrics.roc_auc_score(truth, score, multi_class="ovr"))
    truth, said = rng.normal(size=50), rng.normal(size=(50, 1))
    named = {name: metric.named(name, False).of(truth, said) for name in metric.REGRESSION}
    assert named["r2"] == pytest.approx(metrics.r2_score(truth, said))
    assert named["mae"] == pytest.approx(metrics.mean_absolute_error(truth, said))
    assert named["rmse"] ** 2 == pytest.approx(metrics.mean_squared_error(truth, said))


def test_the_quadratic_discriminant_is_the_density_it_says() -> None:
    from scipy.stats import multivariate_normal

    rng = np.random.default_rng(0)
    rows, labels, ridge = rng.normal(size=(60, 3)), np.repeat([0, 1], 30), 2.5
    rows[labels == 1] += 1.0
    densities = []
    for label in (0, 1):
        own = rows[labels == label]
        covariance = (np.cov(own.T, bias=True) + ridge * np.eye(3)) / (1 + ridge)
        densities.append(multivariate_normal(own.mean(axis=0), covariance).pdf(rows))
    expected = np.array(densities).T / np.sum(densities, axis=0)[:, None]
    np.testing.assert_allclose(Quadratic(ridge).fit(rows, labels).predict_proba(rows), expected, rtol=1e-9)


def test_reshuffled_folds_predict_every_row_once_for_every_trial() -> None:
    labels = [0, 1, 2] * 30
    splits = resampling.splits(resampling.plan(90, seed=5), 90, labels, None)
    assert splits.of_trial(0) != splits.of_trial(1)
    for trial in range(5):
        parts = splits.of_trial(trial)
        assert sorted(row for _, valid in parts for row in valid) == list(range(90))
        assert all(not set(train) & set(valid) for train, valid in parts)


def test_what_large_tables_are_judged_on() -> None:
    made = resampling.plan(200_000)
    [(train, valid)] = resampling.splits(made, 200_000, None, None).of_trial(0)
    assert len(train) == resampling.CAP and len(valid) == 150_000 and not made.reshuffle
    with pytest.raises(ValueError, match="which an ensemble cannot combine"):
        resampling.plan(200_000, resampling="reshuffle")
    assert resampling.plan(200_000, resampling="reshuffle", has_ensemble=False).reshuffle
    capped = {"max_rows": 3, "folds": "hold-out"}
    for wrong in ({"folds": 1}, {"folds": "many"}, {"resampling": "twice"}, capped, {"max_rows": 50}):
        with pytest.raises(ValueError):
            resampling.plan(100, **wrong)


def unseen(predicted: Any, truth: Any, name: str = "mae") -> OofPredictions:
    kept = OofPredictions(metric.named(name, name not in metric.REGRESSION), truth)
    for trial, rows in enumerate(predicted):
        value = kept.metric.of(truth, rows)
        kept.add(trial, Evaluation(value, [value], np.arange(len(truth)), rows, 0.1))
    return kept


def test_members_whose_errors_cancel_predict_together() -> None:
    truth = np.array([1.0, 2.0, 3.0])
    low, high, bad = truth[:, None] - 0.5, truth[:, None] + 0.5, truth[:, None] + 3
    options = {"is_classification": False, "size": 10, "single": 0, "seed": 0}
    assert ensemble_fit.weights(unseen([low, high, bad], truth), noise=0.0, **options) == {0: 0.5, 1: 0.5}
    perfect = unseen([truth[:, None], low], truth)
    assert ensemble_fit.weights(perfect, noise=0.0, **options) == {0: 1.0}


def test_an_ensemble_that_is_clearly_worse_by_the_metric_is_dropped() -> None:
    # The second trial is nearer in squares, the first in absolute errors.
    truth = np.zeros(10)
    spiky, even = np.zeros((10, 1)), np.full((10, 1), 0.25)
    spiky[0] = 2.0
    kept = unseen([spiky, even], truth)
    options = {"is_classification": False, "size": 1, "single": 0, "seed": 0}
    assert ensemble_fit.weights(kept, noise=0.01, **options) == {0: 1.0}
    assert ensemble_fit.weights(kept, noise=0.1, **options) == {1: 1.0}


def test_only_the_best_predictions_are_kept() -> None:
    truth = np.zeros(3)
    kept = OofPredictions(metric.named("mae", False), truth, kept=2)
    for trial, error in enumerate([0.5, 0.1, 0.3, 0.9]):
        rows = np.array([2, 0, 1])
        kept.add(trial, Evaluation(error, [error], rows, rows[:, None] + error, 0.1))
    assert kept.leaders == [1, 2] and kept.covers_all
    np.testing.assert_allclose(kept.of(1)[:, 0], [0.1, 1.1, 2.1])
    # One that an ensemble wants stays, as long as it does.
    kept.add(4, Evaluation(0.7, [0.7], rows, rows[:, None], 0.1), wanted=[4])
    assert kept.leaders == [1, 4]
    kept.add(5, Evaluation(0.2, [0.2], rows, rows[:, None], 0.1), wanted=[5])
    assert kept.leaders == [1, 5]


@pytest.mark.parametrize("classes", [0, 3])
def test_slots_grow_with_the_trials_and_every_trial_joins_in_the_order_of_rows(classes: int) -> None:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, strategy="random", seed=1)
    target = np.arange(12) % 3 if classes else np.linspace(0.0, 1.0, 12)
    together = EnsemblePolicy(study, target, classes, most=3)
    rng = np.random.default_rng(0)
    for number in range(30):
        trial = together.ask()
        assert together.search.slots == max(1, min(3, number // TRIALS_A_SLOT))
        rows = rng.permutation(12)
        said = rng.random((12, max(1, classes)))
        together.tell(trial, Evaluation(0.1, [0.1], rows, said, 0.1), {})
        truth = np.eye(3)[target] if classes else target[:, None]
        assert together.search.pool.loss([number]) == pytest.approx(np.mean((said - truth[rows]) ** 2))
    assert len(together.wanted) == 3
    large = EnsemblePolicy(arbora.Study(space), np.arange(100_000) % 3, 3, most=3)
    assert len(large.places) == 40_000 // 3 and large.places[-1] == 99_999


# Learners that misbehave; workers find them by the name of this module.


class Misbehaving:
    """Does what learners should not; one that hangs leaves the number of its process."""

    classes_ = np.array([0, 1])

    def __init__(self, how: str) -> None:
        self.how = how

    def fit(self, X: Any, y: Any) -> Misbehaving:
        if self.how.startswith("hangs"):
            pathlib.Path(self.how.split(":")[1]).write_text(str(os.getpid()))
            time.sleep(600)
        elif self.how == "eats":
            self.eaten = [np.ones(2**24) for _ in range(100)]
        elif self.how == "dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif self.how == "raises":
            raise RuntimeError("no such luck")
        elif self.how == "prints":
            print("x" * 100_000)
            sys.stdout.flush()
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are kept by Linux")
def test_a_runaway_fit_really_ends_and_the_next_one_runs(tmp_path: pathlib.Path) -> None:
    judged, target = metric.named("accuracy", True), np.array([0, 1] * 10)
    evaluator = Evaluator(table(20), target, 2, judged, lambda configuration: Misbehaving(configuration["how"]))
    crew = WorkerPool(evaluator, size=1, memory_limit=500.0)
    job = {"splits": [(range(10), range(10, 20))]}
    hangs, reasons = f"hangs:{tmp_path / 'pid'}", {}
    try:
        for how in (hangs, "eats", "dies", "raises", "prints"):
            crew.give(how, {"configuration": {"how": how}, **job}, limit=0.5 if how == hangs else 30.0)
            [ended] = crew.wait()
            reasons[how] = ended.reason
        assert reasons == {
            hangs: "took longer than 0.5 s",
            "eats": "out of memory: more than 500 MB",
            "dies": "the process died: SIGSEGV",
            "raises": "RuntimeError: no such luck",
            "prints": None,
        }
        assert ended.result.value == 0.5
        assert is_gone(tmp_path / "pid")
        crew.give("late", {"configuration": {"how": hangs}, **job}, ends_at=time.monotonic() + 0.3)
        [ended] = crew.wait()
        assert ended.is_out_of_time
        crew.give("last", {"configuration": {"how": hangs}, **job})
        before = (tmp_path / "pid").read_text()
        while (tmp_path / "pid").read_text() in ("", before):
            time.sleep(0.01)
    finally:
        crew.close()
    assert is_gone(tmp_path / "pid")
    assert not os.path.exists(crew.folder.path)


def is_gone(file: pathlib.Path) -> bool:
    """Does the process of that number end within seconds?"""
    for _ in range(500):
        try:
            os.kill(int(file.read_text()), 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("classes", [0, 2])
def test_a_category_coded_by_a_target_of_whole_numbers_is_one_column(classes: int) -> None:
    from arbora.automl import columns

    target = np.arange(100) % classes if classes else np.arange(100) % 60
    sizes = facts(sizes=(4,), classes=classes, metric="accuracy" if classes else "rmse")
    coded = columns._categories({"categories": "target"}, sizes).fit_transform(table()[:, 2:], target)
    assert coded.shape == (100, 1)
    assert coded.min() >= target.min() and coded.max() <= target.max()


@pytest.mark.parametrize("counts", [(), (50, 50), (98, 2), (40, 30, 30), (97, 2, 1)])
def test_every_way_of_coding_categories_has_the_columns_it_should(counts: Any) -> None:
    from arbora.automl import columns

    target = np.repeat(np.arange(len(counts)), counts) if counts else np.arange(100) % 60
    known = facts(sizes=(4,), classes=len(counts), rarest=min(counts, default=0), metric="accuracy" if counts else "rmse")
    offered = modern(known).space.to_dict()["parameters"]["columns.categories"]["choices"]
    assert ("target" in offered) == (len(counts) <= 2), "a column for each class would be more than one"
    codes = table()[:, 2:]
    widths = {"indicators": len(np.unique(columns.gaps_as_category(codes))), "codes": 1, "target": 1}
    for way in offered:
        with warnings.catch_warnings():
            # Scikit-learn mentions that a class has fewer rows than there are folds; fits do not repeat it.
            warnings.simplefilter("ignore", UserWarning)
            coded = columns._categories({"categories": way}, known).fit_transform(codes, target)
        assert coded.shape == (100, widths[way]) and np.isfinite(coded).all()


def test_a_few_rows_are_not_coded_by_their_target() -> None:
    few = modern(facts(rows=8, sizes=(4,), classes=2, rarest=4)).space.to_dict()["parameters"]["columns.categories"]["choices"]
    assert few == ["indicators", "codes"]


def test_tables_in_files_come_back_and_hold_no_formulas(tmp_path: pathlib.Path) -> None:
    texts = ["=cmd|'/c calc'!A1", "+1+1", "-x", "@SUM(A1)", "\t=1", "'=x", "plain", "ü"]
    frame = pandas.DataFrame({"=name": texts, "n": [-1.5] * 8, "k": range(8)})
    path = str(tmp_path / "t.csv")
    sheet.write(frame, path)
    with open(path, newline="", encoding="utf-8") as file:
        written = list(csv.reader(file))
    assert not any(row[0].startswith(tuple("=+-@\t\r")) for row in written)
    assert all(row[1] == "-1.5" for row in written[1:]), "numbers stay numbers"
    pandas.testing.assert_frame_equal(tables.read(path), frame)
