#!/usr/bin/env python3
"""Do our models say what others say? Compared with scikit-learn and SciPy.

    pip install scikit-learn scipy
    cargo build -p arbora-model --example believe
    python scripts/crosscheck_models.py target/debug/examples/believe

* a dense Matérn process at given hypers: means and variances of scikit-learn's `GaussianProcessRegressor`;
* every hierarchical kernel that has an embedding (arc, imp, imp_arc, standard, wedge), as the same regressor with a
  squared exponential on features that NumPy computes from the papers' formulas;
* Kriging with a nugget: the same formulas in NumPy's dense linear algebra;
* DIRECT: as good as SciPy's after as many evaluations, on three functions.

Prints one line per comparison and exits with 1 on any difference.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

import numpy as np
import scipy.optimize
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

LENGTH_X, LENGTH_Y = 0.6, 0.45
ANGLE, STAND_IN, FAR, BEND = 0.7, 0.3, 0.8, 2.0
FAILURES: list[str] = []


def report(what: str, difference: float, allowed: float) -> None:
    verdict = "ok" if difference <= allowed else "DIFFERENT"
    print(f"{verdict:10} {what:44} {difference:.2e} (allowed {allowed:.0e})")
    if difference > allowed:
        FAILURES.append(what)


def ask(program: str, questions: list[dict]) -> list[dict]:
    text = "\n".join(json.dumps(question) for question in questions)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def draw(rng: np.random.Generator, count: int) -> list[dict]:
    rows = []
    for x, y in rng.random((count, 2)):
        rows.append({"x": x, "y": y} if x > 0.5 else {"x": x})
    return rows


def losses(rows: list[dict]) -> np.ndarray:
    raw = np.array([np.sin(5 * row["x"]) + (row["y"] - 0.4) ** 2 * 3 if "y" in row else row["x"] for row in rows])
    return (raw - raw.mean()) / raw.std()


def imputed(rows: list[dict], stand_in: float) -> np.ndarray:
    return np.array([[row["x"], row.get("y", stand_in)] for row in rows])


def arc(row: dict, radius: float) -> list[float]:
    if "y" not in row:
        return [0.0, 0.0]
    turn = np.pi * ANGLE * row["y"]
    return [radius * np.sin(turn), radius * np.cos(turn)]


def wedge(row: dict) -> list[float]:
    if "y" not in row:
        return [0.0, 0.0]
    near, far, v = 1 / LENGTH_Y, 1 / FAR, row["y"]
    return [near + v * (far * np.cos(BEND) - near), v * far * np.sin(BEND)]


def features(rule: str, rows: list[dict], length_x: float = LENGTH_X) -> np.ndarray:
    out = []
    for row in rows:
        stand_in = {"standard": 0.5}.get(rule, STAND_IN)
        own = {
            "standard": lambda r: [r.get("y", stand_in) / LENGTH_Y],
            "imp": lambda r: [r.get("y", stand_in) / LENGTH_Y],
            "arc": lambda r: arc(r, 1 / LENGTH_Y),
            "imp_arc": lambda r: [*arc(r, 1 / LENGTH_Y), r.get("y", stand_in) / FAR],
            "wedge": wedge,
        }[rule](row)
        out.append([row["x"] / length_x, *own])
    return np.array(out)


HYPERS = {
    "standard": {"length:y": LENGTH_Y},
    "imp": {"length:y": LENGTH_Y, "stand_in:y": STAND_IN},
    "arc": {"length:y": LENGTH_Y, "angle:y": ANGLE},
    "imp_arc": {"arc:y": LENGTH_Y, "angle:y": ANGLE, "imp:y": FAR, "stand_in:y": STAND_IN},
    "wedge": {"near:y": LENGTH_Y, "far:y": FAR, "bend:y": BEND},
}


def compare_processes(program: str, rng: np.random.Generator) -> None:
    rows, at = draw(rng, 25), draw(rng, 40)
    y = losses(rows)
    mean, amplitude, noise = 0.2, 1.3, 0.15
    level = {"mean": mean, "amplitude": amplitude, "noise": noise}
    cases = [("matern52", {"length:x": LENGTH_X, "length:y": LENGTH_Y})]
    cases += [(rule, {"length:x": LENGTH_X, **hypers}) for rule, hypers in HYPERS.items()]
    questions = [
        {
            "surrogate": {"kind": "gp", "kernel": kernel, "infer": {"kind": "fixed"}},
            "hypers": {**level, **hypers},
            "seen": rows,
            "losses": y.tolist(),
            "at": at,
        }
        for kernel, hypers in cases
    ]
    for (kernel, _), said in zip(cases, ask(program, questions), strict=True):
        if kernel == "matern52":
            base = Matern([LENGTH_X, LENGTH_Y], nu=2.5)
            seen, asked = imputed(rows, 0.5), imputed(at, 0.5)
        else:
            # exp(-d) is a squared exponential of length 1/sqrt(2) on the embedding.
            base = RBF(np.sqrt(0.5))
            seen, asked = features(kernel, rows), features(kernel, at)
        theirs = GaussianProcessRegressor(ConstantKernel(amplitude**2) * base, alpha=noise**2, optimizer=None)
        theirs.fit(seen, y - mean)
        expected, deviation = theirs.predict(asked, return_std=True)
        report(f"gp, {kernel}: mean", np.abs(expected + mean - said["mean"]).max(), 1e-9)
        report(f"gp, {kernel}: variance", np.abs(deviation**2 - said["variance"]).max(), 1e-9)


def compare_kriging(program: str, rng: np.random.Generator) -> None:
    rows, at = draw(rng, 15), draw(rng, 30)
    y = losses(rows)
    # Short, so that the matrix without its nugget is far from singular.
    nugget, length_x = 0.03, 0.03
    for rule, hypers in HYPERS.items():
        for reinterpolate in (False, True):
            question = {
                "surrogate": {
                    "kind": "kriging",
                    "kernel": rule,
                    "infer": {"kind": "fixed"},
                    "reinterpolate": reinterpolate,
                },
                "hypers": {"length:x": length_x, "nugget": nugget, **hypers},
                "seen": rows,
                "losses": y.tolist(),
                "at": at,
            }
            (said,) = ask(program, [question])
            f, g = features(rule, rows, length_x), features(rule, at, length_x)
            plain = np.exp(-((f[:, None] - f[None]) ** 2).sum(-1))
            cross = np.exp(-((f[:, None] - g[None]) ** 2).sum(-1))
            raised = plain + nugget * np.eye(len(rows))
            ones = np.ones(len(rows))
            level = ones @ np.linalg.solve(raised, y) / (ones @ np.linalg.solve(raised, ones))
            a = np.linalg.solve(raised, y - level)
            if reinterpolate:
                variance, inner = a @ plain @ a / len(rows), plain
            else:
                variance, inner = (y - level) @ a / len(rows), raised
            mean = level + cross.T @ a
            spread = variance * (1 - (cross * np.linalg.solve(inner, cross)).sum(0))
            name = f"kriging, {rule}, {'re-interpolated' if reinterpolate else 'plain'}"
            report(f"{name}: mean", np.abs(mean - said["mean"]).max(), 1e-9)
            # Both sides lose as many digits as the matrix has in its condition.
            allowed = max(1e-9, 1e-14 * np.linalg.cond(inner))
            report(f"{name}: variance", np.abs(spread - said["variance"]).max(), allowed)


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


def compare_direct(program: str) -> None:
    known = {
        "branin": (branin, [(-5, 10), (0, 15)], 0.397887357729738),
        "camel": (camel, [(-3, 3), (-2, 2)], -1.031628453489877),
        "goldstein": (goldstein, [(-2, 2), (-2, 2)], 3.0),
    }
    for name, (function, bounds, optimum) in known.items():
        (ours,) = ask(program, [{"minimize": name, "evaluations": 400}])
        theirs = scipy.optimize.direct(
            function, bounds, eps=1e-4, maxfun=400, locally_biased=False, vol_tol=0, len_tol=0
        )
        print(f"           direct, {name}: ours {ours['value'] - optimum:.1e} above, SciPy's {theirs.fun - optimum:.1e}")
        report(f"direct, {name}: above the optimum", ours["value"] - optimum, max(2 * (theirs.fun - optimum), 1e-4))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the built example `believe`")
    program = parser.parse_args().program
    rng = np.random.default_rng(1)
    for _ in range(3):
        compare_processes(program, rng)
        compare_kriging(program, rng)
    compare_direct(program)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
