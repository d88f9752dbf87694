"""Examples in the documentation run with these names at hand; plots draw into memory."""

from __future__ import annotations

import functools
import importlib.util
import os
import signal
from typing import Any, Dict

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
# A shell starts what it runs in the background deaf to Ctrl-C; the programs that tests interrupt would be deaf, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Read by a type checker, never run.
collect_ignore = ["tests/typing_samples.py"]


@pytest.fixture(autouse=True)
def names_at_hand(request: pytest.FixtureRequest, doctest_namespace: Dict[str, Any]) -> None:
    if not isinstance(request.node, pytest.DoctestItem):
        return
    import arbora

    doctest_namespace.update({name: getattr(arbora, name) for name in arbora.__all__ if name != "plot"})
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    study = arbora.Study(space, seed=1)
    trial = study.add({"x": 0.25}, loss=0.5, cost=2.0, duration=1.5, attributes={"fold": 3})
    doctest_namespace.update(some_space=space, study=study, some_trial=trial, some_study=svm_study())
    if request.node.name.startswith("arbora.automl"):
        doctest_namespace.update(automatic_model())


@functools.lru_cache(maxsize=None)
def svm_study() -> Any:
    """A small study with two branches, three workers and a failure."""
    import arbora

    space = arbora.Space()
    model = space.choice("model", ["svm", "forest"])
    space.real("C", 1e-3, 1e3, log=True, when=model == "svm")
    space.real("gamma", 1e-3, 1e3, log=True, when=model == "svm")
    space.integer("trees", 1, 500, log=True, when=model == "forest")
    study = arbora.Study(space, name="digits", seed=3)
    for number in range(12):
        trial = study.ask(worker=f"w{number % 3}")
        if number == 5:
            study.tell(trial, failed="out of memory")
        elif trial["model"] == "svm":
            study.tell(trial, loss=trial["C"] / 1e3 + trial["gamma"] / 1e3)
        else:
            study.tell(trial, loss=0.3 + 1 / trial["trees"])
    return study


@functools.lru_cache(maxsize=None)
def automatic_model() -> Dict[str, Any]:
    """A small table, its labels, and a classifier that was found for it."""
    import numpy as np
    from arbora import AutoClassifier

    rng = np.random.default_rng(1)
    labels = np.array(["left", "right"] * 20)
    rows = rng.normal(size=(40, 2)) + 3.0 * (labels == "right")[:, None]
    auto = AutoClassifier(space="cash", trials=6, time_budget=None, isolate=False, random_state=1).fit(rows, labels)
    return {"some_rows": rows, "some_labels": labels, "some_auto": auto, "np": np}


def pytest_ignore_collect(collection_path: Any) -> Any:
    """What needs scikit-learn has no examples to run without it."""
    if "automl" in collection_path.parts and importlib.util.find_spec("sklearn") is None:
        return True
    return None
