"""A tour: which learner, with which settings, reads handwritten digits best?

``python -m arbora.demo`` searches a space of five learners, each with parameters of its own, on a
data set that scikit-learn brings along, keeps everything in a file, and says at the end what was
found and what it is worth.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from arbora.errors import ArboraError
from arbora.interrupt import Interrupts
from arbora.space import Space
from arbora.study import Study
from arbora.trial import Trial

TRIALS = 60
FOLDS = 5
ROWS = 600
"""A third of the data: an evaluation then takes a second instead of a minute."""
NAMES = {
    "svm": "support vector machine",
    "forest": "random forest",
    "knn": "nearest neighbours",
    "logistic": "logistic regression",
    "net": "neural network",
}


def digits_space() -> Space:
    """Five learners; a parameter exists only where its learner does.

    >>> print(digits_space().tree)
    ├─ learner = svm
    │  │ svm.C      0.001 … 1000, log
    │  │ svm.gamma  1e-5 … 10, log  when svm.kernel in ["rbf", "poly"]
    │  ├─ svm.kernel = linear
    │  ├─ svm.kernel = rbf
    │  └─ svm.kernel = poly
    │       svm.degree  2 … 5
    ├─ learner = forest
    │    forest.trees     10 … 200, log
    │    forest.features  0.02 … 1, log
    │    forest.leaf      1 … 20, log
    ├─ learner = knn
    │    knn.neighbours  1 … 50, log
    │    knn.weights     uniform | distance
    ├─ learner = logistic
    │    logistic.C  0.0001 … 1000, log
    └─ learner = net
         net.units  8 … 128, log
         net.rate   0.0001 … 0.1, log
         net.alpha  1e-6 … 1, log
    """
    space = Space()
    learner = space.choice("learner", list(NAMES))
    space.real("svm.C", 1e-3, 1e3, log=True, when=learner == "svm")
    kernel = space.choice("svm.kernel", ["linear", "rbf", "poly"], when=learner == "svm")
    space.real("svm.gamma", 1e-5, 1e1, log=True, when=kernel.is_in(["rbf", "poly"]))
    space.integer("svm.degree", 2, 5, when=kernel == "poly")
    space.integer("forest.trees", 10, 200, log=True, when=learner == "forest")
    space.real("forest.features", 0.02, 1.0, log=True, when=learner == "forest")
    space.integer("forest.leaf", 1, 20, log=True, when=learner == "forest")
    space.integer("knn.neighbours", 1, 50, log=True, when=learner == "knn")
    space.choice("knn.weights", ["uniform", "distance"], when=learner == "knn")
    space.real("logistic.C", 1e-4, 1e3, log=True, when=learner == "logistic")
    space.integer("net.units", 8, 128, log=True, when=learner == "net")
    space.real("net.rate", 1e-4, 1e-1, log=True, when=learner == "net")
    space.real("net.alpha", 1e-6, 1e0, log=True, when=learner == "net")
    return space


def learner_of(configuration: Mapping[str, Any]) -> Any:
    """The scikit-learn pipeline that a configuration stands for."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    c, learner = configuration, configuration["learner"]
    if learner == "svm":
        shape = {"gamma": c.get("svm.gamma", "scale"), "degree": c.get("svm.degree", 3)}
        model: Any = SVC(C=c["svm.C"], kernel=c["svm.kernel"], max_iter=20_000, **shape)
    elif learner == "forest":
        model = RandomForestClassifier(
            c["forest.trees"], max_features=c["forest.features"], min_samples_leaf=c["forest.leaf"], random_state=0
        )
    elif learner == "knn":
        model = KNeighborsClassifier(c["knn.neighbours"], weights=c["knn.weights"])
    elif learner == "logistic":
        model = LogisticRegression(C=c["logistic.C"], max_iter=200)
    else:
        model = MLPClassifier(
            (c["net.units"],), learning_rate_init=c["net.rate"], alpha=c["net.alpha"], max_iter=60, random_state=0
        )
    return make_pipeline(StandardScaler(), model)


def fitted(model: Any, pixels: Any, digits: Any) -> Any:
    """Fits a model; scikit-learn's network swallows Ctrl-C and stops learning, which must not look
    like a result."""
    with Interrupts() as interrupts:
        model.fit(pixels, digits)
        interrupts.check(0)
    return model


