#!/usr/bin/env python3
"""Automatic models on a large table of everything: 80 000 rows that teach, 20 000 that test.

    large.py --seconds 60 --ensembles none,post-hoc,optimised

Twelve columns of numbers (one with gaps), 300 cities, five kinds, a truth value; the label depends on five of them. One line per
model: task, kind of ensemble, trials, validation and test score, seconds. One run says little; repeat it with other seeds.
"""
import argparse
import json
import time

import numpy as np
import pandas

ROWS, TEACH = 100_000, 80_000


def table(seed):
    """The columns, and a number that depends on some of them."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame({f"x{i}": rng.normal(size=ROWS) for i in range(12)})
    frame["city"] = rng.choice([f"c{i}" for i in range(300)], ROWS)
    frame["kind"] = pandas.Categorical(rng.choice(list("abcde"), ROWS))
    frame["flag"] = rng.random(ROWS) < 0.3
    frame.loc[rng.random(ROWS) < 0.1, "x3"] = np.nan
    signal = frame.x0 * frame.x1 + np.sin(3 * frame.x2) + 1.5 * (frame.kind == "a")
    return frame, (signal + 0.5 * rng.normal(size=ROWS)).to_numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ensembles", type=lambda text: text.split(","), default=["post-hoc", "optimised"])
    options = parser.parse_args()
    from arbora import AutoClassifier, AutoRegressor

    frame, numbers = table(options.seed)
    tasks = [(AutoClassifier, np.where(numbers > 0, "up", "down")), (AutoRegressor, numbers)]
    for kind, target in tasks:
        for ensemble in options.ensembles:
            began = time.monotonic()
            model = kind(time_budget=options.seconds, ensemble=ensemble, random_state=options.seed)
            model.fit(frame[:TEACH], target[:TEACH])
            print(json.dumps({
                "task": kind.__name__, "ensemble": ensemble, "trials": len(model.study_),
                "validation": round(model.validation_score_, 4), "test": round(model.score(frame[TEACH:], target[TEACH:]), 4),
                "seconds": round(time.monotonic() - began, 1),
            }), flush=True)


if __name__ == "__main__":
    main()
