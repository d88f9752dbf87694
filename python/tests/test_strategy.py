"""Strategies written in Python: registered, checked, stored, resumed, and used by the command and the lab."""

from __future__ import annotations

import os
import pathlib
import pickle
import subprocess
import sys
import threading
from typing import Any, Dict, Iterator, List

import pytest

import arbora
from arbora import Ask, Space, Study, Suggestion, register_strategy

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(arbora.__file__).parent


def line() -> Space:
    space = Space()
    space.real("x", 0.0, 1.0)
    return space


def branches() -> Space:
    space = Space()
    model = space.choice("model", ["svm", "forest"])
    space.real("C", 0.0, 1.0, when=model == "svm")
    space.integer("trees", 1, 9, when=model == "forest")
    space.forbid((model == "forest") & (space["trees"] == 9))
    return space


@register_strategy("test-walk", when="in tests")
def walk(ask: Ask) -> Suggestion:
    """A random walk that remembers how far it went."""
    steps = [trial.memo.get("steps", 0) for trial in ask.trials]
    near = [] if ask.best is None else ask.space.neighbours(ask.best.configuration, seed=ask.seed)
    fresh = [one for one in near if ask.is_new(one)]
    return Suggestion(ask.rng.choice(fresh) if fresh else ask.random(), memo={"steps": max(steps, default=0) + 1})


def configurations(study: Study) -> List[Dict[str, Any]]:
    return [trial.configuration for trial in study.trials]


def loss(trial: Any) -> float:
    return abs(trial["C"] - 0.3) if trial["model"] == "svm" else trial["trees"] / 9


def test_a_strategy_is_chosen_by_name_wherever_one_is() -> None:
    study = Study(branches(), strategy="test-walk", seed=3)
    study.optimize(loss, trials=25)
    assert study.best_loss < 0.2 and study.strategy == "test-walk"
    assert arbora.minimize(loss, branches(), strategy="test-walk", trials=25, seed=3).loss == study.best_loss
    line = arbora.strategies()["test-walk"]
    assert line == "A random walk that remembers how far it went; use it in tests (registered)"
    assert list(arbora.strategies())[0] == "auto", "those of the package come first"
    spec = {"kind": "interleaved", "strategy": {"kind": "test-walk"}, "random": {"every": 2}}
    mixed = Study(branches(), strategy=spec, seed=3)
    mixed.optimize(loss, trials=6)
    assert len(mixed) == 6


def test_it_is_told_everything_and_nothing_is_asked_twice() -> None:
    seen: List[Ask] = []

    @register_strategy("test-spy")
    def spy(ask: Ask) -> Dict[str, Any]:
        seen.append(ask)
        return ask.random()

    study = Study(line(), strategy="test-spy", direction="maximize", seed=5)
    first, second, third, fourth = (study.ask() for _ in range(4))
    study.tell(first, 2.0, cost=3.0)
    study.tell(second, failed="no memory")
    study.abandon(third, "enough")
    study.ask()
    ask = seen[-1]
    assert (ask.number, ask.repeats, ask.name, ask.space) == (4, False, "test-spy", line())
    assert [trial.state for trial in ask.trials] == ["complete", "failed", "abandoned", "pending"]
    assert (ask.trials[0].loss, ask.trials[0].cost) == (-2.0, 3.0), "a loss, whatever the direction"
    assert [trial.reason for trial in ask.trials] == [None, "no memory", "enough", None]
    assert ask.pending == [fourth.configuration]
    assert ask.best is not None and ask.best.number == 0 and ask.complete == [ask.trials[0]]
    assert ask.is_new(third.configuration) and not ask.is_new(fourth.configuration)
    assert len({ask.seed for ask in seen}) == 5, "every trial has a seed of its own"
    ask.space.real("y", 0.0, 1.0)
    assert study.ask().configuration.keys() == {"x"}, "a copy of the space is changed in vain"
    twin = Study(line(), strategy="test-spy", seed=5)
    twin.ask()
    assert seen[-1].seed == seen[0].seed


