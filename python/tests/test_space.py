"""Spaces from Python: what is declared is what Rust checks, and every mistake is reported where it is made."""

from __future__ import annotations

import copy
import math
import pathlib
import pickle

import pytest

import arbora
from arbora import Space, SpaceError, _arbora

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "spaces"


def cash() -> Space:
    space = Space()
    model = space.choice("model", ["svm", "forest", "net"])
    kernel = space.choice("svm.kernel", ["linear", "rbf", "poly"], when=model == "svm")
    space.real("svm.C", 1e-5, 1e5, log=True, when=model == "svm")
    space.real("svm.gamma", 1e-5, 1e5, log=True, when=kernel.is_in(["rbf", "poly"]))
    space.integer("forest.depth", 1, 30, or_none=0.25, when=model == "forest")
    layers = space.integer("net.layers", 1, 4, when=model == "net")
    units = space.integer("net.units", 16, 512, log=True, when=model == "net")
    space.boolean("net.skip", when=(model == "net") & (layers > 2))
    space.require(layers * units <= 1024)
    return space


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_every_way_of_writing_a_space_reads_back_as_the_same(file: pathlib.Path) -> None:
    space = Space.from_file(file)
    copies = [
        Space.from_dict(space.to_dict()),
        Space.from_json(space.to_json()),
        Space.from_toml(space.to_toml()),
        pickle.loads(pickle.dumps(space)),
        copy.deepcopy(space),
        eval(repr(space), {"Space": Space}),
    ]
    for other in copies:
        assert other == space
        assert other.sample(3, seed=5) == space.sample(3, seed=5)


def test_a_declared_space_equals_the_same_space_from_a_document() -> None:
    space = cash()
    assert Space.from_dict(space.to_dict()) == space
    assert space != Space()
    assert eval(repr(space), {"Space": Space}) == space


def test_samples_are_valid_and_hold_active_parameters_only() -> None:
    space = cash()
    for configuration in space.sample(300, seed=1):
        assert configuration in space
        prefix = configuration["model"] + "."
        assert all(name == "model" or name.startswith(prefix) for name in configuration)
        if configuration["model"] == "svm":
            assert ("svm.gamma" in configuration) == (configuration["svm.kernel"] != "linear")
        if configuration["model"] == "net":
            assert ("net.skip" in configuration) == (configuration["net.layers"] > 2)
            assert configuration["net.layers"] * configuration["net.units"] <= 1024


def test_values_come_back_as_they_were_declared() -> None:
    space = Space()
    space.choice("c", [2, 1.5, "1", True, None])
    space.integer("i", 1, 3, or_none=True)
    space.real("r", 0.0, 1.0, step=0.1)
    drawn = space.sample(400, seed=2)
    kinds = {(type(c["c"]), c["c"]) for c in drawn}
    assert kinds == {(int, 2), (float, 1.5), (str, "1"), (bool, True), (type(None), None)}
    assert {type(c["i"]) for c in drawn} == {int, type(None)}
    assert {c["r"] for c in drawn} == {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}


def test_scalars_of_numpy_are_values() -> None:
    numpy = pytest.importorskip("numpy")
    space = Space()
    space.real("x", numpy.float32(0.0), numpy.float64(1.0))
    space.integer("n", numpy.int64(1), numpy.int64(9))
    space.choice("c", [numpy.bool_(True), numpy.str_("a"), numpy.int32(3)])
    values = {"x": numpy.float64(0.5), "n": numpy.int64(3), "c": numpy.bool_(True)}
    assert space.check(values) == {"x": 0.5, "n": 3, "c": True}


