"""Data sets: those that come with scikit-learn and other packages, and folders of gzipped CSV
files."""

from __future__ import annotations

import csv
import functools
import gzip
import os
from typing import Any, NamedTuple, Optional

from arbora.lab import bundled as carried
from arbora.lab.line import Missing

__all__ = ["Dataset", "load"]

BUNDLED = {"iris": "load_iris", "wine": "load_wine", "breast-cancer": "load_breast_cancer", "digits": "load_digits"}
PREFIX = "sklearn-"
CARRIED = "bundled"
"""What is given in place of a folder for the data sets that packages carry; a folder of that name
is ``./bundled``."""


class Dataset(NamedTuple):
    """Numbers, classes from 0 on, and how many rows come before the publisher's own test part."""

    rows: Any
    classes: Any
    train: Optional[int]


@functools.lru_cache(maxsize=4)
def load(name: str, folder: Optional[str]) -> Dataset:
    """The data set of a name: ``sklearn-iris``, a file ``NAME.csv.gz`` of the folder, or what a
    package carries."""
    if name.startswith(PREFIX):
        return bundled(name[len(PREFIX) :])
    if folder is None:
        raise Missing(f"the data set `{name}` needs --data FOLDER, or --data bundled")
    if folder == CARRIED:
        return Dataset(*carried.load(name))
    path = os.path.join(folder, name + ".csv.gz")
    if not os.path.exists(path):
        raise Missing(f"there is no data set `{name}` in {folder}")
    import numpy as np

    with gzip.open(path, "rt", encoding="utf-8") as file:
        table = np.array(list(csv.reader(file))[1:], dtype=float)
    return Dataset(table[:, :-1], table[:, -1].astype(int), own_test(name, folder))


def own_test(name: str, folder: str) -> Optional[int]:
    """Rows before the test part, if the publisher gives one."""
    index = os.path.join(folder, "index.csv")
    if not os.path.exists(index):
        return None
    with open(index, encoding="utf-8", newline="") as file:
        entry = next((row for row in csv.DictReader(file) if row["name"] == name), None)
    return int(entry["n_train"]) if entry and entry.get("n_train") else None


def bundled(name: str) -> Dataset:
    """A data set of scikit-learn."""
    try:
        from sklearn import datasets
    except ImportError:
        raise Missing("learners need scikit-learn: pip install scikit-learn") from None
    if name not in BUNDLED:
        raise Missing(f"scikit-learn brings {', '.join(BUNDLED)}, not `{name}`")
    found = getattr(datasets, BUNDLED[name])()
    return Dataset(found.data, found.target, None)