class Digits:
    """The objective: the share of digits read wrongly, over five folds of the data."""

    def __init__(self) -> None:
        from sklearn.datasets import load_digits
        from sklearn.model_selection import StratifiedKFold, train_test_split

        pixels, digits = load_digits(return_X_y=True)
        self.pixels, self.unseen, self.digits, self.unseen_digits = train_test_split(
            pixels, digits, train_size=ROWS, random_state=0, stratify=digits
        )
        self.folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(self.pixels, self.digits))

    def __call__(self, trial: Trial) -> float:
        errors = []
        with warnings.catch_warnings():
            # A learner that did not converge is judged by its errors like any other.
            warnings.simplefilter("ignore")
            for train, rest in self.folds:
                model = fitted(learner_of(trial), self.pixels[train], self.digits[train])
                errors.append(1.0 - float(model.score(self.pixels[rest], self.digits[rest])))
        trial.set_attribute("split_values", errors)
        return sum(errors) / len(errors)

    def test(self, configuration: Mapping[str, Any]) -> float:
        """The share of errors on digits that the search never saw."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = fitted(learner_of(configuration), self.pixels, self.digits)
        return 1.0 - float(model.score(self.unseen, self.unseen_digits))


def per_learner(trials: Sequence[Trial]) -> List[Tuple[str, int, Optional[Trial]]]:
    """For each learner how many trials it got and its best one, the best learner first."""
    rows = []
    for learner in NAMES:
        own = [trial for trial in trials if trial["learner"] == learner]
        done = [trial for trial in own if trial.loss is not None]
        rows.append((learner, len(own), min(done, key=lambda trial: trial.loss or 0.0) if done else None))
    return sorted(rows, key=lambda row: math.inf if row[2] is None or row[2].loss is None else row[2].loss)


def standard_error(first: Trial, second: Trial) -> float:
    """The standard error of the mean difference between two trials, from their paired folds, whose
    training parts overlap [Nadeau & Bengio 2003]."""
    pairs = zip(first.attributes["split_values"], second.attributes["split_values"])
    gaps = [a - b for a, b in pairs]
    mean = sum(gaps) / len(gaps)
    variance = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
    return math.sqrt((1 / len(gaps) + 1 / (len(gaps) - 1)) * variance)


def verdict(study: Study, objective: Digits) -> str:
    """What was found, and what it is worth."""
    trials, best = study.trials, study.best_trial
    rows = per_learner(trials)
    lines = ["", f"Best of {len(trials)} trials: number {best.number}, {100 * study.best_loss:.2f} % errors in cross-validation"]
    lines += [f"    {name} = {_shown(value)}" for name, value in best.configuration.items()]
    lines += ["", "Best of each learner:", "    learner                   trials   errors   configuration"]
    for learner, count, top in rows:
        errors = "     –" if top is None or top.loss is None else f"{100 * top.loss:5.2f} %"
        rest = {} if top is None else {n.split(".")[1]: v for n, v in top.items() if "." in n}
        shown = ", ".join(f"{name} {_shown(value)}" for name, value in rest.items())
        lines.append(f"    {NAMES[learner]:<24} {count:>6}  {errors}   {shown}")
    return "\n".join([*lines, "", *_worth(study, objective, rows)])


def _worth(study: Study, objective: Digits, rows: List[Tuple[str, int, Optional[Trial]]]) -> List[str]:
    best, words = study.best_trial, ["What this means:"]
    tested = objective.test(best.configuration)
    words.append(
        f"  On {len(objective.unseen_digits)} digits the search never saw, the best configuration errs on "
        f"{100 * tested:.2f} %.\n  The {100 * study.best_loss:.2f} % above is the smallest of {len(study.trials)} noisy "
        "numbers and tends to be too good: report the test error."
    )
    rivals = [(learner, top) for learner, _, top in rows[1:] if top is not None]
    for learner, top in rivals[:1]:
        gap, noise = (top.loss or 0.0) - study.best_loss, standard_error(top, best)
        clear = gap > 2 * noise
        words.append(
            f"  The runner-up, {NAMES[learner]}, is {100 * gap:.2f} points behind, with a standard error of "
            f"{100 * noise:.2f} over {FOLDS} folds:\n  "
            + ("a difference that is probably real." if clear else "that is within the noise; do not call it beaten.")
        )
    return words


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def farewell(storage: str) -> str:
    """What to do next."""
    return f"""
Next:
  python -m arbora.demo --storage {storage} --trials 20       goes on where this ended
  python -c "import arbora; s = arbora.Study.load('{storage}'); arbora.plot.tree(s).figure.savefig('tree.png')"
                                                              draws the tree with all trials (needs matplotlib)
  arbora.Study.load('{storage}').trials_dataframe()           the trials as a pandas table"""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the demo; answers with an exit code."""
    parser = argparse.ArgumentParser(prog="arbora demo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--trials", type=int, default=TRIALS, help=f"evaluations (default {TRIALS})")
    parser.add_argument("--storage", help="file to keep the study in (default: a new one in a temporary folder)")
    parser.add_argument("--seed", type=int, default=1, help="source of all randomness (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="evaluations at once (default 1)")
    options = parser.parse_args(arguments)
    try:
        import sklearn  # noqa: F401
    except ImportError:
        print("the demo needs scikit-learn: pip install scikit-learn", file=sys.stderr)
        return 1
    storage = options.storage or _new_file()
    try:
        return tour(storage, options)
    except ArboraError as error:
        print(f"arbora demo: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print(f"\ninterrupted; nothing is lost: python -m arbora.demo --storage {storage} goes on", file=sys.stderr)
        return 130


def tour(storage: str, options: argparse.Namespace) -> int:
    """The search with its words around it."""
    space = digits_space()
    print(f"{__doc__.splitlines()[0] if __doc__ else ''}\n\nThe space, a tree of {len(space.tree.leaves)} branches:\n")
    print("\n".join(f"    {line}" for line in str(space.tree).splitlines()))
    objective = Digits()
    study = Study(space, name="digits", storage=storage, seed=options.seed)
    print(f"\n{options.trials} evaluations, each {FOLDS} fits on {ROWS} digits; stored in {storage}\n")
    study.optimize(objective, trials=options.trials, jobs=options.jobs, catch=Exception, progress=True)
    print(verdict(study, objective))
    print(farewell(storage))
    return 0


def _new_file() -> str:
    import tempfile

    return os.path.join(tempfile.mkdtemp(prefix="arbora-"), "digits.db")


if __name__ == "__main__":
    sys.exit(main())
