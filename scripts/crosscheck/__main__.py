"""Does our mathematics agree with that of others? One subject after the other; exits with 1 on any difference.

    cargo build --workspace --example believe --example pipe --example score --example significance --example vote
    python scripts/crosscheck target/debug/examples [SUBJECT ...]

The other side is NumPy, SciPy, mpmath, scikit-learn, `cmaes`, hyperopt or Optuna, and formulas
written anew from the papers: it shares no line with what is checked. Seeds are fixed, so that a
check either passes always or never.
"""

from __future__ import annotations

import importlib
import sys
import time

from asking import FAILURES, conclude

SUBJECTS = [
    "processes",
    "kriging",
    "indefinite",
    "trees",
    "chains",
    "improvement",
    "ensembles",
    "significance",
    "searches",
    "parzen",
]


def main() -> int:
    chosen = sys.argv[2:] or SUBJECTS
    if unknown := set(chosen) - set(SUBJECTS):
        raise SystemExit(f"no subject is called {', '.join(sorted(unknown))}: choose from {', '.join(SUBJECTS)}")
    for subject in chosen:
        start = time.perf_counter()
        importlib.import_module(subject).check()
        conclude()
        print(f"           {subject}: {time.perf_counter() - start:.1f} s")
    for what in FAILURES:
        print(f"differs: {what}", file=sys.stderr)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
