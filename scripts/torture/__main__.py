"""Attacks Arbora as the world does, for as long as you like, and counts what broke.

    make torture                       an hour, every attack in turn
    make torture MINUTES=5 ONLY=kill   one of them

Programs are killed, stopped and interrupted at random, files are damaged, moved and deleted under running studies,
many processes share one file. After every attack the study is read back and compared with a ledger that the
evaluated programs kept themselves. Each line of the table is an attack: how often, and how many times a promise did
not hold. Exits with 1 if one did not. The same seed makes the same attacks, as far as clocks allow.
"""

from __future__ import annotations

import argparse
import pathlib
import signal
import sys
import time

import clock
import damage
import disk
import forks
import interrupts
import kills
import moves
import shared
from ground import Count, Ground, Skipped

ATTACKS = {
    "kill": (kills.tune, "kill -9 of `tune -j 4`, then --resume"),
    "kill-python": (kills.python, "kill -9 of Study.optimize, then the same again"),
    "kill-jobs": (kills.python_jobs, "the same with jobs=4"),
    "interrupt": (interrupts.tune, "SIGINT, SIGTERM or SIGHUP to `tune`"),
    "interrupt-python": (interrupts.python, "SIGINT to Study.optimize"),
    "terminate": (interrupts.whole_job, "SIGTERM to every process of a job"),
    "stop": (interrupts.stopped, "SIGSTOP beyond the lease, then SIGCONT"),
    "bytes": (damage.any_byte, "bytes of the file flipped, then read, asked, examined"),
    "blocks": (damage.any_block, "512 bytes of the file overwritten, likewise"),
    "log": (damage.any_log, "the log beside the file cut or flipped, likewise"),
    "shared": (shared.many, "16 processes ask and tell on one file"),
    "forks": (forks.children, "fork while other threads write"),
    "moved": (moves.moved, "the file deleted, moved or replaced under a running study"),
    "disk": (disk.full, "no room left on the disk, then room again"),
    "clock": (clock.jump, "the clock jumps three hours ahead under a running study"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arbora", required=True, type=pathlib.Path, help="the command")
    parser.add_argument("--minutes", type=float, default=60, help="how long [default: 60]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("only", nargs="*", help=f"attacks [default: all of {', '.join(ATTACKS)}]")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.only if name not in ATTACKS]
    if unknown:
        parser.error(f"no attack is called {', '.join(unknown)}; known are {', '.join(ATTACKS)}")
    # A shell starts what it runs in the background deaf to Ctrl-C; what is attacked must not inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end = time.monotonic() + 60 * arguments.minutes
    counts = {name: Count() for name in arguments.only or ATTACKS}
    skipped: dict[str, str] = {}
    turn = 0
    while turn == 0 or time.monotonic() < end:
        for name, count in counts.items():
            if name in skipped or turn > 0 and time.monotonic() >= end:
                continue
            ground = Ground(arguments.arbora.resolve(), f"{arguments.seed}/{turn}/{name}")
            try:
                with ground:
                    count += ATTACKS[name][0](ground)
            except Skipped as reason:
                skipped[name] = str(reason)
            except Exception as error:  # One attack that breaks must not end the hour, and must not be passed over.
                count.attempts += 1
                count.failures.append(f"{type(error).__name__}: {error}")
            show_progress(name, count, end)
        turn += 1
    print_table(counts, skipped)
    return 1 if any(count.failures for count in counts.values()) else 0


def show_progress(name: str, count: Count, end: float) -> None:
    left = max(0, end - time.monotonic())
    print(f"{name}: {count.attempts} attempts, {len(count.failures)} failures; {left / 60:.1f} min left", file=sys.stderr)


def print_table(counts: dict[str, Count], skipped: dict[str, str]) -> None:
    print(f"{'attack':17} {'attempts':>8} {'trials':>8} {'failures':>8}  what")
    for name, count in counts.items():
        words = f"skipped: {skipped[name]}" if name in skipped else ATTACKS[name][1]
        print(f"{name:17} {count.attempts:8} {count.trials:8} {len(count.failures):8}  {words}")
    for name, count in counts.items():
        for failure in count.failures[:20]:
            print(f"{name}: {failure}")
    failures = sum(len(count.failures) for count in counts.values())
    attempts = sum(count.attempts for count in counts.values())
    print(f"{attempts - failures} passed, {failures} failed")


if __name__ == "__main__":
    sys.exit(main())
