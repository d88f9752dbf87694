"""``arbora bench data FROM TO``: a folder of published files becomes a folder of data for ``arbora
bench run --data``.

Reads CSV (with a header or without; commas, semicolons, tabs or blanks), ARFF, KEEL's and LIBSVM's
files, also compressed by gzip. Writes TO/NAME.csv.gz, columns f1, f2, ... and class, and
TO/index.csv. Numbers stay as they are, categories are coded 1, 2, 3 in the order in which the file
declares them (else in the alphabet's), missing cells (empty, ?, NA, NaN, null) become 0, classes 0,
1, 2. A publisher's test part in a file of its own (NAME_train and NAME_test, NAME and NAME_test,
NAME.data and NAME.test) is put below the training part and noted in the index. HPOlib's
lda_on_grid.py, svm_on_grid.py and logreg_on_grid.py become tables of losses, TO/tables/*.csv. A
file that cannot be read is named with line and column; the others are converted, and the exit code
is 1.
"""

from __future__ import annotations

import argparse
import collections
import csv
import gzip
import io
import os
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from arbora.lab.grids import GRIDS, convert_grid
from arbora.lab.tables import SUFFIXES, Encoded, Faulty, Raw, encode, read

INDEX = "index.csv"
FIELDS = ["name", "rows", "features", "classes", "majority_error", "n_train", "n_test", "encoding", "source"]


class Source(NamedTuple):
    """The file of a data set, and that of its test part."""

    name: str
    path: str
    test: Optional[str] = None


def sources(folder: str, test_suffix: str = "_test") -> List[Source]:
    """The data sets of a folder, test parts with the files they belong to.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a.csv", "b_train.arff", "b_test.arff", "c.data", "c.test", "readme.txt"):
    ...         open(os.path.join(folder, name), "w").close()
    ...     [(found.name, found.test is not None) for found in sources(folder)]
    [('a', False), ('b', True), ('c', True)]
    """
    files: Dict[Tuple[str, bool], str] = {}
    for entry in sorted(os.listdir(folder)):
        stem, suffix = os.path.splitext(entry[:-3] if entry.endswith(".gz") else entry)
        if suffix in SUFFIXES and entry != INDEX:
            is_test = suffix == ".test" or (stem.endswith(test_suffix) and stem != test_suffix)
            name = stem[: -len(test_suffix)] if is_test and suffix != ".test" else stem
            key = (name[:-6] if name.endswith("_train") and not is_test else name, is_test)
            if key in files:
                raise Faulty(os.path.join(folder, entry), f"`{files[key]}` makes the same data set; rename one")
            files[key] = os.path.join(folder, entry)
    found = []
    for (name, is_test), path in files.items():
        if not is_test:
            found.append(Source(name, path, files.get((name, True))))
        elif (name, False) not in files:
            found.append(Source(name + test_suffix, path))
    return sorted(found)


def table(source: Source, header: Optional[bool] = None) -> Raw:
    """What the files of a data set hold."""
    train = read(source.path, header)
    if source.test is None:
        return train
    if header is None:  # as the training part
        header = [column.name for column in train.columns] != [str(i + 1) for i in range(len(train.columns))]
    return train.followed_by(read(source.test, header))


def entry(source: Source, raw: Raw, made: Encoded) -> Dict[str, Any]:
    """The line of a data set in the index."""
    most = collections.Counter(made.classes).most_common(1)[0][1]
    rows = len(made.classes)
    coded = f"{made.coded} columns of categories coded from 1 on" if made.coded else "numbers as in the file"
    return {
        "name": source.name,
        "rows": rows,
        "features": len(made.rows[0]),
        "classes": len(set(made.classes)),
        "majority_error": round(100.0 * (1 - most / rows), 2),
        "n_train": "" if raw.train is None else raw.train,
        "n_test": "" if raw.train is None else rows - raw.train,
        "encoding": coded + (f"; {made.missing} missing cells are 0" if made.missing else ""),
        "source": " and ".join(os.path.basename(path) for path in (source.path, source.test) if path),
    }


def write(folder: str, name: str, made: Encoded) -> None:
    """The file of a data set; the same data give the same bytes."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*(f"f{i + 1}" for i in range(len(made.rows[0]))), "class"])
    for row, label in zip(made.rows, made.classes):
        lines.writerow([*(repr(value)[:-2] if value.is_integer() else repr(value) for value in row), label])
    with open(os.path.join(folder, name + ".csv.gz"), "wb") as file:
        file.write(gzip.compress(text.getvalue().encode("utf-8"), mtime=0))


def write_index(folder: str, entries: Sequence[Dict[str, Any]]) -> None:
    """The index, with the data sets that were in it before and their columns."""
    path = os.path.join(folder, INDEX)
    fields, lines = list(FIELDS), {}
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            lines = {row["name"]: row for row in reader}
            fields += [name for name in reader.fieldnames or () if name not in fields]
    lines.update({made["name"]: made for made in entries})
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[name] for name in sorted(lines))
    os.replace(path + ".new", path)


def convert(given: argparse.Namespace) -> int:
    """Converts what can be; says what was made and what was not."""
    header = {"yes": True, "no": False}.get(given.header)
    found = sources(given.source, given.test_suffix)
    grids = [path for name in GRIDS if os.path.exists(path := os.path.join(given.source, name + ".py"))]
    if not found and not grids:
        print(f"{given.source}: no files {', '.join(SUFFIXES)} here", file=sys.stderr)
        return 2
    os.makedirs(given.to, exist_ok=True)
    good = 0
    for path in grids:
        try:
            print(convert_grid(path, given.to))
            good += 1
        except Faulty as fault:
            print(f"not converted: {fault}", file=sys.stderr)
    made: List[Dict[str, Any]] = []
    for source in found:
        try:
            raw = table(source, header)
            encoded = encode(raw, target=given.target, categorical=given.categorical, drop=given.drop)
        except Faulty as fault:
            print(f"not converted: {fault}", file=sys.stderr)
            continue
        write(given.to, source.name, encoded)
        made.append(entry(source, raw, encoded))
        print("{name}: {rows} rows, {features} features, {classes} classes; {encoding}".format(**made[-1]))
    if made:
        write_index(given.to, made)
    good, whole = good + len(made), len(grids) + len(found)
    print(f"{good} of {whole} converted; see {given.to}")
    return 0 if good == whole else 1


def main(arguments: Optional[List[str]] = None) -> int:
    """The command."""
    options = argparse.ArgumentParser(
        prog="arbora bench data", description=(__doc__ or "").replace("``", ""), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("source", metavar="FROM", help="folder of published files")
    options.add_argument("to", metavar="TO", help="folder of data; made if need be, and added to")
    options.add_argument("--target", metavar="NAME", help="column of the class (the last one, or what the file says)")
    options.add_argument(
        "--categorical", metavar="NAME", action="append", default=[], help="a column of categories that look like numbers"
    )
    options.add_argument("--drop", metavar="NAME", action="append", default=[], help="a column to leave out, such as a name")
    options.add_argument(
        "--header", choices=["auto", "yes", "no"], default="auto",
        help="do CSV files begin with names? Columns without are called 1, 2, 3",
    )
    options.add_argument("--test-suffix", metavar="SUFFIX", default="_test", help="end of the name of a test part (_test)")
    given = options.parse_args(arguments)
    if not os.path.isdir(given.source):
        options.error(f"there is no folder `{given.source}`")
    try:
        return convert(given)
    except (Faulty, OSError) as trouble:
        print(f"arbora bench data: {trouble}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