def test_a_stopped_study_goes_on_as_if_it_had_not_been(tmp_path: pathlib.Path) -> None:
    whole = Study(branches(), strategy="test-walk", seed=4)
    whole.optimize(loss, trials=16)
    for _ in range(4):
        part = Study(branches(), strategy="test-walk", seed=4, storage=tmp_path / "s.db")
        part.optimize(loss, trials=4)
    assert configurations(Study.load(tmp_path / "s.db")) == configurations(whole)
    again = pickle.loads(pickle.dumps(whole))
    assert again.ask().configuration == whole.ask().configuration


def test_part_of_an_evaluation_can_be_suggested() -> None:
    @register_strategy("test-share")
    def half(ask: Ask) -> Suggestion:
        return Suggestion(ask.random(), share=0.5 if ask.number == 0 else 1.0)

    study = Study(line(), strategy="test-share", seed=1)
    assert [study.ask().share for _ in range(2)] == [0.5, 1.0]


@pytest.mark.parametrize(
    ("number", "given", "error", "problem"),
    [
        (0, {"model": "svm"}, arbora.SearchError, "suggested model = svm, which cannot be tried: .*`C`"),
        (1, {"model": "svm", "C": 7.5}, arbora.SearchError, "C = 7.5, which cannot be tried: .*`C`"),
        (2, {"model": "forest", "trees": 3, "C": 0.5}, arbora.SearchError, "`C` is inactive"),
        (3, {"model": "svm", "C": 0.5, "D": 1}, arbora.SearchError, "`D`"),
        (4, {"model": "forest", "trees": 9}, arbora.SearchError, "trees = 9, which cannot be tried: .*trees == 9"),
        (5, {"model": "svm", "C": object()}, arbora.SearchError, "parameter `C`: a value must be"),
        (6, {}, arbora.SearchError, "suggested nothing"),
        (7, None, TypeError, "must return a dict of values by name, or an arbora.Suggestion, not None"),
        (8, Suggestion({"model": "svm", "C": 0.5}, share=2.0), ValueError, "share = 2.0 must be above 0"),
        (9, Suggestion({"model": "svm", "C": 0.5}, memo={"a": object()}), arbora.SearchError, "memo: "),
    ],
)
def test_what_cannot_be_tried_is_refused(number: int, given: Any, error: Any, problem: str) -> None:
    name = f"test-bad-{number}"
    register_strategy(name, lambda ask: given)
    study = Study(branches(), strategy=name, seed=1)
    with pytest.raises(error, match=f"strategy `{name}`.*{problem}"):
        study.ask()
    assert len(study) == 0, "nothing was asked"


def test_a_configuration_comes_again_only_where_repeats_are_wanted() -> None:
    register_strategy("test-constant", lambda ask: {"x": 0.5})
    noisy = Study(line(), strategy="test-constant", repeats=True, seed=1)
    assert [noisy.ask()["x"] for _ in range(3)] == [0.5] * 3
    study = Study(line(), strategy="test-constant", seed=1)
    study.ask()
    with pytest.raises(arbora.SearchError, match="x = 0.5, which cannot be tried: trial 0 has it already; suggest another"):
        study.ask()


class Odd(Exception):
    pass


def test_an_exception_reaches_the_user_unchanged() -> None:
    raised = [Odd("strange"), KeyboardInterrupt(), arbora.ExhaustedError("enough"), ZeroDivisionError("by zero")]
    register_strategy("test-raises", lambda ask: (_ for _ in ()).throw(raised[0]))
    for error in list(raised):
        study = Study(line(), strategy="test-raises", seed=1)
        with pytest.raises(type(error)) as caught:
            study.ask()
        assert caught.value is error and len(study) == 0
        raised.append(raised.pop(0))
    study = Study(line(), strategy="test-raises", seed=1)
    with pytest.raises(Odd, match="strange"):
        study.optimize(lambda trial: trial["x"], trials=3, jobs=2)
    raised.insert(0, arbora.ExhaustedError("enough"))
    study.optimize(lambda trial: trial["x"], trials=3)
    assert len(study) == 0, "nothing left to try ends a run"


