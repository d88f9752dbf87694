"""Define by run: the space that an objective shows only in glimpses."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any, Callable, Dict, List, Tuple

import pytest

from arbora import Space, SpaceError, Study, Trial, _arbora


def cash(trial: Trial) -> float:
    model = trial.suggest_categorical("model", ["svm", "forest", "knn"])
    if model == "svm":
        loss = abs(trial.suggest_float("C", 1e-3, 1e3, log=True) - 1.0) / 1e3
        if trial.suggest_categorical("kernel", ["linear", "rbf"]) == "rbf":
            loss += trial.suggest_float("gamma", 1e-4, 1e1, log=True) / 10
        return loss
    if model == "forest":
        return 0.5 + 1 / trial.suggest_int("trees", 1, 100, log=True)
    return 0.7


def network(trial: Trial) -> float:
    layers = trial.suggest_int("layers", 1, 5)
    units = [trial.suggest_int(f"units_{i}", 4, 64, log=True) for i in range(layers)]
    return abs(sum(units) - 60) / 60


def threshold(trial: Trial) -> float:
    rate = trial.suggest_float("rate", 1e-4, 1.0, log=True)
    if rate > 0.05:
        return rate + trial.suggest_float("clip", 0.1, 10.0)
    return rate


class Replay(Trial):
    """Answers with the values of a stored trial and writes down what is asked for."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(None, trial._fields)
        self.asked: Dict[str, Any] = {}

    def _suggest(self, name: str, fields: Dict[str, Any]) -> Any:
        self.asked[name] = self[name]
        return self[name]


@pytest.mark.parametrize("objective", [cash, network, threshold])
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("stored", [False, True])
def test_every_trial_is_stored_as_it_was_asked_for(
    objective: Callable[[Trial], float], jobs: int, stored: bool, tmp_path: pathlib.Path
) -> None:
    study = Study(storage=tmp_path / "s.db" if stored else None, seed=3, strategy="random")
    study.optimize(objective, trials=30, jobs=jobs)
    limit = study.space.cardinality
    assert len(study.trials) == 30 or limit is not None and len(study.trials) <= limit
    for trial in study.trials:
        replay = Replay(trial)
        assert objective(replay) == trial.value
        assert replay.asked == trial.configuration
        assert trial.configuration in study.space


def test_the_tree_is_found() -> None:
    study = Study(seed=1)
    study.optimize(cash, trials=25)
    document = study.space.to_dict()["parameters"]
    assert document["gamma"]["when"] == 'kernel in ["rbf"]'
    assert document["C"]["when"] == 'model in ["svm"]'
    assert document["trees"]["when"] == 'model in ["forest"]'
    assert "when" not in document["model"]


def test_loops_become_thresholds() -> None:
    study = Study(seed=1, strategy="random")
    study.optimize(network, trials=60)
    document = study.space.to_dict()["parameters"]
    assert "when" not in document["units_0"]
    for i in range(1, 5):
        assert document[f"units_{i}"]["when"] == f"layers > {i}"


def test_suggestions_are_used_once_the_space_is_known() -> None:
    study = Study(seed=1)
    study.optimize(cash, trials=30)
    assert study.best_loss < 0.01
    assert sum(trial["model"] == "svm" for trial in study.trials[15:]) > 7, "the best branch is searched most"


def test_the_same_seed_discovers_the_same() -> None:
    studies: List[Study] = [Study(seed=7), Study(seed=7)]
    for study in studies:
        study.optimize(cash, trials=12)
    assert studies[0].space == studies[1].space
    assert [t.configuration for t in studies[0].trials] == [t.configuration for t in studies[1].trials]


def test_resuming_goes_on_discovering(tmp_path: pathlib.Path) -> None:
    whole = Study(seed=5)
    whole.optimize(cash, trials=12)
    file = tmp_path / "s.db"
    Study(seed=5, storage=file).optimize(cash, trials=4)
    Study.load(file).optimize(cash, trials=4)
    again = Study(seed=5, storage=file)
    again.optimize(cash, trials=4)
    assert [t.configuration for t in again.trials] == [t.configuration for t in whole.trials]
    assert pickle.loads(pickle.dumps(whole)).space == whole.space


def test_a_trial_that_fails_half_way_proves_no_absence() -> None:
    def fragile(trial: Trial) -> float:
        x = trial.suggest_float("x", 0.0, 1.0)
        if trial.number % 3 == 1:
            raise RuntimeError("before y")
        return x + trial.suggest_float("y", 0.0, 1.0)

    study = Study(seed=1)
    study.optimize(fragile, trials=9, catch=RuntimeError)
    assert [trial.state for trial in study.trials] == ["complete", "failed", "complete"] * 3
    assert all("when" not in fields for fields in study.space.to_dict()["parameters"].values())


