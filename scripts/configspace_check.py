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
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import warnings
from collections.abc import Iterator

warnings.simplefilter("ignore")

import ConfigSpace  # noqa: E402
import numpy as np  # noqa: E402
from ConfigSpace import (  # noqa: E402
    AndConjunction,
    Categorical,
    Configuration,
    ConfigurationSpace,
    Constant,
    EqualsCondition,
    Float,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    ForbiddenEqualsRelation,
    ForbiddenGreaterThanRelation,
    ForbiddenInClause,
    ForbiddenLessThanRelation,
    GreaterThanCondition,
    InCondition,
    Integer,
    LessThanCondition,
    Normal,
    NotEqualsCondition,
    OrConjunction,
    OrdinalHyperparameter,
)
from ConfigSpace.exceptions import ForbiddenValueError  # noqa: E402
from ConfigSpace.forbidden import (  # noqa: E402
    ForbiddenGreaterThanClause,
    ForbiddenGreaterThanEqualsRelation,
    ForbiddenLessThanClause,
    ForbiddenLessThanEqualsRelation,
    ForbiddenOrConjunction,
)
from ConfigSpace.hyperparameters import Hyperparameter  # noqa: E402
from ConfigSpace.read_and_write import pcs, pcs_new  # noqa: E402
from ConfigSpace.util import check_configuration  # noqa: E402


# --- the spaces -------------------------------------------------------------------------------------------------


def every_type() -> ConfigurationSpace:
    """One hyperparameter of each type, nothing conditional."""
    space = ConfigurationSpace(seed=1)
    space.add(
        Float("linear", (-3.0, 7.5), default=1.25),
        Float("logarithmic", (1e-6, 1e3), log=True),
        Float("normal", (0.0, 1.0), distribution=Normal(0.9, 0.2)),
        Float("log_normal", (1e-4, 1.0), distribution=Normal(0.01, 3.0), log=True),
        Integer("count", (-5, 30), default=3),
        Integer("units", (1, 1024), log=True),
        Integer("layers", (1, 9), distribution=Normal(3, 2)),
        Categorical("kernel", ["rbf", "poly", "linear"], weights=[1, 2, 5], default="poly"),
        Categorical("flag", [True, False]),
        Categorical("batch", [16, 32, 64.5]),
        Categorical("features", ["sqrt", "log2", None], default="log2"),
        OrdinalHyperparameter("size", ["small", "medium", "large"], default_value="medium"),
        OrdinalHyperparameter("grid", [1, 4, 16]),
        Constant("version", 3),
        Constant("tag", "v1"),
    )
    return space


def simple_conditions() -> ConfigurationSpace:
    """Every condition on its own, on parents of every type."""
    space = ConfigurationSpace(seed=2)
    model = Categorical("model", ["svm", "forest", "net", "none"])
    size = OrdinalHyperparameter("size", ["small", "medium", "large"])
    depth, rate = Integer("depth", (1, 20)), Float("rate", (1e-4, 1.0), log=True)
    children = [Float(f"child{i}", (0.0, 1.0)) for i in range(12)]
    space.add(model, size, depth, rate, *children)
    space.add(
        EqualsCondition(children[0], model, "svm"),
        NotEqualsCondition(children[1], model, "svm"),
        InCondition(children[2], model, ["svm", "net"]),
        EqualsCondition(children[3], depth, 7),
        NotEqualsCondition(children[4], depth, 7),
        LessThanCondition(children[5], depth, 7),
        GreaterThanCondition(children[6], depth, 7),
        InCondition(children[7], depth, [1, 5, 20]),
        LessThanCondition(children[8], rate, 0.01),
        GreaterThanCondition(children[9], rate, 0.01),
        GreaterThanCondition(children[10], size, "small"),
        LessThanCondition(children[11], size, "large"),
    )
    return space


