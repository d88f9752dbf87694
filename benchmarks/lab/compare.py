#!/usr/bin/env python3
"""Who wins, and is it luck? Tables and tests from the result files of the lab.

    PYTHONPATH=LAB compare.py results.jsonl [--at 25,50,100] [--baseline arbora_peer:Conditional]

For every problem and number of trials: the median regret of each contender over seeds, and for the baseline against
each other contender a two-sided Wilcoxon signed-rank test over the same seeds (zero differences dropped). Over all
problems: average ranks of the mean regret, Friedman's test, and Wilcoxon over problems. With few seeds or problems a
test says little: the number behind every p is printed next to it.
"""
import argparse
import collections
import json
import math

import numpy as np
import problems
from scipy import stats


def read(paths):
    """{problem: {contender: {seed: best so far}}} of complete runs."""
    runs = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for path in paths:
        with open(path) as lines:
            for line in lines:
                row = json.loads(line)
                if "error" not in row:
                    runs[row["problem"]][row["peer"]][row["seed"]].append(row["best"])
    return runs


def wilcoxon(a, b):
    """(p, pairs that differ); p = 1 where nothing differs."""
    differ = np.asarray(a) - np.asarray(b)
    differ = differ[differ != 0]
    if len(differ) == 0:
        return 1.0, 0
    return float(stats.wilcoxon(differ, zero_method="wilcox").pvalue), len(differ)


def regrets(runs, at, optimum):
    """{contender: {seed: regret after `at` trials}}."""
    found = {}
    for contender, seeds in runs.items():
        found[contender] = {s: max(best[at - 1] - optimum, 0.0) for s, best in seeds.items() if len(best) >= at}
    return {c: r for c, r in found.items() if r}


def shown(values):
    """Median regret, as a power of ten."""
    return f"{math.log10(max(float(np.median(list(values))), 1e-10)):7.2f}"


def table(runs, at, baseline):
    """Prints one block; returns {problem: {contender: mean log regret}}."""
    means = {}
    print(f"\nafter {at} trials: median log10 regret (seeds); p of {baseline} against each, by seeds; * below .05")
    for problem in sorted(runs):
        optimum = problems.get(problem).optimum
        by = regrets(runs[problem], at, optimum) if optimum is not None else {}
        if baseline not in by:
            continue
        cells = []
        for contender in sorted(by):
            text = f"{contender.split(':')[-1].lower()} {shown(by[contender].values())} ({len(by[contender])})"
            common = sorted(set(by[contender]) & set(by[baseline]))
            if contender != baseline:
                ours, theirs = ([by[c][s] for s in common] for c in (baseline, contender))
                p, n = wilcoxon(ours, theirs)
                verdict = "wins" if np.median(ours) < np.median(theirs) else "loses"
                text += f" p={p:.3g}/{n} {verdict if p < 0.05 else 'ties'}{'*' if p < 0.05 else ''}"
            cells.append(text)
        means[problem] = {c: float(np.mean([math.log10(max(r, 1e-10)) for r in v.values()])) for c, v in by.items()}
        print(f"  {problem:28s} " + " | ".join(cells))
    return means


def over_problems(means, baseline):
    """Average ranks and tests with a problem as the unit."""
    contenders = sorted(set.intersection(*(set(m) for m in means.values()))) if means else []
    if len(contenders) < 2:
        return
    matrix = np.array([[means[p][c] for c in contenders] for p in sorted(means)])
    ranks = np.mean([stats.rankdata(row) for row in matrix], axis=0)
    print(f"  over {len(matrix)} problems, average rank: " + ", ".join(f"{c.split(':')[-1].lower()} {r:.2f}" for c, r in zip(contenders, ranks)))
    if len(contenders) > 2:
        print(f"  Friedman p={stats.friedmanchisquare(*matrix.T).pvalue:.3g}")
    for contender in contenders:
        if contender != baseline:
            p, n = wilcoxon(matrix[:, contenders.index(baseline)], matrix[:, contenders.index(contender)])
            print(f"  Wilcoxon over problems against {contender}: p={p:.3g}/{n}")


def main():
    arguments = argparse.ArgumentParser(description="Tables and tests from the lab's result files.")
    arguments.add_argument("results", nargs="+")
    arguments.add_argument("--at", default="25,50,100", help="numbers of trials")
    arguments.add_argument("--baseline", default="arbora_peer:Conditional")
    options = arguments.parse_args()
    runs = read(options.results)
    for at in (int(a) for a in options.at.split(",")):
        over_problems(table(runs, at, options.baseline), options.baseline)


if __name__ == "__main__":
    main()
