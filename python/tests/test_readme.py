"""The snippets of the README run as they are, each alone; those of the guides one after the other."""

from __future__ import annotations

import pathlib
import re
from typing import Any, Dict

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("file", ["python/README.md", "README.md", "docs/EXTENDING.md", "docs/PRUNING.md", "docs/TRUST.md"])
def test_the_snippets_run(file: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snippets = re.findall(r"^```python\n(.*?)^```", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert snippets, "a guide without an example"
    if any("sklearn" in snippet for snippet in snippets):
        pytest.importorskip("sklearn", reason="the snippets use scikit-learn")
    monkeypatch.chdir(tmp_path)
    names: Dict[str, Any] = {}
    for snippet in snippets:
        exec(compile(snippet, file, "exec"), {} if file == "README.md" else names)
