#!/usr/bin/env python3
"""Measures the code: sizes of files and functions, documentation, tests, rings of imports, names that are used twice.

    python3 -B scripts/measure_code [--longest N] [--files]

Needs python3 alone. Rust is read without a compiler (see rust.py), so numbers of functions may be off where macros
write them.
"""
import argparse
from pathlib import Path

import changes
import python
import rust
from graph import rings
from tables import percentile, table

ROOT = Path(__file__).resolve().parents[2]


def parts():
    """Every part: its name, its sources, its imports, lines of tests outside of its sources."""
    for crate in sorted(path for path in (ROOT / "crates").iterdir() if (path / "src").is_dir()):
        found = rust.sources(crate / "src")
        yield crate.name, found, rust.imports(found), lines_below(crate / "tests", "*.rs")
    found = rust.sources(ROOT / "python/src")
    yield "python/src", found, rust.imports(found), 0
    found = python.sources(ROOT / "python/package/arbora")
    yield "python/package", found, python.imports(found), lines_below(ROOT / "python/tests", "*.py")


def lines_below(folder, pattern):
    files = folder.rglob(pattern) if folder.is_dir() else ()
    return sum(path.read_text(encoding="utf-8").count("\n") for path in files)


def row(name, sources, edges, outside):
    measured = [source for source in sources if not source.is_test]
    files = [source.lines for source in measured]
    lengths = [lines for source in measured for _, _, lines in source.functions()]
    lines = max(sum(files), 1)
    tests = outside + sum(source.test_lines for source in sources)
    return [
        name, str(len(files)), str(sum(files)), percentile(files), percentile(lengths),
        f"{100 * sum(source.docs for source in measured) / lines:.0f} %", f"{tests / lines:.2f}",
        "; ".join(", ".join(ring) for ring in rings(edges)) or "none",
    ]


def longest_functions(all_parts, count):
    found = [
        (lines, f"{source.path.relative_to(ROOT).as_posix()}:{first}", name)
        for _, sources, *_ in all_parts for source in sources for name, first, lines in source.functions()
    ]
    return [[str(lines), place, name] for lines, place, name in sorted(found, reverse=True)[:count]]


def shared_names(all_parts):
    """Types of the same name in several files of Rust, most first."""
    places = {}
    for part, sources, *_ in all_parts:
        for source in sources:
            for name in source.types() if source.path.suffix == ".rs" else ():
                places.setdefault(name, []).append(part)
    shared = {name: where for name, where in places.items() if len(where) > 1}
    ordered = sorted(shared.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [[name, str(len(where)), in_words(where)] for name, where in ordered], len(places)


def in_words(parts_named):
    """Parts with how often each is named: `app, model × 2`."""
    counts = {part: parts_named.count(part) for part in sorted(parts_named)}
    return ", ".join(part if count == 1 else f"{part} × {count}" for part, count in counts.items())


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--longest", type=int, default=10, metavar="N", help="how many of the longest functions to name")
    arguments.add_argument("--files", action="store_true", help="name the files of each change")
    options = arguments.parse_args()
    measured = list(parts())
    head = ["part", "files", "lines", "file p50/p90/max", "function p50/p90/max", "docs", "test:code", "import rings"]
    print(table(head, [row(*part) for part in measured]))
    print(f"\nLongest functions\n\n{table(['lines', 'place', 'function'], longest_functions(measured, options.longest))}")
    shared, count = shared_names(measured)
    print(f"\nType names defined in more than one file: {len(shared)} of {count}\n\n{table(['name', 'files', 'parts'], shared)}")
    found = list(changes.rows(changes.read(ROOT, rust.without_tests)))
    print("\nFiles that name one of a kind: an estimate of what adding another touches\n")
    print(table(["change", "counted by", "files"], [[change, member, str(len(named))] for change, member, named in found]))
    if options.files:
        for change, _, named in found:
            print(f"\n{change}\n  " + "\n  ".join(named))


if __name__ == "__main__":
    main()
