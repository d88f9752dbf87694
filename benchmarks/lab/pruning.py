"""Do pruners save epochs, and at what price? Learning curves of lcbench, one run for ours and Optuna's.

Plan, written before the runs:

- Problems: the lcbench surrogates of the shared lab (`problems.py`), `epoch` 1 to 52 as step, loss
  1 - validation accuracy after 52 epochs. Every epoch that a trial runs is paid for.
- Arms: a strategy and a pruner: `auto/none auto/curve auto/median auto/asha random/none random/curve`
  of Arbora, `tpe/none tpe/median tpe/asha` of Optuna (its MedianPruner and SuccessiveHalvingPruner).
- Budget: 50 full trials, 2600 epochs; at most `--trials` trials, which bounds the time of a run.
- Figures: the target of a strategy and seed is the loss of its own 50 full trials (`none`). *Share* is
  the epochs until an arm has a complete trial as good, divided by 2600; an arm that never gets there
  counts as 1. *Final* is the best complete loss at the end of the budget, minus the target.
- The bar of the issue: `curve` has a share of at most one third in the median, and a final loss that is
  no worse, over all problems and seeds.

    nice -n 19 python benchmarks/lab/pruning.py --lab PATH_OF_THE_LAB --seeds 5 --out pruning.jsonl
    python benchmarks/lab/pruning.py --report pruning.jsonl

Needs numpy and onnxruntime, and optuna for its arms. Resumes: runs that are in the file are not
repeated.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import statistics
import sys
import time
from typing import Any, Callable, Dict, Iterator, List, Tuple

EPOCHS = 52
FULL = 50
ARMS = "auto/none auto/curve auto/median auto/asha random/none random/curve tpe/none tpe/median tpe/asha".split()
Curve = Callable[[Dict[str, Any]], List[float]]


def curves(problems: Any, task: str) -> Curve:
    """The losses of a configuration after each epoch."""
    import numpy as np

    session, encoding, _ = problems.yahpo_model("lcbench")
    columns = problems.YAHPO["lcbench"]["cont"]
    codes = np.full((EPOCHS, 1), encoding["OpenML_task_id"][task], np.int32)

    def losses(configuration: Dict[str, Any]) -> List[float]:
        rows = [[{**configuration, "epoch": epoch}[name] for name in columns] for epoch in range(1, EPOCHS + 1)]
        found = session.run(None, {"x_cat": codes, "x_cont": np.array(rows, np.float32)})[0]
        return [float(1 - accuracy / 100) for accuracy in found[:, 1]]

    return losses


class Budget:
    """Epochs that are left, and the best complete loss after each trial."""

    def __init__(self, trials: int) -> None:
        self.used, self.best, self.log, self.trials = 0, math.inf, [], trials

    def goes_on(self) -> bool:
        return self.used < EPOCHS * FULL and len(self.log) < self.trials

    def trial(self, losses: List[float], report: Callable[[float, int], bool]) -> bool:
        """Runs one trial; true if it was complete."""
        for step, loss in enumerate(losses, 1):
            self.used += 1
            if report(loss, step):
                self.log.append((self.used, self.best))
                return False
        self.best = min(self.best, losses[-1])
        self.log.append((self.used, self.best))
        return True


def ours(params: Any, strategy: str, pruner: str, seed: int, losses: Curve, budget: Budget) -> None:
    import arbora

    space = arbora.Space()
    for param in params:
        declare = space.integer if param.kind == "int" else space.real
        declare(param.name, param.low, param.high, log=param.log)
    study = arbora.Study(space, strategy=strategy, pruner=pruner, seed=seed)
    while budget.goes_on():
        trial = study.ask()

        def report(loss: float, step: int) -> bool:
            trial.report(loss, step)
            return trial.should_prune()

        values = losses(trial.configuration)
        if budget.trial(values, report):
            study.tell(trial, values[-1])
        else:
            study.tell(trial, pruned=True)


def theirs(params: Any, pruner: str, seed: int, losses: Curve, budget: Budget) -> None:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    kinds = {
        "none": optuna.pruners.NopPruner,
        "median": optuna.pruners.MedianPruner,
        "asha": optuna.pruners.SuccessiveHalvingPruner,
    }
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), pruner=kinds[pruner]())
    while budget.goes_on():
        trial = study.ask()

        def value(param: Any) -> Any:
            suggest = trial.suggest_int if param.kind == "int" else trial.suggest_float
            return suggest(param.name, param.low, param.high, log=param.log)

        def report(loss: float, step: int) -> bool:
            trial.report(loss, step)
            return bool(trial.should_prune())

        values = losses({param.name: value(param) for param in params})
        if budget.trial(values, report):
            study.tell(trial, values[-1])
        else:
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)


def run(problems: Any, task: str, arm: str, seed: int, trials: int) -> Dict[str, Any]:
    strategy, pruner = arm.split("/")
    params, budget, begun = problems.get(f"lcbench/{task}").params, Budget(trials), time.process_time()
    if strategy == "tpe":
        theirs(params, pruner, seed, curves(problems, task), budget)
    else:
        ours(params, strategy, pruner, seed, curves(problems, task), budget)
    seconds = round(time.process_time() - begun, 1)
    return {"task": task, "arm": arm, "seed": seed, "log": budget.log, "cpu_seconds": seconds}


def read(path: pathlib.Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def judged(runs: List[Dict[str, Any]]) -> Iterator[Tuple[str, float, float, int]]:
    """Arm, share and difference of the final loss, and trials, for each run whose target is known."""
    targets = {
        (one["task"], one["seed"], one["arm"].split("/")[0]): one["log"][-1][1]
        for one in runs
        if one["arm"].endswith("/none")
    }
    for one in runs:
        target = targets.get((one["task"], one["seed"], one["arm"].split("/")[0]))
        if target is not None:
            reached = next((used for used, best in one["log"] if best <= target), EPOCHS * FULL)
            yield one["arm"], reached / (EPOCHS * FULL), one["log"][-1][1] - target, len(one["log"])


def report(path: pathlib.Path) -> None:
    found = list(judged(read(path)))
    print(f"{'arm':14} {'runs':>4} {'share, median':>13} {'mean':>6} {'final, mean':>12} {'worse':>6} {'trials':>7}")
    for arm in dict.fromkeys(one[0] for one in found):
        _, shares, finals, trials = zip(*(one for one in found if one[0] == arm))
        worse = sum(final > 1e-9 for final in finals)
        print(
            f"{arm:14} {len(shares):4} {statistics.median(shares):13.2f} {statistics.mean(shares):6.2f} "
            f"{statistics.mean(finals):+12.4f} {worse:3}/{len(finals):<2} {statistics.mean(trials):7.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lab", type=pathlib.Path, help="folder with problems.py")
    parser.add_argument("--tasks", nargs="*")
    parser.add_argument("--arms", nargs="*", default=ARMS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    asked = parser.parse_args()
    if asked.report is not None:
        return report(asked.report)
    if asked.lab is None or asked.out is None:
        parser.error("--lab and --out are needed, or --report")
    sys.path.insert(0, str(asked.lab))
    import problems

    done = {(one["task"], one["arm"], one["seed"]) for one in read(asked.out)}
    with asked.out.open("a") as file:
        for seed in range(asked.seeds):
            for task in asked.tasks or problems.LCBENCH:
                for arm in asked.arms:
                    if (task, arm, seed) not in done:
                        file.write(json.dumps(run(problems, task, arm, seed, asked.trials)) + "\n")
                        file.flush()
    report(asked.out)


if __name__ == "__main__":
    main()
