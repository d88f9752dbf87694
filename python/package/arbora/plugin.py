"""Plugins of the command: Python files and modules that register strategies."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import List, Tuple

__all__ = ["PluginError", "load", "split"]

OPTION = "--plugin"


class PluginError(Exception):
    """A plugin that is not there."""


def split(arguments: List[str]) -> Tuple[List[str], List[str]]:
    """The plugins that arguments name, and the arguments without them. What comes after ``--`` is
    the user's own program.

    >>> split(["tune", "--plugin", "mine.py", "--plugin=other", "--", "./train", "--plugin", "x"])
    (['mine.py', 'other'], ['tune', '--', './train', '--plugin', 'x'])
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    plugins, left, given = [], [], iter(arguments[:end])
    for argument in given:
        if argument.startswith(f"{OPTION}="):
            plugins.append(argument[len(OPTION) + 1 :])
        elif argument == OPTION:
            plugins.append(next(given, ""))
        else:
            left.append(argument)
    return plugins, left + arguments[end:]


def load(plugin: str) -> None:
    """Run a plugin: a file that ends in ``.py``, or a module that can be imported from here.

    >>> load("nowhere.py")
    Traceback (most recent call last):
    ...
    arbora.plugin.PluginError: plugin `nowhere.py`: there is no such file
    """
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    if plugin.endswith(".py"):
        return _load_file(plugin)
    if not plugin:
        raise PluginError(f"{OPTION} needs a Python file or a module")
    if _is_missing(plugin):
        raise PluginError(f"plugin `{plugin}`: no module is called so; give the path of a .py file, or install it")
    importlib.import_module(plugin)


def _is_missing(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is None
    except (ModuleNotFoundError, ValueError):
        return True


def _load_file(path: str) -> None:
    if not os.path.isfile(path):
        raise PluginError(f"plugin `{path}`: there is no such file")
    name = os.path.splitext(os.path.basename(path))[0]
    known = getattr(sys.modules.get(name), "__file__", None)
    if known is not None and os.path.exists(known) and os.path.samefile(known, path):
        return
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"plugin `{path}`: it cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    # What the plugin defines can be found again by others, such as pickle.
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
