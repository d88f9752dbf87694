#!/usr/bin/env python3
"""Do we and ConfigSpace mean the same by a space? Compared on the real package, in both directions.

    pip install ConfigSpace==1.2.2
    cargo build --release -p arbora-space --example space_file
    python scripts/configspace_check.py target/release/examples/space_file

For every space below, for those in the examples of the package's own documentation, and for the spaces of the
laboratory if it lies beside the repository:

* the same parameters, ranges, alternatives and defaults;
* configurations drawn by either side are configurations of the other, with the same active parameters;
* on random values for all parameters at once, the same ones are active and the same combinations are forbidden;
* the same again for the space after we have written it and they have read it back;
* old and new PCS files that they write are read as the same space.

Prints one line per comparison and exits with 1 on any difference.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")

import numpy as np  # noqa: E402
from configspace_spaces import EXAMPLES, documented  # noqa: E402
from ConfigSpace import (  # noqa: E402
    Configuration,
    ConfigurationSpace,
    Constant,
    OrdinalHyperparameter,
)
from ConfigSpace.exceptions import ForbiddenValueError  # noqa: E402
from ConfigSpace.read_and_write import pcs, pcs_new  # noqa: E402
from ConfigSpace.util import check_configuration  # noqa: E402


# --- the two sides ----------------------------------------------------------------------------------------------


class Ours:
    """A space file as our program reads it."""

    def __init__(self, program: str, file: pathlib.Path) -> None:
        self.program, self.file = program, file

    def run(self, command: str, *arguments: object, lines: list[dict] | None = None) -> str:
        words = [self.program, command, str(self.file), *map(str, arguments)]
        text = "".join(json.dumps(line) + "\n" for line in lines or [])
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def lines(self, command: str, *arguments: object, lines: list[dict] | None = None) -> list[dict]:
        return [json.loads(line) for line in self.run(command, *arguments, lines=lines).splitlines()]


def plain(value: object) -> object:
    """A value without NumPy around it."""
    return value.item() if isinstance(value, np.generic) else value


def their_draws(space: ConfigurationSpace, count: int) -> tuple[list[dict], int]:
    """Configurations that they draw and accept, and how many of their own draws they refuse.

    Where a condition names a parent that is itself conditional on a later one, 1.2.2 does not always deactivate the
    child when it draws; its check of the same configuration says so. Of some spaces with "forbidden: at most" it draws
    nothing else: then there are fewer configurations, or none.
    """
    drawn: list[dict] = []
    refused = 0
    while len(drawn) < count and refused < 3 * count:
        batch = [{k: plain(v) for k, v in dict(c).items()} for c in space.sample_configuration(count)]
        accepted = [values for values in batch if their_refusal(space, values) is None]
        drawn, refused = drawn + accepted, refused + len(batch) - len(accepted)
    return drawn[:count], refused


def their_dense(space: ConfigurationSpace, count: int, seed: int) -> list[dict]:
    """Random values for all hyperparameters at once, active or not."""
    random = np.random.RandomState(seed)
    columns = {name: hp.sample_value(count, seed=random) for name, hp in space.items()}
    return [{name: plain(column[i]) for name, column in columns.items()} for i in range(count)]


def their_verdict(space: ConfigurationSpace, dense: dict) -> set[str] | str:
    """The active hyperparameters of a dense assignment, or that the rest of it is forbidden."""
    vector = np.array([hp.to_vector(dense[name]) for name, hp in space.items()], dtype=float)
    active = -1
    while active != (active := np.isfinite(vector).sum()):
        for node in space._dag.minimum_conditions:
            if not node.condition.satisfied_by_vector(vector):
                vector[node.children_indices] = np.nan
    try:
        # 1.2.2 prints from within one of its clauses.
        with contextlib.redirect_stdout(io.StringIO()):
            check_configuration(space, vector)
    except ForbiddenValueError:
        return "forbidden"
    return {name for name, x in zip(space, vector) if not math.isnan(x)}


def their_refusal(space: ConfigurationSpace, values: dict) -> str | None:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            Configuration(space, values=values).check_valid_configuration()
    except Exception as error:  # noqa: BLE001 - whatever they raise is a refusal
        return f"{type(error).__name__}: {error}"
    return None


# --- the comparisons --------------------------------------------------------------------------------------------


class Report:
    def __init__(self) -> None:
        self.differences = 0

    def tell(self, what: str, compared: int, differences: list[str]) -> None:
        self.differences += len(differences)
        print(f"  {what}: {compared} compared, {len(differences)} different")
        for difference in differences[:3]:
            print(f"    {difference}")


def same_number(a: float, b: float) -> bool:
    """They round to 13 decimals."""
    return abs(a - b) <= 1e-12 * max(1.0, abs(a), abs(b))


def same_value(a: object, b: object) -> bool:
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b))
    return same_number(a, b) if numbers else type(a) is type(b) and a == b


def describe_difference(hp: object, ours: dict) -> str | None:
    domain = ours["domain"]
    if hasattr(hp, "lower"):
        kind = "lattice" if "Integer" in type(hp).__name__ else "real"
        numbers = same_value(plain(hp.lower), domain.get("low")) and same_value(plain(hp.upper), domain.get("high"))
        same = domain["kind"] == kind and numbers and domain["log"] == bool(hp.log)
    else:
        single = isinstance(hp, Constant)
        values = [hp.value] if single else list(getattr(hp, "choices", None) or hp.sequence)
        same = domain["kind"] == "labels" and len(values) == len(domain["values"])
        same = same and all(same_value(plain(a), b) for a, b in zip(values, domain["values"]))
        same = same and domain["ordered"] == isinstance(hp, OrdinalHyperparameter)
    same = same and same_value(plain(hp.default_value), ours["default"])
    return None if same else f"{hp} here, {ours} there"


def compare_parameters(report: Report, what: str, space: ConfigurationSpace, ours: Ours) -> None:
    described = {line["name"]: line for line in ours.lines("describe")}
    odd = [f"`{name}` on one side only" for name in set(described) ^ set(space)]
    pairs = [(space[name], described[name]) for name in space if name in described]
    odd += [d for hp, line in pairs if (d := describe_difference(hp, line))]
    report.tell(f"{what}parameters", len(space), odd)


def compare_configurations(
    report: Report, what: str, space: ConfigurationSpace, ours: Ours, count: int
) -> None:
    drawn, refused = their_draws(space, count)
    answers = ours.lines("accept", lines=drawn)
    odd = [
        f"{values}: {answer}"
        for values, answer in zip(drawn, answers, strict=True)
        if answer["verdict"] != "valid" or answer["configuration"].keys() != values.keys()
    ]
    own = f" ({refused} more refused by themselves)" if refused else ""
    report.tell(f"{what}their configurations, judged by us{own}", len(drawn), odd)

    drawn = ours.lines("sample", count, 7)
    odd = [f"{values}: {why}" for values in drawn if (why := their_refusal(space, values))]
    report.tell(f"{what}our configurations, judged by them", count, odd)

    dense = their_dense(space, count, 11)
    answers = ours.lines("judge", lines=dense)
    odd, forbidden = [], 0
    for values, answer in zip(dense, answers, strict=True):
        theirs = their_verdict(space, values)
        mine = set(answer["configuration"]) if answer["verdict"] == "valid" else answer["verdict"]
        forbidden += theirs == "forbidden"
        if theirs != mine:
            odd.append(f"{values}: they say {theirs}, we say {mine}")
    report.tell(f"{what}dense assignments ({forbidden} forbidden)", count, odd)


def compare_written(report: Report, ours: Ours, count: int) -> None:
    """The same space after we have written it and they have read it."""
    text = ours.run("convert", "configspace")
    back = ConfigurationSpace.from_json(io.StringIO(text))
    back.seed(13)
    compare_parameters(report, "written: ", back, ours)
    compare_configurations(report, "written: ", back, ours, count)


def compare_pcs(report: Report, space: ConfigurationSpace, program: str, folder: pathlib.Path, count: int) -> None:
    """Their own PCS writers give up on much; what they write, we must read as they do."""
    for dialect, module in [("old PCS", pcs), ("new PCS", pcs_new)]:
        try:
            text = module.write(space)
            theirs = module.read(text.splitlines())
        except Exception as error:  # noqa: BLE001 - their limits are theirs
            print(f"  {dialect}: skipped, they cannot write or read it ({type(error).__name__})")
            continue
        file = folder / "space.pcs"
        file.write_text(text)
        ours = Ours(program, file)
        described = {line["name"] for line in ours.lines("describe")}
        report.tell(f"{dialect}: parameters", len(theirs), [f"`{n}`" for n in described ^ set(theirs)])
        drawn = [{k: label(theirs[k], v) for k, v in values.items()} for values in their_draws(theirs, count)[0]]
        odd = [
            f"{values}: {answer}"
            for values, answer in zip(drawn, ours.lines("accept", lines=drawn), strict=True)
            if answer["verdict"] != "valid"
        ]
        report.tell(f"{dialect}: their configurations, judged by us", count, odd)


def label(hp: object, value: object) -> object:
    """In PCS every alternative is text."""
    return value if hasattr(hp, "lower") else str(value)


def refusal(ours: Ours) -> str:
    """What we say to a space that we do not read."""
    words = [ours.program, "describe", str(ours.file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        raise SystemExit(f"{ours.file} was thought unreadable and is read")
    return done.stderr.strip()


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the built example `space_file`")
    parser.add_argument("--lab", type=pathlib.Path, default=root.parent / "shared" / "lab")
    parser.add_argument("--count", type=int, default=10_000, help="configurations per comparison")
    options = parser.parse_args()
    options.program, options.lab = os.path.abspath(options.program), options.lab.absolute()
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(folder)  # Their writer of PCS leaves a file in the current folder.
        for make in EXAMPLES:
            print(f"{make.__name__}: {make.__doc__}")
            space, file = make(), folder / f"{make.__name__}.json"
            space.to_json(file)
            ours = Ours(options.program, file)
            compare_parameters(report, "", space, ours)
            compare_configurations(report, "", space, ours, options.count)
            compare_written(report, ours, options.count)
            compare_pcs(report, space, options.program, folder, options.count)
        for name, space in documented():
            print(f"{name}: an example of their documentation")
            file = folder / "documented.json"
            space.seed(19)
            space.to_json(file)
            ours = Ours(options.program, file)
            if any("Beta" in type(hp).__name__ for hp in space.values()):
                print(f"  skipped: {refusal(ours)}")
                continue
            compare_parameters(report, "", space, ours)
            # Spaces of one to three parameters, most of them finite.
            compare_configurations(report, "", space, ours, options.count // 5)
        files = sorted(options.lab.glob("data/yahpo/*/config_space.json"))
        if not files:
            print(f"no laboratory at {options.lab}: its spaces are skipped")
        for file in files:
            print(f"{file.parent.name}: a 0.4 file of the laboratory")
            space, ours = ConfigurationSpace.from_json(file), Ours(options.program, file)
            space.seed(17)
            compare_parameters(report, "", space, ours)
            compare_configurations(report, "", space, ours, options.count)
            compare_written(report, ours, options.count)
    print(f"{report.differences} differences")
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
