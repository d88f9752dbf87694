"""The command of automatic models: files that are not as expected, and Ctrl-C before anything has begun."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="automatic models need scikit-learn")
pytest.importorskip("sklearn", reason="automatic models need scikit-learn")
pandas = pytest.importorskip("pandas", reason="tables of the command are frames of pandas")

import arbora  # noqa: E402
from arbora.automl import tables  # noqa: E402
from arbora.automl.command import main  # noqa: E402

PACKAGE = str(pathlib.Path(arbora.__file__).parent.parent)


def refused(folder: pathlib.Path, text: str, capsys: Any, *more: str) -> str:
    file = folder / "t.csv"
    file.write_text(text)
    assert main([str(file), "--target", "y", "--trials", "1", "--out", str(folder / "out"), "--quiet", *more]) == 2
    assert not list(folder.glob("out/*")), "nothing is written"
    said: str = capsys.readouterr().err
    return said.replace(str(folder) + "/", "")


def test_two_columns_of_one_name_are_refused(tmp_path: pathlib.Path, capsys: Any) -> None:
    said = refused(tmp_path, "a,b,a,y\n1,2,3,0\n4,5,6,1\n", capsys)
    assert said == "arbora automl: `t.csv` has several columns of one name: `a`; rename all but one\n"
    # Columns without a name are not of one name, and `a.1` is a name like any other.
    (tmp_path / "fine.csv").write_text(",,a,a.1\n1,2,3,4\n")
    assert tables.read(str(tmp_path / "fine.csv")).shape == (1, 4)


@pytest.mark.parametrize("char, shown", [(";", ";"), ("\t", r"\t"), ("|", "|")])
def test_another_separator_is_offered_and_taken(char: str, shown: str, tmp_path: pathlib.Path, capsys: Any) -> None:
    said = refused(tmp_path, f'"a"{char}"b"{char}"y"\n1{char}2{char}0\n', capsys)
    assert "has no column `y`" in said and f"say --separator '{shown}'" in said
    assert list(tables.read(str(tmp_path / "t.csv"), tables.separator(shown)).columns) == ["a", "b", "y"]


def test_a_decimal_comma_is_read_if_asked_for(tmp_path: pathlib.Path, capsys: Any) -> None:
    said = refused(tmp_path, "a;y\n1,5;2\n", capsys, "--decimal", ",")
    assert "--decimal , separates columns, too; say --separator ';'" in said
    assert tables.read(str(tmp_path / "t.csv"), ";", ",")["a"].tolist() == [1.5]


def test_a_column_that_is_not_there_in_any_way_is_just_missing(tmp_path: pathlib.Path, capsys: Any) -> None:
    said = refused(tmp_path, "a;b,c\n1;2,3\n", capsys)
    assert said == "arbora automl: `t.csv` has no column `y`; there are `a;b`, `c`\n"


def test_files_that_are_no_tables_are_named(tmp_path: pathlib.Path, capsys: Any) -> None:
    assert refused(tmp_path, "", capsys) == "arbora automl: `t.csv` is empty\n"
    assert "`t.csv` cannot be read: " in refused(tmp_path, "a,y\n1,2\n1,2,3,4\n", capsys)


@pytest.mark.parametrize("value", ["1", "no"])
def test_a_target_of_one_class_is_shown_as_it_is(value: str, tmp_path: pathlib.Path, capsys: Any) -> None:
    said = refused(tmp_path, "a,y\n" + "".join(f"{i},{value}\n" for i in range(30)), capsys)
    assert f"only one class is present, here {value if value == '1' else repr(value)};" in said and "np." not in said


LIBRARY = """
import sys, time
print("loading", file=sys.stderr, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="a process is interrupted in another way on Windows")
@pytest.mark.parametrize("command", [("-m", "arbora", "automl"), ("-m", "arbora.automl")])
def test_ctrl_c_while_libraries_are_loaded_ends_quietly(command: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "pandas.py").write_text(LIBRARY)
    (tmp_path / "t.csv").write_text("a,y\n1,2\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), PACKAGE])}
    with subprocess.Popen(
        [sys.executable, *command, "t.csv", "--target", "y"], cwd=tmp_path, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "loading\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert "interrupted" in err and "Traceback" not in err and out == ""
