"""The command ``arbora``: the same program as the Rust binary, installed with the package."""

from __future__ import annotations

import importlib
import os
import sys
from typing import List, Optional

from arbora.plugin import PluginError, load, split

__all__ = ["main"]

HERE = {
    ("automl",): "arbora.automl.command",
    ("bench", "data"): "arbora.lab.convert",
    ("demo",): "arbora.demo",
}
"""Commands that are written in Python: the binary looks for an interpreter to run them, and here is
one."""


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command with these arguments, or those of the process; answers with its exit code.

    >>> main(["space", "--help"])
    0
    """
    from arbora import _arbora

    plugins, given = split(sys.argv[1:] if arguments is None else arguments)
    try:
        for plugin in plugins:
            load(plugin)
    except PluginError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for words, module in HERE.items():
        if tuple(given[: len(words)]) == words:
            return _here(module, given[len(words) :])
    # Experiments with learners run in the interpreter that the package is installed in.
    os.environ.setdefault("ARBORA_PYTHON", sys.executable)
    sys.stdout.flush()
    return _arbora.main(["arbora", *given])


def _here(module: str, given: List[str]) -> int:
    try:
        code: int = importlib.import_module(module).main(given)
    except KeyboardInterrupt:
        # Most likely while libraries were loaded, before the command could say more.
        print("\ninterrupted", file=sys.stderr)
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
