#!/usr/bin/env python3
"""Candidates for the next engine on the problems on which a search gets stuck (docs/AUTO.md has the plan).

    stuck.py run ARBORA LAB [--seeds 8] [--jobs 1]     runs what is missing; hours fewer with more jobs
    stuck.py show LAB                                  the table and the tests (needs SciPy)
"""
import argparse
import collections
import json
import pathlib
import subprocess

PROBLEMS = [
    "needle-3-10-1", "needle-6-10-1", "needle-12-10-1", "needle-6-30-2", "cliff", "deceptive-basin", "noisy",
    "noisy-branches", "failing-branch", "irrelevant", "levels-50", "pipeline-2", "pipeline-3",
]
BUDGETS = (20, 50, 100)


def model(kernel):
    surrogate = {"kind": "gp", "kernel": kernel, "infer": {"kind": "persistent"}}
    return {"kind": "model", "surrogate": surrogate, "maximizer": {"kind": "by_opinion"}}


def restless(*others):
    rule = {"patience": 10, "gain": 1e-3, "every": 2}
    return {"kind": "restless", "strategy": model("matern52"), "others": list(others), **rule}


RANDOM = {"kind": "random"}
CANDIDATES = {
    "fast": model("matern52"),
    "restless-random": restless(RANDOM),
    "restless-both": restless(model({"kind": "conditional", "inner": "matern52"}), RANDOM),
}
METHODS = ["random", "auto", *CANDIDATES]


def run(given):
    command = [given.arbora, "bench", "run", "own", "--out", given.lab, "--trials", "100"]
    command += ["--seeds", str(given.seeds), "--jobs", str(given.jobs)]
    for problem in PROBLEMS:
        command += ["--problem", problem]
    for method in METHODS:
        command += ["--method", json.dumps(CANDIDATES[method]) if method in CANDIDATES else method]
    subprocess.run(command, check=True)


def name_of(method):
    if not method.startswith("{"):
        return method
    return next((name for name, spec in CANDIDATES.items() if spec == json.loads(method)), method)


def load(lab):
    """problem -> method -> seed -> best losses after the budgets, and CPU seconds of the suggestions."""
    runs = collections.defaultdict(lambda: collections.defaultdict(dict))
    for line in (pathlib.Path(lab) / "own.jsonl").read_text().splitlines():
        one = json.loads(line)
        # The incumbent's true loss: it may rise where evaluations are noisy.
        after = [[loss for trial, loss in one["best"] if trial < budget][-1] for budget in BUDGETS]
        runs[one["problem"]][name_of(one["method"])][one["seed"]] = (*after, one.get("seconds", 0.0))
    return runs


def show(given):
    from scipy.stats import mannwhitneyu, rankdata, wilcoxon

    runs = load(given.lab)
    column = lambda problem, method, i: [found[i] for found in runs[problem][method].values()]
    mean = lambda values: sum(values) / len(values)
    print("mean best loss after 100 trials:", *METHODS, sep=" | ")
    for problem in PROBLEMS:
        print(problem, *(f"{mean(column(problem, method, 2)):.3f}" for method in METHODS), sep=" | ")
    for i, budget in enumerate(BUDGETS):
        means = [[mean(column(problem, method, i)) for method in METHODS] for problem in PROBLEMS]
        ranks = [mean(of) for of in zip(*(rankdata(row) for row in means))]
        print(f"after {budget}: mean ranks", *(f"{name} {rank:.2f}" for name, rank in zip(METHODS, ranks)))
        for j, method in enumerate(METHODS[1:], 1):
            is_worse = lambda p: mean(column(p, method, i)) > mean(column(p, "random", i))
            tests = sorted((mannwhitneyu(column(p, method, i), column(p, "random", i)).pvalue, p) for p in PROBLEMS)
            adjusted, worse = 0.0, []
            for k, (value, p) in enumerate(tests):
                adjusted = max(adjusted, min(1.0, value * (len(tests) - k)))  # Holm
                worse += [f"{p} (p = {value:.2g}, Holm {adjusted:.2g})"] if value < 0.05 and is_worse(p) else []
            worse = worse or ["nowhere"]
            ours = wilcoxon([row[j] for row in means], [row[1] for row in means]).pvalue if j > 1 else 1.0
            print(f"  {method}: worse than random search {', '.join(worse)}; against auto p = {ours:.2g}")
    for method in METHODS:
        print(method, f"{mean([s for p in PROBLEMS for s in column(p, method, 3)]):.2f} s of CPU for 100 suggestions")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="what", required=True)
    running = parts.add_parser("run")
    running.add_argument("arbora")
    running.add_argument("lab")
    running.add_argument("--seeds", type=int, default=8)
    running.add_argument("--jobs", type=int, default=1)
    parts.add_parser("show").add_argument("lab")
    given = parser.parse_args()
    {"run": run, "show": show}[given.what](given)
