"""Names and files of earlier versions: what was called or saved then still works."""

from __future__ import annotations

import importlib
import io
import pathlib
import pickle
from typing import Any, Callable

import pytest

import arbora

SAVED = pathlib.Path(__file__).parent / "saved"

# Everything that models saved by version 0.1 name in their pickles.
IN_MODELS = """
arbora.automl.blend Blend
arbora.automl.columns gaps_as_category
arbora.automl.dates Reading
arbora.automl.discriminant Quadratic
arbora.automl.estimator AutoClassifier
arbora.automl.estimator AutoRegressor
arbora.automl.estimator Member
arbora.automl.evaluation Fitted
arbora.automl.facts Facts
arbora.automl.modern build
arbora.automl.probabilities Calibrated
arbora.automl.table Column
arbora.automl.table Table
"""


def study() -> arbora.Study:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, seed=1)
    study.add({"x": 0.25}, loss=0.5)
    return study


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (lambda: study().covariance(), lambda: study().kernel_matrix(), "covariance.. is now called kernel_matrix"),
        (
            lambda: arbora.Plan(folds=2).over(4, classes=[0, 1, 0, 1]).of_trial(0),
            lambda: arbora.Plan(folds=2).split_rows(4, classes=[0, 1, 0, 1]).of_trial(0),
            "over.. is now called split_rows",
        ),
        (
            lambda: arbora.Plan(folds=2).split_rows(4).fresh(0),
            lambda: arbora.Plan(folds=2).split_rows(4).unseen_splits(0),
            "fresh.. is now called unseen_splits",
        ),
        (
            lambda: importlib.import_module("arbora.discovery").Discovery,
            lambda: importlib.import_module("arbora.define_by_run").Discovery,
            "arbora.discovery is now called arbora.define_by_run",
        ),
    ],
    ids=["kernel_matrix", "split_rows", "unseen_splits", "define_by_run"],
)
def test_old_names_work_and_say_the_new_one(old: Callable[[], Any], new: Callable[[], Any], words: str) -> None:
    with pytest.warns(DeprecationWarning, match=words):
        answer = old()
    assert answer == new()


def test_what_an_earlier_version_pickled_is_read() -> None:
    saved = pickle.loads((SAVED / "study.pickle").read_bytes())
    assert saved["space"].names == ["model", "C"]
    kept = saved["study"]
    assert (kept.name, kept.seed, len(kept.trials)) == ("kept", 1, 6)
    assert kept.best_trial.number == saved["trial"].number == saved["verdict"].best_seen.trial
    assert saved["trial"].loss == kept.best_loss and saved["trial"].params == kept.best_params
    assert kept.verdict()._replace(words="") == saved["verdict"]._replace(words="")
    kept.optimize(lambda trial: trial.get("C", 0.3) / 1e3, trials=2)
    assert len(kept.trials) == 8
    assert (saved["blank"].direction, saved["blank"].seed, len(saved["blank"])) == ("maximize", 4, 0)
    saved["found"].optimize(lambda trial: trial.suggest_float("x", 0, 1), trials=1)
    assert len(saved["found"].trials) == 4
    assert saved["splits"].of_trial(0) == saved["plan"].split_rows(30).of_trial(0)


@pytest.mark.parametrize("line", IN_MODELS.split("\n")[1:-1])
def test_models_of_an_earlier_version_find_their_classes(line: str) -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    module, name = line.split()
    assert callable(pickle.Unpickler(io.BytesIO()).find_class(module, name))
