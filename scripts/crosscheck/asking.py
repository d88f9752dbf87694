"""Asking our programs, and saying what came of it."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np

PROGRAMS = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/debug/examples")
"""Where the built examples are."""

FAILURES: list[str] = []
"""What differed."""

REPORTS: dict[str, tuple[int, float, float]] = {}
"""By name: how many, the worst difference, and what was allowed of it."""


def ask(program: str, questions: list[Any]) -> list[Any]:
    """The answers of an example to these questions: JSON lines in, JSON lines out."""
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([PROGRAMS / program], input=text, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(answers) != len(questions):
        raise SystemExit(f"{program}: question {len(answers) + 1} has no answer: {done.stderr.strip()}")
    return answers


def report(what: str, difference: float, allowed: float) -> None:
    """How far apart are the two sides? The worst of all reports of one name is what counts."""
    difference = float("inf") if np.isnan(difference) else float(difference)
    count, worst, bound = REPORTS.get(what, (0, difference, allowed))
    if difference / allowed > worst / bound:
        worst, bound = difference, allowed
    REPORTS[what] = (count + 1, worst, bound)


def conclude() -> None:
    """Prints what was reported, one line per name, and begins anew."""
    for what, (count, difference, allowed) in REPORTS.items():
        figures = f"{difference:.1e} (allowed {allowed:.0e})" + (f", {count} times" if count > 1 else "")
        claim(what, difference <= allowed, figures)
    REPORTS.clear()


def claim(what: str, holds: bool, figures: str) -> None:
    """One line: does it hold, and by which figures?"""
    print(f"{'ok' if holds else 'DIFFERENT':10} {what:64} {figures}")
    if not holds:
        FAILURES.append(what)


def largest(ours: Any, theirs: Any) -> float:
    """The largest difference between two arrays, in units of what the second reaches, of 1 at least."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.shape == theirs.shape, f"{ours.shape} answers where {theirs.shape} were expected"
    return float(np.max(np.abs(ours - theirs)) / max(1.0, np.max(np.abs(theirs))))


def held(answer: dict, hypers: dict[str, float]) -> None:
    """θ must have stayed where the question put it: a value out of range would have been replaced by its start."""
    memory = dict(zip(answer["memory"]["names"], answer["memory"]["states"][-1], strict=True))
    moved = [name for name, value in memory.items() if not np.isclose(value, hypers.get(name, np.nan), rtol=1e-12)]
    if moved or len(memory) != len(hypers):
        raise SystemExit(f"θ is not what was asked for: {moved or sorted(set(hypers) - set(memory))}")
