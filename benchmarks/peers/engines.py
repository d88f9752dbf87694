"""The tools to compare with, one class each: preload a history, ask for a configuration, tell its loss."""
import logging
import random
import tempfile
import warnings

from cash import CLASSIFIERS

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


class Optuna:
    """Define-by-run: a trial asks only for the parameters that are active."""
    every_parameter = False

    def __init__(self, seed):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna, self.generator = optuna, random.Random(seed)
        self.study = optuna.create_study(sampler=self.sampler(optuna, seed))

    def distribution(self, number):
        kind = self.optuna.distributions.IntDistribution if number.whole else self.optuna.distributions.FloatDistribution
        return kind(number.low, number.high, log=number.log)

    def preload(self, observations):
        root = self.optuna.distributions.CategoricalDistribution(list(CLASSIFIERS))
        for configuration, loss in observations:
            values, distributions = dict(configuration), {"classifier": root}
            for classifier, numbers in CLASSIFIERS.items():
                if self.every_parameter or classifier == configuration["classifier"]:
                    for name, number in numbers.items():
                        values.setdefault(name, number.at(self.generator.random()))
                        distributions[name] = self.distribution(number)
            trial = self.optuna.trial.create_trial(params=values, distributions=distributions, value=loss)
            self.study.add_trial(trial)

    def ask(self):
        self.trial = self.study.ask()
        chosen = self.trial.suggest_categorical("classifier", list(CLASSIFIERS))
        configuration = {"classifier": chosen}
        for classifier, numbers in CLASSIFIERS.items():
            for name, number in numbers.items() if self.every_parameter or classifier == chosen else ():
                suggest = self.trial.suggest_int if number.whole else self.trial.suggest_float
                value = suggest(name, number.low, number.high, log=number.log)
                if classifier == chosen:
                    configuration[name] = value
        return configuration

    def tell(self, loss):
        self.study.tell(self.trial, loss)


class OptunaTpe(Optuna):
    """Multivariate Parzen estimators, one per group of parameters that occur together."""

    @staticmethod
    def sampler(optuna, seed):
        return optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)


class OptunaGp(Optuna):
    """Its Gaussian process sees the parameters of every trial only, here the classifier; the rest is drawn at random."""

    @staticmethod
    def sampler(optuna, seed):
        import torch

        torch.set_num_threads(1)
        return optuna.samplers.GPSampler(seed=seed, deterministic_objective=True)


class OptunaGpFlat(OptunaGp):
    """The same, told all 14 parameters in every trial, so that it models all of them, inactive or not."""
    every_parameter = True


class SmacGp:
    """BlackBoxFacade: Gaussian process, expected improvement, local search; the space and its conditions by ConfigSpace."""

    def __init__(self, seed):
        import ConfigSpace
        from smac import BlackBoxFacade, Scenario

        self.folder = tempfile.TemporaryDirectory(prefix="smac")
        space = self.space(ConfigSpace, seed)
        scenario = Scenario(space, deterministic=True, n_trials=100_000, seed=seed, output_directory=self.folder.name)
        design = BlackBoxFacade.get_initial_design(scenario, n_configs=1)
        self.smac = BlackBoxFacade(
            scenario, target_function=lambda config, seed=0: 0.0, initial_design=design, overwrite=True, logging_level=50
        )
        self.make = lambda values: ConfigSpace.Configuration(space, values=values)

    @staticmethod
    def space(ConfigSpace, seed):
        space = ConfigSpace.ConfigurationSpace(seed=seed)
        root = ConfigSpace.CategoricalHyperparameter("classifier", list(CLASSIFIERS))
        space.add(root)
        for classifier, numbers in CLASSIFIERS.items():
            for name, number in numbers.items():
                kind = (ConfigSpace.UniformIntegerHyperparameter if number.whole
                        else ConfigSpace.UniformFloatHyperparameter)
                child = kind(name, number.low, number.high, log=number.log)
                space.add(child)
                space.add(ConfigSpace.EqualsCondition(child, root, classifier))
        return space

    def preload(self, observations):
        from smac.runhistory.dataclasses import TrialInfo, TrialValue

        for configuration, loss in observations:
            self.smac.tell(TrialInfo(self.make(configuration), seed=0), TrialValue(cost=loss), save=False)
        self.ask()  # The one point of the initial design comes first.
        self.tell(1.0)

    def ask(self):
        self.info = self.smac.ask()
        return dict(self.info.config)

    def tell(self, loss):
        from smac.runhistory.dataclasses import TrialValue

        self.smac.tell(self.info, TrialValue(cost=loss), save=False)


ENGINES = {
    "optuna-tpe-group": OptunaTpe,
    "optuna-gp": OptunaGp,
    "optuna-gp-flat": OptunaGpFlat,
    "smac-blackbox": SmacGp,
}
