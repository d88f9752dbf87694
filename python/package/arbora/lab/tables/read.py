"""A file by its name: which reader, compressed or not."""

from __future__ import annotations

import gzip
import os
from typing import Optional

from arbora.lab.tables.arff import read_arff
from arbora.lab.tables.delimited import read_delimited
from arbora.lab.tables.raw import Faulty, Raw
from arbora.lab.tables.sparse import read_libsvm

SUFFIXES = (".csv", ".tsv", ".data", ".test", ".dat", ".arff", ".libsvm")
"""Endings of files that are tables; each may be followed by ``.gz``."""


def read(path: str, header: Optional[bool] = None) -> Raw:
    """The table of a file. ``header`` says whether text with delimiters begins with names; by
    default the text does."""
    suffix = os.path.splitext(path[:-3] if path.endswith(".gz") else path)[1]
    opened = gzip.open if path.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline=None) as file:
            lines = file.read().splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as trouble:
        raise Faulty(path, f"cannot be read: {trouble}") from None
    first = next((line.strip() for line in lines if line.strip()), "")
    if not first:
        raise Faulty(path, "it is empty")
    if suffix == ".libsvm":
        return read_libsvm(path, lines)
    if suffix == ".arff" or first[0] in "@%":
        return read_arff(path, lines)
    return read_delimited(path, lines, header, is_c45=suffix in (".data", ".test"))