def test_names_are_checked_and_given_once() -> None:
    def mine(ask: Ask) -> Dict[str, Any]:
        return {"x": 0.25}

    assert register_strategy("test-twice", mine) is mine
    register_strategy("test-twice", mine)
    with pytest.raises(ValueError, match="strategy `test-twice` is registered already, with another function"):
        register_strategy("test-twice", lambda ask: {"x": 0.75})
    before = Study(line(), strategy="test-twice", seed=1)
    register_strategy("test-twice", lambda ask: {"x": 0.75}, replace=True)
    assert before.ask()["x"] == 0.25 and Study(line(), strategy="test-twice", seed=1).ask()["x"] == 0.75
    for taken in ("auto", "tpe", "by_width"):
        with pytest.raises(ValueError, match=f"a strategy named `{taken}` already exists"):
            register_strategy(taken, mine)
    for wrong in ("", "a b", "peer/x", "mine.json", "a+repeats"):
        with pytest.raises(ValueError, match="cannot be the name of a strategy"):
            register_strategy(wrong, mine)
    with pytest.raises(TypeError, match="must be a function of one argument"):
        register_strategy("test-none", 3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="is called with one argument, the ask"):
        register_strategy("test-two", lambda ask, more: {})  # type: ignore[arg-type, misc]
    with pytest.raises(arbora.SearchError, match="did you mean `test-twice`.*must be registered first"):
        Study(line(), strategy="test-twic")


def test_a_strategy_may_use_other_studies_but_not_its_own() -> None:
    inner = Study(line(), strategy="random", seed=2)
    held: List[Study] = []

    @register_strategy("test-nested")
    def nested(ask: Ask) -> Any:
        with pytest.raises(arbora.ArboraError, match="the study is waiting for this suggestion"):
            held[0].trials
        return inner.ask()

    held.append(Study(line(), strategy="test-nested", seed=1))
    held[0].optimize(lambda trial: trial["x"], trials=3)
    assert configurations(held[0]) == configurations(inner)


def test_threads_take_turns_and_see_each_other(tmp_path: pathlib.Path) -> None:
    inside = threading.Lock()

    @register_strategy("test-threads")
    def alone(ask: Ask) -> Dict[str, Any]:
        assert inside.acquire(blocking=False), "two at once"
        sum(range(20_000))  # the interpreter may switch threads here
        inside.release()
        return ask.random()

    for storage in (None, tmp_path / "s.db"):
        study = Study(line(), strategy="test-threads", seed=1, storage=storage)
        study.optimize(lambda trial: trial["x"], trials=40, jobs=8)
        assert len(study) == 40 and len({trial["x"] for trial in study.trials}) == 40


PLUGIN = """
import arbora

@arbora.register_strategy("plugged", when="in tests")
def plugged(ask):
    "Steps through a grid."
    return {"x": (ask.number * 7 % 64) / 64}
"""

