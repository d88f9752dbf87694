"""The old name of :mod:`arbora.automl.ensemble_fit`, for models that were saved under it."""

from arbora.automl.ensemble_fit import FittedEnsemble as Blend

__all__ = ["Blend"]
