"""Compare baselines with other packages: CMA-ES with `cmaes`, TPE with hyperopt and Optuna, the rest with SciPy.

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


def reference_run(function, seed, active):
    """The best of 400 evaluations in the unit cube, with the same start."""
    bounds = np.array([[0.0, 1.0]] * 5)
    optimizer, best, spent = CMA(mean=np.full(5, 0.5), sigma=0.3, bounds=bounds, seed=seed), math.inf, 0
    if not active:
        optimizer._weights = np.maximum(optimizer._weights, 0.0)
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
    """Ours learns from the better half alone, as the papers; `cmaes` also from the worse half unless told not to."""
    plain, active = ([math.log10(reference_run(function, seed, how)) for seed in range(31)] for how in (False, True))
    here = np.log10(ours)
    p = stats.mannwhitneyu(here, plain).pvalue
    print(f"cma {name}: median 10^{np.median(here):.2f} here, 10^{np.median(plain):.2f} in cmaes (p of a difference "
          f"{p:.2f}), 10^{np.median(active):.2f} in cmaes learning from the worse half too")
    assert p > 0.01 or np.median(here) < np.median(plain), f"{name}: behind"


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


def bowl():
    """Forty evenly spread trials."""
    return [((i + 0.5) / 40, ((i + 0.5) / 40 - 0.3) ** 2) for i in range(40)]


def next_by_hyperopt(seeds):
    from hyperopt import JOB_STATE_DONE, Trials, hp, tpe
    from hyperopt.base import Domain

    trials, domain = Trials(), Domain(lambda x: 0.0, hp.uniform("x", 0, 1))
    for i, (x, loss) in enumerate(bowl()):
        misc = {"tid": i, "cmd": domain.cmd, "idxs": {"x": [i]}, "vals": {"x": [x]}}
        (doc,) = trials.new_trial_docs([i], [None], [{"status": "ok", "loss": loss}], [misc])
        trials.insert_trial_docs([{**doc, "state": JOB_STATE_DONE}])
    trials.refresh()
    return [tpe.suggest([40], domain, trials, seed)[0]["misc"]["vals"]["x"][0] for seed in range(seeds)]


def next_by_optuna(seeds):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    distributions = {"x": optuna.distributions.FloatDistribution(0, 1)}
    told = [optuna.trial.create_trial(params={"x": x}, distributions=distributions, value=y) for x, y in bowl()]

    def suggest(seed):
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
        study.add_trials(told)
        return study.ask(distributions).params["x"]

    return [suggest(seed) for seed in range(seeds)]


def check_tpe(ours):
    """The same rules as hyperopt: the same distribution. Optuna's rules are others; ours must be as near the best."""
    theirs, optuna = next_by_hyperopt(len(ours)), next_by_optuna(len(ours) // 4)
    p = stats.ks_2samp(ours, theirs).pvalue
    off = [float(np.median(np.abs(np.array(x) - 0.3))) for x in (ours, theirs, optuna)]
    print(f"tpe: median distance to the best {off[0]:.4f} here, {off[1]:.4f} in hyperopt (p of a difference in "
          f"distribution {p:.2f}), {off[2]:.4f} in Optuna")
    assert p > 0.01, "another distribution than hyperopt's"


def main():
    data = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout)
    check_cma("sphere", sphere, data["sphere"])
    check_cma("ellipsoid", ellipsoid, data["ellipsoid"])
    check_improvements(data["cases"], data["improvements"])
    check_densities(data["observed"], data["densities"])
    check_sobol(data["sobol"])
    check_tpe(data["tpe"])


if __name__ == "__main__":
    main()
