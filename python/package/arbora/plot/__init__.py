"""Plots of studies and comparisons, with matplotlib. Each draws into ``ax``, or into a new figure,
and returns the axes.

Colours are told apart by everybody, also in print: blue, orange and green of Okabe and Ito, and
cividis for scales, without its lightest part.

>>> from arbora.examples import svm_study
>>> import arbora
>>> axes = arbora.plot.history(svm_study())
>>> axes.get_ylabel()
'loss'
"""

from __future__ import annotations

from arbora.plot.contour import contour
from arbora.plot.history import history
from arbora.plot.kernel_matrix import covariance as covariance
from arbora.plot.kernel_matrix import kernel_matrix
from arbora.plot.parallel import parallel
from arbora.plot.ranks import critical_difference
from arbora.plot.slices import slices
from arbora.plot.timeline import timeline
from arbora.plot.tree import tree

__all__ = ["contour", "critical_difference", "history", "kernel_matrix", "parallel", "slices", "timeline", "tree"]
