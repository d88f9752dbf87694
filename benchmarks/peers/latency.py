#!/usr/bin/env python3
"""How long other tools take for one suggestion, given n observations, on one thread.

    latency.py [--peers optuna-tpe-group,smac-blackbox] [--sizes 50,200] [--asks 5] [--limit 30]

Prints one JSON line per tool and size, as soon as it is known: {"peer", "n", "cpu_ms", "wall_ms", "asks"}, medians over
the asks at n, n+1, … observations; the first ask after loading the history is not counted, since it pays for imports
and caches. A size gets no further asks once they have taken `--limit` seconds of CPU, and a tool that needs as much for
one suggestion is not asked at larger sizes; what was left out, and why, goes to standard error. Needs the packages of
requirements.txt.
"""
import os

# Before anything numerical is imported: one thread, as everyone is measured.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import json
import statistics
import sys
import time

from cash import history, loss
from engines import ENGINES


def timed_ask(engine):
    """Asks once; (CPU milliseconds, wall milliseconds) of the suggestion alone."""
    cpu, wall = time.process_time(), time.perf_counter()
    configuration = engine.ask()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    engine.tell(loss(configuration))
    return 1e3 * cpu, 1e3 * wall


def measure(peer, size, options):
    """Medians over several asks, fewer where they take too long."""
    engine = ENGINES[peer](options.seed)
    engine.preload(history(size, options.seed))
    times, spent = [timed_ask(engine)], 0.0
    while len(times) <= options.asks and spent < 1e3 * options.limit:
        times.append(timed_ask(engine))
        spent += times[-1][0]
    counted = times[1:]
    cpu, wall = (statistics.median(column) for column in zip(*counted))
    return {"peer": peer, "n": size, "cpu_ms": round(cpu, 3), "wall_ms": round(wall, 3), "asks": len(counted)}


def sweep(peer, sizes, options):
    """One tool at growing sizes, until it is too slow to go on."""
    for size in sizes:
        try:
            line = measure(peer, size, options)
        except ImportError as missing:
            print(f"{peer}: left out, {missing}; install requirements.txt", file=sys.stderr)
            return
        print(json.dumps(line), flush=True)
        if line["cpu_ms"] > 1e3 * options.limit and size != sizes[-1]:
            print(f"{peer}: stopped at n = {size}, over {options.limit:g} s of CPU per suggestion", file=sys.stderr)
            return


def main():
    arguments = argparse.ArgumentParser(description="Time one suggestion of other tools.")
    arguments.add_argument("--peers", default=",".join(ENGINES), help="comma-separated; default: all")
    arguments.add_argument("--sizes", default="50,100,200,500,1000", help="comma-separated numbers of observations")
    arguments.add_argument("--asks", type=int, default=5, help="suggestions per size")
    arguments.add_argument("--limit", type=float, default=30.0, help="seconds of CPU worth waiting for")
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    peers = options.peers.split(",")
    if unknown := [peer for peer in peers if peer not in ENGINES]:
        arguments.error(f"unknown peer {', '.join(unknown)}; there are {', '.join(ENGINES)}")
    for peer in peers:
        sweep(peer, sizes, options)


if __name__ == "__main__":
    main()
