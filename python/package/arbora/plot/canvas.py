"""What all plots share: axes, colours, and how values of parameters become places on an axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from arbora.study import Study
    from arbora.trial import Trial

BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#8C8C8C"
SCALE = "cividis_r"
"""Dark is good: the best trials stand out on white paper."""


def pyplot() -> Any:
    """Matplotlib, or a word on how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return plt


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
    """An axis of a parameter: numbers by their size, or its logarithm, alternatives and none side by side."""

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

    def ticks(self, at_most: int = 5) -> Tuple[List[float], List[str]]:
        """Where to write what; of a number so many places."""
        if not self.is_number:
            return [self.unit(label) for label in self.labels], [shown(label) for label in self.labels]
        inner = [self.low, self._middle(), self.high]
        if self.is_log and self.high / self.low >= 100:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, -(-(last - first) // (at_most - 1)))
            inner = [10.0**power for power in range(first, last + 1, step)]
        places, texts = [self.unit(number) for number in inner], [f"{number:.4g}" for number in inner]
        return ([self.unit(None), *places], ["none", *texts]) if self.has_none else (places, texts)

    def _middle(self) -> float:
        middle = math.sqrt(self.low * self.high) if self.is_log else (self.low + self.high) / 2
        return round(middle) if self.is_whole else middle

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


def shown(value: Any) -> str:
    """A value as a label."""
    return "none" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def ranks(values: Sequence[float], is_maximized: bool) -> List[float]:
    """The place of each value in the order of all, 0 for the worst and 1 for the best: colours that outliers do not
    wash out."""
    order = sorted(range(len(values)), key=lambda i: values[i], reverse=not is_maximized)
    placed = [0.0] * len(values)
    for place, i in enumerate(order):
        placed[i] = place / max(1, len(values) - 1)
    return placed
