"""Uses of the package as a type checker sees them; read by test_package, never run."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

from arbora import (
    AutoClassifier,
    AutoRegressor,
    Expression,
    Judged,
    Parameter,
    Plan,
    Result,
    Space,
    Splits,
    Study,
    Term,
    Trial,
    Verdict,
    ensemble,
    minimize,
)

space = Space()
model: Parameter = space.choice("model", ["svm", "forest", None])
depth: Parameter = space.integer("depth", 1, 9, or_none=True, when=model == "forest")
condition: Expression = (model == "svm") & (depth > 2) | ~model.is_in(["svm", None])
product: Term = depth * 2 + 1
space.require(product <= depth)
space.forbid({"model": ["svm", "forest"]})
drawn: List[Dict[str, Any]] = space.sample(3, seed=1)
size: Union[int, float, None] = space.cardinality


def objective(trial: Trial) -> float:
    rate: float = trial.suggest_float("rate", 0.0, 1.0)
    count: int = trial.suggest_int("count", 1, 9)
    return rate * count


def callback(study: Study, trial: Trial) -> None:
    loss: Optional[float] = trial.loss
    if loss is not None and loss < 0.1:
        study.stop()


study = Study(space, strategy={"kind": "random"}, storage="study.db")
study.optimize(objective, trials=3, callbacks=(callback,), catch=(ValueError, OSError))
result: Result = minimize(objective, space, trials=3)
best: float = result.loss

auto = AutoClassifier(time_budget="10m", ensemble="none", n_jobs=2).fit([[0.0], [1.0]], ["a", "b"])
weights: Dict[int, float] = AutoRegressor(trials=20, time_budget=None).ensemble_

splits: Splits = Plan(folds=5, reshuffle=True).split_rows(100, classes=["a", "b"] * 50)
train: List[int] = splits.of_trial(study.ask())[0][0]
verdict: Verdict = study.verdict()
trusted: Judged = verdict.trusted
votes = ensemble.Votes(["a", "b"], study=study)
chosen: ensemble.Ensemble = votes.greedy(size=5, bagging=(20, 0.5))
shares: Dict[int, float] = chosen.weights
