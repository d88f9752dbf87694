"""LIBSVM's form: a label and the cells that are not zero, ``1 3:0.5 7:1``."""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

from arbora.lab.tables.raw import Column, Faulty, Raw, number


def read_libsvm(path: str, lines: Sequence[str]) -> Raw:
    """The table with all its cells; the class is the first column.

    >>> raw = read_libsvm("f.libsvm", ["1 1:0.5 3:2", "-1 2:1"])
    >>> raw.rows
    [['1', '0.5', '0', '2'], ['-1', '0', '1', '0']]
    """
    rows: List[Tuple[str, Dict[int, str]]] = []
    numbers: List[int] = []
    for at, line in enumerate(lines):
        words = line.split("#")[0].split()
        if words:
            rows.append((words[0], dict(cell(path, at + 1, word) for word in words[1:])))
            numbers.append(at + 1)
    width = max((index for _, row in rows for index in row), default=0)
    if not width:
        raise Faulty(path, "it has no cells; a line is a label and cells INDEX:VALUE")
    columns = [Column("class"), *(Column(str(i + 1), True) for i in range(width))]
    table = [[label, *(row.get(i + 1, "0") for i in range(width))] for label, row in rows]
    return Raw(path, columns, table, numbers, "class", is_sparse=True)


def cell(path: str, line: int, word: str) -> Tuple[int, str]:
    """The index and the value of a cell."""
    index, _, value = word.partition(":")
    if not index.isdigit() or index == "0" or number(value) is None:
        raise Faulty(path, f"`{word}` is no cell INDEX:VALUE with an index from 1 on", line)
    return int(index), value
