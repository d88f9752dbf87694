"""Compare baselines with other packages: CMA-ES with `cmaes`, the rest with SciPy.

Usage: crosscheck_search.py CROSSCHECK_BINARY
"""

import json
import math
import subprocess
import sys

import numpy as np
from cmaes import CMA
from scipy import integrate, stats
from scipy.stats import qmc


def sphere(x):
    return float(np.sum((x - 0.3) ** 2))


def ellipsoid(x):
    return float(np.sum(10 ** (3 * np.arange(len(x)) / (len(x) - 1)) * (x - 0.4) ** 2))


def reference_run(function, seed):
    """The best of 400 evaluations in the unit cube, with the same start."""
    bounds = np.array([[0.0, 1.0]] * 5)
    optimizer, best, spent = CMA(mean=np.full(5, 0.5), sigma=0.3, bounds=bounds, seed=seed), math.inf, 0
    while spent < 400:
        told = []
        for _ in range(optimizer.population_size):
            x = optimizer.ask()
            told.append((x, function(x)))
            spent += 1
        best = min(best, min(value for _, value in told))
        optimizer.tell(told)
    return best


def check_cma(name, function, ours):
    theirs = [reference_run(function, seed) for seed in range(15)]
    a, b = np.log10(ours), np.log10(theirs)
    print(f"cma {name}: median 10^{np.median(a):.2f} here, 10^{np.median(b):.2f} in cmaes")
    assert np.median(a) < np.median(b) + 1.0, f"{name}: an order of magnitude behind"


def check_improvements(cases, ours):
    for (mean, sd, best), value in zip(cases, ours):
        sigma = math.sqrt(math.log1p((sd / mean) ** 2))
        law = stats.lognorm(s=sigma, scale=mean / math.exp(sigma**2 / 2))
        exact, _ = integrate.quad(lambda y: (best - y) * law.pdf(y), 0, best, epsabs=1e-14)
        assert abs(value / exact - 1) < 1e-7, (mean, sd, best, value, exact)
    print(f"log-normal improvement: {len(cases)} values agree with quadrature")


def check_densities(observed, ours):
    """Truncated normals around sorted observations and the prior; widths by the larger gap."""
    means = sorted([*observed, 0.5])
    prior = means.index(0.5) if observed.count(0.5) == 0 else means.index(0.5) + observed.count(0.5)
    gaps = lambda i: [abs(means[i] - means[j]) for j in (i - 1, i + 1) if 0 <= j < len(means)]
    widths = [1.0 if i == prior else min(1.0, max(max(gaps(i)), 1 / (1 + len(means)))) for i in range(len(means))]
    laws = [stats.norm(m, s) for m, s in zip(means, widths)]
    inside = sum(law.cdf(1) - law.cdf(0) for law in laws)
    for i, value in enumerate(ours):
        exact = sum(law.pdf(i / 10) for law in laws) / inside
        assert abs(value / exact - 1) < 1e-9, (i, value, exact)
    print("parzen densities agree with SciPy's normals")


def check_sobol(points):
    ours = qmc.discrepancy(np.array(points))
    theirs = np.median([qmc.discrepancy(qmc.Sobol(4, seed=s).random(128)) for s in range(9)])
    chance = np.median([qmc.discrepancy(np.random.default_rng(s).random((128, 4))) for s in range(9)])
    print(f"sobol: discrepancy {ours:.2e} here, {theirs:.2e} in SciPy, {chance:.2e} by chance")
    assert ours < 2 * theirs < chance


def main():
    data = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout)
    check_cma("sphere", sphere, data["sphere"])
    check_cma("ellipsoid", ellipsoid, data["ellipsoid"])
    check_improvements(data["cases"], data["improvements"])
    check_densities(data["observed"], data["densities"])
    check_sobol(data["sobol"])


if __name__ == "__main__":
    main()
