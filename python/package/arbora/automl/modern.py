"""The old name of :mod:`arbora.automl.default_space`, for models that were saved under it."""

from arbora.automl.default_space import build

__all__ = ["build"]
