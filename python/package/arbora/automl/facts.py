"""The old name of :mod:`arbora.automl.table_info`, for models that were saved under it."""

from arbora.automl.table_info import TableInfo as Facts

__all__ = ["Facts"]
