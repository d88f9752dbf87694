"""Stopping trials early: by name, by threads and processes, stored, and with clear words for mistakes."""

from __future__ import annotations

import logging
import multiprocessing
import pathlib
import pickle
from typing import Any, Dict, List

import pytest

import arbora
from arbora import Space, Study, TrialPruned
from arbora.errors import SearchError, StoreError, TrialError

STEPS = 6


def space() -> Space:
    made = Space()
    made.real("x", 0.0, 1.0)
    return made


def objective(trial: arbora.Trial) -> float:
    for step in range(STEPS):
        trial.report(trial["x"] + 1 / (1 + step), step)
        if trial.should_prune():
            raise TrialPruned
    return float(trial["x"])


def states(study: Study) -> Dict[str, int]:
    found = [trial.state for trial in study.trials]
    return {state: found.count(state) for state in sorted(set(found))}


def run_in_process(file: str) -> None:
    Study.load(file).optimize(objective, trials=8)


@pytest.mark.parametrize("name", [name for name in arbora.pruners() if name not in ("threshold", "none")])
def test_every_pruner_by_name(name: str) -> None:
    study = Study(space(), pruner=name, strategy="random", seed=3)
    study.optimize(objective, trials=30)
    assert study.pruner == name
    assert set(states(study)) <= {"complete", "pruned"}
    assert states(study).get("complete", 0) > 0
    assert study.best_value == min(trial.value for trial in study.trials if trial.value is not None)


@pytest.mark.parametrize("jobs", [1, 3])
def test_pruned_trials_keep_their_curve_and_have_no_value(jobs: int) -> None:
    study = Study(space(), strategy="random", seed=1)
    study.optimize(objective, trials=40, jobs=jobs)
    assert states(study)["pruned"] >= 10
    for trial in study.trials:
        is_pruned = trial.state == "pruned"
        assert trial.is_ended and (trial.value is None) == is_pruned
        assert len(trial.intermediate) == STEPS or is_pruned
        assert trial.intermediate == [(step, trial["x"] + 1 / (1 + step)) for step in range(len(trial.intermediate))]
        assert (trial.reason is not None) == is_pruned
        assert trial.duration is not None
    pruned = next(trial for trial in study.trials if trial.state == "pruned")
    assert "chance to become the best" in (pruned.reason or "")
    assert "pruned" in repr(pruned)
    assert f"{states(study)['pruned']} pruned" in str(study.verdict())
    assert study.verdict().pruned == states(study)["pruned"]


def test_none_stops_nothing() -> None:
    study = Study(space(), pruner="none", strategy="random", seed=1)
    study.optimize(objective, trials=20)
    assert states(study) == {"complete": 20}


def test_maximising_stops_the_same_trials() -> None:
    def negated(trial: arbora.Trial) -> float:
        for step in range(STEPS):
            trial.report(-trial["x"] - 1 / (1 + step), step)
            if trial.should_prune():
                raise TrialPruned
        return -float(trial["x"])

    low, high = Study(space(), strategy="random", seed=5), Study(space(), strategy="random", seed=5, direction="maximize")
    low.optimize(objective, trials=30)
    high.optimize(negated, trials=30)
    assert [trial.state for trial in low.trials] == [trial.state for trial in high.trials]
    assert low.best_trial.number == high.best_trial.number


