"""``python -m arbora.lab.peers``: other people's optimizers, for ``arbora bench``. Used if they are
installed.

How each sees conditions is said at its class: *native*, the library is told them; *flat*, it sees
every parameter always and values of inactive ones are dropped.
"""

from __future__ import annotations

import importlib
import logging
import os
import random
import shutil
import tempfile
import weakref
from abc import ABC, abstractmethod
from typing import Any, Callable, Dict, List, Optional

import arbora
from arbora.lab.line import Missing, serve

Values = Dict[str, Any]


def need(module: str, package: Optional[str] = None) -> Any:
    """A module, or the word that it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = package or module
        raise Missing(f"{name} is not installed: pip install {name}") from None


class Peer(ABC):
    """An optimizer over a space. Subclasses answer ``ask`` by values and take in losses."""

    def __init__(self, space: arbora.Space, seed: int, trials: int) -> None:
        self.space, self.seed, self.trials = space, seed, trials
        self.fields: Dict[str, Values] = space.to_dict()["parameters"]
        self.anything = {name: lowest(fields) for name, fields in self.fields.items()}
        self.setup()

    @abstractmethod
    def setup(self) -> None:
        """Makes the optimizer ready; refuses if it is not installed."""

    @abstractmethod
    def ask(self) -> Values:
        """The configuration to evaluate."""

    @abstractmethod
    def tell(self, loss: float) -> None:
        """The loss of the configuration asked for last."""

    def is_active(self, name: str, decided: Values) -> bool:
        """Given the parameters before it, which are all it can depend on."""
        return name in self.space.complete({**self.anything, **decided})


def lowest(fields: Values) -> Any:
    """Some value of a parameter."""
    kind = fields["type"]
    if kind in ("real", "integer"):
        return fields["low"]
    return False if kind == "boolean" else options(fields)[0]


def options(fields: Values) -> List[Any]:
    """The values of a parameter that lists them."""
    if fields["type"] == "boolean":
        return [False, True]
    return list(fields.get("choices") or fields.get("values") or [fields.get("value")])


class Optuna(Peer):
    """native: only active parameters are suggested."""

    def sampler(self, optuna: Any) -> Any:
        """Which of its samplers; nothing leaves that to the library."""
        return None

    def setup(self) -> None:
        optuna = need("optuna")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.study = optuna.create_study(sampler=self.sampler(optuna))

    def ask(self) -> Values:
        self.trial = self.study.ask()
        decided: Values = {}
        for name, fields in self.fields.items():
            if self.is_active(name, decided):
                decided[name] = self.suggest(name, fields)
        return decided

    def suggest(self, name: str, fields: Values) -> Any:
        if fields["type"] == "real":
            return self.trial.suggest_float(name, fields["low"], fields["high"], log=fields.get("log", False))
        if fields["type"] == "integer":
            return self.trial.suggest_int(name, fields["low"], fields["high"], log=fields.get("log", False))
        return self.trial.suggest_categorical(name, options(fields))

    def tell(self, loss: float) -> None:
        self.study.tell(self.trial, loss)


class OptunaTpe(Optuna):
    """native; multivariate, a model per group of parameters that occur together."""

    def sampler(self, optuna: Any) -> Any:
        return optuna.samplers.TPESampler(seed=self.seed, multivariate=True, group=True)


class OptunaGp(Optuna):
    """native in form: it models the parameters that occur in every trial and draws the others."""

    def sampler(self, optuna: Any) -> Any:
        need("torch")
        return optuna.samplers.GPSampler(seed=self.seed, deterministic_objective=True)


class Rustuna(Optuna):
    """native, by the interface of Optuna."""

    def setup(self) -> None:
        rustuna = need("rustuna")
        self.study = rustuna.create_study(sampler=rustuna.samplers.TPESampler(seed=self.seed))

    def tell(self, loss: float) -> None:
        self.study.tell(self.trial.number, loss)


class Hyperopt(Peer):
    """flat, quantised ranges as in its own documentation."""

    def setup(self) -> None:
        need("hyperopt")
        from hyperopt import Domain, Trials, hp
        from numpy import log

        self.random = random.Random(self.seed)
        kinds: Values = {}
        for name, fields in self.fields.items():
            if fields["type"] == "real" and fields.get("log"):
                kinds[name] = hp.loguniform(name, log(fields["low"]), log(fields["high"]))
            elif fields["type"] == "real":
                kinds[name] = hp.uniform(name, fields["low"], fields["high"])
            elif fields["type"] == "integer":
                kinds[name] = hp.uniformint(name, fields["low"], fields["high"])
            else:
                kinds[name] = hp.choice(name, list(range(len(options(fields)))))
        self.domain, self.history = Domain(lambda values: 0.0, kinds), Trials()

    def ask(self) -> Values:
        from hyperopt import JOB_STATE_DONE, tpe

        numbers = self.history.new_trial_ids(1)
        self.history.refresh()
        self.document = tpe.suggest(numbers, self.domain, self.history, self.random.randrange(2**31))[0]
        self.document["state"] = JOB_STATE_DONE
        drawn = {name: value[0] for name, value in self.document["misc"]["vals"].items()}
        return self.space.complete({name: self.value(fields, drawn[name]) for name, fields in self.fields.items()})

    def value(self, fields: Values, drawn: Any) -> Any:
        if fields["type"] == "real":
            return min(max(float(drawn), fields["low"]), fields["high"])
        return int(drawn) if fields["type"] == "integer" else options(fields)[int(drawn)]

    def tell(self, loss: float) -> None:
        self.document["result"] = {"loss": loss, "status": "ok"}
        self.history.insert_trial_docs([self.document])
        self.history.refresh()


class Smac(Peer):
    """native, through ConfigSpace: random forests."""

    facade = "HyperparameterOptimizationFacade"

    def setup(self) -> None:
        smac = need("smac")
        from ConfigSpace import ConfigurationSpace

        folder = tempfile.mkdtemp(prefix="arbora-lab-")
        weakref.finalize(self, shutil.rmtree, folder, True)
        document = os.path.join(folder, "space.json")
        with open(document, "w", encoding="utf-8") as file:
            file.write(self.space.to_configspace())
        space = ConfigurationSpace.from_json(document)
        space.seed(self.seed)
        scenario = smac.Scenario(
            space, n_trials=self.trials, seed=self.seed, deterministic=True, output_directory=folder
        )
        self.smac = getattr(smac, self.facade)(
            scenario, lambda config, seed=0: 0.0, overwrite=True, logging_level=50
        )

    def ask(self) -> Values:
        self.info = self.smac.ask()
        given = {name: value.item() if hasattr(value, "item") else value for name, value in dict(self.info.config).items()}
        return {name: self.value(self.fields[name], value) for name, value in given.items()}

    def value(self, fields: Values, given: Any) -> Any:
        if fields["type"] in ("real", "integer"):
            return given
        return next((option for option in options(fields) if str(option) == str(given)), given)

    def tell(self, loss: float) -> None:
        from smac.runhistory.dataclasses import TrialValue

        self.smac.tell(self.info, TrialValue(cost=loss))


class SmacGp(Smac):
    """native: Gaussian process, inactive values imputed."""

    facade = "BlackBoxFacade"


class Hebo(Peer):
    """flat."""

    def setup(self) -> None:
        need("hebo.optimizers.hebo", "HEBO")
        from hebo.design_space.design_space import DesignSpace
        from hebo.optimizers.hebo import HEBO

        self.hebo = HEBO(DesignSpace().parse([self.kind(*item) for item in self.fields.items()]), scramble_seed=self.seed)

    def kind(self, name: str, fields: Values) -> Values:
        if fields["type"] == "real":
            return {"name": name, "type": "pow" if fields.get("log") else "num", "lb": fields["low"], "ub": fields["high"]}
        if fields["type"] == "integer":
            return {"name": name, "type": "int", "lb": fields["low"], "ub": fields["high"]}
        return {"name": name, "type": "cat", "categories": [str(option) for option in options(fields)]}

    def ask(self) -> Values:
        self.asked = self.hebo.suggest(n_suggestions=1)
        row = self.asked.iloc[0]
        return self.space.complete({name: self.value(fields, row[name]) for name, fields in self.fields.items()})

    def value(self, fields: Values, given: Any) -> Any:
        if fields["type"] == "real":
            return min(max(float(given), fields["low"]), fields["high"])
        if fields["type"] == "integer":
            return int(given)
        return next(option for option in options(fields) if str(option) == str(given))

    def tell(self, loss: float) -> None:
        import numpy

        self.hebo.observe(self.asked, numpy.array([[loss]]))


class Ax(Peer):
    """flat: BoTorch's Gaussian processes behind Ax."""

    def setup(self) -> None:
        need("ax", "ax-platform")
        from ax.api.client import Client
        from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig
        from ax.utils.common.logger import set_stderr_log_level

        # It would report every trial.
        set_stderr_log_level(logging.WARNING)

        kinds: List[Any] = []
        for name, fields in self.fields.items():
            if fields["type"] in ("real", "integer"):
                kind = "float" if fields["type"] == "real" else "int"
                scaling = "log" if fields.get("log") else "linear"
                bounds = (fields["low"], fields["high"])
                kinds.append(RangeParameterConfig(name=name, bounds=bounds, parameter_type=kind, scaling=scaling))
            else:
                texts = [str(option) for option in options(fields)]
                kinds.append(ChoiceParameterConfig(name=name, values=texts, parameter_type="str", is_ordered=False))
        self.client = Client(random_seed=self.seed)
        self.client.configure_experiment(parameters=kinds)
        self.client.configure_optimization(objective="-loss")

    def ask(self) -> Values:
        ((self.number, given),) = self.client.get_next_trials(max_trials=1).items()
        values = {
            name: next((option for option in options(fields) if str(option) == given[name]), None)
            if fields["type"] not in ("real", "integer")
            else given[name]
            for name, fields in self.fields.items()
        }
        return self.space.complete(values)

    def tell(self, loss: float) -> None:
        self.client.complete_trial(self.number, raw_data={"loss": loss})


