"""The space every tool is timed on: choose one of nine classifiers and its settings (14 parameters, 13 conditional).

After Lévesque et al. 2017, section V. The loss is cheap and synthetic, a bowl per classifier, because only the time
of a suggestion is of interest; histories are random, the same for every tool.
"""
import math
import pathlib
import random
import tomllib
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number from low to high, both included; whole where both ends are whole."""
    low: float
    high: float
    log: bool = False

    @property
    def whole(self):
        return isinstance(self.low, int)

    def at(self, u):
        """The value at u in [0, 1] on the parameter's own scale."""
        if self.whole:
            return min(self.high, self.low + int(u * (self.high - self.low + 1)))
        if self.log:
            return min(self.high, max(self.low, math.exp(math.log(self.low) + u * math.log(self.high / self.low))))
        return self.low + u * (self.high - self.low)

    def unit(self, value):
        """Where a value lies in [0, 1] on the parameter's own scale."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def classifiers():
    """Classifier -> its parameters, as the file of the space has them."""
    with open(pathlib.Path(__file__).parents[2] / "examples" / "spaces" / "cash.toml", "rb") as file:
        parameters = tomllib.load(file)["parameters"]
    found = {name: {} for name in parameters.pop("classifier")["choices"]}
    for name, fields in parameters.items():
        number = Number(fields["low"], fields["high"], fields.get("log", False))
        found[fields["when"]["classifier"]][name] = number
    return found


CLASSIFIERS = classifiers()


def draw(generator):
    """A random configuration: active parameters only."""
    classifier = generator.choice(list(CLASSIFIERS))
    settings = {name: number.at(generator.random()) for name, number in CLASSIFIERS[classifier].items()}
    return {"classifier": classifier, **settings}


def loss(configuration):
    """A bowl per classifier with its optimum off the centre; 0.1 to about 1."""
    classifier = configuration["classifier"]
    rank = list(CLASSIFIERS).index(classifier)
    numbers = CLASSIFIERS[classifier].items()
    bowl = sum((number.unit(configuration[name]) - 0.3 - 0.05 * i) ** 2 for i, (name, number) in enumerate(numbers))
    return 0.1 + 0.03 * rank + bowl


def history(size, seed):
    """`size` random configurations with their losses."""
    generator = random.Random(seed)
    configurations = [draw(generator) for _ in range(size)]
    return [(configuration, loss(configuration)) for configuration in configurations]
