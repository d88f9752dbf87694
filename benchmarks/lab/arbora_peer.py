"""Arbora as a contender in the lab of conditional problems, next to the other optimizers.

The lab (a folder with `run.py`, `peers.py` and `problems.py`) takes contenders as `module:Class`:

    cargo build --release -p arbora-papers --example pipe
    PYTHONPATH=benchmarks/lab python LAB/run.py --peers arbora_peer:Conditional,optuna_tpe_group --problems … --out …

Each run talks to its own process of the `pipe` example, one JSON line each way. The lab's `cpu_ms` counts its own
process alone, so the CPU time of ours is written to the file named by ARBORA_TIMES, if set: one JSON line per ask,
{"problem", "strategy", "seed", "i", "ask_cpu_ms"}. ARBORA_PIPE names another binary.
"""
import json
import math
import os

from peers import Peer
from pipe import Pipe
from problems import Above


def condition(parent, values):
    """One condition of the lab in the space format: a table of alternatives, or an expression for a threshold."""
    if isinstance(values, Above):
        return f"`{parent}` > {values.threshold!r}"
    return {parent: list(values)}


def parameter(param):
    """One parameter of the lab in the space format."""
    if param.kind == "cat":
        written = {"type": "choice", "choices": list(param.choices)}
    else:
        kind = {"int": "integer", "float": "real"}[param.kind]
        written = {"type": kind, "low": param.low, "high": param.high, "log": param.log}
    if param.when:
        written["when"] = [condition(parent, values) for parent, values in param.when]
    return written


class Arbora(Peer):
    """native: the study is told the conditions. Subclasses name the strategy."""
    strategy = "gp-conditional"

    def setup(self):
        space = {"parameters": {param.name: parameter(param) for param in self.problem.params}}
        self.pipe, self.asked = Pipe(space, self.strategy, self.seed), 0

    def ask(self):
        before = self.pipe.cpu_seconds()
        answer = self.pipe.send({"ask": True})
        self.note(self.pipe.cpu_seconds() - before)
        self.number = answer["number"]
        return answer["configuration"]

    def tell(self, config, y):
        self.pipe.send({"tell": self.number, "loss": float(y) if math.isfinite(y) else None})

    def preload(self, fulls, ys):
        for full, y in zip(fulls, ys):
            self.pipe.send({"add": self.problem.active(full), "loss": float(y) if math.isfinite(y) else None})

    def note(self, cpu_seconds):
        """Leaves the CPU time of an ask where the lab's own clock cannot see it."""
        row = {"problem": self.problem.name, "strategy": self.strategy, "seed": self.seed, "i": self.asked,
               "ask_cpu_ms": round(1e3 * cpu_seconds, 3)}
        self.asked += 1
        if path := os.environ.get("ARBORA_TIMES"):
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def __del__(self):
        if hasattr(self, "pipe"):
            self.pipe.close()


def __getattr__(name):
    """Contenders given part by part: ARBORA_SPECS names a JSON file {name: strategy}."""
    path = os.environ.get("ARBORA_SPECS")
    if path and not name.startswith("_"):
        with open(path, encoding="utf-8") as file:
            specs = json.load(file)
        if name in specs:
            return type(name, (Arbora,), {"strategy": specs[name], "__doc__": f"{name} of {path}"})
    raise AttributeError(name)


class Random(Arbora):
    """Draws from the priors."""
    strategy = "random"


class Conditional(Arbora):
    """Gaussian process that isolates branches."""
    strategy = "gp-conditional"


class Matern(Arbora):
    """Gaussian process on imputed points."""
    strategy = "gp-matern"


class MaternLocal(Arbora):
    """The same, maximised by local search and gradients."""
    strategy = "gp-matern-polish"
