#!/usr/bin/env python3
"""Normalised regret of the lab's contenders over several tasks of one surrogate benchmark.

    PYTHONPATH=LAB:benchmarks/lab normalised.py results.jsonl --tasks iaml_super [--at 25,50,100] [--baseline arbora_peer:Label]

(best − optimum) / (median of 500 random draws − optimum): 0 is the best value known, 1 what a random draw gives. The
mean over the seeds that all contenders of a task have in common, then over tasks; Wilcoxon's signed-rank test over the
pairs (task, seed) of two contenders.
"""
import argparse

import numpy as np
import problems
from compare import read, wilcoxon


def unit(problem, draws=500):
    """The optimum, and how far the median random draw is from it."""
    rng = np.random.default_rng(0)
    return problem.optimum, float(np.median([problem.f(problem.sample(rng)) for _ in range(draws)])) - problem.optimum


def normalised(runs, at, units):
    """{contender: {(task, seed): normalised regret after `at` trials}}."""
    found = {}
    for task, contenders in runs.items():
        optimum, scale = units[task]
        for contender, seeds in contenders.items():
            for seed, best in seeds.items():
                if len(best) >= at:
                    found.setdefault(contender, {})[task, seed] = (best[at - 1] - optimum) / scale
    return found


def table(runs, at, baseline, units):
    """Prints a row per contender: its mean over tasks, each task's mean, and the test against the baseline."""
    found = normalised(runs, at, units)
    tasks = sorted(units)
    print(f"\nafter {at} trials: mean over tasks; mean (seeds) of {', '.join(tasks)}; {baseline} against it over pairs")
    for contender, values in sorted(found.items()):
        by_task = [[value for (task, _), value in values.items() if task == wanted] for wanted in tasks]
        if not all(by_task):
            continue
        cells = "  ".join(f"{np.mean(v):.3f} ({len(v)})" for v in by_task)
        line = f"  {contender.split(':')[-1]:20s} {np.mean([np.mean(v) for v in by_task]):.3f}   {cells}"
        common = sorted(set(values) & set(found.get(baseline, {})))
        if contender != baseline and common:
            ours, theirs = ([found[c][key] for key in common] for c in (baseline, contender))
            p, pairs = wilcoxon(ours, theirs)
            line += f"   {np.mean(ours):.3f} against {np.mean(theirs):.3f}, p = {p:.2g} of {pairs}"
        print(line)


def main():
    arguments = argparse.ArgumentParser(description="Normalised regret over the tasks of a surrogate benchmark.")
    arguments.add_argument("results", nargs="+")
    arguments.add_argument("--tasks", default="iaml_super", help="what the names of the problems begin with")
    arguments.add_argument("--at", default="25,50,100", help="numbers of trials")
    arguments.add_argument("--baseline", default="arbora_peer:Label")
    options = arguments.parse_args()
    runs = {task: by for task, by in read(options.results).items() if task.startswith(options.tasks)}
    units = {task: unit(problems.get(task)) for task in runs}
    for at in (int(a) for a in options.at.split(",")):
        table(runs, at, options.baseline, units)


if __name__ == "__main__":
    main()
