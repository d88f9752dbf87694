"""The wheels that were built: licences, versions, what they run on."""

from __future__ import annotations

import email.parser
import pathlib
import re
import zipfile
from typing import List

import pytest

ROOT = pathlib.Path(__file__).parents[2]
WHEELS: List[pathlib.Path] = [*ROOT.glob("target/wheels/*.whl"), *ROOT.glob("target/dist/*.whl")]
# The truth about versions; everything else must agree with it.
OLDEST = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "python" / "pyproject.toml").read_text()).group(1)  # type: ignore[union-attr]
LICENCES = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"]

needs_wheel = pytest.mark.skipif(not WHEELS, reason="no wheel was built: make setup builds one")


@pytest.fixture(params=WHEELS, ids=lambda wheel: f"{wheel.parent.name}/{wheel.name}")
def wheel(request: pytest.FixtureRequest) -> zipfile.ZipFile:
    return zipfile.ZipFile(request.param)


def read(wheel: zipfile.ZipFile, end: str) -> str:
    (name,) = (name for name in wheel.namelist() if name.endswith(end))
    return wheel.read(name).decode()


@needs_wheel
def test_wheels_carry_the_licences(wheel: zipfile.ZipFile) -> None:
    for name in LICENCES:
        assert read(wheel, f".dist-info/licenses/{name}") == (ROOT / name).read_text(), name
    described = email.parser.Parser().parsestr(read(wheel, ".dist-info/METADATA"))
    assert described["License-Expression"] == "MIT OR Apache-2.0"
    assert sorted(described.get_all("License-File", [])) == sorted(LICENCES)


@needs_wheel
def test_wheels_say_what_they_are_for(wheel: zipfile.ZipFile) -> None:
    described = email.parser.Parser().parsestr(read(wheel, ".dist-info/METADATA"))
    assert described["Requires-Python"] == f">={OLDEST}"
    classifiers = described.get_all("Classifier", [])
    versions = [one.rsplit(" ", 1)[1] for one in classifiers if re.search(r"Python :: 3\.\d+$", one)]
    assert versions[0] == OLDEST and len(versions) > 3
    assert "Typing :: Typed" in classifiers
    assert f"cp{OLDEST.replace('.', '')}-abi3" in read(wheel, ".dist-info/WHEEL"), "one wheel for all of them"
    assert {"arbora/py.typed", "arbora/_arbora.pyi", "arbora/__init__.py"} <= set(wheel.namelist())


@needs_wheel
def test_wheels_carry_the_addresses_of_the_project(wheel: zipfile.ZipFile) -> None:
    described = email.parser.Parser().parsestr(read(wheel, ".dist-info/METADATA"))
    carried = dict(one.split(", ", 1) for one in described.get_all("Project-URL", []))
    section = (ROOT / "python/pyproject.toml").read_text().split("[project.urls]\n")[1].split("\n\n")[0]
    assert carried == dict(re.findall(r'^"(.+)" = "(.+)"$', section, re.MULTILINE)) and carried
    # Longer labels are refused when a package is published.
    assert all(len(label) <= 32 and address.startswith("https://") for label, address in carried.items())


@pytest.mark.parametrize("path", [*ROOT.glob("target/dist/*linux*.whl")], ids=lambda path: str(path.name))
def test_wheels_for_others_run_on_old_systems(path: pathlib.Path) -> None:
    found = re.search(r"manylinux_2_(\d+)", path.name)
    assert found is not None and int(found.group(1)) <= 28, path.name


def test_one_version_of_python_is_named_everywhere() -> None:
    named = {}
    for path in ["README.md", "python/README.md", "Makefile", "Cargo.toml", "python/Cargo.toml", "CHANGELOG.md"]:
        text = (ROOT / path).read_text()
        named[path] = set(re.findall(r"(?:C?Python|python3 \() ?(3\.\d+)", text)) | {
            f"3.{minor}" for minor in re.findall(r"abi3-py3(\d+)", text)
        }
    assert {path: versions for path, versions in named.items() if versions - {OLDEST}} == {}
    assert named["README.md"] == named["python/README.md"] == named["Cargo.toml"] == {OLDEST}


def test_the_licences_beside_the_package_are_the_projects() -> None:
    for name in LICENCES:
        assert (ROOT / "python" / name).read_text() == (ROOT / name).read_text()
