"""The package itself: light to import, documented, typed."""

from __future__ import annotations

import inspect
import os
import pathlib
import subprocess
import sys
from typing import Tuple

import pytest

import arbora

PACKAGE = pathlib.Path(arbora.__file__).parent
TESTS = pathlib.Path(__file__).parent

IMPORTS = """
import sys
before = set(sys.modules)
import arbora
new = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(new - set(getattr(sys, "stdlib_module_names", new)) - {"arbora"}))
import threading
print(threading.active_count(), [n for n in ("json", "datetime", "asyncio", "sqlite3", "socket") if n in sys.modules])
"""


def test_importing_brings_nothing_along_and_starts_no_thread() -> None:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-c", IMPORTS]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.splitlines() == ["[]", "1 []"]


def test_every_public_name_has_an_example() -> None:
    missing = []
    for name in arbora.__all__:
        item = getattr(arbora, name)
        if name == "__version__":
            continue
        if ">>>" not in (item.__doc__ or ""):
            missing.append(name)
        members = vars(item).items() if inspect.isclass(item) else ()
        for member, value in members:
            value = getattr(value, "__func__", value)
            is_ours = inspect.isfunction(value) or isinstance(value, property)
            if is_ours and not member.startswith("_") and ">>>" not in (value.__doc__ or ""):
                missing.append(f"{name}.{member}")
    assert missing == []


def test_dir_lists_what_is_there_and_nothing_else() -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    listed = {name for name in dir(arbora) if not name.startswith("__")}
    assert listed == {*arbora.__all__, "AutoClassifier", "AutoRegressor", "automl"} - {"__version__"}
    assert all(getattr(arbora, name) is not None for name in dir(arbora))


def checked(*command: str) -> None:
    """Runs a module of mypy; an installed package is found by itself, one in a checkout is not."""
    pytest.importorskip("mypy")
    place = {} if "site-packages" in PACKAGE.parts else {"MYPYPATH": str(PACKAGE.parent)}
    environment = {**os.environ, **place}
    command = (sys.executable, "-m", *command)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=TESTS.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("target", [("-p", "arbora"), (str(TESTS / "typing_samples.py"),)], ids=["package", "samples"])
def test_types_are_strict(target: Tuple[str, ...]) -> None:
    checked("mypy", *target)


def test_the_stub_of_the_native_half_is_complete() -> None:
    checked("mypy.stubtest", "arbora._arbora")


def test_the_version_is_the_workspaces() -> None:
    manifest = (TESTS.parents[1] / "Cargo.toml").read_text()
    assert f'version = "{arbora.__version__}"' in manifest
