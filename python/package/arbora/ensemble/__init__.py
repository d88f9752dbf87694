"""Ensembles of trials, at no extra cost.

Each trial predicts rows it was not trained on; those out-of-fold predictions make a pool, from
which an ensemble is chosen after the search, or during it (:class:`Search`). Where trials have
splits of their own (``Plan(reshuffle=True)``), the folds of a trial still predict every row once,
each by a model that had not seen it, so predictions line up row by row as before. A reshuffled
hold-out predicts only its own validation rows: give None for the others, and every row is judged by
those that speak about it. The fewer those are, the weaker the judgement: prefer folds where an
ensemble is wanted.

>>> votes = Votes(["a", "a", "b", "b"])
>>> votes.add(0, ["a", "a", "b", "a"])
>>> votes.add(1, ["a", "b", "b", "b"])
>>> votes.add(2, ["b", "a", "b", "b"])
>>> chosen = votes.greedy(size=3)
>>> chosen.loss, sorted(chosen.weights)
(0.0, [0, 1, 2])
>>> chosen.vote({0: ["a"], 1: ["b"], 2: ["b"]})
['b']
"""

from __future__ import annotations

from arbora.ensemble.means import Means, Probabilities
from arbora.ensemble.pool import Bagging
from arbora.ensemble.result import Ensemble
from arbora.ensemble.search import Search
from arbora.ensemble.votes import Votes

__all__ = ["Bagging", "Ensemble", "Means", "Probabilities", "Search", "Votes"]
