"""The picture of a tree, for spaces of every shape: no box overlaps another, nothing leaves the axes."""

from __future__ import annotations

import itertools
import random
from typing import Any, Dict, Iterator, List, Tuple

import pytest

from arbora import Space, Study
from arbora.expression import Parameter

pyplot = pytest.importorskip("matplotlib.pyplot")

import arbora.plot as plot  # noqa: E402 - only where matplotlib is
from arbora.plot.layout import Box, Line, place  # noqa: E402

NAMES = ["x", "svm.kernel", "größe", "学习率", "a name of many words", "W" * 60, "i" * 60, "$m$_{2}", "tab\there", "👍"]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def random_space(seed: int) -> Space:
    """Decisions side by side and within each other, long and foreign names, parameters with odd conditions."""
    draw = random.Random(seed)
    space, number = Space(), itertools.count()

    def name() -> str:
        return f"{draw.choice(NAMES)}{next(number)}"

    def grow(depth: int, when: Any) -> List[Tuple[Parameter, str]]:
        deciders = []
        for _ in range(draw.randint(1, 2)):
            choices = [f"{draw.choice(NAMES)}{i}" for i in range(draw.randint(2, 5))]
            decider = space.choice(name(), choices, when=when)
            deciders.append((decider, draw.choice(choices)))
            for choice in choices:
                for _ in range(draw.choice([0, 0, 1, 3, 9])):
                    space.real(name(), 0.0, 1.0, when=decider == choice)
                if depth < 2 and draw.random() < 0.25:
                    grow(depth + 1, decider == choice)
        return deciders

    (first, one), (second, other), *_ = grow(0, None) + grow(0, None)
    space.integer(name(), 1, 9)
    space.real(name(), 0.0, 1.0, when=(first == one) | (second == other))
    return space


def drawn_study(space: Space, trials: int = 40) -> Study:
    study = Study(space, strategy="random", seed=1, name="a study")
    for number in range(trials):
        trial = study.ask()
        study.tell(trial, **({"failed": "odd"} if number % 7 == 3 else {"loss": 0.5 + 0.1 * (number % 11)}))
    return study


def check(axes: Any) -> List[Any]:
    """Boxes lie apart and within the axes, text within its box."""
    axes.figure.canvas.draw()
    whole = axes.get_window_extent()
    boxes = [patch.get_window_extent() for patch in axes.patches]
    for one, other in itertools.combinations(boxes, 2):
        assert one.x1 <= other.x0 or other.x1 <= one.x0 or one.y1 <= other.y0 or other.y1 <= one.y0, (one, other)
    for box in boxes:
        assert whole.x0 - 1 <= box.x0 and box.x1 <= whole.x1 + 1, (box, whole)
        assert whole.y0 - 1 <= box.y0 and box.y1 <= whole.y1 + 1, (box, whole)
    (panel,) = axes.child_axes
    losses = panel.get_window_extent()
    assert all(box.x1 <= losses.x0 for box in boxes)
    for text in (text for text in axes.texts if text.get_text()):
        extent = text.get_window_extent()
        assert extent.x1 <= whole.x1 + 1, text
        homes = [box for box in boxes if box.x0 <= extent.x0 <= box.x1 and box.y0 <= (extent.y0 + extent.y1) / 2 <= box.y1]
        assert extent.x0 >= losses.x1 or (len(homes) == 1 and extent.x1 <= homes[0].x1 + 0.5), text
    bottom = panel.get_tightbbox()
    assert bottom.y0 >= whole.y0 - 1 and bottom.x1 <= whole.x1 + 1, "its numbers and its label"
    return boxes


@pytest.mark.filterwarnings("ignore:Glyph .* missing")
@pytest.mark.parametrize("seed", range(5))
def test_boxes_never_overlap_and_lie_within_the_axes(seed: int) -> None:
    study = drawn_study(random_space(seed))
    boxes = check(plot.tree(study))
    assert len(boxes) == 1 + sum(item.decision is not None for item in study.space.tree.lines)


@pytest.mark.parametrize("dpi", [72, 80, 150, 300])
def test_text_stays_in_its_box_at_other_resolutions(dpi: int) -> None:
    space = Space()
    learner = space.choice("learner", ["logistic", "illicit", "svm", "lightgbm"])
    kind = space.choice("logistic.kind", [f"variant{i}" for i in range(7)], when=learner == "logistic")
    for i in range(7):
        space.real(f"logistic.little_{i}", 0.0, 1.0, when=kind == f"variant{i}")
    axes = plot.tree(drawn_study(space))
    axes.figure.set_dpi(dpi)
    boxes = check(axes)
    for text in (text.get_window_extent() for text in axes.texts if " = " in text.get_text()):
        (home,) = [box for box in boxes if box.x0 <= text.x0 <= box.x1 and box.y0 <= text.y0 <= box.y1]
        assert home.x1 - text.x1 >= 0.5 * (text.x0 - home.x0), "as much air on the right as on the left, nearly"