def test_a_branch_that_always_fails_is_known_all_the_same() -> None:
    def half(trial: Trial) -> float:
        if trial.suggest_categorical("model", ["good", "bad"]) == "bad":
            trial.suggest_float("x", 0.0, 1.0)
            raise RuntimeError("always")
        return trial.suggest_float("y", 0.0, 1.0)

    study = Study(seed=1)
    study.optimize(half, trials=12, catch=RuntimeError)
    document = study.space.to_dict()["parameters"]
    assert document["x"]["when"] == 'model in ["bad"]'
    assert all(trial.configuration in study.space for trial in study.trials)


def test_ranges_may_widen_but_not_change_their_kind() -> None:
    def growing(trial: Trial) -> float:
        number = trial.suggest_int("n", 1, 3 + trial.number)
        return number + len(trial.suggest_categorical("c", ["a", "bb"][: 1 + trial.number % 2]))

    study = Study(seed=1)
    study.optimize(growing, trials=6)
    document = study.space.to_dict()["parameters"]
    assert document["n"] == {"type": "integer", "low": 1, "high": 8}
    assert document["c"]["choices"] == ["a", "bb"]
    assert all(trial["n"] <= 3 + trial.number for trial in study.trials)
    with pytest.raises(SpaceError, match="cannot change"):
        study.optimize(lambda trial: trial.suggest_float("n", 0.0, 1.0), trials=1)


def test_an_objective_that_asks_for_nothing_is_told_so() -> None:
    with pytest.raises(SpaceError, match="asked for no parameter"):
        Study(seed=1).optimize(lambda trial: 0.0, trials=1)


@pytest.mark.parametrize("error", [NameError("typo"), ZeroDivisionError(), SpaceError("mine", "Mine"), KeyboardInterrupt()])
@pytest.mark.parametrize("catch", [(), Exception])
def test_what_the_first_trial_raises_is_what_its_author_sees(error: BaseException, catch: Any) -> None:
    def wrong(trial: Trial) -> float:
        raise error

    with pytest.raises(type(error)) as caught:
        Study(seed=1).optimize(wrong, trials=3, catch=catch)
    assert caught.value is error


def test_a_wrong_range_in_the_first_trial_is_named() -> None:
    with pytest.raises(SpaceError, match="`x`.*low"):
        Study(seed=1).optimize(lambda trial: trial.suggest_float("x", 2, 1), trials=3)


def test_first_trials_keep_attributes_and_reports() -> None:
    def objective(trial: Trial) -> float:
        trial.set_attribute("epochs", 3)
        trial.report(0.5, 1)
        return trial.suggest_float("x", 0.0, 1.0)

    study = Study(seed=1)
    study.optimize(objective, trials=2)
    assert [(t.attributes["epochs"], t.intermediate) for t in study.trials] == [(3, [(1, 0.5)])] * 2


def test_an_objective_that_tosses_coins_is_tolerated() -> None:
    def coin(trial: Trial) -> float:
        x = trial.suggest_float("x", 0.0, 1.0)
        return x + (trial.suggest_float("y", 0.0, 1.0) if trial.number in (0, 2, 3, 6) else 0.0)

    study = Study(seed=1)
    study.optimize(coin, trials=8)
    assert len(study.trials) == 8 and all(trial.configuration in study.space for trial in study.trials)


def test_nested_rules_are_found_where_single_tests_do_not_do() -> None:
    parameters: Dict[str, Dict[str, Any]] = {
        "a": {"type": "choice", "choices": [1, 2, 3]},
        "b": {"type": "choice", "choices": ["x", "y"]},
        "p": {"type": "real", "low": 0.0, "high": 1.0},
    }
    observed: List[Tuple[Dict[str, Any], bool]] = [
        ({"a": a, "b": b, **({"p": 0.5} if (a == 1 and b == "x") or a == 3 else {})}, True)
        for a in (1, 2, 3)
        for b in ("x", "y")
    ]
    parameters["p"]["when"] = _arbora.infer_conditions(parameters, observed)["p"]
    space = Space.from_dict({"parameters": parameters})
    assert all(values in space for values, _ in observed), parameters["p"]["when"]


def test_declared_spaces_answer_suggestions_too() -> None:
    space = Space()
    model = space.choice("model", ["svm", "forest"])
    space.real("C", 0.1, 10.0, when=model == "svm")
    study = Study(space, seed=1)

    def objective(trial: Trial) -> float:
        if trial.suggest_categorical("model", ["svm", "forest"]) == "svm":
            return trial.suggest_float("C", 0.1, 10.0)
        with pytest.raises(SpaceError, match="does not take part"):
            trial.suggest_float("C", 0.1, 10.0)
        return 1.0

    study.optimize(objective, trials=6)
    assert {trial["model"] for trial in study.trials} == {"svm", "forest"}