def nested_conditions() -> ConfigurationSpace:
    """Chains of parents, conjunctions and disjunctions, an absent parent in every place."""
    space = ConfigurationSpace(seed=3)
    root = Categorical("root", ["a", "b", "c"])
    second = Categorical("second", ["x", "y", "z"])
    third = Integer("third", (1, 10))
    fourth = Float("fourth", (0.0, 1.0))
    both, either, mixed = (Float(name, (0.0, 1.0)) for name in ["both", "either", "mixed"])
    deep = Integer("deep", (1, 100), log=True)
    space.add(root, second, third, fourth, both, either, mixed, deep)
    space.add(
        EqualsCondition(second, root, "a"),
        InCondition(third, second, ["x", "y"]),
        GreaterThanCondition(fourth, third, 4),
        AndConjunction(EqualsCondition(both, root, "a"), LessThanCondition(both, third, 6)),
        OrConjunction(EqualsCondition(either, second, "z"), EqualsCondition(either, root, "b")),
        OrConjunction(
            AndConjunction(EqualsCondition(mixed, second, "x"), GreaterThanCondition(mixed, third, 2)),
            AndConjunction(NotEqualsCondition(mixed, root, "a"), NotEqualsCondition(mixed, root, "b")),
            LessThanCondition(mixed, fourth, 0.3),
        ),
        OrConjunction(GreaterThanCondition(deep, mixed, 0.5), LessThanCondition(deep, either, 0.5)),
    )
    return space


def forbidden_clauses() -> ConfigurationSpace:
    """Equalities, lists, conjunctions, disjunctions and bounds, also about conditional parameters."""
    space = ConfigurationSpace(seed=4)
    model = Categorical("model", ["svm", "forest", "net"])
    kernel = Categorical("kernel", ["rbf", "poly", "linear"])
    depth = Integer("depth", (1, 12), default=4)
    rate = Float("rate", (0.0, 1.0))
    size = OrdinalHyperparameter("size", ["small", "medium", "large"])
    space.add(model, kernel, depth, rate, size)
    space.add(EqualsCondition(kernel, model, "svm"), InCondition(depth, model, ["forest", "net"]))
    space.add(
        ForbiddenEqualsClause(depth, 12),
        ForbiddenAndConjunction(ForbiddenEqualsClause(kernel, "poly"), ForbiddenEqualsClause(size, "large")),
        ForbiddenAndConjunction(ForbiddenInClause(depth, [1, 2, 3]), ForbiddenInClause(size, ["small", "large"])),
        ForbiddenAndConjunction(
            ForbiddenGreaterThanClause(rate, 0.75),
            ForbiddenOrConjunction(ForbiddenLessThanClause(depth, 6), ForbiddenEqualsClause(kernel, "linear")),
        ),
        ForbiddenAndConjunction(ForbiddenLessThanClause(size, "large"), ForbiddenLessThanClause(rate, 0.1)),
    )
    return space


def relations() -> ConfigurationSpace:
    """Relations between hyperparameters, one of them conditional."""
    space = ConfigurationSpace(seed=5)
    switch = Categorical("switch", ["on", "off"])
    low, high = Integer("low", (1, 20), default=3), Integer("high", (1, 20), default=9)
    part, whole = Float("part", (0.0, 2.0), default=0.5), Float("whole", (0.0, 2.0), default=1.0)
    left = Categorical("left", ["a", "b", "c"], default="a")
    right = Categorical("right", ["c", "b", "a"], default="b")
    inner, outer = Integer("inner", (1, 9), default=2), Integer("outer", (1, 9), default=7)
    space.add(switch, low, high, part, whole, left, right, inner, outer)
    space.add(EqualsCondition(high, switch, "on"))
    space.add(
        ForbiddenGreaterThanRelation(low, high),
        ForbiddenLessThanRelation(whole, part),
        ForbiddenEqualsRelation(left, right),
        ForbiddenGreaterThanEqualsRelation(inner, outer),
        ForbiddenAndConjunction(ForbiddenLessThanEqualsRelation(outer, low), ForbiddenEqualsClause(switch, "on")),
    )
    return space


