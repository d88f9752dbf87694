#!/usr/bin/env python3
"""Automatic models compared: the same data, the same split, the same seconds.

    compare.py run --data FOLDER --out results.jsonl --seconds 60 --seeds 3
    compare.py table results.jsonl

FOLDER holds gzipped CSV files with a last column `class`, and an `index.csv` with the number of training rows of sets that
bring a test part (`n_train`); of the others a third tests, drawn by the seed alone and so the same for everybody. One JSON
line per run; a run that is there already is not repeated. Contenders that are not installed are left out, with a word; one
that ends without a model predicts the most frequent class.
`table` prints test errors, mean ranks and, for every pair, Wilcoxon's signed-rank test over the data sets.
"""
import argparse
import csv
import itertools
import json
import os
import sys
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

SETS = [
    "pima", "titanic", "wine-quality-red", "statlog-image", "spambase", "statlog-german-credit", "page-blocks", "adult",
]
"""Eight sets of the papers, from hundreds of rows to tens of thousands, two to seven classes."""


def read(folder, name, seed):
    """Training and test rows."""
    import pandas
    from sklearn.model_selection import train_test_split

    with open(os.path.join(folder, "index.csv"), encoding="utf-8") as file:
        entry = next((row for row in csv.DictReader(file) if row["name"] == name), None)
    if entry is None:
        sys.exit(f"no data set `{name}` in {folder}")
    table = pandas.read_csv(os.path.join(folder, f"{name}.csv.gz"))
    rows, classes = table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].to_numpy()
    if entry["n_train"]:
        count = int(entry["n_train"])
        return rows[:count], rows[count:], classes[:count], classes[count:]
    return train_test_split(rows, classes, test_size=1 / 3, random_state=seed, stratify=classes)


def arbora(ensemble, space="modern"):
    def fit(rows, classes, seconds, seed):
        from arbora import AutoClassifier

        model = AutoClassifier(space=space, time_budget=seconds, ensemble=ensemble, random_state=seed)
        model.fit(rows, classes)
        return model, len(model.study_)

    return fit


def flaml(rows, classes, seconds, seed):
    from flaml import AutoML

    model = AutoML()
    model.fit(rows, classes, task="classification", metric="accuracy", time_budget=seconds, seed=seed, n_jobs=1, verbose=0)
    return model, None


def tpot(rows, classes, seconds, seed):
    from tpot import TPOTClassifier

    model = TPOTClassifier(
        search_space="linear", scorers=["accuracy"], scorers_weights=[1.0], max_time_mins=seconds / 60,
        max_eval_time_mins=seconds / 180, n_jobs=1, random_state=seed, verbose=0,
    )
    model.fit(rows, classes)
    return model, None


def randomized(space):
    def fit(rows, classes, seconds, seed):
        """scikit-learn's RandomizedSearchCV on the learners of our space, in rounds until the time is up, then refitted."""
        from sklearn.model_selection import RandomizedSearchCV

        recipe, made = recipe_of(space, rows, classes, seed)
        began, best, count = time.monotonic(), None, 0
        configurations = iter(made.sample(100_000, seed=seed))
        while best is None or time.monotonic() - began < 0.9 * seconds:
            search = RandomizedSearchCV(
                Configured(recipe), {"configuration": [next(configurations)]}, n_iter=1, cv=5, refit=False, error_score=0.0
            ).fit(rows, classes)
            count += 1
            if best is None or search.best_score_ > best[0]:
                best = (search.best_score_, search.best_params_)
        return Configured(recipe, **best[1]).fit(rows, classes), count

    return fit


def recipe_of(space, rows, classes, seed):
    from arbora.automl.table_info import TableInfo
    from arbora.automl.spaces import search_space

    counts = np.unique(classes, return_counts=True)[1]
    facts = TableInfo(len(rows), (0,) * rows.shape[1], False, len(counts), int(counts.min()), "accuracy", seed)
    made = search_space(space, facts)
    return made, made.space


class Configured:
    """A configuration of our space as a scikit-learn estimator, so that others may search it."""

    _estimator_type = "classifier"

    def __init__(self, recipe, configuration=None):
        self.recipe, self.configuration = recipe, configuration

    def get_params(self, deep=True):
        return {"recipe": self.recipe, "configuration": self.configuration}

    def set_params(self, **given):
        self.__dict__.update(given)
        return self

    def __sklearn_tags__(self):
        from sklearn.base import BaseEstimator, ClassifierMixin

        return type("Tagged", (ClassifierMixin, BaseEstimator), {})().__sklearn_tags__()

    def __sklearn_clone__(self):
        return Configured(self.recipe, self.configuration)

    def fit(self, rows, classes):
        self.classes_, codes = np.unique(classes, return_inverse=True)
        self.model_ = self.recipe.build(self.configuration).fit(rows, codes)
        return self

    def predict(self, rows):
        return self.classes_[self.model_.predict(rows)]

    def score(self, rows, classes):
        return float(np.mean(self.predict(rows) == classes))


