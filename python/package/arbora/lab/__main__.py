"""``python -m arbora.lab``: learners on data sets, and surrogate benchmarks, for ``arbora bench``.
"""

from __future__ import annotations

import argparse
from typing import Any, Dict, List, Optional

from arbora.lab.data import Dataset, load
from arbora.lab.learners import learner
from arbora.lab.limit import cpu_limit
from arbora.lab.line import Missing, serve
from arbora.lab.spaces import SPACES


NETWORK_SECONDS = 300.0
"""Of CPU time for an evaluation; beyond, a network counts as always wrong [Jenatton et al. 2017,
section 4.2]."""


class Lab:
    """One problem at a time: ``KIND/SET`` for learners, ``yahpo/SCENARIO/INSTANCE`` for surrogates.
    """

    def __init__(self, data: Optional[str], yahpo: Optional[str]) -> None:
        self.data, self.yahpo = data, yahpo
        self.kind, self.seed = "", 0
        self.dataset: Optional[Dataset] = None
        self.surrogate: Any = None

    def open(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """The space, and the classes of a data set."""
        self.kind, _, rest = request["open"].partition("/")
        self.seed = request.get("seed", 0)
        if self.kind == "yahpo":
            from arbora.lab.yahpo import Surrogate

            self.surrogate = Surrogate(self.yahpo, *rest.split("/"))
            return {"space": {"parameters": self.surrogate.parameters}}
        if self.kind not in SPACES:
            raise Missing(f"`{request['open']}` is no problem; they begin with {', '.join(SPACES)} or yahpo")
        self.dataset = load(rest, self.data)
        labels = [int(label) for label in self.dataset.classes]
        return {"space": {"parameters": SPACES[self.kind]()}, "labels": labels, "train": self.dataset.train}

    def learn(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """Fits the first rows of every split, predicts each of the other lists of rows."""
        try:
            with cpu_limit(NETWORK_SECONDS if self.kind.startswith("mlp") else None):
                return {"predictions": self.predictions(request["learn"], request["splits"])}
        except (ValueError, ArithmeticError, TimeoutError) as trouble:
            return {"failed": str(trouble)}

    def predictions(self, configuration: Dict[str, Any], splits: List[Any]) -> List[List[List[int]]]:
        """Of every split and every list of rows."""
        assert self.dataset is not None
        rows, classes, _ = self.dataset
        said = []
        for train, *asked in splits:
            fitted = learner(self.kind, configuration, self.seed).fit(rows[train], classes[train])
            said.append([fitted.predict(rows[wanted]).tolist() for wanted in asked])
        return said

    def evaluate(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """The loss of a surrogate."""
        return {"loss": self.surrogate.loss(request["evaluate"])}

    def test(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """Surrogates have no unseen rows."""
        return {"test": None}


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m arbora.lab", description=__doc__)
    options.add_argument("--data", help="folder of gzipped CSV files and index.csv, or `bundled`")
    options.add_argument("--yahpo", help="folder of surrogate benchmarks")
    given = options.parse_args()
    serve(Lab(given.data, given.yahpo))


if __name__ == "__main__":
    main()
