"""Arbora as a contender in the lab of conditional problems, next to the other optimizers.

The lab (a folder with `run.py`, `peers.py` and `problems.py`) takes contenders as `module:Class`:

    cargo build --release -p arbora-search --example pipe
    PYTHONPATH=benchmarks/lab python LAB/run.py --peers arbora_peer:Conditional,optuna_tpe_group --problems … --out …

Each run talks to its own process of the `pipe` example, one JSON line each way. The lab's `cpu_ms` counts its own
process alone, so the CPU time of ours is written to the file named by ARBORA_TIMES, if set: one JSON line per ask,
{"problem", "strategy", "seed", "i", "ask_cpu_ms"}. ARBORA_PIPE names another binary.
"""
import json
import math
import os
import subprocess
import time

from peers import Peer
from problems import Above

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.environ.get("ARBORA_PIPE") or os.path.join(REPOSITORY, "target", "release", "examples", "pipe")
ONE_THREAD = {"RAYON_NUM_THREADS": "1"}


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


class Pipe:
    """A study in another process."""

    def __init__(self, space, strategy, seed):
        if not os.path.exists(BINARY):
            raise FileNotFoundError(f"{BINARY}: build it by cargo build --release -p arbora-search --example pipe")
        self.process = subprocess.Popen(
            [BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}
        )
        self.send({"space": space, "strategy": strategy, "seed": seed})

    def send(self, request):
        """One request, one answer."""
        self.process.stdin.write(json.dumps(request, allow_nan=False) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the study ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def cpu_seconds(self):
        """CPU time of the process so far. Linux names another process's clock by its number, see clock_getcpuclockid."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


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
    strategy = "gp-matern-ls"
