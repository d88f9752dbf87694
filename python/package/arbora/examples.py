"""Small spaces and studies to try things out with. The examples of this documentation use them.

>>> from arbora.examples import svm_study
>>> svm_study().name
'digits'
"""

from __future__ import annotations

from typing import Any, Tuple

from arbora.space import Space
from arbora.study import Study

__all__ = ["bowl_space", "bowl_study", "small_table", "svm_study"]


def bowl_space() -> Space:
    """One number ``x`` from 0 to 1.

    >>> bowl_space().names
    ['x']
    """
    space = Space()
    space.real("x", 0.0, 1.0)
    return space


def bowl_study() -> Study:
    """A study of :func:`bowl_space` with one finished trial.

    >>> bowl_study().best_configuration
    {'x': 0.25}
    """
    study = Study(bowl_space(), seed=1)
    study.add({"x": 0.25}, loss=0.5, cost=2.0, duration=1.5, attributes={"fold": 3})
    return study


def svm_study() -> Study:
    """A study with two branches, twelve trials of three workers, and one failure.

    >>> len(svm_study().trials)
    12
    """
    space = Space()
    model = space.choice("model", ["svm", "forest"])
    space.real("C", 1e-3, 1e3, log=True, when=model == "svm")
    space.real("gamma", 1e-3, 1e3, log=True, when=model == "svm")
    space.integer("trees", 1, 500, log=True, when=model == "forest")
    study = Study(space, name="digits", seed=3)
    for number in range(12):
        trial = study.ask(worker=f"w{number % 3}")
        if number == 5:
            study.tell(trial, failed="out of memory")
        elif trial["model"] == "svm":
            study.tell(trial, loss=trial["C"] / 1e3 + trial["gamma"] / 1e3)
        else:
            study.tell(trial, loss=0.3 + 1 / trial["trees"])
    return study


def small_table() -> Tuple[Any, Any]:
    """Forty rows of two numbers and their labels, ``left`` or ``right``; needs NumPy.

    >>> rows, labels = small_table()
    >>> rows.shape, set(labels.tolist()) == {"left", "right"}
    ((40, 2), True)
    """
    import numpy

    labels = numpy.array(["left", "right"] * 20)
    rows = numpy.random.default_rng(1).normal(size=(40, 2)) + 3.0 * (labels == "right")[:, None]
    return rows, labels
