"""What was chosen from a pool: trials that predict together."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

from arbora import _arbora
from arbora.ensemble.encoding import Labels, numbers
from arbora.plan import _listed


class Ensemble(NamedTuple):
    """Trials that predict together.

    >>> Ensemble([3, 7, 3, 3], 0.1).weights
    {3: 0.75, 7: 0.25}
    """

    members: List[int]
    """Numbers of the trials in the order they were chosen; one may be there several times."""
    loss: float
    """The loss of the ensemble on the rows it was chosen by: an optimistic estimate."""

    @property
    def weights(self) -> Dict[int, float]:
        """The weight of each trial; they add up to one.

        >>> Ensemble([5], 0.1).weights
        {5: 1.0}
        """
        each = dict.fromkeys(self.members, 0)
        for member in self.members:
            each[member] += 1
        return {member: count / len(self.members) for member, count in each.items()}

    def vote(self, predictions: Mapping[int, Sequence[Any]], *, classes: Optional[Sequence[Any]] = None) -> List[Any]:
        """The class of most weight for each row of new data, by what each trial, fitted again,
        predicts there; the first of the tied ``classes``, which are in order unless given. A trial
        may say None.

        >>> Ensemble([3, 7, 3], 0.1).vote({3: ["a", "b"], 7: ["b", "b"]})
        ['a', 'b']
        """
        said = {member: _listed(self._of(member, predictions)) for member in self.weights}
        labels = Labels((label for listed in said.values() for label in listed), classes)
        coded = [labels.encoded(listed) for listed in said.values()]
        codes = _arbora.vote(coded, list(self.weights.values()), len(labels.classes))
        return [labels.classes[code] for code in codes]

    def mean(self, predictions: Mapping[int, Any]) -> Any:
        """The weighted mean of what each trial, fitted again, predicts about new data: numbers, or
        a row of probabilities for each row. An array if they are arrays or frames, a list
        otherwise.

        >>> Ensemble([3, 7, 3, 3], 0.1).mean({3: [1.0, 0.0], 7: [2.0, 4.0]})
        [1.25, 1.0]
        >>> Ensemble([3], 0.1).mean({3: [[0.5, 0.5], [0.0, 1.0]]})
        [[0.5, 0.5], [0.0, 1.0]]
        """
        given = [self._of(member, predictions) for member in self.weights]
        flat = _arbora.average([numbers(items) for items in given], list(self.weights.values()))
        shape = getattr(given[0], "shape", None)
        if shape is not None:
            import numpy

            return numpy.array(flat).reshape(shape)
        rows = _listed(given[0])
        if not rows or not isinstance(rows[0], (list, tuple)):
            return flat
        width = len(rows[0])
        return [flat[at : at + width] for at in range(0, len(flat), width)]

    @staticmethod
    def _of(member: int, predictions: Mapping[int, Any]) -> Any:
        if member not in predictions:
            raise ValueError(f"trial {member} is in the ensemble, and its predictions are missing")
        return predictions[member]
