"""Ensembles that vote, against brute force with exact numbers.

Members tie often, and how a tie is broken is part of the algorithm, so equal losses must be found
equal: losses are compared as fractions, those of the sigmoid by forty of sixty digits. Formulas are
those of Lévesque 2018, ch. 4, unless another source is named.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from asking import ask, claim, report
from mpmath import mp, mpf
from scipy.optimize import brentq

mp.dps = 60

ABSENT = 2**32 - 1
"""A member says nothing about a row."""

CASES = 100
"""For every loss and rule."""

Row = tuple[int, int, int]
"""Of one row: votes for the true class, for the strongest other, and members that spoke."""

Exact = Any
"""A fraction, or a number with sixty digits."""


def tally(labels: list[int], classes: int, members: list[dict]) -> list[Row]:
    """The rows somebody spoke about."""
    rows = []
    for i, label in enumerate(labels):
        counts = np.bincount([m["votes"][i] for m in members if m["votes"][i] != ABSENT], minlength=classes)
        rival = max(counts[c] for c in range(classes) if c != label)
        rows.append((int(counts[label]), int(rival), int(counts.sum())))
    return [row for row in rows if row[2] > 0]


def margin(row: Row) -> Fraction:
    """M = (1/m)·Σ (1 − 2·wrong) (eq. 4.5)."""
    right, _, voters = row
    return Fraction(right - (voters - right), voters)


@functools.cache
def scale(members: int) -> mpf:
    """a: the larger root of s(1, a) − s(1 − 2/m, a) = 10⁻³ (§4.3.3); 20 for fewer than three."""
    if members < 3:
        return mpf(20)

    def step(a: mpf) -> mpf:
        all_right, all_but_one = (1 / (1 + mp.exp(-a * x)) for x in (mpf(1), 1 - mpf(2) / members))
        return all_right - all_but_one - mpf("0.001")

    top = max(np.arange(0.1, 10, 0.1), key=lambda a: step(mpf(a)))
    return mp.findroot(step, mpf(brentq(lambda a: float(step(mpf(a))), top, 200)))


@functools.cache
def sigmoid(lead: Fraction, members: int) -> mpf:
    """1 − 1/(1 + e^{−a·x})."""
    return 1 - 1 / (1 + mp.exp(-scale(members) * lead.numerator / lead.denominator))


def zero_one(rows: list[Row], _members: int) -> Exact:
    """A tie is an error (eq. 4.9)."""
    return Fraction(sum(right <= rival for right, rival, _ in rows), len(rows))


def squared_margin(rows: list[Row], _members: int) -> Exact:
    """(1 − M)²/4 on average (eq. 4.7)."""
    return sum((1 - margin(row)) ** 2 for row in rows) / (4 * len(rows))


def margin_loss(rows: list[Row], _members: int) -> Exact:
    """(1 − M)/2 on average."""
    return sum(1 - margin(row) for row in rows) / (2 * len(rows))


def c_bound(rows: list[Row], _members: int) -> Exact:
    """½(1 − sign(μ₁)·μ₁²/μ₂) of the moments of M; ½ if μ₂ = 0."""
    first = Fraction(sum(margin(row) for row in rows), len(rows))
    second = Fraction(sum(margin(row) * margin(row) for row in rows), len(rows))
    return Fraction(1, 2) if second == 0 else (1 - first * abs(first) / second) / 2


def sigmoid_loss(rows: list[Row], members: int) -> Exact:
    """1 − s((v* − v′)/m, a) on average (§4.3.3), a for the size of the ensemble."""
    losses = [sigmoid(Fraction(right - rival, voters), members) for right, rival, voters in rows]
    return sum(losses, mpf(0)) / len(rows)


LOSSES: dict[str, Callable[[list[Row], int], Exact]] = {
    "zero_one": zero_one,
    "squared_margin": squared_margin,
    "c_bound": c_bound,
    "sigmoid": sigmoid_loss,
    "margin": margin_loss,
}


class Case:
    """One question, and what its answer must be."""

    def __init__(self, question: dict) -> None:
        self.question, self.members = question, question["members"]

    def loss(self, chosen: list[int], kind: str) -> Exact:
        """Of the vote of these members; ½ where nobody speaks."""
        rows = tally(self.question["labels"], self.question["classes"], [self.members[i] for i in chosen])
        return LOSSES[kind](rows, len(chosen)) if rows else Fraction(1, 2)

    def key(self, chosen: list[int], kind: str) -> Fraction:
        """Equal exactly where losses are."""
        loss = self.loss(chosen, kind)
        return loss if isinstance(loss, Fraction) else Fraction(int(mp.nint(loss * 10**40)), 10**40)

    def best(self, others: list[int], free: list[int], kinds: list[str]) -> int:
        """Who joins the others: least loss of each kind in turn, then least of its own, then earliest."""

        def order(i: int) -> tuple:
            return *(self.key([*others, i], kind) for kind in kinds), self.members[i]["loss"], i

        return min(free, key=order)

    def search(self) -> tuple[list[list[Exact | None]], list[list[int]]]:
        """Algorithm 4.1, the trials being given: their worth to the slot in turn, and who sat where."""
        kind = self.question["loss"]
        filled: list[int | None] = [None] * self.question["slots"]
        rule = ["zero_one", kind] if self.question["rule"] == "zero_one" else [kind]
        worths, seats = [], []
        for new, member in enumerate(self.members):
            slot = member["trial"] % len(filled)
            others = [i for place, i in enumerate(filled) if place != slot and i is not None]
            worths.append([None if i in others else self.loss([*others, i], kind) for i in range(new)])
            filled[slot] = self.best(others, [i for i in range(new + 1) if i not in others], rule)
            seats.append([i for i in filled if i is not None])
        return worths, seats

    def greedy(self) -> list[int]:
        """The best few by themselves, then whoever helps most, with replacement; of that list the
        shortest prefix of least loss  [Caruana et al. 2004]."""
        settings, everyone = self.question["greedy"], list(range(len(self.members)))
        kind = settings["loss"]
        chosen = sorted(everyone, key=lambda i: (self.members[i]["loss"], i))[: settings["start"]]
        chosen = chosen[: settings["size"]]
        while len(chosen) < settings["size"]:
            chosen.append(self.best(chosen, everyone, [kind]))
        losses = [self.key(chosen[: i + 1], kind) for i in range(len(chosen))]
        return chosen[: losses.index(min(losses)) + 1]


def draw(rng: np.random.Generator, kind: str, rule: str) -> Case:
    """Full of ties; in one case of four some votes are missing, and trials failed in between."""
    classes, rows, count = int(rng.integers(2, 5)), int(rng.integers(4, 11)), int(rng.integers(4, 9))
    labels = rng.integers(0, classes, rows)
    votes = np.where(rng.random((count, rows)) < 0.5, labels, rng.integers(0, classes, (count, rows)))
    trials = np.arange(count)
    if rng.random() < 0.25:
        votes[rng.random(votes.shape) < 0.3] = ABSENT
        trials += np.cumsum(rng.integers(0, 2, count))
    alone = rng.integers(0, 4, count) / 8
    return Case(
        {
            "labels": labels.tolist(),
            "classes": classes,
            "members": [
                {"trial": int(trials[i]), "loss": float(alone[i]), "votes": votes[i].tolist()} for i in range(count)
            ],
            "loss": kind,
            "rule": rule,
            "slots": int(rng.integers(1, 5)),
            "greedy": {"start": int(rng.integers(0, 4)), "size": int(rng.integers(1, 6)), "loss": kind},
        }
    )


def compare(case: Case, said: dict) -> tuple[bool, bool]:
    """Losses and labels to rounding; are the same members in the slots, and selected?"""
    kind = case.question["loss"]
    for i, loss in enumerate(said["losses"]):
        exact = float(case.loss(list(range(i + 1)), kind))
        report(f"ensemble, {kind}: loss of a vote", abs(loss - exact), 1e-14)
    worths, seats = case.search()
    for i, (ours, theirs) in enumerate(zip(said["worth"], worths, strict=True)):
        # Labels are those of the same search only as long as the same members sit in its slots.
        if said["filled"][:i] == seats[:i]:
            gaps = [0.0 if a is b else np.inf if a is None or b is None else abs(a - float(b))
                    for a, b in zip(ours, theirs, strict=True)]
            report(f"ensemble, {kind}: labels of a slot", max(gaps, default=0.0), 1e-14)
    return said["filled"] == seats, said["chosen"] == case.greedy()


def check() -> None:
    rng = np.random.default_rng(7)
    for kind in LOSSES:
        selected = []
        for rule in ("zero_one", "same_loss"):
            cases = [draw(rng, kind, rule) for _ in range(CASES)]
            answers = ask("vote", [case.question for case in cases])
            same = np.array([compare(case, said) for case, said in zip(cases, answers, strict=True)])
            selected += same[:, 1].tolist()
            alike = int(same[:, 0].sum())
            claim(f"ensemble, {kind}: slots filled by {rule}", alike == CASES, f"{alike} of {CASES} searches alike")
        claim(f"ensemble, {kind}: greedy selection", all(selected), f"{sum(selected)} of {len(selected)} alike")
