#!/usr/bin/env python3
"""Combined algorithm selection on real data sets: 5-fold cross-validation error, one strategy against another.

    cash_real.py --data FOLDER --sets pima,titanic --strategies random,gp-conditional --seeds 3 --out cash.jsonl

The space and protocol of Lévesque et al. 2017, section V: nine learners, 14 parameters, a fifth of the rows held out for
testing unless the set brings its own test part, the splits a function of the seed alone and so the same for every
strategy. FOLDER holds gzipped CSV files with numeric columns and a last column `class`, and an `index.csv`. One JSON line
per run: {"problem", "peer", "seed", "loss": [best so far after each trial], "test"}; a run that is there already is not
repeated. `compare.py` reads the file. Needs scikit-learn and the `pipe` example (see arbora_peer.py).
"""
import argparse
import csv
import gzip
import json
import os
import sys
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))

import numpy as np
from cash import CLASSIFIERS
from pipe import Pipe
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

STEPS = 100_000  # a support vector machine that needs more has failed to converge


def learner(configuration, seed):
    """The estimator a configuration describes."""
    settings = {name.split(".", 1)[1]: value for name, value in configuration.items() if "." in name}
    if "reg_param" in settings:  # (Σ + rI)/(1 + r), as scikit-learn's (1 − s)Σ + sI
        settings["reg_param"] = settings["reg_param"] / (1 + settings["reg_param"])
    make = {
        "knn": KNeighborsClassifier, "gnb": GaussianNB, "lda": LinearDiscriminantAnalysis,
        "qda": QuadraticDiscriminantAnalysis,
        "svm": lambda **s: SVC(max_iter=STEPS, **s),
        "linsvm": lambda **s: LinearSVC(dual=False, max_iter=1000, **s),
        "dt": lambda **s: DecisionTreeClassifier(random_state=seed, **s),
        "rf": lambda **s: RandomForestClassifier(random_state=seed, **s),
        "adab": lambda **s: AdaBoostClassifier(random_state=seed, **s),
    }[configuration["classifier"]]
    return make_pipeline(StandardScaler(), make(**settings))


def read(folder, name):
    """Features, classes and the number of training rows (None: draw a test part)."""
    with open(os.path.join(folder, "index.csv"), encoding="utf-8") as file:
        entry = next(row for row in csv.DictReader(file) if row["name"] == name)
    with gzip.open(os.path.join(folder, name + ".csv.gz"), "rt", encoding="utf-8") as file:
        rows = np.array(list(csv.reader(file))[1:], dtype=float)
    return rows[:, :-1], rows[:, -1].astype(int), int(entry["n_train"]) if entry["n_train"] else None


def parts(folder, name, seed):
    """Training and test rows."""
    x, y, train = read(folder, name)
    if train is None:
        enough = np.bincount(y).min() >= 2
        return train_test_split(x, y, test_size=0.2, random_state=seed, stratify=y if enough else None)
    return x[:train], x[train:], y[:train], y[train:]


def space():
    """The space as a file would hold it."""
    parameters = {"classifier": {"type": "choice", "choices": list(CLASSIFIERS)}}
    for classifier, numbers in CLASSIFIERS.items():
        for name, number in numbers.items():
            parameters[name] = {"type": "integer" if number.whole else "real", "low": number.low,
                                "high": number.high, "log": number.log, "when": [{"classifier": [classifier]}]}
    return {"parameters": parameters}


def error(configuration, x, y, folds, seed):
    """Mean misclassification over the folds."""
    wrong = []
    for train, valid in folds:
        fitted = learner(configuration, seed).fit(x[train], y[train])
        wrong.append(np.mean(fitted.predict(x[valid]) != y[valid]))
    return float(np.mean(wrong))


def run(folder, name, strategy, seed, trials):
    """One study; best loss after each trial, and the test error of the last incumbent."""
    x, x_test, y, y_test = parts(folder, name, seed)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y))
    pipe, best, chosen, trace = Pipe(space(), strategy, seed), np.inf, None, []
    for _ in range(trials):
        asked = pipe.send({"ask": True})
        try:
            loss = error(asked["configuration"], x, y, folds, seed)
        except ValueError as failure:
            print(f"{name}: {asked['configuration']}: {failure}", file=sys.stderr)
            loss = 1.0
        pipe.send({"tell": asked["number"], "loss": loss})
        if loss < best:
            best, chosen = loss, asked["configuration"]
        trace.append(best)
    pipe.close()
    test = float(np.mean(learner(chosen, seed).fit(x, y).predict(x_test) != y_test))
    return {"problem": f"cash/{name}", "peer": strategy, "seed": seed, "loss": trace, "test": test,
            "chosen": chosen["classifier"]}


def main():
    warnings.simplefilter("ignore")
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", required=True)
    options.add_argument("--sets", required=True)
    options.add_argument("--strategies", default="random,gp-matern,gp-matern-polish,gp-conditional")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--trials", type=int, default=200)
    options.add_argument("--out", required=True)
    options = options.parse_args()
    done = set()
    if os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            done = {(r["problem"], r["peer"], r["seed"]) for r in map(json.loads, file)}
    for seed in range(options.seeds):
        for name in options.sets.split(","):
            for strategy in options.strategies.split(","):
                if (f"cash/{name}", strategy, seed) in done:
                    continue
                line = run(options.data, name, strategy, seed, options.trials)
                with open(options.out, "a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(f"{name} {strategy} seed {seed}: {line['loss'][-1]:.4f}, test {line['test']:.4f}", flush=True)


if __name__ == "__main__":
    main()
