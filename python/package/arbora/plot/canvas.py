"""What all plots share: axes, colours, and how values of parameters become places on an axis."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from arbora.study import Study
from arbora.trial import Trial


BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#8C8C8C"
LIGHTEST = 0.78
"""How far along cividis colours go: beyond, yellow is hardly seen on white paper."""


def pyplot() -> Any:
    """Matplotlib, or a word on how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return plt


def scale() -> Any:
    """Colours from ochre to dark blue. Dark is good: the best trials stand out on white paper."""
    from matplotlib.colors import LinearSegmentedColormap

    cividis = pyplot().get_cmap("cividis")
    return LinearSegmentedColormap.from_list("arbora", [cividis(LIGHTEST * at / 63) for at in range(63, -1, -1)], 256)


def axes(ax: Optional[Any], width: float = 7.0, height: float = 4.2) -> Any:
    """These axes, or those of a new figure."""
    if ax is not None:
        return ax
    return pyplot().subplots(figsize=(width, height), layout="constrained")[1]


def complete(study: Study) -> List[Trial]:
    """The trials that have a value; a plot of none is a mistake."""
    trials = [trial for trial in study.trials if trial.value is not None]
    if not trials:
        raise ValueError(f"study `{study.name}` has no complete trial to draw yet")
    return trials


def word(study: Study) -> str:
    """What the numbers are called: losses are minimised, values maximised."""
    return "value" if study.direction == "maximize" else "loss"


def value(trial: Trial) -> float:
    """The value of a trial that has one."""
    assert trial.value is not None, "only complete trials are drawn"
    return trial.value


class Places:
    """An axis of a parameter: numbers by their size, or its logarithm, alternatives and none side
    by side."""

    def __init__(self, name: str, fields: Dict[str, Any], values: Sequence[Any]) -> None:
        self.name = name
        self.is_number = fields["type"] in ("real", "integer")
        self.is_whole = fields["type"] == "integer"
        self.is_log = bool(fields.get("log"))
        self.low, self.high = float(fields.get("low", 0)), float(fields.get("high", 1))
        self.has_none = bool(fields.get("none"))
        listed = fields.get("choices") or fields.get("values") or [fields.get("value")]
        self.labels: List[Any] = [False, True] if fields["type"] == "boolean" else list(listed)
        self.labels += [v for v in dict.fromkeys(values) if not self.is_number and v not in self.labels]

    def unit(self, value: Any) -> float:
        """The place of a value between 0 and 1; none lies below."""
        if not self.is_number:
            at = next(i for i, label in enumerate(self.labels) if label is value or label == value)
            return (at + 0.5) / len(self.labels)
        if value is None:
            return -0.12
        low, high, place = self.low, self.high, float(value)
        if self.is_log:
            low, high, place = math.log(low), math.log(high), math.log(place)
        return 0.5 if high == low else (place - low) / (high - low)

    def ticks(self, at_most: int = 5, has_ends: bool = False) -> Tuple[List[float], List[str]]:
        """Where to write what: about so many round numbers, whole ones for whole parameters, powers
        on a logarithmic axis; with both ends of the range where an axis has no other frame."""
        if not self.is_number:
            return [self.unit(label) for label in self.labels], [shown(label) for label in self.labels]
        numbers = round_numbers(self.low, self.high, at_most, self.is_log, self.is_whole)
        if has_ends or len(numbers) < 2:
            ends = [self.low, self.high]
            apart = [n for n in numbers if all(abs(self.unit(n) - self.unit(end)) > 0.09 for end in ends)]
            numbers = sorted({*ends, *apart})
        places, texts = [self.unit(n) for n in numbers], [shown(int(n) if self.is_whole else n) for n in numbers]
        return ([self.unit(None), *places], ["none", *texts]) if self.has_none else (places, texts)

    def limits(self) -> Tuple[float, float]:
        """From end to end, with a little air."""
        return (-0.17 if self.is_number and self.has_none else -0.04, 1.04)

    def onto(self, axis: Any, at_most: int = 5) -> None:
        """Labels an axis of matplotlib whose coordinates are those of :meth:`unit`."""
        places, texts = self.ticks(at_most)
        axis.set_ticks(places, labels=texts)


def places(study: Study, names: Sequence[str]) -> Dict[str, Places]:
    """The axes of some parameters."""
    document, trials = study.space.to_dict()["parameters"], study.trials
    for name in names:
        if name not in document:
            raise ValueError(f"no parameter is called `{name}`; there are {', '.join(document)}")
    return {
        name: Places(name, document[name], [trial[name] for trial in trials if name in trial]) for name in names
    }