MISTAKES = {
    "LogNeedsPositive": lambda s: s.real("x", 0, 1, log=True),
    "EmptyRange": lambda s: s.real("x", 2, 1),
    "BoundNotFinite": lambda s: s.real("x", 0, math.inf),
    "StepMissesHigh": lambda s: s.integer("x", 1, 10, step=4),
    "NoChoices": lambda s: s.choice("x", []),
    "DuplicateChoice": lambda s: s.choice("x", ["a", "a"]),
    "DuplicateName": lambda s: s.real("model", 0, 1),
    "ValueOutsideDomain": lambda s: s.real("x", 0, 1, default=2),
    "BadPrior": lambda s: s.choice("x", ["a", "b"], weights=[1]),
    "UnknownParameter": lambda s: s.real("x", 0, 1, when="modle == 'svm'"),
    "TestOutsideDomain": lambda s: s.real("x", 0, 1, when=s["model"] == "smv"),
    "Syntax": lambda s: s.real("x", 0, 1, when="model =="),
    "NeverActive": lambda s: s.real("x", 0, 1, when=(s["model"] == "svm") & (s["model"] == "net")),
    "Unsatisfiable": lambda s: s.forbid(s["model"].is_in(["svm", "forest", "net"])),
    "MissingValue": lambda s: s.check({"model": "forest"}),
    "InactiveValue": lambda s: s.check({"model": "forest", "forest.depth": None, "svm.C": 1.0}),
    "ForbiddenConfiguration": lambda s: s.check({"model": "net", "net.layers": 4, "net.units": 512, "net.skip": True}),
    "NotFinite": lambda s: s.enumerate(),
    "Format": lambda s: Space.from_toml("[parameters.x]\ntype = 'rael'"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_is_reported_by_its_variant_with_its_data(kind: str) -> None:
    space = cash()
    with pytest.raises(SpaceError) as caught:
        MISTAKES[kind](space)
    assert caught.value.kind == kind
    assert isinstance(caught.value, ValueError)
    for name, value in caught.value.details.items():
        assert getattr(caught.value, name) == value
    back = pickle.loads(pickle.dumps(caught.value))
    assert (type(back), str(back), back.details) == (SpaceError, str(caught.value), caught.value.details)
    assert space == cash(), "a mistake leaves the space as it was"


def test_wrong_types_are_type_errors_that_say_what_was_expected() -> None:
    space = cash()
    with pytest.raises(TypeError, match="whole number, got 2.5"):
        space.integer("x", 1, 2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name the alternatives by text"):
        space.choice("x", [(50,), (100, 50)])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="put it in brackets"):
        space.choice("x", "abc")
    with pytest.raises(TypeError, match="a dict from names to values"):
        space.check([1, 2])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed"):
        space.sample(1, seed=-1)
    with pytest.raises(ValueError, match="n = -1"):
        space.sample(-1)


def test_truth_values_of_conditions_explain_themselves() -> None:
    space = cash()
    model, layers = space["model"], space["net.layers"]
    for mistake in (
        lambda: (model == "svm") and (layers > 2),
        lambda: (model == "svm") or (layers > 2),
        lambda: not (model == "svm"),
        lambda: 1 < layers < 3,
        lambda: model == "svm" & (layers > 2),
    ):
        with pytest.raises(TypeError, match="&|parentheses"):
            mistake()


def test_operators_and_text_mean_the_same() -> None:
    def with_condition(condition: object) -> Space:
        space = cash()
        space.real("x", 0.0, 1.0, when=condition)  # type: ignore[arg-type]
        return space

    s = cash()
    model, layers, skip = s["model"], s["net.layers"], s["net.skip"]
    either = (model == "svm") | (model == "net")
    pairs = [
        ((model == "net") & (layers > 2) | ~(model != "svm"), "model == 'net' and net.layers > 2 or not (model != 'svm')"),
        (either, "model == 'svm' or model == 'net'"),
        (either & (layers >= 2), "(model == 'svm' or model == 'net') and net.layers >= 2"),
        (skip, "net.skip"),
        (~skip & (layers == 3), "not net.skip and net.layers == 3"),
        ({"model": ["svm", "net"]}, "model in ['svm', 'net']"),
        ([model == "net", layers < 3], ["model == 'net'", "net.layers < 3"]),
    ]
    for expression, text in pairs:
        assert with_condition(expression) == with_condition(text), f"{expression} and {text}"


def test_arithmetic_keeps_its_precedence() -> None:
    space = Space()
    a, b = space.integer("a", 1, 5), space.integer("b", 1, 5)
    space.require((a + 1) * b - a / 2 <= 2 * (b - -a))
    for i, j in [(i, j) for i in range(1, 6) for j in range(1, 6)]:
        assert ({"a": i, "b": j} in space) == ((i + 1) * j - i / 2 <= 2 * (j + i))


def test_odd_names_and_labels_survive() -> None:
    space = Space()
    odd = space.choice("learning rate (η)", ["it's", 'a "b"', "c\\d", "`"])
    space.real("and", 0.0, 1.0, when=odd == "it's")
    space.real("9 lives", 0.0, 1.0, when=odd.is_in(['a "b"', "c\\d", "`"]))
    for configuration in space.sample(50, seed=3):
        assert ("and" in configuration) == (configuration["learning rate (η)"] == "it's")
    assert pickle.loads(pickle.dumps(space)) == space


def test_tree_and_leaves() -> None:
    space = cash()
    tree = space.tree
    for configuration in space.sample(50, seed=4):
        leaf = tree.leaf_of(configuration)
        assert leaf is not None and leaf.path[0] == f"model = {configuration['model']}"
    assert str(tree).splitlines()[0] == "├─ model = svm"


def test_a_tree_prints_independent_decisions_apart_and_nothing_forbidden() -> None:
    space = Space()
    scaler = space.choice("scaler", ["none", "box", "odd"])
    model = space.choice("model", ["svm", "forest"])
    space.real("size", 1.0, 2.0, when=scaler == "box")
    space.real("C", 0.1, 10.0, log=True, when=model == "svm")
    space.real("wide", 0.0, 1.0, when=(scaler == "box") & (model == "forest"))
    space.forbid(scaler == "odd")
    assert str(space.tree).splitlines() == [
        "├─ scaler = none",
        "└─ scaler = box",
        "     size  1 … 2",
        "",
        "├─ model = svm",
        "│    C  0.1 … 10, log",
        "└─ model = forest",
        '     wide  0 … 1  when scaler == "box" and model == "forest"',
    ]
    lines = space.tree.lines
    for configuration, taken in zip(space.sample(30, seed=1), space.tree.decisions_of(space.sample(30, seed=1))):
        assert {lines[at].decision for at in taken} == {f"{name} = {configuration[name]}" for name in ("scaler", "model")}
    many = Space()
    for number in range(40):
        many.real(f"x{number}", 0.0, 1.0, when=many.boolean(f"b{number}") == True)  # noqa: E712
    assert len(str(many.tree).splitlines()) == 40 * 3 + 39
    assert repr(many.tree) == "<Tree of too many branches to list>"


def test_nothing_that_python_prints_steers_a_terminal(caplog: pytest.LogCaptureFixture) -> None:
    nasty = "\x1b[31mred\x9b1A\u202edne\u2066\u2028"
    space = Space()
    choice = space.choice(nasty, [nasty, "b"])
    space.real(f"late{nasty}", 0.0, 1.0, when=choice == nasty)
    study = arbora.Study(space, name=f"s{nasty[-3]}", seed=1)

    def objective(trial: arbora.Trial) -> float:
        if trial.number < 2:
            raise ValueError(nasty)
        return 1.0

    study.optimize(objective, trials=4, catch=ValueError)
    printed = [str(space.tree), repr(space), repr(space.tree), repr(study), repr(study.trials[0]), str(study.verdict())]
    printed += [repr(node) for node in space.tree.nodes] + [repr(line) for line in space.tree.lines] + [caplog.text]
    for attempt in (
        lambda: study.trials[3][f"x{nasty}"],
        lambda: space.check({f"x{nasty}": 1}),
        lambda: arbora.Study(space, strategy=nasty),
        lambda: arbora.Study.load("memory:", nasty),
        lambda: Space.from_json('{"parameters": {"\\u001b[31m": {"type": "\\u001b[31m"}}}'),
    ):
        with pytest.raises(Exception) as raised:
            attempt()
        text = str(raised.value)
        printed.append(text)
    for text in printed:
        assert not any(c in text for c in "\x1b\x9b\u202e\u2066\u2028"), ascii(text)
    assert "red" in caplog.text


def test_the_name_that_was_meant_is_offered() -> None:
    space = Space()
    space.real("rate", 0.0, 1.0)
    for strategy in ("TPE", "tpee"):
        with pytest.raises(arbora.SearchError, match="did you mean `tpe`"):
            arbora.Study(space, strategy=strategy)
    study = arbora.Study(space, seed=1)
    with pytest.raises(KeyError, match="did you mean `rate`"):
        study.ask()["Rate"]


def test_another_strategy_on_a_stored_study_is_named(tmp_path: pathlib.Path) -> None:
    space = Space()
    space.real("rate", 0.0, 1.0)
    storage = str(tmp_path / "s.db")
    arbora.Study(space, storage=storage)
    with pytest.raises(arbora.StoreError, match="it has `auto`, given was `tpe`") as raised:
        arbora.Study(space, storage=storage, strategy="tpe")
    assert len(str(raised.value)) < 300
    wider = Space()
    wider.real("rate", 0.0, 2.0)
    with pytest.raises(arbora.StoreError, match="it has `rate`: 0 … 1, given was `rate`: 0 … 2"):
        arbora.Study(wider, storage=storage)


def test_neighbours_are_others_and_valid() -> None:
    space = cash()
    origin = space.default
    found = space.neighbours(origin, seed=5)
    assert found and all(other in space and other != origin for other in found)


def test_counting_and_listing_agree() -> None:
    space = Space()
    a = space.integer("a", 1, 4)
    space.boolean("b", when=a > 2)
    assert space.cardinality == len(space.enumerate()) == 6
    assert len(space.enumerate(limit=3)) == 3
    assert cash().cardinality == math.inf


def test_a_format_that_is_not_known_is_an_error() -> None:
    with pytest.raises(arbora.SpaceError, match="no format is called `yaml`.*known are toml, json, configspace, pcs"):
        _arbora.Space.read("yaml", "{}")
    with pytest.raises(arbora.SpaceError, match="did you mean `json`?"):
        cash()._native.write("jsno")


def test_configspace_objects_are_read() -> None:
    configspace = pytest.importorskip("ConfigSpace")
    theirs = configspace.ConfigurationSpace({"x": (0.0, 1.0), "m": ["a", "b"]})
    assert sorted(Space.from_configspace(theirs).names) == ["m", "x"]


def test_a_sum_of_fifty_thousand_terms_is_built_checked_and_stored() -> None:
    space = Space()
    x = space.integer("x", 0, 10)
    total, both = x + 0, x >= 0
    for _ in range(50_000):
        total, both = total + x, both & (x >= 0)
    space.require(total <= 270_000)
    space.boolean("b", when=both)
    assert all(drawn["x"] <= 5 for drawn in space.sample(20, seed=1))
    assert Space.from_json(space.to_json()) == space
    assert str(pickle.loads(pickle.dumps(total))) == str(total)


def test_more_configurations_than_a_list_can_hold_are_refused() -> None:
    space = Space()
    space.boolean("b")
    with pytest.raises(ValueError, match="several calls"):
        space.sample(2**63)
    with pytest.raises(ValueError, match="several calls"):
        space.sample(10**30)