def test_processes_share_what_was_reported(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "study.db"
    study = Study(space(), storage=file, strategy="random", seed=2)
    study.optimize(objective, trials=8)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=run_in_process, args=(str(file),)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    assert sum(states(study).values()) == 24
    assert states(study)["pruned"] > 0


def test_a_stored_study_keeps_its_pruner_and_goes_on_exactly(tmp_path: pathlib.Path) -> None:
    chosen = {"kind": "median", "startup_trials": 3, "warmup_steps": 1, "interval_steps": 1, "min_trials": 1}
    straight = Study(space(), pruner=chosen, seed=4)
    straight.optimize(objective, trials=16)
    file = tmp_path / "study.db"
    Study(space(), pruner=chosen, seed=4, storage=file).optimize(objective, trials=9)
    again = Study(space(), storage=file)
    assert again.pruner == chosen
    again.optimize(objective, trials=7)

    def told(study: Study) -> List[Any]:
        return [(trial.configuration, trial.state, trial.intermediate, trial.reason) for trial in study.trials]

    assert told(again) == told(straight)
    with pytest.raises(StoreError, match="pruner"):
        Study(space(), storage=file, pruner="asha")
    assert told(pickle.loads(pickle.dumps(straight))) == told(straight)
    assert straight.copy().pruner == chosen


def test_telling_by_hand() -> None:
    study = Study(space(), seed=1)
    study.tell(study.ask(), pruned=True)
    study.tell(study.ask(), pruned="too slow")
    study.tell(study.ask(), 0.5)
    assert [(trial.state, trial.reason) for trial in study.trials] == [
        ("pruned", "stopped early"), ("pruned", "too slow"), ("complete", None),
    ]
    assert study.best_trial.number == 2
    with pytest.raises(TypeError, match="give exactly one of value, loss, failed and pruned"):
        study.tell(study.ask(), 0.5, pruned=True)


def test_the_reason_is_the_objectives_own_if_it_gives_one() -> None:
    def given_up(trial: arbora.Trial) -> float:
        raise TrialPruned("out of patience")

    study = Study(space(), seed=1)
    study.optimize(given_up, trials=2)
    assert [(trial.state, trial.reason) for trial in study.trials] == [("pruned", "out of patience")] * 2
    with pytest.raises(arbora.ArboraError, match="none of them is complete"):
        study.best_trial


def test_pruned_trials_in_a_table() -> None:
    pytest.importorskip("pandas")
    study = Study(space(), strategy="random", seed=1)
    study.optimize(objective, trials=20)
    table = study.trials_dataframe()
    assert set(table["state"]) == {"complete", "pruned"}
    assert table[table["state"] == "pruned"]["value"].isna().all()


def test_a_space_that_is_discovered() -> None:
    def discovering(trial: arbora.Trial) -> float:
        x = trial.suggest_float("x", 0.0, 1.0)
        for step in range(STEPS):
            trial.report(x + 1 / (1 + step), step)
            if trial.should_prune():
                raise TrialPruned
        return x + trial.suggest_float("last", 0.0, 0.1)

    study = Study(strategy="random", seed=1)
    study.optimize(discovering, trials=30)
    assert states(study)["pruned"] > 5
    assert study.space.names == ["x", "last"]


def test_mistakes_are_named(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(SearchError, match="did you mean `median`"):
        Study(space(), pruner="medain")
    with pytest.raises(SearchError, match="unknown field `warmup`"):
        Study(space(), pruner={"kind": "median", "warmup": 3})
    with pytest.raises(SearchError, match="give `lower`, `upper` or both"):
        Study(space(), pruner="threshold")
    with pytest.raises(TypeError, match="it is a name such as"):
        Study(space(), pruner=3)  # type: ignore[arg-type]
    study = Study(space(), seed=1)
    trial = study.ask()
    trial.report(0.5, 3)
    for step in (2, 3):
        with pytest.raises(TrialError, match=f"step {step} was reported after step 3"):
            trial.report(0.5, step)
    with pytest.raises(ValueError, match="must be 0 or more"):
        trial.report(0.5, -1)
    with pytest.raises(TypeError, match="must be a whole number"):
        trial.report(0.5, 4.5)  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING, logger="arbora"):
        trial.report(float("nan"), 4)
        trial.report(float("nan"), 5)
    assert [record.getMessage() for record in caplog.records] == [
        "trial 0 reported nan at step 4: it will hardly get better"
    ]
    study.tell(trial, 0.5)
    for late in (lambda: trial.report(0.5, 9), trial.should_prune):
        with pytest.raises(TrialError, match="was told already"):
            late()


def test_instances_come_in_any_order() -> None:
    study = Study(space(), pruner="wilcoxon", seed=1)
    for level in (0.1, 0.9):
        trial = study.ask()
        for instance in (5, 2, 8, 1, 7):
            trial.report(level + instance / 10, instance)
        if level > 0.5:
            assert trial.should_prune()
        else:
            study.tell(trial, level)
