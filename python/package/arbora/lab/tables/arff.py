"""ARFF, the files of Weka and OpenML, and KEEL's, which add the range of numbers and name the
columns of classes.

Numbers and nominal attributes are read. Text, dates, relations and sparse rows are refused by name.
"""

from __future__ import annotations

import csv
import re
from typing import List, Optional, Sequence

from arbora.lab.tables.raw import Column, Faulty, Raw

ATTRIBUTE = re.compile(r"""(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{\['"]+))\s*(.*)""", re.DOTALL)
NUMERIC = ("numeric", "real", "integer")


def read_arff(path: str, lines: Sequence[str]) -> Raw:
    """The table."""
    columns: List[Column] = []
    target: Optional[str] = None
    for at, line in enumerate(lines):
        words = line.strip().split(None, 1)
        if not words or words[0][0] == "%":
            continue
        keyword, rest = words[0].lower(), words[1].strip() if len(words) > 1 else ""
        if keyword == "@attribute":
            columns.append(attribute(path, at + 1, rest))
        elif keyword in ("@output", "@outputs"):
            target = rest.strip()
        elif keyword == "@data":
            return data(path, lines, at + 1, columns, target)
        elif keyword not in ("@relation", "@input", "@inputs"):
            raise Faulty(path, f"`{words[0]}` is no declaration of ARFF", at + 1)
    raise Faulty(path, "it has no line @data")


def attribute(path: str, line: int, text: str) -> Column:
    """A declaration: a name and a type.

    >>> attribute("f.arff", 1, "'petal width' NUMERIC").name
    'petal width'
    >>> attribute("f.arff", 1, "Class {a, 'b c', d}").labels
    ['a', 'b c', 'd']
    """
    found = ATTRIBUTE.match(text)
    if found is None:
        raise Faulty(path, f"`{text}` is no attribute: it needs a name and a type", line)
    quoted = found.group(1) if found.group(1) is not None else found.group(2)
    name = found.group(3) if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
    kind = found.group(4).strip()
    if kind.startswith("{"):
        if not kind.rstrip().endswith("}"):
            raise Faulty(path, "the list of categories does not end with `}`", line, name)
        return Column(name, False, split(kind[1 : kind.rindex("}")]))
    word = re.split(r"[\s\[]", kind.lower(), maxsplit=1)[0]
    if word not in NUMERIC:
        raise Faulty(path, f"attributes of type `{word}` are not read; leave the column out of the file", line, name)
    return Column(name, True)


def data(path: str, lines: Sequence[str], start: int, columns: List[Column], target: Optional[str]) -> Raw:
    """The rows below the declarations."""
    rows: List[List[str]] = []
    numbers: List[int] = []
    for at in range(start, len(lines)):
        text = lines[at].strip()
        if not text or text[0] == "%":
            continue
        if text[0] == "{":
            raise Faulty(path, "sparse rows, {index value, ...}, are not read; write the file with every cell", at + 1)
        row = split(text)
        if len(row) != len(columns):
            raise Faulty(path, f"{len(row)} cells for {len(columns)} attributes", at + 1)
        rows.append(row)
        numbers.append(at + 1)
    if not rows:
        raise Faulty(path, "it has no rows")
    return Raw(path, columns, rows, numbers, target)


def split(text: str) -> List[str]:
    """Cells between commas, in quotes or not.

    >>> split("5.1, 'Iris setosa', ?")
    ['5.1', 'Iris setosa', '?']
    """
    quote = "'" if "'" in text else '"'
    read = csv.reader([text], quotechar=quote, skipinitialspace=True, escapechar="\\")
    return [cell.strip() for cell in next(read)]
