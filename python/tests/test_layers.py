"""Modules import only what lies below them: the layers are written down here, from the lowest up.

Every import counts: at the top of a file, inside a function, and for type checkers alone.
"""

from __future__ import annotations

import ast
import pathlib
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

import pytest

import arbora

PACKAGE = pathlib.Path(arbora.__file__).parent
LONGEST = 400

Layers = Tuple[Tuple[str, ...], ...]

TOP: Layers = (
    ("_arbora", "plugin"),
    ("command", "duration", "errors", "expression", "failures", "interrupt", "keywords", "markup", "space_formats"),
    ("__main__", "arguments", "selection", "stats", "tree", "verdict"),
    ("settings", "space", "trial_result"),
    ("connection", "spaces", "strategy"),
    ("trial",),
    ("dataframe", "define_by_run", "plan", "progress"),
    ("session",),
    ("optimize", "study_results"),
    ("discovery", "study"),
    ("demo", "examples", "minimize", "plot", "predictions", "sklearn"),
    ("ensemble",),
    ("automl",),
    ("__init__",),
    ("lab",),
)
"""Files and folders of the package."""

FOLDERS: Dict[str, Layers] = {
    "automl": (
        (
            "dates", "folder", "leaderboard", "message", "metric", "probabilities", "race", "resampling", "search_space",
            "sheet", "table_info",
        ),
        ("columns", "discriminant", "evaluation", "facts", "learners", "table", "tables", "worker_main"),
        ("ask_policy", "cash", "default_space", "oof_predictions", "report", "target", "worker"),
        ("ensemble_fit", "modern", "spaces", "worker_pool"),
        ("blend", "estimate", "search"),
        ("settings",),
        ("pipeline",),
        ("estimator",),
        ("__init__", "command"),
        ("__main__",),
    ),
    "ensemble": (("encoding", "pool"), ("result",), ("means", "votes"), ("search",), ("__init__",)),
    "lab": (
        ("learners", "limit", "line", "spaces", "tables"),
        ("__init__", "grids", "peers", "yahpo"),
        ("convert",),
        ("bundled",),
        ("data",),
        ("__main__",),
    ),
    "lab/tables": (("raw",), ("arff", "delimited", "encode", "sparse"), ("read",), ("__init__",)),
    "plot": (
        ("canvas", "layout"),
        ("branches", "contour", "history", "kernel_matrix", "parallel", "ranks", "slices", "timeline"),
        ("tree",),
        ("__init__",),
    ),
    "sklearn": (("resampling", "words"), ("run",), ("search",), ("__init__",)),
    "spaces": (("__init__",),),
    "stats": (("table",), ("ranking", "samples"), ("__init__",)),
}

LATER = {
    # Whoever only imports the package does not wait for logging, signals and verdicts.
    "session": {"arbora.failures"},
    "study": {"arbora.optimize"},
    "study_results": {"arbora.dataframe", "arbora.verdict"},
    "trial": {"arbora.failures"},
    # What brings scikit-learn or matplotlib along is imported by those who use it.
    "automl/__init__": {"arbora.automl.estimator"},
    "automl/cash": {"arbora.automl.discriminant", "arbora.automl.probabilities"},
    "automl/command": {"arbora.automl.estimator", "arbora.automl.metric", "arbora.automl.report"},
    "automl/estimator": {"arbora.plot.tree"},
    "automl/evaluation": {"arbora.automl.probabilities"},
    "automl/learners": {"arbora.automl.probabilities"},
    "automl/report": {"arbora.automl.leaderboard", "arbora.plot"},
    "lab/__main__": {"arbora.lab.yahpo"},
    "lab/yahpo": {"arbora"},
}
"""Imports inside functions, apart from the native half, which is below everything: none of them hides a ring."""


class Import(NamedTuple):
    """One module that another names."""

    file: str
    """Without its ending, such as ``plot/tree``."""
    module: str
    kind: str
    """``top``, ``function`` or ``types``."""


def files() -> List[pathlib.Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def known() -> Set[str]:
    modules = {"arbora._arbora"}
    for path in files():
        parts = ("arbora", *path.relative_to(PACKAGE).with_suffix("").parts)
        modules.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return modules


def named(node: ast.stmt, path: pathlib.Path, modules: Set[str]) -> Iterator[str]:
    """The modules of this package that an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "arbora")
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = ("arbora", *path.relative_to(PACKAGE).parent.parts)
            above = package[: len(package) - node.level + 1]
            base = ".".join((*above, node.module) if node.module else above)
        if base.split(".")[0] == "arbora":
            inside = [f"{base}.{alias.name}" for alias in node.names]
            yield from (one if one in modules else base for one in inside)


def imports(path: pathlib.Path, modules: Set[str]) -> Iterator[Import]:
    file = path.relative_to(PACKAGE).with_suffix("").as_posix()

    def visit(node: ast.AST, kind: str) -> Iterator[Import]:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (Import(file, module, kind) for module in named(node, path, modules))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            kind = "function"
        is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, "types" if is_for_types and child in node.body else kind)  # type: ignore[attr-defined]

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), "top")


def all_imports() -> List[Import]:
    modules = known()
    return [one for path in files() for one in imports(path, modules)]


def place(module: str) -> Tuple[str, ...]:
    """The path of a module inside the package: a folder and a file."""
    parts = tuple(module.split(".")[1:])
    return (*parts, "__init__") if (PACKAGE / pathlib.Path(*parts)).is_dir() else parts


def looks_down(one: Import) -> bool:
    """Does it name a lower layer, in the innermost folder that both share?"""
    source, target = tuple(one.file.split("/")), place(one.module)
    shared = 0
    while shared < min(len(source), len(target)) - 1 and source[shared] == target[shared]:
        shared += 1
    layers = FOLDERS["/".join(source[:shared])] if shared else TOP
    ranks = {name: rank for rank, layer in enumerate(layers) for name in layer}
    return ranks[target[shared]] < ranks[source[shared]]


def test_every_module_has_its_layer() -> None:
    listed = {name for layer in TOP for name in layer}
    listed |= {f"{folder}/{name}" for folder, layers in FOLDERS.items() for layer in layers for name in layer}
    there = {path.relative_to(PACKAGE).with_suffix("").as_posix() for path in files()} | {"_arbora", *FOLDERS}
    assert listed | set(FOLDERS) == there


@pytest.mark.parametrize("kind", ["top", "function", "types"])
def test_modules_import_only_lower_layers(kind: str) -> None:
    found = [one for one in all_imports() if one.kind == kind and one.file != "__init__"]
    assert [one for one in found if not looks_down(one)] == []


def test_imports_inside_functions_are_listed() -> None:
    later: Dict[str, Set[str]] = {}
    for one in all_imports():
        if one.kind == "function" and one.module != "arbora._arbora":
            later.setdefault(one.file, set()).add(one.module)
    assert later == LATER


def test_an_import_that_looks_up_is_found() -> None:
    assert not looks_down(Import("trial", "arbora.study", "types"))
    assert not looks_down(Import("plot/canvas", "arbora.plot.tree", "top"))
    assert not looks_down(Import("dataframe", "arbora.progress", "function"))
    assert looks_down(Import("plot/tree", "arbora.study", "top"))
    path, modules = PACKAGE / "plot" / "tree.py", known()
    statement = ast.parse("from . import canvas\nfrom .. import study\nfrom arbora import space").body
    assert [list(named(one, path, modules)) for one in statement] == [["arbora.plot.canvas"], ["arbora.study"], ["arbora.space"]]


def test_no_file_is_overlong() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in files()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
