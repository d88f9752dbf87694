"""Writes optuna_pruners.json: what Optuna's pruners decide about random learning curves.

    python optuna_pruners.py > optuna_pruners.json        (Optuna 5.0.0, SciPy 1.17.1)

Each case is a pruner as both sides write it, a direction, and trials: reports with Optuna's decision
after each. A trial ends with the first decision to prune, or is told its last value. Hyperband's
brackets are chosen by the trial number modulo the number of trials in a cycle, as ours are; Optuna
hashes the name of the study as well.
"""

import json
import math
import random
import sys
import warnings

import optuna
from optuna import pruners as theirs

warnings.simplefilter("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)


def bracket(self, study, trial):
    if not self._pruners:
        return 0
    left = trial.number % self._total_trial_allocation_budget
    for bracket, budget in enumerate(self._trial_allocation_budgets):
        if left < budget:
            return bracket
        left -= budget


theirs.HyperbandPruner._get_bracket_id = bracket

CASES = [
    ({"kind": "none"}, theirs.NopPruner()),
    ({"kind": "median"}, theirs.MedianPruner()),
    (
        {"kind": "median", "startup_trials": 2, "warmup_steps": 3, "interval_steps": 4, "min_trials": 2},
        theirs.MedianPruner(n_startup_trials=2, n_warmup_steps=3, interval_steps=4, n_min_trials=2),
    ),
    ({"kind": "percentile", "percentile": 25.0}, theirs.PercentilePruner(25.0)),
    ({"kind": "percentile", "percentile": 80.0, "startup_trials": 1}, theirs.PercentilePruner(80.0, n_startup_trials=1)),
    ({"kind": "asha"}, theirs.SuccessiveHalvingPruner()),
    (
        {"kind": "asha", "min_resource": 2, "reduction_factor": 2},
        theirs.SuccessiveHalvingPruner(min_resource=2, reduction_factor=2),
    ),
    (
        {"kind": "asha", "min_resource": 1, "reduction_factor": 3, "min_early_stopping_rate": 1, "bootstrap_count": 2},
        theirs.SuccessiveHalvingPruner(
            min_resource=1, reduction_factor=3, min_early_stopping_rate=1, bootstrap_count=2
        ),
    ),
    ({"kind": "hyperband"}, theirs.HyperbandPruner()),
    (
        {"kind": "hyperband", "min_resource": 2, "max_resource": 18, "reduction_factor": 2},
        theirs.HyperbandPruner(min_resource=2, max_resource=18, reduction_factor=2),
    ),
    ({"kind": "patience", "patience": 3}, theirs.PatientPruner(None, patience=3)),
    (
        {"kind": "patience", "patience": 1, "min_delta": 0.05, "pruner": "median"},
        theirs.PatientPruner(theirs.MedianPruner(), patience=1, min_delta=0.05),
    ),
    ({"kind": "threshold", "upper": 1.1}, theirs.ThresholdPruner(upper=1.1)),
    (
        {"kind": "threshold", "lower": 0.1, "upper": 0.9, "warmup_steps": 5, "interval_steps": 2},
        theirs.ThresholdPruner(lower=0.1, upper=0.9, n_warmup_steps=5, interval_steps=2),
    ),
    ({"kind": "wilcoxon"}, theirs.WilcoxonPruner()),
    ({"kind": "wilcoxon", "p_threshold": 0.3, "startup_steps": 4}, theirs.WilcoxonPruner(p_threshold=0.3, n_startup_steps=4)),
]


def reports(rng, kind, number):
    """A curve that falls with noise, some steps left out; or losses of instances, shuffled."""
    level, start = rng.random(), rng.uniform(0.8, 1.5)
    if kind == "wilcoxon":
        steps = list(range(12))
        rng.shuffle(steps)
        return [(step, round(level / 2 + step / 12 + rng.gauss(0, 0.2), 2)) for step in steps]
    steps = [step for step in range(1, 20) if rng.random() < 0.9]
    curve = [(step, round(level + (start - level) / step + rng.gauss(0, 0.05), 3)) for step in steps]
    if number % 9 == 8:
        curve[len(curve) // 2:] = [(step, math.nan) for step, _ in curve[len(curve) // 2:]]
    return curve


def case(spec, pruner, direction, seed):
    rng, trials = random.Random(seed), []
    study = optuna.create_study(pruner=pruner, direction=direction)
    sign = 1 if direction == "minimize" else -1
    for number in range(24):
        trial, told = study.ask(), []
        for step, value in reports(rng, spec["kind"], number):
            value *= 1 if spec["kind"] == "threshold" else sign
            trial.report(value, step)
            told.append([step, None if math.isnan(value) else value, bool(trial.should_prune())])
            if told[-1][2]:
                break
        if told[-1][2]:
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        elif told[-1][1] is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, told[-1][1])
        trials.append(told)
    return {"pruner": spec, "direction": direction, "trials": trials}


def fresh(pruner):
    """Some pruners remember what they estimated first."""
    import copy

    return copy.deepcopy(pruner)


cases = [
    case(spec, fresh(pruner), direction, seed)
    for seed, (spec, pruner) in enumerate(CASES)
    for direction in ("minimize", "maximize")
]
sys.stdout.write("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "\n]\n")
