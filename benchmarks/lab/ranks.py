#!/usr/bin/env python3
"""Average ranks of methods over the runs of `arbora bench run own`, and one of them tested against each other.

    ranks.py lab/own.jsonl [--baseline auto]

The loss at the end of each run (problem and seed) is ranked among all methods, ties shared; a method that did not make every
run is left out, with a word. Friedman's test over runs; then Wilcoxon's signed-rank test of the baseline against each
method over problems, on ranks averaged over seeds, p-values adjusted by Holm's procedure. As Markdown.
"""
import argparse
import collections
import json

import numpy as np
from scipy import stats


def read(path):
    """{(problem, seed): {method: final loss}}."""
    runs = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("best"):
                runs.setdefault((row["problem"], row["seed"]), {})[row["method"]] = row["best"][-1][1]
    return runs


def holm(values):
    """Adjusted p-values, in the order given."""
    order, adjusted, most = np.argsort(values), np.empty(len(values)), 0.0
    for place, i in enumerate(order):
        most = max(most, min(1.0, (len(values) - place) * values[i]))
        adjusted[i] = most
    return adjusted


def main():
    arguments = argparse.ArgumentParser(description="Average ranks over the runs of a comparison.")
    arguments.add_argument("results")
    arguments.add_argument("--baseline", default="auto")
    options = arguments.parse_args()
    runs = read(options.results)
    made = collections.Counter(method for losses in runs.values() for method in losses)
    methods = sorted(method for method, count in made.items() if count == len(runs))
    whole = sorted(runs)
    for method in sorted(set(made) - set(methods)):
        print(f"{method} is left out: {made[method]} of {len(runs)} runs.")
    ranks = np.array([stats.rankdata([runs[key][m] for m in methods]) for key in whole])
    problems = sorted({problem for problem, _ in whole})
    by_problem = np.array([ranks[[k[0] == p for k in whole]].mean(axis=0) for p in problems])
    print(f"{len(whole)} runs ({len(problems)} problems), {len(methods)} methods, "
          f"Friedman p = {stats.friedmanchisquare(*ranks.T).pvalue:.2g}\n")
    base = methods.index(options.baseline)
    others = [i for i in range(len(methods)) if i != base]
    tests = [stats.wilcoxon(by_problem[:, base], by_problem[:, i]).pvalue for i in others]
    adjusted = dict(zip(others, holm(np.array(tests))))
    raw = dict(zip(others, tests))
    print(f"| method | average rank | {options.baseline} is ahead on | p | p, Holm |\n|---|---|---|---|---|")
    for i in np.argsort(ranks.mean(axis=0)):
        if i == base:
            print(f"| **{methods[i]}** | {ranks[:, i].mean():.1f} | | | |")
            continue
        ahead = int(np.sum(by_problem[:, base] < by_problem[:, i]))
        print(f"| {methods[i]} | {ranks[:, i].mean():.1f} | {ahead} of {len(problems)} | {raw[i]:.2g} | {adjusted[i]:.2g} |")


if __name__ == "__main__":
    main()
