#!/usr/bin/env python3
"""The text of the tree: it speaks of the project alone, nothing is unfinished, files stay readable in one sitting.

Checks every text file for addresses of hosts nobody agreed on (a package mirror slips in easily), paths of one
machine, unfinished code, names that say nothing, public types that share a name, and sources that hold more than one
idea. Needs python3 alone.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED_FOLDERS = {".git", "target", "__pycache__", "node_modules", ".tools"}
TEXTS = (".rs", ".py", ".sh", ".md", ".toml", ".json", ".txt", ".yml", ".yaml", ".pcs", "Makefile", "run")
# Texts of others, word for word, and data written by tools.
VERBATIM = {"LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "Cargo.lock"}
# Near 400 a reader looks for the second idea; beyond this the check does.
LONGEST = 400

# Hosts that documentation may point to. A new one is added here, on purpose.
HOSTS = {
    "arxiv.org", "automl.github.io", "codeberg.org", "crates.io", "doc.rust-lang.org", "docs.rs", "doi.org",
    "github.com", "jmlr.org", "keepachangelog.com", "openreview.net", "optuna.org", "proceedings.mlr.press",
    "rustup.rs", "semver.org", "www.mozilla.org", "www.w3.org",
}
ADDRESS = re.compile(r"\b[a-z+]+://([^/\s`'\")>\]]+)")
MACHINE = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+|opt/wheels)/")
# Split so that this file does not report itself.
UNFINISHED = re.compile("|".join(["to" "do!", "unimplem" "ented!", r"\bTO" r"DO\b", r"\bFIX" r"ME\b", "NotImplemented" "Error"]))
SKIPPED_TEST = re.compile(r"#\[ig" r"nore\]")
# A public type of a library: two of the same name confuse whoever imports both.
PUBLIC_TYPE = re.compile(r"^\s*pub (?:struct|enum|trait|type|union) (\w+)")
LIBRARIES = re.compile(r"crates/(?!app/|derive/|fuzz/|layering/)\w+/src/.*\.rs$")
EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "core", "misc"}


def files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS and not f.startswith(".venv"))
        for name in sorted(names):
            if name.endswith(TEXTS) and name not in VERBATIM:
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def line_trouble(line):
    for host in ADDRESS.findall(line):
        name = host.rsplit("@", 1)[-1].split(":", 1)[0]
        if name not in HOSTS and name != "localhost" and not name.startswith("127."):
            yield f"address of {name}: not among the agreed hosts"
    if MACHINE.search(line):
        yield "path of one machine"
    if UNFINISHED.search(line):
        yield "unfinished"
    if SKIPPED_TEST.search(line):
        yield 'skipped test without a reason: write #[ignore = "why"]'


def file_trouble(path, lines):
    stem = os.path.splitext(os.path.basename(path))[0]
    if stem in EMPTY_NAMES or EMPTY_NAMES & set(os.path.dirname(path).split(os.sep)):
        yield f"{path}: a name that says nothing about what is inside"
    for number, line in enumerate(lines, 1):
        for problem in line_trouble(line):
            yield f"{path}:{number}: {problem}"
    tests = next((i for i, line in enumerate(lines) if line.startswith("#[cfg(test)]")), len(lines))
    if path.endswith(".rs") and tests > LONGEST:
        yield f"{path}: {tests} lines before its tests; look for the second idea"


def public_types(path, lines):
    """Names of the public types that a file of a library defines."""
    if LIBRARIES.match(path.replace(os.sep, "/")):
        yield from (found[1] for found in map(PUBLIC_TYPE.match, lines) if found)


def name_trouble(defined):
    """Of (name, path) pairs: names that two public types share."""
    places = {}
    for name, path in defined:
        places.setdefault(name, []).append(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"{paths[0]}: the public type `{name}` has the name of another, in {', '.join(paths[1:])}"


def main():
    trouble, defined, count = [], [], 0
    for path in files():
        with open(os.path.join(ROOT, path), encoding="utf-8") as source:
            lines = source.read().splitlines()
        trouble += file_trouble(path, lines)
        defined += [(name, path) for name in public_types(path, lines)]
        count += 1
    trouble += name_trouble(defined)
    for line in trouble:
        print(line, file=sys.stderr)
    if trouble:
        sys.exit(1)
    print(f"text: {count} files in order")


if __name__ == "__main__":
    main()
