"""Surrogate benchmarks in the format of YAHPO Gym: a network in ONNX, its coding of categories, a
space in JSON.

The order of inputs and outputs of a network is not in its files; it is known for the scenarios
below.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Optional

from arbora.lab.line import Missing

__all__ = ["Surrogate"]

BOOSTER = "nrounds eta gamma lambda alpha subsample max_depth min_child_weight colsample_bytree colsample_bylevel"
TREES = "num.trees sample.fraction mtry.ratio min.node.size num.random.splits"


def own(learner: str, names: str) -> str:
    """Names with the learner in front."""
    return " ".join(f"{learner}.{name}" for name in names.split())


SCENARIOS: Dict[str, Dict[str, Any]] = {
    "iaml_super": {
        "numbers": f"{own('ranger', TREES)} {own('rpart', 'cp maxdepth minbucket minsplit')} {own('glmnet', 'alpha s')} "
        f"{own('xgboost', BOOSTER + ' rate_drop skip_drop')} trainsize",
        "labels": "task_id learner ranger.replace ranger.respect.unordered.factors ranger.splitrule xgboost.booster",
        "task": "task_id",
        "whole": {"trainsize": 1.0},
        "loss": lambda outputs: outputs[0],
    },
    "rbv2_xgboost": {
        "numbers": f"{BOOSTER} rate_drop skip_drop trainsize repl",
        "labels": "task_id booster num.impute.selected.cpo",
        "task": "task_id",
        "whole": {"trainsize": 1.0, "repl": 10},
        "loss": lambda outputs: 1.0 - outputs[0],
    },
    "lcbench": {
        "numbers": "epoch batch_size learning_rate momentum weight_decay num_layers max_units max_dropout",
        "labels": "OpenML_task_id",
        "task": "OpenML_task_id",
        "whole": {"epoch": 52},
        "loss": lambda outputs: 1.0 - outputs[1] / 100.0,
    },
}
"""Inputs in the order of the network, the input that names the task, the fidelities of a whole
evaluation, the loss."""


class Surrogate:
    """One instance of a scenario, evaluated whole."""

    def __init__(self, folder: Optional[str], scenario: str, task: str) -> None:
        if folder is None:
            raise Missing("surrogate benchmarks need --yahpo FOLDER")
        if scenario not in SCENARIOS:
            raise Missing(f"known scenarios are {', '.join(SCENARIOS)}, not `{scenario}`")
        try:
            import onnxruntime
        except ImportError:
            raise Missing("surrogate benchmarks need onnxruntime: pip install onnxruntime") from None
        place = os.path.join(folder, scenario)
        single = onnxruntime.SessionOptions()
        single.inter_op_num_threads = single.intra_op_num_threads = 1
        model = os.path.join(place, "model.onnx")
        self.session = onnxruntime.InferenceSession(model, sess_options=single, providers=["CPUExecutionProvider"])
        with open(os.path.join(place, "encoding.json"), encoding="utf-8") as file:
            self.codes = json.load(file)
        with open(os.path.join(place, "config_space.json"), encoding="utf-8") as file:
            document = json.load(file)
        self.fields = SCENARIOS[scenario]
        self.fixed = {**self.fields["whole"], self.fields["task"]: task}
        if task not in self.codes[self.fields["task"]]:
            raise Missing(f"{scenario} has no instance `{task}`")
        self.parameters = parameters(document, self.fixed)

    def loss(self, configuration: Dict[str, Any]) -> float:
        """What the network predicts."""
        import numpy

        given = {**configuration, **self.fixed}
        labels = [self.codes[name][label(given.get(name, "#na#"))] for name in self.fields["labels"].split()]
        numbers = [float(given.get(name, 0.0)) for name in self.fields["numbers"].split()]
        inputs = {"x_cat": numpy.array([labels], numpy.int32), "x_cont": numpy.array([numbers], numpy.float32)}
        return float(self.fields["loss"](self.session.run(None, inputs)[0][0]))


def label(value: Any) -> str:
    """As the coding writes it."""
    return ("TRUE" if value else "FALSE") if isinstance(value, bool) else str(value)


def parameters(document: Dict[str, Any], fixed: Dict[str, Any]) -> Dict[str, Any]:
    """A space of ConfigSpace's JSON without what is fixed."""
    import arbora

    kept = [field for field in document["hyperparameters"] if field["name"] not in fixed]
    free = {**document, "hyperparameters": kept}
    return dict(arbora.Space.from_configspace(json.dumps(free)).to_dict()["parameters"])