@pytest.mark.filterwarnings("ignore:Glyph .* missing")
@pytest.mark.parametrize("size", [(12.0, 9.0), (5.0, 3.0)])
def test_axes_that_are_given_are_kept_to(size: Any) -> None:
    figure, (left, right) = pyplot.subplots(1, 2, figsize=size)
    plot.history(drawn_study(random_space(3)), ax=left)
    assert plot.tree(drawn_study(random_space(3)), ax=right) is right
    check(right)


def product() -> Space:
    """A pipeline of 3 scalers and 7 learners: 21 branches, and two decisions."""
    space = Space()
    scaler = space.choice("scaler", ["none", "standard", "robust"])
    space.boolean("centre", when=scaler == "robust")
    learner = space.choice("learner", ["svm", "forest", "knn", "mlp", "bayes", "boosting", "ridge"])
    for name in ("svm.C", "svm.gamma", "svm.degree"):
        space.real(name, 0.0, 1.0, when=learner == "svm")
    space.forbid(learner == "bayes")
    return space


def words(axes: Any) -> List[str]:
    return [text.get_text() for text in axes.texts if text.get_text()]


def test_independent_decisions_are_drawn_apart_and_forbidden_ones_not_at_all() -> None:
    study = drawn_study(product())
    assert len(study.space.tree.leaves) == 21
    axes = plot.tree(study)
    shown = words(axes)
    assert len(check(axes)) == 1 + 3 + 6
    assert [text for text in shown if text.startswith("learner")] == [
        f"learner = {name}" for name in ("svm", "forest", "knn", "mlp", "boosting", "ridge")
    ]
    first = shown.index("every trial")
    assert not any("svm.C" in text or "centre" in text for text in shown[first : shown.index("scaler = none")])
    assert "svm.C, svm.gamma, svm.degree" in shown


def test_branches_say_how_their_trials_ended() -> None:
    space = Space()
    space.choice("model", ["good", "bad", "worse", "mixed", "busy", "new"])
    for name in ("good", "bad", "worse", "mixed", "busy", "new"):
        space.real(f"{name}.x", 0.0, 1.0, when=f"model == '{name}'")
    study = Study(space, seed=1)

    def add(model: str, **ended: Any) -> None:
        study.add({"model": model, f"{model}.x": 0.5}, **ended)

    ends: Dict[str, List[Dict[str, Any]]] = {
        "good": [{"loss": 0.5}, {"loss": 0.25}], "bad": [{"failed": "x"}] * 3, "worse": [{"failed": "x"}],
        "mixed": [{"loss": 1.0}, {"failed": "x"}],
    }
    for model, all_of in ends.items():
        for ended in all_of:
            add(model, **ended)
    study.enqueue({"model": "busy"})
    study.ask()
    shown = words(plot.tree(study))
    assert shown[-7:] == [
        "3 trials, best 0.25, 5 failed", "2 trials, best 0.25", "all 3 failed", "its only trial failed",
        "1 trial, best 1, 1 failed", "1 not ended", "no trial yet",
    ]


def test_spaces_without_decisions_and_too_many_of_them() -> None:
    plain = Space()
    plain.real("x", 0.0, 1.0)
    assert len(check(plot.tree(drawn_study(plain, 5)))) == 1
    wide = Space()
    model = wide.choice("model", [f"m{i}" for i in range(200)])
    wide.real("x", 0.0, 1.0, when=model == "m0")
    with pytest.raises(ValueError, match="201 alternatives, more than the 120"):
        plot.tree(drawn_study(wide, 5))


def test_the_layout_keeps_bands_apart_whatever_the_sizes() -> None:
    draw = random.Random(7)
    for _ in range(200):
        boxes: List[Box] = []
        for at in range(draw.randint(1, 40)):
            lines = [Line("", False, draw.uniform(1, 200), draw.uniform(1, 30)) for _ in range(draw.randint(1, 4))]
            boxes.append(Box(lines, draw.choice([None, *range(at)]), str(draw.randint(0, 2))))
        placed = place(boxes, 19.0)
        for one, other in itertools.combinations(placed, 2):
            beside = one.left + one.width <= other.left + 1e-9 or other.left + other.width <= one.left + 1e-9
            apart = one.top + one.height <= other.top + 1e-9 or other.top + other.height <= one.top + 1e-9
            assert beside or apart
