"""Which parameters a program asks for, learnt from what it asked for.

A program that asks for its parameters one by one shows its space only in glimpses: a trial tells which parameters took
part, with which values. This file finds conditions that agree with every trial seen so far. The rule, for each parameter
in the order of discovery:

1. A parameter that no complete trial lacks is unconditional.
2. Otherwise its condition is a test of one parameter discovered earlier, the first that tells the trials that have it
   from those that lack it: an alternative is excluded if a trial with it lacks the parameter, a number is cut
   half-way between the nearest values with and without (on its own scale). Alternatives that were never tried are
   given the benefit of the doubt: the parameter is expected there until a trial shows otherwise.
3. If no single test does, tests are nested like a decision tree: the split that leaves the fewest trials on the wrong
   side first, then the same again on each side.
4. Parameters that only later ones could explain get a second chance with all that do not depend on them.
5. If nothing tells them apart, the program decides by something it did not ask for. The parameter is then taken to be
   unconditional, and trials that lack it count as having had its default.

Only complete trials testify that a parameter is absent; a failed one may have ended before it asked. Cost: parameters
squared times trials, paid only when a trial contradicts what was believed. Nested tests cost more, so the search for
them is bounded: beyond :data:`MOST_LOOKS` values looked at, what no single test explains counts as unexplained.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from arbora import _arbora

__all__ = ["Glimpse", "conditions"]

Fields = Dict[str, Any]
DEEPEST = 3
"""Tests inside each other: programs that branch deeper inside one parameter are rare, and would need many trials."""

MOST_LOOKS = 200_000
"""Values that the search for nested tests may look at in all, some tenths of a second."""


class Glimpse(NamedTuple):
    """What one trial asked for, and whether it came to its end."""

    values: Dict[str, Any]
    is_complete: bool


class Test(NamedTuple):
    """A claim about the values of a trial. Absent parameters satisfy nothing, neither a test nor its opposite."""

    text: str
    holds: Callable[[Dict[str, Any]], bool]
    deciders: Tuple[str, ...]


def conditions(parameters: Dict[str, Fields], glimpses: Sequence[Glimpse]) -> Dict[str, Optional[str]]:
    """The condition of each parameter; None where it is unconditional.

    >>> parameters = {"model": {"type": "choice", "choices": ["svm", "forest"]},
    ...               "C": {"type": "real", "low": 0.0, "high": 1.0}}
    >>> seen = [Glimpse({"model": "svm", "C": 0.5}, True), Glimpse({"model": "forest"}, True)]
    >>> conditions(parameters, seen)
    {'model': None, 'C': 'model in ["svm"]'}
    """
    found: Dict[str, Optional[Test]] = {}
    puzzling: List[str] = []
    names = list(parameters)
    search = _Search(parameters, MOST_LOOKS)
    for at, name in enumerate(names):
        labelled = _labelled(name, glimpses)
        found[name] = search.rule(names[:at], labelled)
        if found[name] is None and not all(label for _, label in labelled):
            puzzling.append(name)
    for name in puzzling:
        others = [other for other in names if other != name and not _depends(other, name, found)]
        found[name] = search.rule(others, _labelled(name, glimpses))
    return {name: None if test is None else test.text for name, test in found.items()}


Labelled = List[Tuple[Dict[str, Any], bool]]


def _labelled(name: str, glimpses: Sequence[Glimpse]) -> Labelled:
    return [(g.values, name in g.values) for g in glimpses if g.is_complete or name in g.values]


def _depends(name: str, on: str, found: Dict[str, Optional[Test]]) -> bool:
    test = found[name]
    return test is not None and any(decider == on or _depends(decider, on, found) for decider in test.deciders)


class _Search:
    """Looks for conditions, for as long as there is work left."""

    def __init__(self, parameters: Dict[str, Fields], looks: int) -> None:
        self.parameters = parameters
        self.looks = looks

    def rule(self, among: Sequence[str], labelled: Labelled) -> Optional[Test]:
        """A condition that agrees with every label; None if none is needed or none is found."""
        if all(label for _, label in labelled):
            return None
        grown = self._grown(among, labelled, DEEPEST)
        return grown if grown is not None and _agrees(grown, labelled) else None

    def _grown(self, among: Sequence[str], labelled: Labelled, depth: int) -> Optional[Test]:
        """The first single test that agrees with the labels, or tests nested in the one that errs least."""
        for name in among:
            if _may_agree(name, self.parameters[name], labelled):
                single = _best_test(name, self.parameters[name], labelled)
                if single is not None and _agrees(single, labelled):
                    return single
        self.looks -= len(among) * len(labelled)
        if depth == 0 or self.looks < 0:
            return None
        tests = [test for name in among for test in [_best_test(name, self.parameters[name], labelled)] if test is not None]
        for test in sorted(tests, key=lambda test: _wrong(test, labelled)):
            nested = self._nested(among, labelled, test, depth)
            if nested is not None and _agrees(nested, labelled):
                return nested
        return None

    def _nested(self, among: Sequence[str], labelled: Labelled, test: Test, depth: int) -> Optional[Test]:
        """Where the test holds, where its opposite holds, where its parameter is absent: each with a rule of its own."""
        decider = test.deciders[0]
        opposite = Test(f"not ({test.text})", lambda values: decider in values and not test.holds(values), test.deciders)
        ways: List[Test] = []
        for guard in (test, opposite, None):
            here = [pair for pair in labelled if (guard.holds(pair[0]) if guard else decider not in pair[0])]
            if len(here) == len(labelled):
                return None
            if not any(label for _, label in here):
                continue
            if all(label for _, label in here) and guard is not None:
                ways.append(guard)
                continue
            rest = self._grown(among, here, depth - 1)
            if rest is None:
                return None
            ways.append(rest if guard is None else _both(guard, rest))
        return _either(ways) if ways else None


def _may_agree(name: str, fields: Fields, labelled: Labelled) -> bool:
    """Can a single test of this parameter agree with every label? Cheap, and never wrongly no."""
    if any(label and name not in values for values, label in labelled):
        return False
    having = [values[name] for values, label in labelled if label]
    lacking = [values[name] for values, label in labelled if not label and name in values]
    if not having or not lacking or fields["type"] not in ("real", "integer"):
        return bool(having)
    return bool(max(having) < min(lacking) or max(lacking) < min(having))


def _both(a: Test, b: Test) -> Test:
    return Test(f"{a.text} and ({b.text})", lambda values: a.holds(values) and b.holds(values), a.deciders + b.deciders)


def _either(ways: Sequence[Test]) -> Test:
    return Test(
        " or ".join(f"({way.text})" for way in ways) if len(ways) > 1 else ways[0].text,
        lambda values: any(way.holds(values) for way in ways),
        tuple(decider for way in ways for decider in way.deciders),
    )


def _agrees(test: Test, labelled: Labelled) -> bool:
    return _wrong(test, labelled) == 0


def _wrong(test: Test, labelled: Labelled) -> int:
    return sum(test.holds(values) != label for values, label in labelled)


def _best_test(name: str, fields: Fields, labelled: Labelled) -> Optional[Test]:
    """The test of this parameter that agrees best with the labels."""
    seen = [(values[name], label) for values, label in labelled if name in values]
    if not any(label for _, label in seen):
        return None
    if fields["type"] in ("real", "integer"):
        return _cut(name, fields, seen)
    return _kept(name, fields, seen)


def _kept(name: str, fields: Fields, seen: List[Tuple[Any, bool]]) -> Optional[Test]:
    """All alternatives but those mostly seen without."""
    alternatives = fields.get("choices") or fields.get("values") or [False, True]
    kept = []
    for alternative in alternatives:
        labels = [label for value, label in seen if _same(value, alternative)]
        if not labels or 2 * sum(labels) >= len(labels):
            kept.append(alternative)
    if not kept:
        return None
    listed = ", ".join(_arbora.write_value(alternative) for alternative in kept)
    return Test(
        f"{_arbora.write_name(name)} in [{listed}]",
        lambda values: name in values and any(_same(values[name], alternative) for alternative in kept),
        (name,),
    )


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def _cut(name: str, fields: Fields, seen: List[Tuple[Any, bool]]) -> Optional[Test]:
    """Above or below the place where the fewest labels are on the wrong side."""
    numbers = sorted((value, label) for value, label in seen)
    best: Optional[Tuple[int, float, bool]] = None
    total = sum(label for _, label in numbers)
    before = 0
    for count, ((value, label), (following, _)) in enumerate(zip(numbers, numbers[1:]), start=1):
        before += label
        if value == following:
            continue
        wrong_above = before + (len(numbers) - count) - (total - before)
        wrong_below = (count - before) + (total - before)
        for wrong, is_above in ((wrong_above, True), (wrong_below, False)):
            if best is None or wrong < best[0]:
                best = (wrong, _between(value, following, fields), is_above)
    if best is None or best[0] >= min(total, len(numbers) - total) > 0:
        # No cut is better than none: the parameter's being there at all may still tell.
        low = fields["low"]
        return Test(f"{_arbora.write_name(name)} >= {_arbora.write_value(low)}", lambda values: name in values, (name,))
    _, place, is_above = best
    sign = ">" if is_above else "<="
    return Test(
        f"{_arbora.write_name(name)} {sign} {_arbora.write_value(place)}",
        lambda values: name in values and (values[name] > place) == is_above,
        (name,),
    )


def _between(low: Any, high: Any, fields: Fields) -> Any:
    if fields["type"] == "integer":
        return (low + high) // 2
    middle = math.sqrt(low * high) if fields.get("log") else (low + high) / 2
    return middle if low <= middle < high else low
