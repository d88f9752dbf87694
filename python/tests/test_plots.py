"""Plots: every one draws, from studies of every shape, and says what it cannot draw."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Iterator, List

import pytest

from arbora import Space, Study, Trial

pyplot = pytest.importorskip("matplotlib.pyplot")

import arbora.plot as plot  # noqa: E402 - only where matplotlib is
from arbora.plot import canvas  # noqa: E402


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


@functools.lru_cache(maxsize=None)
def odd_study(direction: str = "minimize") -> Study:
    """All types of parameters, failures, none, a branch that was hardly ever tried."""
    space = Space()
    model = space.choice("model", ["svm", "forest", "rare"], weights=[1, 1, 0.0001])
    space.real("C", 1e-5, 1e5, log=True, when=model == "svm")
    space.real("gamma", 0.0, 1.0, or_none=True, when=model == "svm")
    space.integer("depth", 1, 30, or_none=True, when=model == "forest")
    space.ordinal("size", ["s", "m", "l"])
    space.boolean("flag")
    space.constant("version", 3)
    study = Study(space, seed=2, direction=direction)

    def objective(trial: Trial) -> float:
        if trial.number % 7 == 6:
            raise ValueError("odd")
        return float(trial.get("C", 50.0)) ** 0.1 + trial["flag"]

    study.optimize(objective, trials=30, catch=ValueError)
    return study


DRAWINGS: Dict[str, Callable[[Study], Any]] = {
    "history": plot.history,
    "parallel": plot.parallel,
    "slices": plot.slices,
    "contour": lambda study: plot.contour(study, "C", "gamma"),
    "contour of labels": lambda study: plot.contour(study, "model", "size"),
    "tree": plot.tree,
    "kernel_matrix": plot.kernel_matrix,
    "timeline": plot.timeline,
}


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("name", DRAWINGS)
def test_it_draws(name: str, direction: str) -> None:
    drawn = DRAWINGS[name](odd_study(direction))
    axes = drawn[0] if isinstance(drawn, list) else drawn
    axes.figure.canvas.draw()
    assert axes.has_data() or axes.child_axes


@pytest.mark.parametrize("name", DRAWINGS)
def test_an_empty_study_is_an_error_that_says_so(name: str) -> None:
    with pytest.raises(ValueError, match="no .*trial"):
        DRAWINGS[name](Study(odd_study().space, seed=1))


def test_unknown_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="no parameter is called `nothing`; there are model, C"):
        plot.slices(odd_study(), ["nothing"])


def test_parameters_that_never_meet_are_named() -> None:
    with pytest.raises(ValueError, match="different branches"):
        plot.contour(odd_study(), "C", "depth")


def test_given_axes_are_used() -> None:
    _, axes = pyplot.subplots()
    assert plot.history(odd_study(), ax=axes) is axes


def luminance(colour: Any) -> float:
    """How bright a colour is [WCAG 2]."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])


def test_every_colour_of_the_scale_is_seen_on_white() -> None:
    brightest = max(luminance(canvas.scale()(at / 255)) for at in range(256))
    assert 1.05 / (brightest + 0.05) >= 1.8


@pytest.mark.parametrize(
    ("low", "high", "is_log", "is_whole", "expected"),
    [
        (2, 5, False, True, ["2", "3", "4", "5"]),
        (1, 500, True, True, ["1", "10", "100"]),
        (1e-5, 1e5, True, False, ["1e-5", "0.001", "0.1", "10", "1000", "1e5"]),
        (16, 64, True, True, ["20", "50"]),
        (0.0, 1.0, False, False, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (1, 2, False, True, ["1", "2"]),
        (7, 7, False, True, ["7"]),
    ],
)
def test_ticks_are_round(low: float, high: float, is_log: bool, is_whole: bool, expected: List[str]) -> None:
    fields = {"type": "integer" if is_whole else "real", "low": low, "high": high, "log": is_log}
    assert canvas.Places("n", fields, []).ticks()[1] == expected


@pytest.mark.parametrize("low", [1, 3, 17, 999])
@pytest.mark.parametrize("length", [0, 1, 2, 9, 71, 4000])
@pytest.mark.parametrize("is_log", [False, True])
def test_ticks_of_whole_numbers_are_whole_ordered_and_within(low: int, length: int, is_log: bool) -> None:
    places, texts = canvas.Places("n", {"type": "integer", "low": low, "high": low + length, "log": is_log}, []).ticks()
    assert places == sorted(places) and len(set(texts)) == len(texts) >= 1
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert all(float(text).is_integer() for text in texts)


def test_colour_bars_have_numbers() -> None:
    for axes in (plot.contour(odd_study(), "C", "gamma"), plot.parallel(odd_study())):
        axes.figure.canvas.draw()
        (bar,) = (other for other in axes.figure.axes if other is not axes)
        texts = [label.get_text() for label in bar.get_yticklabels()]
        assert texts[0].endswith(" (worst)") and texts[-1].endswith(" (best)")
        best, worst = (float(text.split()[0]) for text in (texts[-1], texts[0]))
        assert best < worst and all(best <= float(text) <= worst for text in texts[1:-1])


def test_losses_over_decades_have_a_logarithmic_axis() -> None:
    study = Study(Space.from_dict({"parameters": {"x": {"type": "real", "low": 1e-6, "high": 1.0, "log": True}}}), seed=1)
    for x in (1e-6, 1e-3, 1.0):
        study.add({"x": x}, loss=x)
    assert plot.history(study).get_yscale() == "log"
    assert plot.history(study, log=False).get_yscale() == "linear"
    study.add({"x": 0.5}, loss=-1.0)
    assert plot.history(study).get_yscale() == "linear", "there is no logarithm"


def test_names_are_drawn_as_they_are() -> None:
    space = Space()
    space.real("$x$", 0.0, 1.0)
    space.choice("bell\a", ["$a$", "b\n"])
    study = Study(space, seed=1, name="$y$")
    study.optimize(lambda trial: float(trial["$x$"]), trials=6)
    for draw in (plot.history, plot.parallel, plot.slices):
        drawn = draw(study)
        (drawn[0] if isinstance(drawn, list) else drawn).figure.canvas.draw()
    assert plot.slices(study)[0].get_xlabel() == r"\$x\$"