def round_numbers(low: float, high: float, at_most: int, is_log: bool, is_whole: bool) -> List[float]:
    """Round numbers within a range, about so many of them.

    >>> round_numbers(2, 5, 5, False, True)
    [2.0, 3.0, 4.0, 5.0]
    >>> round_numbers(1e-5, 1e5, 6, True, False)
    [1e-05, 0.001, 0.1, 10.0, 1000.0, 100000.0]
    """
    if low >= high:
        return [low]
    if is_log:
        first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
        step = max(1, -(-(last - first) // at_most))
        has_digits = math.log10(high / low) < 2
        powers = range(first - 1, last + 1) if has_digits else range(first, last + 1, step)
        found = [float(f"{digit}e{power}") for power in powers for digit in ((1, 2, 5) if has_digits else (1,))]
    else:
        from matplotlib.ticker import MaxNLocator

        locator = MaxNLocator(nbins=at_most, integer=is_whole, steps=[1, 2, 2.5, 5, 10])
        found = [float(f"{number:.12g}") for number in locator.tick_values(low, high)]
    inside = [number for number in found if low * (1 - 1e-12) <= number <= high * (1 + 1e-12) or number in (low, high)]
    return [number for number in inside if not is_whole or number == int(number)]


def is_log(values: Sequence[float]) -> bool:
    """Do positive values span so many decades that most of them would lie on one spot of a linear
    axis?"""
    return min(values) > 0 and max(values) / min(values) >= 1000


def plain(text: str) -> str:
    """Text as it is: dollars begin no formula, and what cannot be seen is written out."""
    seen = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return seen.replace("$", r"\$")


def shown(value: Any) -> str:
    """A value as a label.

    >>> shown(1e-5), shown(0.25), shown(None)
    ('1e-5', '0.25', 'none')
    """
    if isinstance(value, float):
        mantissa, _, power = f"{value:.4g}".partition("e")
        return f"{mantissa}e{int(power)}" if power else mantissa
    return "none" if value is None else plain(str(value))


class Shades:
    """Values as colours, 0 for bad and 1 for the best; outliers share the worst colour, and decades
    count alike."""

    def __init__(self, study: Study, values: Sequence[float]) -> None:
        self.is_maximized, self.is_log = study.direction == "maximize", is_log(values)
        order = sorted(values, reverse=not self.is_maximized)
        self.best, self.worst = order[-1], order[len(order) // 10]

    def __call__(self, value: float) -> float:
        best, worst, value = (math.log(v) if self.is_log else v for v in (self.best, self.worst, value))
        return 1.0 if best == worst else min(1.0, max(0.0, (value - worst) / (best - worst)))

    def value(self, shade: float) -> float:
        """The value of a shade."""
        if self.is_log:
            return float(math.exp(math.log(self.worst) + shade * math.log(self.best / self.worst)))
        return self.worst + shade * (self.best - self.worst)


def ranked(study: Study, values: Sequence[float]) -> Callable[[float], float]:
    """The value at a place of :func:`ranks`."""
    order = sorted(values, reverse=study.direction == "minimize")
    return lambda place: order[round(place * (len(order) - 1))]


def bar(study: Study, value: Callable[[float], float], ax: Any) -> None:
    """What the colours stand for: the values of the worst, the best and the quarters between."""
    places = [0.0, 0.25, 0.5, 0.75, 1.0]
    drawn = ax.figure.colorbar(pyplot().cm.ScalarMappable(cmap=scale()), ax=ax, ticks=places, pad=0.02, aspect=30)
    texts = [shown(float(f"{value(place):.3g}")) for place in places]
    drawn.ax.set_yticklabels([f"{texts[0]} (worst)", *texts[1:-1], f"{texts[-1]} (best)"], fontsize=8)
    drawn.set_label(word(study))
    drawn.outline.set_visible(False)


def ranks(values: Sequence[float], is_maximized: bool) -> List[float]:
    """The place of each value in the order of all, 0 for the worst and 1 for the best: colours that
    outliers do not wash out."""
    order = sorted(range(len(values)), key=lambda i: values[i], reverse=not is_maximized)
    placed = [0.0] * len(values)
    for place, i in enumerate(order):
        placed[i] = place / max(1, len(values) - 1)
    return placed
