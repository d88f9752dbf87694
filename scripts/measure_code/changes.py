"""What it takes to add one of a kind, estimated by one that is there: every file that names it.

A file that names an existing kernel, tests and benchmarks aside, is its own or one that a new kernel has to be added
to, or mentions it by the way. Kinds without a member in the tree are left out: there is nothing to count.
"""
import re
from pathlib import Path

FOLDERS = ("crates", "python/src", "python/package")
TESTS = re.compile(r"(^|/)(tests?|testing|benches|examples|bench|fuzz)(/|\.rs$)|(^|/)(laws|toys)\.rs$")

# Change, the member that stands for its kind, and how its files name it.
SPECIMENS = (
    ("strategy by name", "gp-laplace", r'"gp-laplace"'),
    ("AutoML learner", "extra trees", r"\bExtraTrees\w*|\bextra_trees\b"),
    ("CLI subcommand", "rename", r"\brename::Arguments\b|^//! `arbora rename"),
    ("kernel", "Matérn 5/2", r"\bMatern52\b|\bmatern52\b"),
    ("acquisition", "probability of improvement", r"\bProbabilityOfImprovement\b|\bprobability_of_improvement\b"),
    ("space file format", "SMAC's pcs", r"\bPcs\b|\b\w*_pcs\b|\"pcs\"|\bpcs::"),
    ("store", "SQLite", r"\bSqliteStore\b|\bmod sqlite\b"),
    ("pruner", "median", r"\bMedianPruner\b"),
    ("parameter type", "integer", r"\b(?:Domain|DomainSpec|ColumnKind)::Integer\b"),
    ("several objectives", "the one loss", r"\bloss: (?:f64|float)\b"),
)


def naming(files, pattern):
    """Files whose text matches, sorted."""
    wanted = re.compile(pattern, re.MULTILINE)
    return sorted(name for name, text in files.items() if wanted.search(text))


def read(root, without_tests):
    """Every source that is no test, by its path, tests inside it cut off."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(Path(root, folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".rs", ".py") or TESTS.search(name):
                continue
            text = path.read_text(encoding="utf-8")
            found[name] = without_tests(text)[0] if path.suffix == ".rs" else text
    return found


def rows(files):
    for change, member, pattern in SPECIMENS:
        named = naming(files, pattern)
        if named:
            yield change, member, named