WORKER = """
import sys
import plugged, arbora
study = arbora.Study.load(sys.argv[1])
study.optimize(lambda trial: trial["x"], trials=12)
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    (tmp_path / "plugged.py").write_text(PLUGIN)
    (tmp_path / "space.toml").write_text(line().to_toml())
    yield tmp_path


def run(folder: pathlib.Path, *words: str, code: int = 0) -> str:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def command(folder: pathlib.Path, *words: str, code: int = 0) -> str:
    return run(folder, "-m", "arbora", *words, code=code)


def test_processes_share_a_study_with_a_strategy_of_its_own(folder: pathlib.Path) -> None:
    make = "import plugged, arbora; s = arbora.Space(); s.real('x', 0.0, 1.0); "
    run(folder, "-c", make + "arbora.Study(s, strategy='plugged', seed=1, storage='s.db')")
    (folder / "worker.py").write_text(WORKER)
    workers = [
        subprocess.Popen(
            [sys.executable, "worker.py", "s.db"], cwd=folder, env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
        )
        for _ in range(2)
    ]
    assert [worker.wait(120) for worker in workers] == [0, 0]
    missing = run(folder, "-c", "import arbora; arbora.Study.load('s.db')", code=1)
    assert "study `study` uses the strategy `plugged`, which this process does not know" in missing
    assert "`arbora.register_strategy` in Python, `--plugin FILE` on the command line" in missing
    shown = run(folder, "-c", "import plugged, arbora; print(sorted(t['x'] * 64 for t in arbora.Study.load('s.db').trials))")
    assert shown.strip() == str(sorted(float(number * 7 % 64) for number in range(24)))


def test_the_command_takes_a_plugin(folder: pathlib.Path) -> None:
    tune = ("tune", "space.toml", "--strategy", "plugged", "--quiet")
    for trials, plugin in (("6", ("--plugin", "plugged.py")), ("12", ("--plugin=plugged",))):
        command(folder, *tune, "--resume", "--trials", trials, *plugin, "--jobs", "2", "--", "echo", "{x}")
    listed = command(folder, "trials", "--plugin", "plugged", "--json")
    assert '"x": 0.109375' in listed or '"x":0.109375' in listed, listed
    missing = command(folder, "best", code=2)
    assert "study `space` uses the strategy `plugged`" in missing and "--plugin FILE" in missing
    assert "one of your own must be registered first" in command(folder, *tune, "--", "echo", "{x}", code=2)
    assert "plugin `nowhere.py`: there is no such file" in command(folder, "trials", "--plugin", "nowhere.py", code=2)
    assert "plugin `nowhere`: no module" in command(folder, "trials", "--plugin", "nowhere", code=2)
    assert "--plugin needs a Python file" in command(folder, "trials", "--plugin", code=2)
    assert "--plugin <FILE>" in command(folder, "tune", "--help")


def test_the_command_says_where_a_strategy_failed(folder: pathlib.Path) -> None:
    (folder / "bad.py").write_text("import arbora\n\ndef bad(ask):\n    return 1 / 0\n\narbora.register_strategy('bad', bad)\n")
    told = command(folder, "ask", "space.toml", "--plugin", "bad.py", "--strategy", "bad", code=1)
    assert "strategy `bad` failed: ZeroDivisionError: division by zero" in told and "line 4, in bad)" in told
    told = command(folder, "tune", "space.toml", "--name", "other", "--plugin", "bad.py", "--strategy", "bad",
                   "--trials", "3", "--", "echo", "{x}", code=1)
    assert "strategy `bad` failed: ZeroDivisionError" in told


def test_the_lab_compares_a_strategy_of_its_own(folder: pathlib.Path) -> None:
    example = str(ROOT / "examples" / "own_strategy.py")
    told = command(folder, "bench", "run", "own", "--plugin", example, "--method", "annealing", "--method", "random",
                   "--problem", "branin", "--trials", "12", "--seeds", "2", "--jobs", "2")
    assert "4 runs completed" in told
    again = command(folder, "bench", "run", "own", "--plugin", example, "--method", "annealing",
                    "--problem", "branin", "--trials", "12", "--seeds", "2")
    assert "0 runs completed, 2 cached" in again
    failed = command(folder, "bench", "run", "own", "--method", "annealing", "--problem", "hartmann6", "--seeds", "1", code=1)
    assert "unknown strategy `annealing`" in failed


def test_the_example_finds_the_bottom(tmp_path: pathlib.Path) -> None:
    told = run(tmp_path, str(ROOT / "examples" / "own_strategy.py"))
    assert float(told.split()[1]) < 0.05, told


def test_scikit_learn_searches_by_it() -> None:
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    from arbora.sklearn import ArboraSearchCV

    space = Space()
    space.integer("max_depth", 1, 6)
    search = ArboraSearchCV(DecisionTreeClassifier(random_state=0), space, strategy="test-walk", trials=4, random_state=1)
    search.fit(*load_iris(return_X_y=True))
    assert search.best_score_ > 0.6
