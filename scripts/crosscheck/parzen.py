"""Tree-structured Parzen estimators: what is tried next after the same forty trials, over many seeds.

x is uniform on [0, 1], y log-uniform on [10⁻³, 10³]; with one dimension there is x alone. hyperopt
chooses every parameter for itself (`joint = false`), and the same rules give the same distribution.
Optuna's rules are others; it is there to look at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from asking import ask, claim
from scipy import stats

SEEDS = 400
SPACE: dict[str, Any] = {
    "x": {"type": "real", "low": 0.0, "high": 1.0},
    "y": {"type": "real", "low": 1e-3, "high": 1e3, "log": True},
}


def history(dimensions: int) -> list[tuple[dict, float]]:
    """Forty trials spread evenly, y by the golden ratio; the best place is (0.3, 10^½)."""
    told = []
    for i in range(40):
        x, u = (i + 0.5) / 40, (0.5 + 0.618033988749895 * i) % 1
        row, loss = {"x": x}, (x - 0.3) ** 2
        if dimensions == 2:
            row["y"], loss = 10 ** (6 * u - 3), loss + (u - 7 / 12) ** 2
        told.append((row, loss))
    return told


def ours(dimensions: int, strategy: object) -> np.ndarray:
    """One row per seed."""
    parameters = {name: SPACE[name] for name in list(SPACE)[:dimensions]}
    adds = [{"add": row, "loss": loss} for row, loss in history(dimensions)]
    lines: list[dict] = []
    for seed in range(SEEDS):
        lines += [{"space": {"parameters": parameters}, "strategy": strategy, "seed": seed}, *adds, {"ask": True}]
    answers = ask("pipe", lines)
    if trouble := next((answer["error"] for answer in answers if "error" in answer), None):
        raise SystemExit(f"pipe: {trouble}")
    return np.array([list(answer["configuration"].values()) for answer in answers if "configuration" in answer])


def hyperopts(dimensions: int) -> np.ndarray:
    from hyperopt import JOB_STATE_DONE, Trials, hp, tpe
    from hyperopt.base import Domain

    space = {"x": hp.uniform("x", 0, 1), "y": hp.loguniform("y", np.log(1e-3), np.log(1e3))}
    names = list(space)[:dimensions]
    trials, domain = Trials(), Domain(lambda _: 0.0, {name: space[name] for name in names})
    for i, (row, loss) in enumerate(history(dimensions)):
        misc = {"tid": i, "cmd": domain.cmd, "idxs": {n: [i] for n in names}, "vals": {n: [row[n]] for n in names}}
        (doc,) = trials.new_trial_docs([i], [None], [{"status": "ok", "loss": loss}], [misc])
        trials.insert_trial_docs([{**doc, "state": JOB_STATE_DONE}])
    trials.refresh()
    chosen = [tpe.suggest([40], domain, trials, seed)[0]["misc"]["vals"] for seed in range(SEEDS)]
    return np.array([[values[name][0] for name in names] for values in chosen])


def optunas(dimensions: int, seeds: int) -> np.ndarray:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    number = optuna.distributions.FloatDistribution
    names = list(SPACE)[:dimensions]
    distributions: dict[str, Any] = {
        name: number(SPACE[name]["low"], SPACE[name]["high"], log=SPACE[name].get("log", False)) for name in names
    }
    told = [optuna.trial.create_trial(params=row, distributions=distributions, value=loss)
            for row, loss in history(dimensions)]

    def suggest(seed: int) -> list[float]:
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
        study.add_trials(told)
        return [study.ask(distributions).params[name] for name in names]

    return np.array([suggest(seed) for seed in range(seeds)])


def off(chosen: np.ndarray) -> np.ndarray:
    """Distances to the best place, y on its own scale."""
    places = [chosen[:, 0] - 0.3, *[np.log10(y) / 6 + 0.5 - 7 / 12 for y in chosen[:, 1:].T]]
    return np.sqrt((np.stack(places) ** 2).sum(0))


def check() -> None:
    for dimensions, strategy in ((1, "tpe"), (2, "tpe")):
        here, there = ours(dimensions, strategy), hyperopts(dimensions)
        samples = {name: (here[:, i], there[:, i]) for i, name in enumerate(list(SPACE)[:dimensions])}
        samples["distance to the best"] = (off(here), off(there))
        for name, (a, b) in samples.items():
            p = stats.ks_2samp(a, b).pvalue
            claim(f"tpe, {'xy'[:dimensions]}: {name} as in hyperopt", p > 0.01, f"Kolmogorov-Smirnov p = {p:.2f}")
        medians = [np.median(off(chosen)) for chosen in (here, there, optunas(dimensions, 40))]
        print("           median distance: {:.3f} here, {:.3f} in hyperopt, {:.3f} in Optuna".format(*medians))
