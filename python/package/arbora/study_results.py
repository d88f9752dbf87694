"""What a study knows: its settings, its trials, the best of them, and how far to trust them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional

from arbora import _arbora, markup
from arbora.arguments import trial_number
from arbora.connection import MEMORY
from arbora.errors import ArboraError
from arbora.keywords import renamed
from arbora.session import Session
from arbora.space import Configuration, Space
from arbora.trial import Trial

if TYPE_CHECKING:
    import pandas

    from arbora.verdict import Verdict

__all__ = ["StudyResults"]


class StudyResults:
    """The reading half of :class:`arbora.Study`."""

    _session: Session

    def _live(self) -> _arbora.Study:
        return self._session.live()

    @property
    def _has_space(self) -> bool:
        return self._session.native is not None

    @property
    def name(self) -> str:
        """Its name in the storage.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.name
        'study'
        """
        return self._session.name

    @property
    def storage(self) -> Optional[str]:
        """The file that keeps it; None for a study in memory.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.storage is None
        True
        """
        return None if self._session.storage == MEMORY else self._session.storage

    @property
    def space(self) -> Space:
        """A copy of the space, as of now; change the space of a study by :meth:`Study.evolve`.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.space.names
        ['x']
        """
        return Space._of(self._live().space()) if self._has_space else Space()

    @property
    def direction(self) -> str:
        """``minimize`` or ``maximize``.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.direction
        'minimize'
        """
        return self._session.settings.direction

    @property
    def strategy(self) -> Any:
        """What makes the suggestions: a name, or a specification.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.strategy
        'auto'
        """
        return self._live().options()["strategy"] if self._has_space else self._session.settings.strategy

    @property
    def pruner(self) -> Any:
        """What stops trials early: a name, or a specification.

        >>> from arbora.examples import bowl_study
        >>> bowl_study().pruner
        'curve'
        """
        return self._live().options()["pruner"] if self._has_space else self._session.settings.pruner or "curve"

    @property
    def seed(self) -> int:
        """The source of all randomness.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.seed
        1
        """
        return self._session.seed

    @property
    def attributes(self) -> Dict[str, Any]:
        """What users keep with the study; see :meth:`Study.set_attribute`.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.set_attribute("data", "digits")
        >>> study.attributes
        {'data': 'digits'}
        """
        return self._live().attributes() if self._has_space else {}

    @property
    def trials(self) -> List[Trial]:
        """All trials in order, as of now.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> [trial.state for trial in study.trials]
        ['complete']
        """
        return [Trial(self._session, fields) for fields in self._live().trials()] if self._has_space else []

    def trial(self, number: int) -> Trial:
        """One trial, as of now.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.trial(0).loss
        0.5
        """
        return self._session.trial(trial_number(number))

    @property
    def best_trial(self) -> Trial:
        """The full evaluation with the least loss; the earliest of several.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.best_trial.number
        0
        """
        best = self._incumbent()
        if best is None:
            raise self._no_best()
        return best

    def _incumbent(self) -> Optional[Trial]:
        """The best trial; ``None`` before the first full evaluation with a loss."""
        best = self._live().best() if self._has_space else None
        return None if best is None else Trial(self._session, best)

    @property
    def best_configuration(self) -> Configuration:
        """The configuration of the best trial.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.best_configuration
        {'x': 0.25}
        """
        return self.best_trial.configuration

    @property
    def best_params(self) -> Configuration:
        """Another name of :attr:`best_configuration`.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.best_params
        {'x': 0.25}
        """
        return self.best_configuration

    @property
    def best_loss(self) -> float:
        """The least loss.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.best_loss
        0.5
        """
        loss = self.best_trial.loss
        assert loss is not None, "the best trial has a loss"
        return loss

    @property
    def best_value(self) -> float:
        """The best value of the objective, in the direction of the study.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.best_value
        0.5
        """
        value = self.best_trial.value
        assert value is not None, "the best trial has a value"
        return value

    @property
    def trustworthy_trial(self) -> Trial:
        """The trial with the best *expected* loss. The least loss observed is too good by luck, and
        more so after more trials; a model of all trials smooths the luck out. See :meth:`verdict`.

        >>> from arbora.examples import svm_study
        >>> svm_study().trustworthy_trial.number in svm_study().verdict().tied
        True
        """
        return self.trial(self.verdict().trusted.trial)

    def verdict(self) -> Verdict:
        """What was found and how sure that is: the best and the most trustworthy trial, which
        trials tie with it, how much too good the best looks, the noise, and whether more trials are
        worth it. ``str()`` says it in words. Ctrl-C ends the computation if it takes long.

        >>> from arbora.examples import svm_study
        >>> print(svm_study().verdict())
        11 trials complete, 1 failed.
        Best seen: trial ...
        """
        from arbora.verdict import Verdict

        found = _arbora.verdict(self._live()) if self._has_space else None
        if found is None:
            raise self._no_best()
        return Verdict._of(*found)

    def expected_best(self) -> Configuration:
        """The configuration with the best expected loss in the whole space. It may be one that no
        trial has tried: evaluate it before you rely on it.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> 0.0 <= study.expected_best()["x"] <= 1.0
        True
        """
        found = _arbora.expected_best(self._live()) if self._has_space else None
        if found is None:
            raise self._no_best()
        return found

    def _no_best(self) -> ArboraError:
        """Why there is no best trial: none was run, none ended with a loss, or none was a full
        evaluation."""
        why = self._live().missing() if self._has_space else None
        return ArboraError(why or "no trial has a loss yet; run some first", "NoBest", {})

    def trials_dataframe(self) -> pandas.DataFrame:
        """The trials as a pandas table, one row each. Parameters are in columns ``parameters_…``,
        empty if inactive.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.trials_dataframe()[["number", "state", "loss", "parameters_x"]].values.tolist()
        [[0, 'complete', 0.5, 0.25]]
        """
        from arbora.dataframe import dataframe

        return dataframe(self.trials, self.space.names)

    def kernel_matrix(self, configurations: Optional[List[Mapping[str, Any]]] = None) -> List[List[float]]:
        """The kernel (correlation) matrix of some configurations, by default those of all ended
        trials, with the hyperparameters of the latest suggestion, or the medians of their priors
        before there is one.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.kernel_matrix([{"x": 0.1}, {"x": 0.1}, {"x": 0.9}])[0][:2]
        [1.0, 1.0]
        """
        if configurations is None:
            configurations = [trial.configuration for trial in self.trials if trial.is_ended]
        return self._live().kernel_matrix(list(configurations))

    @renamed("kernel_matrix")
    def covariance(self, configurations: Optional[List[Mapping[str, Any]]] = None) -> List[List[float]]:
        """The old name of :meth:`kernel_matrix`.

        >>> from arbora.examples import bowl_study
        >>> study = bowl_study()
        >>> study.covariance([{"x": 0.1}])
        Traceback (most recent call last):
        ...
        DeprecationWarning: covariance() is now called kernel_matrix()
        """
        return self.kernel_matrix(configurations)

    def __len__(self) -> int:
        return self._live().count() if self._has_space else 0

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        where = "" if self.storage is None else f", storage={self.storage!r}"
        return f"<Study {self.name!r}{where}, {len(self)} trials>"

    def _repr_html_(self) -> str:
        states = [trial.state for trial in self.trials]
        counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states)) or "none yet"
        strategy = self.strategy if isinstance(self.strategy, str) else self.strategy.get("kind", "")
        about = f"{strategy}, {self.direction}, seed {self.seed}"
        rows = [("strategy", markup.escaped(about)), ("trials", markup.escaped(counts))]
        if self.storage is not None:
            rows.append(("storage", markup.escaped(self.storage)))
        best = self._incumbent()
        if best is not None:
            rows.append(("best", f"{markup.shown(best.value)} (trial {best.number})"))
            rows.append(("configuration", markup.configuration(best)))
        return markup.table(rows, f"Study {markup.escaped(self.name)}")
