"""Preprocessing for a learner: impute missing values, encode categories, scale numbers.

Every step is part of the fitted pipeline, and so learns from training rows alone.
"""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from arbora.automl.table_info import TableInfo

TARGET_FOLDS = 5
"""Folds for target encoding: each is encoded by the others."""
MOST_INDICATORS = 30
"""Most columns of a one-hot encoding; the rarest categories share one."""


def pipeline(learner: Any, settings: Mapping[str, Any], facts: TableInfo) -> Any:
    """A pipeline of preprocessing and learner. It reads ``missing``, ``indicator``, ``scaling``
    and ``categories``."""
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import make_pipeline

    parts = []
    if facts.numbers:
        parts.append(("numbers", _numbers(settings, facts), facts.numbers))
    if facts.categories:
        parts.append(("categories", _categories(settings, facts), facts.categories))
    return make_pipeline(ColumnTransformer(parts, sparse_threshold=0), learner)


def _numbers(settings: Mapping[str, Any], facts: TableInfo) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    # Rows to predict may have gaps where the table had none, so gaps are always filled.
    filled = SimpleImputer(
        strategy=settings.get("missing", "median"), add_indicator=settings.get("indicator", False), keep_empty_features=True
    )
    scale = _scaling(settings.get("scaling", "none"), facts)
    return filled if scale is None else make_pipeline(filled, scale)


def _scaling(name: str, facts: TableInfo) -> Any:
    from sklearn import preprocessing

    if name == "standard":
        return preprocessing.StandardScaler()
    if name == "robust":
        return preprocessing.RobustScaler(quantile_range=(10.0, 90.0))
    if name == "quantile":
        count = max(10, min(1000, facts.rows))
        return preprocessing.QuantileTransformer(n_quantiles=count, output_distribution="normal", random_state=facts.seed)
    return None


def _categories(settings: Mapping[str, Any], facts: TableInfo) -> Any:
    from sklearn import preprocessing
    from sklearn.pipeline import make_pipeline

    present = preprocessing.FunctionTransformer(gaps_as_category, feature_names_out="one-to-one")
    how = settings.get("categories", "indicators")
    if how == "codes":
        return present
    if how == "target":
        return make_pipeline(present, _target_encoder(facts))
    return make_pipeline(
        present,
        preprocessing.OneHotEncoder(
            handle_unknown="infrequent_if_exist", max_categories=MOST_INDICATORS, sparse_output=False
        ),
    )


def _target_encoder(facts: TableInfo) -> Any:
    """One column: left to itself scikit-learn takes whole numbers for classes, and makes a column
    for each."""
    import sklearn
    from sklearn.model_selection import KFold, StratifiedKFold
    from sklearn.preprocessing import TargetEncoder

    kind = "binary" if facts.is_classification else "continuous"
    if tuple(int(part) for part in sklearn.__version__.split(".")[:2]) < (1, 9):
        return TargetEncoder(target_type=kind, random_state=facts.seed)
    folds = StratifiedKFold if facts.is_classification else KFold
    return TargetEncoder(target_type=kind, cv=folds(TARGET_FOLDS, shuffle=True, random_state=facts.seed))


def gaps_as_category(codes: Any) -> Any:
    """A missing category is one more category.

    >>> import numpy as np
    >>> gaps_as_category(np.array([[2.0], [np.nan]]))
    array([[ 2.],
           [-1.]])
    """
    return np.where(np.isnan(codes), -1.0, codes)


def has_target_encoder(facts: TableInfo) -> bool:
    """Is encoding by the target there (scikit-learn 1.3), one column wide, and are there rows
    enough for its folds?"""
    from sklearn import preprocessing

    return hasattr(preprocessing, "TargetEncoder") and facts.classes <= 2 and facts.rows >= 2 * TARGET_FOLDS
