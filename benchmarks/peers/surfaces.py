#!/usr/bin/env python3
"""What a user feels before any search: time to install, size, time to import, and how many results a second a store takes.

    surfaces.py --wheel target/wheels/arbora-….whl [--tools arbora,optuna,rustuna] [--trials 200] [--processes 32]

Every tool gets a fresh environment. *Install* is pip's wall time with its dependencies from a warm cache of wheels,
*size* what it added to site-packages, *import* the median of several fresh interpreters minus that of an empty one. *Tells*
are asked with random search and told into one SQLite file: by one process, then by many at once on the same file; p99 is
of a single tell. Prints one JSON line per tool.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ASK_TELL = {
    "arbora": '''
import arbora
space = arbora.Space(); space.real("x", 0.0, 1.0)
study = arbora.Study(space, strategy="random", seed=SEED, storage=FILE, name="s", repeats=True)
def one():
    trial = study.ask()
    def tell(): study.tell(trial, loss=trial["x"])
    return tell
''',
    "optuna": '''
import optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.create_study(storage="sqlite:///" + FILE, study_name="s", load_if_exists=True,
                            sampler=optuna.samplers.RandomSampler(seed=SEED))
def one():
    trial = study.ask(); x = trial.suggest_float("x", 0.0, 1.0)
    def tell(): study.tell(trial, x)
    return tell
''',
    "rustuna": '''
import rustuna
study = rustuna.create_study(storage=rustuna.storages.SQLite3Storage(FILE), study_name="s", load_if_exists=True,
                             sampler=rustuna.samplers.RandomSampler(seed=SEED))
def one():
    trial = study.ask(); x = trial.suggest_float("x", 0.0, 1.0)
    def tell(): study.tell(trial.number, x)
    return tell
''',
}
LOOP = '''
import json, time
times, begin = [], time.perf_counter()
for _ in range(TRIALS):
    tell = one(); before = time.perf_counter(); tell(); times.append(time.perf_counter() - before)
print(json.dumps({"seconds": time.perf_counter() - begin, "tells": times}))
'''


def python(folder):
    return os.path.join(folder, "bin", "python")


def size_of(folder):
    """Bytes of everything under a folder."""
    walk = ((base, name) for base, _, names in os.walk(folder) for name in names)
    return sum(os.path.getsize(os.path.join(base, name)) for base, name in walk)


def site_packages(folder):
    command = [python(folder), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def install(tool, wheel, folder):
    """(seconds, megabytes) of installing a tool into a fresh environment. Installed twice: downloads are not counted."""
    target = wheel if tool == "arbora" else tool
    for _ in range(2):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        before, begin = size_of(site_packages(folder)), time.perf_counter()
        subprocess.run([python(folder), "-m", "pip", "install", "--quiet", target], check=True)
        seconds = time.perf_counter() - begin
    return seconds, (size_of(site_packages(folder)) - before) / 1e6


def run_time(folder, code, repeats=9):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        subprocess.run([python(folder), "-c", code], check=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def tells(tool, folder, trials, processes):
    """(tells per second, p99 in milliseconds, processes that failed) over all processes on one file."""
    with tempfile.TemporaryDirectory() as place:
        head = f"FILE, TRIALS = {os.path.join(place, 'study.db')!r}, {trials}\n"
        made = subprocess.run([python(folder), "-c", head + "SEED = 0\n" + ASK_TELL[tool]], check=False)
        if made.returncode != 0:
            return None, None, processes
        begin = time.perf_counter()
        scripts = [head + f"SEED = {seed if tool != 'arbora' else 0}\n" + ASK_TELL[tool] + LOOP for seed in range(processes)]
        running = [subprocess.Popen([python(folder), "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                   for script in scripts]
        answers = [(process.communicate()[0], process.returncode) for process in running]
        seconds = time.perf_counter() - begin
    good = [json.loads(text) for text, status in answers if status == 0]
    times = sorted(t for answer in good for t in answer["tells"])
    busy = max((answer["seconds"] for answer in good), default=seconds)
    p99 = 1e3 * times[int(0.99 * (len(times) - 1))] if times else None
    return len(times) / busy, p99, processes - len(good)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wheel", required=True)
    options.add_argument("--tools", default="arbora,optuna,rustuna")
    options.add_argument("--trials", type=int, default=200)
    options.add_argument("--processes", type=int, default=32)
    options = options.parse_args()
    for tool in options.tools.split(","):
        with tempfile.TemporaryDirectory() as base:
            folder = os.path.join(base, "venv")
            seconds, megabytes = install(tool, os.path.abspath(options.wheel), folder)
            imported = run_time(folder, f"import {tool}") - run_time(folder, "pass")
            rate, p99, _ = tells(tool, folder, options.trials, 1)
            each = max(1, options.trials // options.processes)
            crowd, crowd_p99, failed = tells(tool, folder, each, options.processes)
        rounded = lambda x, digits=1: None if x is None else round(x, digits)
        print(json.dumps({
            "tool": tool, "install_s": rounded(seconds), "installed_mb": rounded(megabytes),
            "import_ms": rounded(1e3 * imported), "tells_per_s": rounded(rate), "p99_ms": rounded(p99),
            "crowd": options.processes, "crowd_tells_per_s": rounded(crowd), "crowd_p99_ms": rounded(crowd_p99),
            "crowd_failed": failed,
        }), flush=True)


if __name__ == "__main__":
    main()
