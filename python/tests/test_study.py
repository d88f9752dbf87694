"""Studies: asking and telling, in memory and in a file."""

from __future__ import annotations

import math
import pathlib
import pickle
from typing import Any, Optional

import pytest

import arbora
from arbora import ArboraError, ExhaustedError, Space, StoreError, Study, Trial, TrialError


@pytest.fixture
def space() -> Space:
    space = Space()
    model = space.choice("model", ["line", "bowl"])
    space.real("a", 0.0, 1.0, when=model == "line")
    space.real("b", -1.0, 1.0, when=model == "bowl")
    return space


@pytest.fixture(params=["memory", "file"])
def storage(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Optional[pathlib.Path]:
    return None if request.param == "memory" else tmp_path / "study.db"


def loss(trial: Any) -> float:
    return 0.5 + trial["a"] if trial["model"] == "line" else trial["b"] ** 2


def run(study: Study, trials: int) -> None:
    study.optimize(loss, trials=trials)


def told(study: Study) -> Any:
    return [(trial.configuration, trial.loss) for trial in study.trials]


def test_a_study_finds_the_bowl(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=3)
    run(study, 20)
    assert study.best_configuration["model"] == "bowl"
    assert study.best_loss == study.best_value == study.best_trial.loss < 0.01
    assert [trial.number for trial in study.trials] == list(range(20))
    assert all(trial.duration is not None and trial.duration >= 0 for trial in study.trials)


def test_the_same_seed_gives_the_same_study(space: Space) -> None:
    studies = [Study(space, seed=5) for _ in range(2)]
    for study in studies:
        run(study, 12)
    assert told(studies[0]) == told(studies[1])
    other = Study(space, seed=6)
    run(other, 12)
    assert told(other) != told(studies[0])


@pytest.mark.parametrize("stop", [1, 7, 11])
def test_a_stopped_study_goes_on_as_if_it_had_not_been(space: Space, tmp_path: pathlib.Path, stop: int) -> None:
    whole = Study(space, seed=9)
    run(whole, 14)
    file = tmp_path / "study.db"
    run(Study(space, storage=file, seed=9), stop)
    resumed = Study.load(file)
    run(resumed, 14 - stop)
    assert told(resumed) == told(whole)


def test_a_seed_that_was_drawn_is_kept(space: Space, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "study.db"
    first = Study(space, storage=file)
    again = Study(space, storage=file)
    assert first.seed == again.seed
    assert Study(space).seed != Study(space).seed


def test_a_study_that_exists_must_agree(space: Space, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "study.db"
    Study(space, storage=file, seed=1)
    with pytest.raises(StoreError) as caught:
        Study(space, storage=file, seed=2)
    assert (caught.value.kind, caught.value.what) == ("Disagrees", "seed")
    assert isinstance(caught.value, OSError)
    other = Space()
    other.real("x", 0.0, 1.0)
    with pytest.raises(StoreError, match="another space"):
        Study(other, storage=file)


def test_many_studies_in_one_file(space: Space, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "study.db"
    for name in ("one", "two"):
        Study(space, storage=file, name=name)
    assert arbora.studies(file) == ["one", "two"]
    assert Study.load(file, "two").name == "two"
    with pytest.raises(StoreError, match="name one of") as caught:
        Study.load(file)
    assert caught.value.known == ["one", "two"]
    with pytest.raises(StoreError, match="there are: one, two"):
        Study.load(file, "three")


def test_listing_studies_only_reads(space: Space, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "study.db"
    for address in (file, f"sqlite:///{file}"):
        with pytest.raises(StoreError, match="there is no file") as caught:
            arbora.studies(address)
        assert caught.value.kind == "NoFile" and not file.exists()
    file.touch()
    assert arbora.studies(file) == [], "an empty file is one without studies"
    Study(space, storage=file, name="one")
    before = sorted(path.name for path in tmp_path.iterdir()), file.read_bytes()
    assert arbora.studies(file) == ["one"]
    assert (sorted(path.name for path in tmp_path.iterdir()), file.read_bytes()) == before


def test_missing_files_and_folders_are_named(space: Space, tmp_path: pathlib.Path) -> None:
    with pytest.raises(StoreError, match="there is no file"):
        Study.load(tmp_path / "nothing.db")
    assert not (tmp_path / "nothing.db").exists(), "looking does not create"
    with pytest.raises(StoreError, match="does not exist; create it first"):
        Study(space, storage=tmp_path / "no" / "study.db")
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to be taken for one " * 40)
    with pytest.raises(StoreError, match="is not a store of studies"):
        Study(space, storage=text)


def test_maximizing_flips_once(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, direction="maximize", seed=1)
    for value in (0.25, 0.75, 0.5):
        study.tell(study.ask(), value)
    assert (study.best_value, study.best_loss, study.best_trial.number) == (0.75, -0.75, 1)
    study.tell(study.ask(), loss=-0.9)
    assert study.best_value == 0.9


def test_everything_told_comes_back(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    trial = study.ask(worker="ada")
    trial.set_attribute("fold", [1, 2.5, "x", None, {"deep": True}])
    trial.report(0.9, 1)
    trial.report(value=math.inf, step=2)
    study.tell(trial, loss=0.1 + 0.2, cost=3.5, duration=12.5, attributes={"note": "ok"})
    stored = study.trial(0)
    assert stored.configuration == trial.configuration
    assert (stored.loss, stored.cost, stored.duration) == (0.1 + 0.2, 3.5, 12.5)
    assert stored.attributes == {"fold": [1, 2.5, "x", None, {"deep": True}], "note": "ok"}
    assert stored.intermediate == [(1, 0.9), (2, math.inf)]
    assert (stored.worker, stored.state, stored.origin) == ("ada", "complete", "suggested")
    assert stored.ended_at is not None and stored.asked_at <= stored.ended_at
    study.set_attribute("data", "digits")
    assert study.attributes["data"] == "digits"


def test_failures_keep_their_reason(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    study.tell(study.ask(), failed="out of memory")
    study.tell(study.ask(), failed=ValueError("singular"))
    study.tell(study.ask(), math.nan)
    states = [(trial.state, trial.reason) for trial in study.trials]
    assert states == [
        ("failed", "out of memory"),
        ("failed", "ValueError: singular"),
        ("failed", "the objective returned NaN"),
    ]
    with pytest.raises(ArboraError, match="no trial has a loss: 3 of 3 ended trials failed"):
        study.best_trial


def test_telling_twice_or_the_unknown_is_an_error(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    trial = study.ask()
    study.tell(trial, 0.5)
    with pytest.raises(TrialError, match="was told already") as caught:
        study.tell(trial, 0.6)
    assert (caught.value.kind, caught.value.number) == ("AlreadyTold", 0)
    with pytest.raises(TrialError, match="no trial number 7"):
        study.tell(7, 0.5)
    for wrong in ({}, {"value": 1.0, "loss": 1.0}, {"loss": 1.0, "failed": "x"}):
        with pytest.raises(TypeError, match="one of value, loss, failed and pruned"):
            study.tell(study.ask(), **wrong)  # type: ignore[arg-type]
    with pytest.raises(arbora.SearchError, match="cost"):
        study.tell(study.ask(), loss=0.5, cost=-1.0)


def test_added_and_queued_trials(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    added = study.add({"model": "bowl", "b": 0.5}, loss=0.25)
    queued = study.enqueue({"model": "line"})
    assert (added.state, queued.state, queued["a"]) == ("complete", "waiting", 0.5)
    assert study.ask().configuration == {"model": "line", "a": 0.5}
    with pytest.raises(arbora.SpaceError):
        study.add({"model": "bowl"}, loss=0.25)


def test_trials_given_up_or_put_back(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    first, second = study.ask(), study.ask()
    study.abandon(first, "the machine was needed")
    study.release(second)
    assert [trial.state for trial in study.trials] == ["abandoned", "waiting"]
    assert study.ask().number == 1


def test_a_finite_space_is_searched_once_and_only_once(storage: Any) -> None:
    space = Space()
    space.integer("n", 1, 5)
    study = Study(space, storage=storage, seed=1)
    study.optimize(lambda trial: trial["n"], trials=100)
    assert sorted(trial["n"] for trial in study.trials) == [1, 2, 3, 4, 5]
    with pytest.raises(ExhaustedError) as caught:
        study.ask()
    assert caught.value.count == 5
    noisy = Study(space, repeats=True, seed=1)
    noisy.optimize(lambda trial: trial["n"], trials=12)
    assert len(noisy.trials) == 12


def test_pending_trials_are_different_trials(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    asked = [study.ask().configuration for _ in range(8)]
    assert len({tuple(sorted(configuration.items())) for configuration in asked}) == 8


def test_strategies_by_name_and_by_specification(space: Space) -> None:
    assert set(arbora.strategies()) >= {"random", "gp-conditional"}
    bound = {"kind": "lower_confidence_bound", "kappa": 2.0}
    study = Study(space, strategy={"kind": "model", "design": {"kind": "sobol", "count": 4}, "acquisition": bound}, seed=1)
    run(study, 8)
    assert study.strategy["acquisition"] == bound
    assert Study(space, strategy="random").strategy == "random"
    for wrong in ("best", {"kind": "model", "desgin": {}}, {"kind": "magic"}):
        with pytest.raises(arbora.SearchError):
            Study(space, strategy=wrong)  # type: ignore[arg-type]
    with pytest.raises(arbora.SearchError, match="minimize"):
        Study(space, direction="down")


def test_the_space_of_a_running_study_grows(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=1)
    run(study, 6)
    before = told(study)
    document = space.to_dict()
    document["parameters"]["model"]["choices"].append("wave")
    document["parameters"]["w"] = {"type": "real", "low": 0.0, "high": 1.0, "when": "model == 'wave'"}
    study.evolve(Space.from_dict(document))
    assert told(study) == before
    study.enqueue({"model": "wave", "w": 0.25})
    assert study.ask().configuration == {"model": "wave", "w": 0.25}
    with pytest.raises(arbora.SpaceError, match="cannot change the space"):
        study.evolve(space)


def test_pickles(space: Space, storage: Any) -> None:
    study = Study(space, storage=storage, seed=4)
    run(study, 7)
    copy = pickle.loads(pickle.dumps(study))
    assert copy.trials == study.trials
    run(copy, 5)
    if storage is None:
        assert len(study.trials) == 7, "a study in memory is copied"
        run(study, 5)
    assert told(copy) == told(study)
    trial: Trial = pickle.loads(pickle.dumps(study.trials[0]))
    assert trial == study.trials[0]
    assert len(pickle.loads(pickle.dumps(Study(seed=1)))) == 0


def test_a_trial_is_a_mapping(space: Space) -> None:
    trial = Study(space, seed=1).ask()
    assert dict(trial) == trial.configuration == trial.params == {**trial}
    assert trial.get("nothing", 3) == 3 and "nothing" not in trial


def test_covariance_is_zero_across_branches(space: Space) -> None:
    study = Study(space, strategy="gp-conditional", seed=1)
    run(study, 10)
    matrix = study.kernel_matrix()
    models = [trial["model"] for trial in study.trials]
    for i, row in enumerate(matrix):
        assert row[i] == pytest.approx(1.0, abs=1e-12)
        for j, entry in enumerate(row):
            assert entry == matrix[j][i]
            assert (models[i] == models[j]) == (entry != 0.0)
    with pytest.raises(arbora.SearchError, match="no kernel"):
        Study(space, strategy="random").kernel_matrix([])


def test_the_default_strategy_has_a_covariance_across_branches(space: Space) -> None:
    study = Study(space, seed=1)
    run(study, 10)
    assert all(entry > 0.0 for row in study.kernel_matrix() for entry in row)


def test_tables(space: Space) -> None:
    pytest.importorskip("pandas")
    study = Study(space, seed=1)
    run(study, 5)
    table = study.trials_dataframe()
    assert list(table["number"]) == [0, 1, 2, 3, 4]
    assert list(table.columns[-3:]) == ["parameters_model", "parameters_a", "parameters_b"]
    assert list(table["parameters_a"].isna()) == [trial["model"] == "bowl" for trial in study.trials]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("is_declared", [True, False])
def test_told_losses_that_are_none_are_said_once(
    space: Space, value: float, is_declared: bool, caplog: pytest.LogCaptureFixture
) -> None:
    study = Study(space if is_declared else None, seed=1)
    for _ in range(3):
        trial = study.ask()
        if not is_declared:
            trial.suggest_float("x", 0.0, 1.0)
        study.tell(trial, value)
    assert [record.getMessage() for record in caplog.records] == [
        f"trial 0 failed: the objective returned {'NaN' if value != value else value}; the study goes on"
    ]
    assert caplog.records[0].name == "arbora" and caplog.records[0].levelname == "WARNING"
    with pytest.raises(ArboraError, match="3 of 3 ended trials failed"):
        study.best_value


def test_told_failures_are_known_and_not_said(space: Space, caplog: pytest.LogCaptureFixture) -> None:
    study = Study(space, seed=1)
    study.tell(study.ask(), failed="out of memory")
    study.tell(study.ask(), 0.5)
    assert not caplog.records
