#!/usr/bin/env python3
"""CPU time and memory of one suggestion over the number of trials, ours and Optuna's TPE, in one run.

    growth.py [--tools auto,gp-conditional,optuna-tpe-group] [--spaces cash,tree] [--histories balanced,skewed]
              [--sizes 20,50,…,10000] [--asks 5] [--limit 20] [--pending 0] [--out FILE.jsonl]

A tool is a strategy of Arbora (a name, or JSON), `optuna-tpe-group` or `optuna-tpe`. Spaces: `cash` has nine classifiers
and 14 parameters (cash.py); `tree` has six learners with a mode each and 38 parameters on two levels of conditions.
`balanced` histories are random, in `skewed` ones 60 % of the trials have the same learner. Every case runs in a process
of its own on one thread and prints one JSON line: CPU milliseconds of the first ask after loading, the median of ask and
tell together over the next ones, and the peak of memory beyond what importing the tool took. A tool that needs `--limit`
seconds for one suggestion is not asked at larger sizes.
"""
import os

# Before anything numerical is imported: one thread, as everyone is measured.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
import warnings

from cash import CLASSIFIERS, Number

SIZES = "20,50,100,200,290,500,1000,2000,5000,10000"


def cash():
    """Name -> (what it can be, name and value it depends on)."""
    space = {"classifier": (list(CLASSIFIERS), {})}
    for classifier, numbers in CLASSIFIERS.items():
        space |= {name: (number, {"classifier": classifier}) for name, number in numbers.items()}
    return space


def tree():
    """Six learners; each has a mode, three numbers of its own and one more per mode."""
    space = {"scaling": (Number(0.1, 10.0, log=True), {}), "learner": ([f"learner{i}" for i in range(6)], {})}
    for i in range(6):
        here = {"learner": f"learner{i}"}
        space[f"mode{i}"] = (["a", "b"], here)
        space[f"rate{i}"] = (Number(1e-4, 1.0, log=True), here)
        space[f"depth{i}"] = (Number(1, 20), here)
        space[f"share{i}"] = (Number(0.0, 1.0), here)
        space[f"strength{i}"] = (Number(1e-3, 1e3, log=True), {f"mode{i}": "a"})
        space[f"width{i}"] = (Number(1, 256), {f"mode{i}": "b"})
    return space


SPACES = {"cash": cash, "tree": tree}


def is_active(when, configuration):
    return all(configuration.get(name) == value for name, value in when.items())


def draw(space, generator, skewed):
    """A random configuration; with `skewed`, 60 % of them in the first branch."""
    configuration = {}
    for name, (domain, when) in space.items():
        if not is_active(when, configuration):
            continue
        if isinstance(domain, list):
            in_first = skewed and not when and generator.random() < 0.55
            configuration[name] = domain[0] if in_first else generator.choice(domain)
        else:
            configuration[name] = domain.at(generator.random())
    return configuration


def loss(space, configuration):
    """A bowl per branch with its optimum off the centre."""
    total = 0.1
    for i, (name, value) in enumerate(configuration.items()):
        domain = space[name][0]
        if isinstance(domain, list):
            total += 0.03 * domain.index(value)
        else:
            total += (domain.unit(value) - 0.3 - 0.05 * i) ** 2
    return total


class Arbora:
    def __init__(self, space, strategy, seed):
        import arbora

        spec = {"parameters": {name: self.parameter(domain, when) for name, (domain, when) in space.items()}}
        strategy = json.loads(strategy) if strategy.startswith("{") else strategy
        self.study = arbora.Study(arbora.Space.from_dict(spec), strategy=strategy, seed=seed, threads=1)

    @staticmethod
    def parameter(domain, when):
        if isinstance(domain, list):
            fields = {"type": "choice", "choices": domain}
        else:
            fields = {"type": "integer" if domain.whole else "real", "low": domain.low, "high": domain.high}
            fields |= {"log": True} if domain.log else {}
        return fields | ({"when": when} if when else {})

    def add(self, configuration, value):
        self.study.add(configuration, value)

    def ask(self):
        self.trial = self.study.ask()
        return dict(self.trial.params)

    def tell(self, value):
        self.study.tell(self.trial, value)


