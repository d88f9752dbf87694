"""The space every tool is timed on: choose one of nine classifiers and its settings (14 parameters, 13 conditional).

After Lévesque et al. 2017, section V. The loss is cheap and synthetic, a bowl per classifier, because only the time
of a suggestion is of interest; histories are random, the same for every tool.
"""
import math
import random
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


COST = Number(1e-5, 1e5, log=True)
DEPTH, SPLIT, TREES = Number(1, 10), Number(2, 100), Number(1, 30)

# Classifier -> its parameters, in the order of the paper's table.
CLASSIFIERS = {
    "knn": {"knn.n_neighbors": Number(1, 30)},
    "svm": {"svm.C": COST, "svm.gamma": COST},
    "linsvm": {"linsvm.C": COST},
    "dt": {"dt.max_depth": DEPTH, "dt.min_samples_split": SPLIT, "dt.min_samples_leaf": SPLIT},
    "rf": {"rf.n_estimators": TREES, "rf.max_depth": DEPTH, "rf.min_samples_split": SPLIT, "rf.min_samples_leaf": SPLIT},
    "adab": {"adab.n_estimators": TREES},
    "gnb": {},
    "lda": {},
    "qda": {"qda.reg_param": Number(1e-3, 1e3, log=True)},
}


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
