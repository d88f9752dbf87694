"""Search for the member that an ensemble still needs [Lévesque 2018, Algorithm 4.1]."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Type, Union

from arbora.connection import worker_name
from arbora.ensemble.means import Means, Probabilities
from arbora.ensemble.result import Ensemble
from arbora.ensemble.votes import Votes
from arbora.study import Study
from arbora.trial import Trial


class Search:
    """Ensemble optimisation: the search looks for the member that an ensemble still needs, around
    any strategy.

    The ensemble has ``slots``, and trials work for them in turn. To suggest a trial for a slot, the
    search empties it, relabels every earlier trial with the loss that the ensemble would have with
    that trial in the slot, and asks the strategy of the study. With one slot this is ordinary
    optimisation. Keep the number of slots well below that of the trials, or let it grow: you may
    change the attribute ``slots`` at any time. Predictions are kept beside the storage of the
    study, so that a search can be continued.

    ``pool`` says what trials predict: :class:`Votes` for ``classes``, :class:`Probabilities` of
    them, or numbers (:class:`Means`). ``loss`` judges votes: ``squared_margin`` (the default),
    ``zero_one``, ``c_bound`` or ``sigmoid``. ``rule`` fills a slot: by the ``same_loss`` (the
    default), or by ``zero_one`` as the algorithm is printed, which fits the validation rows more
    closely. Choose an odd number of slots, because an even number of votes can tie. Numbers and
    probabilities are judged by the squared error of their mean.

    >>> from arbora.examples import bowl_space
    >>> truth = [0, 0, 1, 1]
    >>> search = Search(Study(bowl_space(), seed=1), truth, slots=3)
    >>> for _ in range(6):
    ...     trial = search.ask()
    ...     search.tell(trial, [int(row > trial["x"]) for row in (0.2, 0.4, 0.6, 0.8)])
    >>> search.ensemble.loss
    0.0

    >>> search = Search(Study(bowl_space(), seed=1), [0.1, 0.9], pool=Means, slots=2)
    >>> for _ in range(6):
    ...     trial = search.ask()
    ...     search.tell(trial, [trial["x"], 1 - trial["x"]])
    >>> search.ensemble.loss < 0.01
    True
    """

    def __init__(
        self,
        study: Study,
        truth: Sequence[Any],
        *,
        pool: Type[Union[Votes, Means]] = Votes,
        classes: Optional[Sequence[Any]] = None,
        slots: int = 13,
        loss: Optional[str] = None,
        rule: Optional[str] = None,
    ) -> None:
        self.study = study
        if issubclass(pool, (Votes, Probabilities)):
            self.pool: Union[Votes, Means] = pool(truth, classes, study=study)
        elif classes is not None:
            raise TypeError(f"{pool.__name__} are numbers, which have no classes")
        else:
            self.pool = pool(truth, study=study)
        self.slots = slots
        self._judged = self.pool._judged(loss, rule)
        # What is wrong with the settings is said here.
        self._filled()

    def _filled(self) -> List[int]:
        positions: List[int] = self.pool._native.slots(self.slots, *self._judged)
        return positions

    def ask(self, *, worker: Optional[str] = None, lease: Optional[float] = None, stale: str = "again") -> Trial:
        """The next trial; see :meth:`Study.ask`.

        >>> from arbora.examples import bowl_space
        >>> Search(Study(bowl_space(), seed=1), [0, 1]).ask().number
        0
        """
        said = (worker or worker_name(), lease, stale)
        return Trial(self.study._session, self.pool._native.ask(self.study._live(), self.slots, *self._judged, *said))

    def tell(self, trial: Trial, predictions: Sequence[Any], *, loss: Optional[float] = None, **more: Any) -> None:
        """Tell how a trial ended: its out-of-fold ``predictions`` and its own ``loss``, by default
        the error rate or the mean squared error; other arguments as in :meth:`Study.tell`. Tell a
        failed trial to the study.

        >>> from arbora.examples import bowl_space
        >>> search = Search(Study(bowl_space(), seed=1), [0, 1])
        >>> search.tell(search.ask(), [0, 1])
        >>> search.study.best_loss
        0.0
        """
        told = self.pool._take(trial, predictions, loss)
        self.study.tell(trial, loss=told, **more)

    @property
    def ensemble(self) -> Ensemble:
        """The trials in the slots.

        >>> from arbora.examples import bowl_space
        >>> Search(Study(bowl_space(), seed=1), [0, 1]).ensemble.members
        []
        """
        return self.pool._ensemble(self._filled())
