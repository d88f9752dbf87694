"""The learners of the modern space, one class each: its parameters, and what they build.

Ranges are those of common practice, wide on a logarithmic scale; defaults are the library's own
unless a comment says why.
"""

from __future__ import annotations

import importlib.util
from typing import Any, Dict, List

from arbora.automl.table_info import TableInfo
from arbora.expression import Condition
from arbora.space import Space

FEW_ROWS = 5_000
"""Up to here a kernel machine, whose cost grows with the square of the rows, is worth its time."""
MANY_ROWS = 50_000
"""Beyond, looking for neighbours takes longer than it is worth."""


class Learner:
    """One learner. Parameters are named ``learner.parameter``; ``build`` gets them without the
    prefix."""

    name: str
    takes_gaps = False
    """Does it take the encoded matrix as it is, gaps, categories and all?"""
    wants_scale = False
    takes_class_weights = False
    is_quick = False
    """Does its time grow no faster than the rows, with a small factor?"""

    def is_offered(self, facts: TableInfo) -> bool:
        """Is it of use on this table, and installed?"""
        return True

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        """Adds its parameters to a space."""

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        """The unfitted estimator."""
        raise AssertionError("every learner builds itself")


class Boosting(Learner):
    """Trees on histograms, each mending what the others left [Ke et al. 2017]."""

    name, takes_gaps, takes_class_weights, is_quick = "boosting", True, True, True

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        space.real("boosting.rate", 0.01, 0.5, log=True, default=0.1, when=when)
        space.integer("boosting.trees", 30, 600, log=True, default=100, when=when)
        space.integer("boosting.leaves", 4, 128, log=True, default=31, when=when)
        space.integer("boosting.leaf_rows", 1, 100, log=True, default=20, when=when)
        space.real("boosting.ridge", 1e-6, 1e2, log=True, default=1e-3, when=when)
        space.real("boosting.features", 0.2, 1.0, default=1.0, when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        from sklearn import ensemble

        kind = "HistGradientBoostingClassifier" if facts.is_classification else "HistGradientBoostingRegressor"
        more = {"class_weight": settings["class_weight"]} if "class_weight" in settings else {}
        if hasattr(getattr(ensemble, kind)(), "max_features"):
            more["max_features"] = settings["features"]
        return getattr(ensemble, kind)(
            learning_rate=settings["rate"],
            max_iter=settings["trees"],
            max_leaf_nodes=settings["leaves"],
            min_samples_leaf=settings["leaf_rows"],
            l2_regularization=settings["ridge"],
            categorical_features=facts.categories or None,
            # With few rows, those set aside are missed more than the trees too many.
            early_stopping=facts.rows >= 5_000 and facts.may_hold_back,
            random_state=facts.seed,
            **more,
        )


class Trees(Learner):
    """Many trees that vote: grown on bootstrap samples, or with random thresholds [Breiman 2001;
    Geurts et al. 2006]."""

    takes_class_weights = True

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        space.integer(f"{self.name}.trees", 30, 300, log=True, default=100, when=when)
        share = 1 / max(1.0, len(facts.sizes) ** 0.5) if facts.is_classification else 1.0
        space.real(f"{self.name}.features", 0.05, 1.0, log=True, default=min(1.0, max(0.05, share)), when=when)
        space.integer(f"{self.name}.leaf_rows", 1, 30, log=True, default=1, when=when)
        if facts.is_classification:
            space.choice(f"{self.name}.criterion", ["gini", "entropy"], when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        from sklearn import ensemble

        more = {name: settings[name] for name in ("criterion", "class_weight") if name in settings}
        kind = self.kind + ("Classifier" if facts.is_classification else "Regressor")
        return getattr(ensemble, kind)(
            settings["trees"],
            max_features=settings["features"],
            min_samples_leaf=settings["leaf_rows"],
            n_jobs=facts.threads,
            random_state=facts.seed,
            **more,
        )


class Linear(Learner):
    """Logistic or ridge regression."""

    name, wants_scale, takes_class_weights, is_quick = "linear", True, True, True

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        space.real("linear.penalty", 1e-4, 1e4, log=True, default=1.0, when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        from sklearn.linear_model import LogisticRegression, Ridge

        if not facts.is_classification:
            return Ridge(settings["penalty"])
        return LogisticRegression(C=1 / settings["penalty"], class_weight=settings.get("class_weight"), max_iter=300)


class Network(Learner):
    """A perceptron of one to three layers, trained by Adam."""

    name, wants_scale = "network", True

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        space.integer("network.layers", 1, 3, default=1, when=when)
        space.integer("network.units", 16, 256, log=True, default=64, when=when)
        # Higher than the library's: tables are small and time is short.
        space.real("network.rate", 1e-4, 3e-2, log=True, default=3e-3, when=when)
        space.real("network.decay", 1e-6, 1.0, log=True, default=1e-4, when=when)
        space.choice("network.activation", ["relu", "tanh"], when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.neural_network import MLPClassifier, MLPRegressor
        from sklearn.preprocessing import StandardScaler

        options = {
            "hidden_layer_sizes": (settings["units"],) * settings["layers"],
            "learning_rate_init": settings["rate"],
            "alpha": settings["decay"],
            "activation": settings["activation"],
            "early_stopping": facts.rows >= 1_000 and facts.may_hold_back,
            "max_iter": 150,
            "random_state": facts.seed,
        }
        if facts.is_classification:
            return MLPClassifier(**options)
        # Its steps have one size, whatever the unit of the target.
        return TransformedTargetRegressor(MLPRegressor(**options), transformer=StandardScaler())


class Kernel(Learner):
    """A support vector machine with a Gaussian kernel."""

    name, wants_scale, takes_class_weights = "svm", True, True

    def is_offered(self, facts: TableInfo) -> bool:
        return facts.rows <= FEW_ROWS

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        space.real("svm.C", 1e-3, 1e4, log=True, default=1.0, when=when)
        # Distances of standardised rows grow with their number of columns.
        space.real("svm.width", 1e-3, 1e2, log=True, default=1.0, when=when)
        if not facts.is_classification:
            space.real("svm.epsilon", 1e-3, 1.0, log=True, default=0.1, when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC, SVR

        from arbora.automl.probabilities import Calibrated

        gamma = settings["width"] / len(facts.sizes)
        if facts.is_classification:
            weights = settings.get("class_weight")
            return Calibrated(SVC(C=settings["C"], gamma=gamma, class_weight=weights, random_state=facts.seed))
        machine = SVR(C=settings["C"], gamma=gamma, epsilon=settings["epsilon"])
        return TransformedTargetRegressor(machine, transformer=StandardScaler())


class Neighbours(Learner):
    """The nearest rows decide."""

    name, wants_scale = "neighbours", True

    def is_offered(self, facts: TableInfo) -> bool:
        return 10 <= facts.rows <= MANY_ROWS

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        most = max(2, min(100, facts.rows // 2))
        space.integer("neighbours.count", 1, most, log=True, default=min(5, most), when=when)
        space.choice("neighbours.weights", ["uniform", "distance"], when=when)
        space.choice("neighbours.distance", ["euclidean", "manhattan"], when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

        kind = KNeighborsClassifier if facts.is_classification else KNeighborsRegressor
        power = 1 if settings["distance"] == "manhattan" else 2
        return kind(settings["count"], weights=settings["weights"], p=power, n_jobs=facts.threads)


class ExternalBooster(Learner):
    """Boosting by a library that users may have installed; their parameters mean the same."""

    takes_gaps, is_quick = True, True

    def __init__(self, name: str) -> None:
        self.name = name

    def is_offered(self, facts: TableInfo) -> bool:
        return importlib.util.find_spec(self.name) is not None

    def declare(self, space: Space, when: Condition, facts: TableInfo) -> None:
        space.real(f"{self.name}.rate", 0.01, 0.5, log=True, default=0.1, when=when)
        space.integer(f"{self.name}.trees", 30, 600, log=True, default=100, when=when)
        space.integer(f"{self.name}.leaves", 4, 128, log=True, default=31, when=when)
        space.real(f"{self.name}.ridge", 1e-6, 1e2, log=True, default=1e-3, when=when)
        space.real(f"{self.name}.rows", 0.4, 1.0, default=0.9, when=when)
        space.real(f"{self.name}.features", 0.2, 1.0, default=0.9, when=when)

    def build(self, settings: Dict[str, Any], facts: TableInfo) -> Any:
        options: Dict[str, Any] = {
            "learning_rate": settings["rate"],
            "n_estimators": settings["trees"],
            "reg_lambda": settings["ridge"],
            "subsample": settings["rows"],
            "colsample_bytree": settings["features"],
            "n_jobs": facts.threads,
            "random_state": facts.seed,
        }
        if self.name == "xgboost":
            import xgboost

            kind = xgboost.XGBClassifier if facts.is_classification else xgboost.XGBRegressor
            return kind(tree_method="hist", grow_policy="lossguide", max_depth=0, max_leaves=settings["leaves"], **options)
        import lightgbm

        kind = lightgbm.LGBMClassifier if facts.is_classification else lightgbm.LGBMRegressor
        return kind(num_leaves=settings["leaves"], subsample_freq=1, verbose=-1, **options)


LEARNERS: List[Learner] = [
    Boosting(),
    Linear(),
    Trees("extra", "ExtraTrees"),
    Trees("forest", "RandomForest"),
    Kernel(),
    Network(),
    ExternalBooster("lightgbm"),
    ExternalBooster("xgboost"),
    Neighbours(),
]
"""In the order their defaults are tried: what is likeliest to be good soon comes first."""
