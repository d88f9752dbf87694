#!/usr/bin/env python3
"""Runs what is missing of the papers' experiments, at idle priority, and packs what is there.

    make papers                         all of it, in the order of worth; Ctrl-C any time
    make papers ONLY="x4 x7"            some of it
    make papers DATA=FOLDER JOBS=1      data sets of your own, fewer cores

Nothing is run twice: finished runs are lines of `lab/`, and packed ones in `benchmarks/results` count as finished.
When it is interrupted (Ctrl-C, SIGTERM) the runs under way are given up, the finished ones packed. What is run on
`bundled` data stays in `lab-bundled`, since packages differ from the papers' files in places (docs/LAB.md).
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys

# In the order of worth.
ORDER = ["x4", "x6", "x7", "x3", "x8", "x2", "x9", "x10", "x11", "x5", "x12", "x1"]
"""The plan is docs/PAPERS.md."""


def idle() -> None:
    """The lowest priority there is: only cores that nobody else wants."""
    os.nice(19)
    try:
        # Linux shares cores between sessions first: a session of low priority is what makes the rest count.
        pathlib.Path("/proc/self/autogroup").write_text("19", encoding="ascii")
    except OSError:
        pass
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):
        pass  # Not on this system: nice must do.


def run(arguments: argparse.Namespace, experiment: str) -> int:
    command = [arguments.arbora, "bench", "run", experiment, "--size", "reduced", "--out", str(arguments.lab)]
    command += ["--jobs", str(arguments.jobs), "--python", arguments.python, "--data", arguments.data]
    child = subprocess.Popen(command, preexec_fn=idle, start_new_session=True)
    told = []

    def stop(number: int, _: object) -> None:
        told.append(number)
        child.send_signal(signal.SIGINT)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    code = child.wait()
    for number, handler in before.items():
        signal.signal(number, handler)
    return 128 + told[0] if told else code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arbora", required=True, help="the command")
    parser.add_argument("--python", required=True, help="an interpreter with the package and scikit-learn")
    parser.add_argument("--data", required=True, help="folder of data sets, or `bundled`")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs side by side")
    parser.add_argument("--lab", type=pathlib.Path, help="where runs go [default: lab, or lab-bundled]")
    parser.add_argument("--results", type=pathlib.Path, help="packed ones [default: benchmarks/results, or packed/ there]")
    parser.add_argument("only", nargs="*", help=f"experiments [default: {' '.join(ORDER)}]")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.only if name not in ORDER]
    if unknown:
        parser.error(f"no experiment is called {', '.join(unknown)}; known are {', '.join(ORDER)}")
    is_bundled = arguments.data == "bundled"
    arguments.lab = arguments.lab or pathlib.Path("lab-bundled" if is_bundled else "lab")
    kept = arguments.lab / "packed" if is_bundled else pathlib.Path("benchmarks/results")
    arguments.results = arguments.results or kept
    for folder in (arguments.lab, arguments.results):
        folder.mkdir(parents=True, exist_ok=True)
    for packed in arguments.results.glob("*.packed.jsonl"):
        shutil.copy(packed, arguments.lab)
    code = 0
    for experiment in arguments.only or ORDER:
        code = run(arguments, experiment)
        if code >= 128:  # Interrupted; an experiment that failed in part does not stop the others.
            break
    pack = [arguments.arbora, "bench", "pack", "--from", str(arguments.lab), "--out", str(arguments.results)]
    subprocess.run(pack, check=True, stdout=subprocess.DEVNULL)
    print(f"packed into {arguments.results}; `arbora bench report --from {arguments.lab}` makes the report")
    return code


if __name__ == "__main__":
    sys.exit(main())
