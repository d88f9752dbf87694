"""Ctrl-C in an automatic model: what is there makes the model, and nothing stays open or behind."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
from typing import Any, List, Set

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")
pandas = pytest.importorskip("pandas", reason="tables of the command are frames of pandas")

from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402

import arbora  # noqa: E402

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(80, 4))
LABELS = (ROWS.sum(axis=1) > 0).astype(int)


class Users:
    """Builds estimators of one column each; a user presses Ctrl-C at some of them, counted from one."""

    def __init__(self, *pressed: int) -> None:
        self.pressed: Set[int] = set(pressed)
        self.built = 0

    def __call__(self, configuration: Any) -> Any:
        self.built += 1
        if self.built in self.pressed:
            raise KeyboardInterrupt
        column = configuration["column"]
        return make_pipeline(FunctionTransformer(lambda rows: rows[:, [column]]), LogisticRegression())


def auto(users: Users, **options: Any) -> Any:
    space = arbora.Space()
    space.ordinal("column", [0, 1, 2, 3])
    given = {"trials": 4, "time_budget": None, "isolate": False, "random_state": 1, "strategy": "grid", "folds": 2}
    return arbora.AutoClassifier(space=(space, users), **{**given, "resampling": "fixed", **options})


def states(model: Any) -> List[str]:
    return [trial.state for trial in model.study_.trials]


def test_complete_trials_make_the_model() -> None:
    # Two fits a trial: the third trial is interrupted in its second.
    users = Users(6)
    with pytest.warns(RuntimeWarning, match="search was interrupted; its complete trials make the model"):
        model = auto(users).fit(ROWS, LABELS)
    assert model.interrupted_
    assert states(model) == ["complete", "complete", "abandoned"]
    assert set(model.ensemble_) == {0, 1} and model.verdict_.complete == 2
    assert model.score(ROWS, LABELS) > 0.6
    assert users.built == 6 + 2


def test_a_model_that_nobody_interrupts_says_so() -> None:
    assert not auto(Users()).fit(ROWS, LABELS).interrupted_


def test_interrupted_again_it_takes_the_members_that_are_fitted() -> None:
    # Every column helps, so several are chosen: eight fits of the search, then those on all rows.
    with pytest.warns(RuntimeWarning, match="interrupted; the model has 2 of [34] members"):
        model = auto(Users(11)).fit(ROWS, LABELS)
    assert model.interrupted_ and states(model) == ["complete"] * 4
    assert len(model.ensemble_) == 2 == len(model.estimators_)
    assert sum(model.ensemble_.values()) == pytest.approx(1.0)


def test_without_a_trial_or_a_fit_there_is_no_model() -> None:
    with pytest.raises(KeyboardInterrupt):
        auto(Users(1)).fit(ROWS, LABELS)
    with pytest.warns(RuntimeWarning, match="search was interrupted"), pytest.raises(KeyboardInterrupt):
        auto(Users(6, 7)).fit(ROWS, LABELS)


@pytest.mark.skipif(os.name == "nt", reason="a process is interrupted in another way on Windows")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_real_ctrl_c_writes_everything(tmp_path: pathlib.Path, jobs: str) -> None:
    pandas.DataFrame(ROWS, columns=list("abcd")).assign(y=LABELS).to_csv(tmp_path / "t.csv", index=False)
    command = ["automl", "t.csv", "--target", "y", "--time", "10m", "--jobs", jobs, "--seed", "1", "--storage", "s.db"]
    package = str(pathlib.Path(arbora.__file__).parent.parent)
    with subprocess.Popen(
        [sys.executable, "-m", "arbora", *command], cwd=tmp_path, env={**os.environ, "PYTHONPATH": package},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert "trials" in first, first + process.stderr.read()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130, out + err
    assert "arbora automl: the search was interrupted" in err and "Warning" not in err
    assert {"model.joblib", "report.html", "leaderboard.csv"} <= {file.name for file in (tmp_path / "automl").iterdir()}
    assert "The search was interrupted" in (tmp_path / "automl" / "report.html").read_text()
    trials = arbora.Study.load(tmp_path / "s.db").trials
    assert {trial.state for trial in trials} <= {"complete", "failed", "abandoned", "waiting"}, "none is left open"
    import joblib

    # The model needs nothing else: it is in a folder of its own here, without the study's file.
    assert joblib.load(tmp_path / "automl" / "model.joblib").predict(pandas.DataFrame(ROWS, columns=list("abcd"))).shape == (80,)
