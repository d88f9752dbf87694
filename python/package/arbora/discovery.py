"""The old name of :mod:`arbora.define_by_run`."""

from __future__ import annotations

import warnings
from typing import Any

from arbora import define_by_run


def __getattr__(name: str) -> Any:
    if name not in define_by_run.__all__:
        raise AttributeError(f"module 'arbora.discovery' has no attribute {name!r}")
    warnings.warn("arbora.discovery is now called arbora.define_by_run", DeprecationWarning, stacklevel=2)
    return getattr(define_by_run, name)