class OptunaTpe:
    def __init__(self, space, strategy, seed):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna, self.space = optuna, space
        options = {"multivariate": True, "group": True} if strategy.endswith("group") else {}
        warnings.simplefilter("ignore")
        sampler = optuna.samplers.TPESampler(seed=seed, constant_liar=True, **options)
        self.study = optuna.create_study(sampler=sampler)

    def distribution(self, domain):
        kinds = self.optuna.distributions
        if isinstance(domain, list):
            return kinds.CategoricalDistribution(domain)
        kind = kinds.IntDistribution if domain.whole else kinds.FloatDistribution
        return kind(domain.low, domain.high, log=domain.log)

    def add(self, configuration, value):
        distributions = {name: self.distribution(self.space[name][0]) for name in configuration}
        trial = self.optuna.trial.create_trial(params=configuration, distributions=distributions, value=value)
        self.study.add_trial(trial)

    def ask(self):
        self.trial = self.study.ask()
        configuration = {}
        for name, (domain, when) in self.space.items():
            if not is_active(when, configuration):
                continue
            if isinstance(domain, list):
                configuration[name] = self.trial.suggest_categorical(name, domain)
            else:
                suggest = self.trial.suggest_int if domain.whole else self.trial.suggest_float
                configuration[name] = suggest(name, domain.low, domain.high, log=domain.log)
        return configuration

    def tell(self, value):
        self.study.tell(self.trial, value)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(case):
    """One case in this process."""
    space, generator = SPACES[case["space"]](), random.Random(case["seed"])
    kind = OptunaTpe if case["tool"].startswith("optuna") else Arbora
    engine = kind(space, case["tool"], case["seed"])
    before = peak()
    for _ in range(case["n"]):
        configuration = draw(space, generator, case["history"] == "skewed")
        engine.add(configuration, loss(space, configuration))
    for _ in range(case["pending"]):
        engine.ask()
    times = []
    while len(times) <= case["asks"] and sum(times[1:]) < case["limit"]:
        start = time.process_time()
        configuration = engine.ask()
        asked = time.process_time() - start
        value = loss(space, configuration)
        start = time.process_time()
        engine.tell(value)
        times.append(asked + time.process_time() - start)
        if case["pending"]:
            engine.ask()
    later = statistics.median(times[1:]) if len(times) > 1 else times[0]
    return case | {
        "first_ms": round(1e3 * times[0], 2),
        "cpu_ms": round(1e3 * later, 2),
        "slowest_ms": round(1e3 * max(times[1:] or times), 2),
        "peak_mb": round(peak() - before, 1),
    }


def sweep(options):
    out = open(options.out, "a", encoding="utf-8") if options.out else None
    for space in options.spaces.split(","):
        for history in options.histories.split(","):
            for tool in options.tools:
                for n in sorted(int(size) for size in options.sizes.split(",")):
                    case = {"tool": tool, "space": space, "history": history, "n": n, "pending": options.pending}
                    case |= {"asks": options.asks, "limit": options.limit, "seed": options.seed}
                    command = [sys.executable, __file__, "--case", json.dumps(case)]
                    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
                    print(line, flush=True)
                    if out:
                        print(line, file=out, flush=True)
                    if json.loads(line)["cpu_ms"] > 1e3 * options.limit:
                        print(f"{tool}: over {options.limit:g} s at n = {n}, not asked at more", file=sys.stderr)
                        break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", nargs="+", default=["auto", "gp-conditional", "optuna-tpe-group"])
    parser.add_argument("--spaces", default="cash,tree")
    parser.add_argument("--histories", default="balanced,skewed")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--asks", type=int, default=5)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--pending", type=int, default=0, help="trials that are asked for and never told")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", help="append the lines to this file")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print(json.dumps(measure(json.loads(options.case))))
    else:
        sweep(options)


if __name__ == "__main__":
    main()