PEERS: Dict[str, Callable[[arbora.Space, int, int], Peer]] = {
    "optuna-tpe": OptunaTpe,
    "optuna-gp": OptunaGp,
    "rustuna": Rustuna,
    "hyperopt": Hyperopt,
    "smac": Smac,
    "smac-gp": SmacGp,
    "hebo": Hebo,
    "botorch": Ax,
}


class Peers:
    """One search at a time. A failed evaluation is told as the worst loss so far: not every library
    takes failures."""

    def __init__(self) -> None:
        self.peer: Optional[Peer] = None
        self.worst = 0.0

    def open(self, request: Dict[str, Any]) -> Dict[str, Any]:
        name = request["open"]
        if name not in PEERS:
            raise Missing(f"`{name}` is no optimizer; known are {', '.join(PEERS)}")
        space = arbora.Space.from_dict(request["space"])
        self.peer = PEERS[name](space, request["seed"], request["trials"])
        return {"ready": True}

    def ask(self, request: Dict[str, Any]) -> Dict[str, Any]:
        assert self.peer is not None
        return {"configuration": self.peer.ask()}

    def tell(self, request: Dict[str, Any]) -> Dict[str, Any]:
        assert self.peer is not None
        if "add" in request:
            return {"error": "results from elsewhere are not taken"}
        loss = request["tell"]
        self.worst = self.worst if loss is None else max(self.worst, loss)
        self.peer.tell(self.worst if loss is None else float(loss))
        return {"told": True}


if __name__ == "__main__":
    serve(Peers())
