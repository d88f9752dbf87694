"""Notebooks: what objects look like there, and a real one from top to bottom."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any, Dict, List

import pytest

from arbora import Space, Study

EVIL = "<script>alert(1)</script> & \"quoted\" \x1b[31m \u202e"


@pytest.fixture
def study() -> Study:
    space = Space()
    model = space.choice("model", ["svm", EVIL])
    space.real("C", 1e-3, 1e3, log=True, when=model == "svm")
    space.integer(f"trees {EVIL}", 1, 9, when=model == EVIL)
    study = Study(space, seed=1, name=EVIL[:36])
    for _ in range(25):
        trial = study.ask()
        study.tell(trial, trial.get("C", 5.0))
    study.tell(study.ask(), failed=EVIL)
    return study


class Reader(HTMLParser):
    """What a browser would see: tags that are closed, text, styles."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: List[str] = []
        self.open: List[str] = []
        self.text, self.styles = "", ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.styles += dict(attributes).get("style") or ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", ["space", "tree", "study", "trial", "failed trial", "running trial", "verdict", "new study"])
def test_what_notebooks_show_is_escaped_closed_and_without_colours(study: Study, name: str) -> None:
    shown: Dict[str, Any] = {
        "space": study.space, "tree": study.space.tree, "study": study, "trial": study.best_trial,
        "failed trial": study.trials[-1], "running trial": study.ask(), "verdict": study.verdict(), "new study": Study(seed=1),
    }
    page = shown[name]._repr_html_()
    seen = Reader(page)
    assert seen.open == [] and "script" not in seen.tags
    assert "\x1b" not in page and "\u202e" not in page
    # Both light and dark pages: nothing has a colour of its own.
    assert "color:" not in seen.styles.replace("background:none", "")
    assert len(seen.text) > 10


def test_notebooks_show_what_matters(study: Study) -> None:
    words = Reader(study._repr_html_()).text
    assert "25 complete, 1 failed" in words and "minimize, seed 1" in words and f"trial {study.best_trial.number}" in words
    assert "model = svm" in Reader(study.space._repr_html_()).text
    assert "log" in Reader(study.space.tree._repr_html_()).text, "with ranges"
    assert "alert(1)" in Reader(study.trials[-1]._repr_html_()).text, "the reason"
    assert repr(study.verdict()) == str(study.verdict())


def test_a_space_that_is_still_empty_is_shown_as_well() -> None:
    assert "Space" in Reader(Space()._repr_html_()).text


CELLS = [
    "import arbora\nspace = arbora.Space()\nmodel = space.choice('model', ['svm', 'forest'])\n"
    "_ = space.real('C', 1e-3, 1e3, log=True, when=model == 'svm')\nspace",
    "study = arbora.Study(space, seed=1)\n"
    "study.optimize(lambda trial: trial.get('C', 5.0), trials=30, jobs=2, progress=True)\nstudy",
    "space.tree",
    "study.best_trial",
    "study.verdict()",
]


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("nbconvert", "ipykernel")),
    reason="running a notebook needs nbconvert and ipykernel",
)
def test_a_real_notebook(tmp_path: pathlib.Path) -> None:
    cells: List[Dict[str, Any]] = [
        {"cell_type": "code", "execution_count": None, "id": f"c{at}", "metadata": {}, "outputs": [], "source": source}
        for at, source in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    file = tmp_path / "study.ipynb"
    file.write_text(json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / "done.ipynb").read_text())["cells"]
    outputs: List[List[Dict[str, Any]]] = [cell["outputs"] for cell in cells]
    assert not [output for all_of in outputs for output in all_of if output["output_type"] == "stream"], "no lines on red"
    (bar, shown) = outputs[1]
    assert "30/30 trials" in "".join(bar["data"]["text/html"]), "one bar, at its end"
    assert all("text/html" in all_of[-1]["data"] for all_of in outputs)
    assert "30 complete" in "".join(shown["data"]["text/html"])
