"""Baselines: CMA-ES against `cmaes`; DIRECT, Sobol points and Parzen densities against SciPy."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable

import numpy as np
import scipy.optimize
from asking import PROGRAMS, ask, claim, report
from cmaes import CMA
from scipy import stats
from scipy.stats import qmc

Function = Callable[[np.ndarray], float]


def cube(dimensions: int) -> dict:
    return {"parameters": {f"x{i}": {"type": "real", "low": 0.0, "high": 1.0} for i in range(dimensions)}}


def sphere(x: np.ndarray) -> float:
    return float(np.sum((x - 0.3) ** 2))


def ellipsoid(x: np.ndarray) -> float:
    return float(np.sum(10 ** (3 * np.arange(len(x)) / (len(x) - 1)) * (x - 0.4) ** 2))


def our_best(function: Function, seeds: int) -> list[float]:
    """The best of 400 evaluations in five dimensions, for every seed."""
    with subprocess.Popen([PROGRAMS / "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as study:
        into, out = study.stdin, study.stdout
        assert into is not None and out is not None

        def say(request: dict) -> dict:
            print(json.dumps(request), file=into, flush=True)
            return json.loads(out.readline())

        found = []
        for seed in range(seeds):
            say({"space": cube(5), "strategy": "cma", "seed": seed})
            best = math.inf
            for _ in range(400):
                trial = say({"ask": True})
                loss = function(np.array(list(trial["configuration"].values())))
                say({"tell": trial["number"], "loss": loss})
                best = min(best, loss)
            found.append(best)
        return found


def their_best(function: Function, seed: int) -> float:
    """The same by `cmaes`, told to learn from the better half alone, as the papers and ours do."""
    bounds = np.array([[0.0, 1.0]] * 5)
    optimizer, best, spent = CMA(mean=np.full(5, 0.5), sigma=0.3, bounds=bounds, seed=seed), math.inf, 0
    optimizer._weights = np.maximum(optimizer._weights, 0.0)
    while spent < 400:
        told = [(x, function(x)) for x in (optimizer.ask() for _ in range(optimizer.population_size))]
        spent += len(told)
        best = min(best, *(value for _, value in told))
        optimizer.tell(told)
    return best


def check_cma(function: Function) -> None:
    here = np.log10(our_best(function, 12))
    there = np.log10([their_best(function, seed) for seed in range(31)])
    p = stats.mannwhitneyu(here, there).pvalue
    claim(f"cma, {function.__name__}: as near the optimum as cmaes", p > 0.01 or np.median(here) < np.median(there),
          f"median 10^{np.median(here):.2f} here, 10^{np.median(there):.2f} there, p of a difference {p:.2f}")


def branin(x: np.ndarray) -> float:
    bend = x[1] - 5.1 / (4 * np.pi**2) * x[0] ** 2 + 5 / np.pi * x[0] - 6
    return float(bend**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x[0]) + 10)


def camel(x: np.ndarray) -> float:
    a, b = x[0] ** 2, x[1] ** 2
    return float((4 - 2.1 * a + a**2 / 3) * a + x[0] * x[1] + (-4 + 4 * b) * b)


def goldstein(p: np.ndarray) -> float:
    x, y = p
    first = 19 - 14 * x + 3 * x**2 - 14 * y + 6 * x * y + 3 * y**2
    second = 18 - 32 * x + 12 * x**2 + 48 * y - 36 * x * y + 27 * y**2
    return float((1 + (x + y + 1) ** 2 * first) * (30 + (2 * x - 3 * y) ** 2 * second))


def check_direct() -> None:
    """As good as SciPy's after as many evaluations."""
    known = [
        (branin, [(-5, 10), (0, 15)], 0.397887357729738),
        (camel, [(-3, 3), (-2, 2)], -1.031628453489877),
        (goldstein, [(-2, 2), (-2, 2)], 3.0),
    ]
    questions = [{"minimize": {"function": f.__name__, "evaluations": 400}} for f, _, _ in known]
    settings = {"eps": 1e-4, "maxfun": 400, "locally_biased": False, "vol_tol": 0, "len_tol": 0}
    for (function, bounds, optimum), ours in zip(known, ask("believe", questions), strict=True):
        theirs = scipy.optimize.direct(function, bounds, **settings).fun - optimum
        report(f"direct, {function.__name__}: above the optimum", ours["value"] - optimum, max(2 * theirs, 1e-4))


def check_sobol() -> None:
    answers = ask("pipe", [{"space": cube(4), "strategy": "sobol", "seed": 7}, *[{"ask": True}] * 128])
    ours = qmc.discrepancy(np.array([list(a["configuration"].values()) for a in answers[1:]]))
    theirs = np.median([qmc.discrepancy(qmc.Sobol(4, seed=s).random(128)) for s in range(9)])
    chance = np.median([qmc.discrepancy(np.random.default_rng(s).random((128, 4))) for s in range(9)])
    claim("sobol: as even as SciPy's", ours < 2 * theirs < chance,
          f"discrepancy {ours:.1e} here, {theirs:.1e} there, {chance:.1e} by chance")


def check_densities() -> None:
    """Normals around the observations and the prior N(½, 1), cut off at 0 and 1; widths by the larger
    gap, at least 1/(1 + components)  [hyperopt]."""
    observed = [0.1, 0.45, 0.5, 0.9]
    means = sorted([*observed, 0.5])
    prior = means.index(0.5) + observed.count(0.5)
    gaps = [[abs(means[i] - means[j]) for j in (i - 1, i + 1) if 0 <= j < len(means)] for i in range(len(means))]
    widths = [1.0 if i == prior else min(1.0, max(*gaps[i], 1 / (1 + len(means)))) for i in range(len(means))]
    laws = [stats.norm(m, s) for m, s in zip(means, widths, strict=True)]
    inside = sum(law.cdf(1) - law.cdf(0) for law in laws)
    at = np.linspace(0, 1, 11)
    (said,) = ask("score", [{"parzen": {"observed": observed, "at": at.tolist()}}])
    for place, density in zip(at, said, strict=True):
        report("parzen density", abs(density / (sum(law.pdf(place) for law in laws) / inside) - 1), 1e-12)


def check() -> None:
    check_cma(sphere)
    check_cma(ellipsoid)
    check_direct()
    check_sobol()
    check_densities()
