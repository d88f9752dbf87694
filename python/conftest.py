"""Examples in the documentation run with the names of the package at hand; plots draw into memory."""

from __future__ import annotations

import importlib.util
import os
import signal
from typing import Any, Dict

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
# A shell starts what it runs in the background deaf to Ctrl-C; the programs that tests interrupt would be deaf, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Read by a type checker, never run.
collect_ignore = ["tests/typing_samples.py"]


@pytest.fixture(autouse=True)
def names_at_hand(request: pytest.FixtureRequest, doctest_namespace: Dict[str, Any]) -> None:
    if not isinstance(request.node, pytest.DoctestItem):
        return
    import arbora

    doctest_namespace.update({name: getattr(arbora, name) for name in arbora.__all__ if name != "plot"})


def pytest_ignore_collect(collection_path: Any) -> Any:
    """What needs scikit-learn has no examples to run without it."""
    if "automl" in collection_path.parts and importlib.util.find_spec("sklearn") is None:
        return True
    return None
