"""Little memory is an exception, never the end of the interpreter; in processes of their own, with a real limit."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("resource", reason="the platform has no limits of memory")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process has is read from /proc")

BEGIN = """
import resource, sys
from arbora import ArboraError, Space, Study

def limit(megabytes):
    "So much from now on, and no more."
    with open("/proc/self/statm") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + (megabytes << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))

space = Space()
model = space.choice("model", ["a", "b"])
space.real("x", 0, 1)
space.real("y", 0, 1, when=model == "a")
"""


def run(program: str, *arguments: object) -> str:
    """What a program says, which must end by itself."""
    words = [sys.executable, "-c", BEGIN + textwrap.dedent(program), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    return done.stdout.strip()


@pytest.mark.parametrize("megabytes", [50, 120, 180])
def test_an_attribute_that_does_not_fit_is_refused_and_the_study_goes_on(tmp_path: pathlib.Path, megabytes: int) -> None:
    program = """
        study = Study(space, strategy="random", storage=sys.argv[1])
        trial, text = study.ask(), "x" * (30 << 20)
        pieces = [text[:1 << 20]] * 30
        limit(int(sys.argv[2]))
        for value in (text, {"deep": [text]}, pieces):
            try:
                trial.set_attribute("big", value)
            except MemoryError as error:
                print(str(error)[:19])
        study.tell(trial, 1.0)
        print(study.trials[0].state)
        """
    said = run(program, tmp_path / "s.db", megabytes).splitlines()
    assert said[-1] == "complete"
    # Lists of many small texts are added up only once they are there: these take 30 of the 50 MB.
    assert said[:2] == ["to store 30 MB take"] * 2


def test_a_text_beyond_all_measure_is_refused_whatever_memory_there_is() -> None:
    program = """
        trial = Study(space, strategy="random").ask()
        limit(400)
        try:
            trial.set_attribute("big", "x" * (150 << 20))
        except ValueError as error:
            print(error)
        """
    assert run(program).startswith("a text of 157286400 characters is too long to be stored")


@pytest.mark.parametrize("strategy", ["auto", "gp-matern", "gp-ico", "tree"])
@pytest.mark.parametrize("megabytes", [5, 20, 100])
def test_a_model_that_does_not_fit_is_a_memory_error_and_the_study_goes_on(strategy: str, megabytes: int) -> None:
    program = """
        study = Study(space, strategy=sys.argv[1], seed=1)
        for number, values in enumerate(space.sample(1500, seed=1)):
            study.add(values, loss=values["x"] + number % 7)
        before = resource.getrlimit(resource.RLIMIT_AS)
        limit(int(sys.argv[2]))
        try:
            study.ask()
        except MemoryError as error:
            print(error)
        resource.setrlimit(resource.RLIMIT_AS, before)
        print(len(study.trials))
        """
    said = run(program, strategy, megabytes).splitlines()
    assert "MB of memory, more than is available" in said[0]
    assert said[1] == "1500"


def test_kriging_asks_for_what_its_predictions_need_too() -> None:
    program = """
        study = Study(space, strategy="gp-ico", seed=1)
        for number, values in enumerate(space.sample(1200, seed=1)):
            study.add(values, loss=values["x"] + number % 7)
        limit(140)
        try:
            print(study.ask().number)
        except MemoryError as error:
            print(error)
        """
    assert "more than is available" in run(program), "its matrices need more than those of others"
