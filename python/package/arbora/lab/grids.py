"""The three tables of losses on grids, taken from the files in which HPOlib has them.

HPOlib (github.com/automl/HPOlib, folder HPOlib/benchmarks) keeps them as lists of numbers inside
Python 2 programs, which are not run here, only searched for rows of the right length.
"""

from __future__ import annotations

import csv
import os
import re
from typing import Dict, List, NamedTuple, Tuple

from arbora.lab.tables import Faulty

NUMBER = r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"


class Grid(NamedTuple):
    """A table: its columns, and how many of them are parameters; the product of their values is the
    number of rows."""

    columns: Tuple[str, ...]
    parameters: int
    rows: int


GRIDS = {
    "lda_on_grid": Grid(("kappa", "tau", "s", "perplexity", "seconds"), 3, 6 * 6 * 8),
    "svm_on_grid": Grid(("C", "alpha", "epsilon", "error", "seconds"), 3, 25 * 14 * 4),
    "logreg_on_grid": Grid(
        ("lrate", "l2_reg", "batchsize", "n_epochs", "valid_error", "test_error", "seconds"), 4, 11 * 11 * 8 * 10
    ),
}


def rows(text: str, width: int) -> List[List[str]]:
    """The lists of so many numbers in a text.

    >>> rows("values = [1, 2]; table = [[1.000, 4e1, 0.5], [2, 3,\\n 0.25]]", 3)
    [['1.000', '4e1', '0.5'], ['2', '3', '0.25']]
    """
    pattern = re.compile(rf"\[\s*({NUMBER}(?:\s*,\s*{NUMBER}){{{width - 1}}})\s*\]")
    return [[cell.strip() for cell in found.split(",")] for found in pattern.findall(text)]


def convert_grid(path: str, folder: str) -> str:
    """Writes FOLDER/tables/NAME.csv from HPOlib's NAME.py, and says so. Of a setting that was
    measured twice the later line counts, as in HPOlib."""
    name = os.path.splitext(os.path.basename(path))[0]
    grid = GRIDS[name]
    with open(path, encoding="utf-8", errors="replace") as file:
        found = rows(file.read(), len(grid.columns))
    table: Dict[Tuple[float, ...], List[str]] = {}
    for row in found:
        setting = tuple(float(cell) for cell in row[: grid.parameters])
        table.pop(setting, None)
        table[setting] = row
    if len(table) != grid.rows:
        raise Faulty(path, f"it has {len(table)} settings, HPOlib's file has {grid.rows}")
    os.makedirs(os.path.join(folder, "tables"), exist_ok=True)
    with open(os.path.join(folder, "tables", name + ".csv"), "w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(grid.columns)
        lines.writerows([f"{float(cell):.12g}" for cell in row] for row in table.values())
    return f"tables/{name}.csv: {len(table)} settings"