CONTENDERS = {
    "arbora": arbora("post-hoc"),
    "arbora-single": arbora("none"),
    "arbora-optimised": arbora("optimised"),
    "arbora-cash": arbora("post-hoc", "cash"),
    "flaml": flaml,
    "tpot": tpot,
    "random-modern": randomized("modern"),
    "random-cash": randomized("cash"),
}


def run(options):
    done = set()
    if os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            done = {(r["set"], r["seed"], r["contender"], r["seconds"]) for r in map(json.loads, file)}
    absent = set()
    for seed, name, contender in itertools.product(range(options.seeds), options.sets, options.contenders):
        if contender in absent or (name, seed, contender, options.seconds) in done:
            continue
        rows, test_rows, classes, test_classes = read(options.data, name, seed)
        began, trouble = time.monotonic(), {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model, trials = CONTENDERS[contender](rows, classes, options.seconds, seed)
                took = time.monotonic() - began
                predicted = model.predict(test_rows)
        except ImportError as error:
            print(f"{contender} is left out: {error}", file=sys.stderr)
            absent.add(contender)
            continue
        except Exception as error:
            # No model, or none that predicts: the most frequent class is what is left.
            took, trials, trouble = time.monotonic() - began, None, {"failed": f"{type(error).__name__}: {error}"}
            labels, counts = np.unique(classes, return_counts=True)
            predicted = np.full(len(test_rows), labels[counts.argmax()])
        error = 1.0 - float(np.mean(np.asarray(predicted) == test_classes))
        line = {"set": name, "seed": seed, "contender": contender, "seconds": options.seconds, "error": error,
                "took": round(took, 2), "trials": trials, **trouble}
        with open(options.out, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def table(options):
    """Test errors in per cent, mean ranks, and tests between every two."""
    from scipy.stats import rankdata, wilcoxon

    with open(options.results, encoding="utf-8") as file:
        runs = [json.loads(line) for line in file]
    contenders = [c for c in CONTENDERS if any(r["contender"] == c for r in runs)]
    keys = sorted({(r["set"], r["seed"]) for r in runs})
    errors = {(r["set"], r["seed"], r["contender"]): r["error"] for r in runs}
    whole = [key for key in keys if all((*key, c) in errors for c in contenders)]
    sets = sorted({name for name, _ in whole})
    if not sets:
        sys.exit("no data set was run by every contender")
    means = np.array([[np.mean([errors[(*k, c)] for k in whole if k[0] == name]) for c in contenders] for name in sets])
    ranks = np.array([rankdata(row) for row in means])
    took = [np.mean([r["took"] for r in runs if r["contender"] == c]) for c in contenders]
    print(f"| test error, % | {' | '.join(contenders)} |\n|---|{'---|' * len(contenders)}")
    for name, row in zip(sets, means):
        cells = (f"**{100 * e:.2f}**" if e == row.min() else f"{100 * e:.2f}" for e in row)
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"| mean rank | {' | '.join(f'{r:.2f}' for r in ranks.mean(axis=0))} |")
    print(f"| seconds taken | {' | '.join(f'{t:.1f}' for t in took)} |")
    failed = [f"{r['contender']} on {r['set']}" for r in runs if "failed" in r]
    if failed:
        print(f"\nWithout a model: {', '.join(failed)}.")
    print(f"\n{len(sets)} sets, {len(whole) / len(sets):.1f} seeds each. Wilcoxon's signed-rank test over sets:")
    for (i, first), (j, second) in itertools.combinations(enumerate(contenders), 2):
        gaps = means[:, i] - means[:, j]
        p = wilcoxon(gaps).pvalue if np.any(gaps) else 1.0
        print(f"  {first} against {second}: better on {np.sum(gaps < 0)}, worse on {np.sum(gaps > 0)}, p = {p:.3f} (N = {len(sets)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="run what is not there yet")
    running.add_argument("--data", required=True, help="folder of data sets")
    running.add_argument("--out", required=True, help="file of JSON lines")
    running.add_argument("--seconds", type=float, default=60.0)
    running.add_argument("--seeds", type=int, default=3)
    running.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    running.add_argument("--contenders", type=lambda text: text.split(","), default=list(CONTENDERS))
    showing = commands.add_parser("table", help="errors, ranks and tests")
    showing.add_argument("results")
    options = parser.parse_args()
    run(options) if options.command == "run" else table(options)


if __name__ == "__main__":
    main()
