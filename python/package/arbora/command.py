"""The command ``arbora``: the same program as the Rust binary, installed with the package."""

from __future__ import annotations

import os
import sys
from typing import List, Optional

__all__ = ["main"]


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command with these arguments, or those of the process; answers with its exit code.

    >>> main(["space", "--help"])
    0
    """
    from arbora import _arbora

    # `arbora demo` runs in the interpreter that the package is installed in.
    os.environ.setdefault("ARBORA_PYTHON", sys.executable)
    sys.stdout.flush()
    given = sys.argv[1:] if arguments is None else arguments
    return _arbora.main(["arbora", *given])


if __name__ == "__main__":
    sys.exit(main())