def auto_sklearn_like() -> ConfigurationSpace:
    """A classifier with its parameters and a preprocessor that some classifiers cannot have."""
    space = ConfigurationSpace(seed=6)
    classifier = Categorical("classifier:__choice__", ["libsvm_svc", "random_forest", "sgd"])
    preprocessor = Categorical("preprocessor:__choice__", ["none", "pca", "kitchen_sinks"])
    kernel = Categorical("libsvm_svc:kernel", ["rbf", "poly", "sigmoid"])
    penalty = Float("libsvm_svc:C", (0.03125, 32768), log=True)
    gamma = Float("libsvm_svc:gamma", (3.0517578125e-05, 8), log=True)
    degree, offset = Integer("libsvm_svc:degree", (2, 5)), Float("libsvm_svc:coef0", (-1, 1))
    bootstrap = Categorical("random_forest:bootstrap", [True, False])
    leaf = Integer("random_forest:min_samples_leaf", (1, 20))
    loss = Categorical("sgd:loss", ["hinge", "log", "modified_huber"], default="log")
    rate, eta = Categorical("sgd:learning_rate", ["constant", "optimal"]), Float("sgd:eta0", (1e-7, 0.1), log=True)
    keep = Float("pca:keep_variance", (0.5, 0.9999))
    sinks = Integer("kitchen_sinks:n_components", (50, 10000), log=True)
    space.add(classifier, preprocessor, kernel, penalty, gamma, degree, offset)
    space.add(bootstrap, leaf, loss, rate, eta, keep, sinks)
    space.add(
        *[EqualsCondition(hp, classifier, "libsvm_svc") for hp in [kernel, penalty, gamma]],
        EqualsCondition(degree, kernel, "poly"),
        InCondition(offset, kernel, ["poly", "sigmoid"]),
        *[EqualsCondition(hp, classifier, "random_forest") for hp in [bootstrap, leaf]],
        *[EqualsCondition(hp, classifier, "sgd") for hp in [loss, rate]],
        EqualsCondition(eta, rate, "constant"),
        EqualsCondition(keep, preprocessor, "pca"),
        EqualsCondition(sinks, preprocessor, "kitchen_sinks"),
        ForbiddenAndConjunction(
            ForbiddenEqualsClause(preprocessor, "kitchen_sinks"),
            ForbiddenInClause(classifier, ["random_forest", "libsvm_svc"]),
        ),
    )
    return space


EXAMPLES = [
    every_type,
    simple_conditions,
    nested_conditions,
    forbidden_clauses,
    relations,
    auto_sklearn_like,
]


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


# --- the examples of their documentation ------------------------------------------------------------------------


def documented() -> Iterator[tuple[str, ConfigurationSpace]]:
    """The spaces that the code blocks in the package's own documentation build, each block run as it stands."""
    for file in sorted(pathlib.Path(ConfigSpace.__file__).parent.rglob("*.py")):
        blocks = re.findall(r"^([ ]*)```python exec[^\n]*\n(.*?)^[ ]*```", file.read_text(), re.MULTILINE | re.DOTALL)
        for number, (_, block) in enumerate(blocks):
            names: dict[str, object] = {}
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(textwrap.dedent(block), names)  # noqa: S102 - their examples are code
            except Exception as error:  # noqa: BLE001 - an example of theirs that does not run is not ours to mend
                print(f"{file.stem} {number}: skipped, their example does not run ({type(error).__name__}: {error})")
                continue
            built = [value for value in names.values() if isinstance(value, ConfigurationSpace) and len(value)]
            parts = [value for value in names.values() if isinstance(value, Hyperparameter)]
            for space in built or [ConfigurationSpace(space={part.name: part for part in parts})] * bool(parts):
                yield f"{file.stem} {number}", space


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
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
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
