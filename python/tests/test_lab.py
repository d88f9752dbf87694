"""Learners and peers answer lines; what is not installed is said."""

from __future__ import annotations

import io
import json
import pathlib
import subprocess
import sys
from typing import Any, Dict, List

import arbora
import pytest
from arbora.lab import serve
from arbora.lab.line import answer
from arbora.lab.peers import PEERS, Peers
from arbora.lab.spaces import SPACES


def talk(server: Any, *requests: Dict[str, Any]) -> List[Dict[str, Any]]:
    lines = io.StringIO("".join(json.dumps(request) + "\n" for request in requests))
    answers = io.StringIO()
    serve(server, lines, answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


@pytest.mark.parametrize("kind", sorted(SPACES))
def test_spaces_are_spaces(kind: str) -> None:
    space = arbora.Space.from_dict({"parameters": SPACES[kind]()})
    assert all(space.check(drawn) == drawn for drawn in space.sample(20, seed=1))


def test_the_papers_sizes() -> None:
    assert [len(SPACES[kind]()) for kind in ("cash", "svm", "mlp-independent", "mlp-shared")] == [14, 5, 35, 17]


def test_depths_of_the_chain_are_equally_likely() -> None:
    space = arbora.Space.from_dict({"parameters": SPACES["mlp-shared"]()})
    depths = [sum(name.startswith("units") for name in drawn) for drawn in space.sample(5000, seed=2)]
    assert all(abs(depths.count(depth) - 1000) < 4 * (5000 * 0.2 * 0.8) ** 0.5 for depth in range(5))


@pytest.mark.parametrize("kind", sorted(SPACES))
def test_learners_learn(kind: str) -> None:
    pytest.importorskip("sklearn")
    from arbora.lab.__main__ import Lab

    lab = Lab(None, None)
    opened = answer(lab, {"open": f"{kind}/sklearn-iris", "seed": 0})
    rows = list(range(len(opened["labels"])))
    splits = [[rows[::2], rows[1::2]]]
    space = arbora.Space.from_dict(opened["space"])
    for drawn in space.sample(4, seed=3):
        first = answer(lab, {"learn": drawn, "splits": splits})
        again = answer(lab, {"learn": drawn, "splits": splits})
        assert first.get("predictions") == again.get("predictions"), drawn
        assert "failed" in first or len(first["predictions"][0][0]) == 75, first


def test_one_fit_predicts_several_lists_of_rows() -> None:
    pytest.importorskip("sklearn")
    from arbora.lab.__main__ import Lab

    lab = Lab(None, None)
    answer(lab, {"open": "svm-rbf/sklearn-iris", "seed": 0})
    few, more, rest = list(range(0, 150, 3)), list(range(1, 150, 3)), list(range(2, 150, 3))
    drawn = {"C": 1.0, "gamma": 0.1}
    together = answer(lab, {"learn": drawn, "splits": [[few, more, rest], [more, few]]})["predictions"]
    apart = [answer(lab, {"learn": drawn, "splits": [pair]})["predictions"] for pair in ([few, more], [few, rest], [more, few])]
    assert together == [[apart[0][0][0], apart[1][0][0]], [apart[2][0][0]]]


def test_networks_see_features_as_the_paper_prepares_them() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("sklearn")
    from arbora.lab.data import load
    from arbora.lab.learners import normaliser

    rows = load("sklearn-iris", None).rows
    seen = {name: normaliser(name).fit_transform(rows) for name in ("unit_rows", "maximum_columns", "whitening", "none")}
    assert numpy.allclose((seen["unit_rows"] ** 2).sum(axis=1), 1.0)
    assert numpy.allclose(abs(seen["maximum_columns"]).max(axis=0), 1.0)
    assert numpy.allclose(seen["whitening"], (rows - rows.mean(axis=0)) / rows.std(axis=0)), "feature by feature"
    assert (seen["none"] == rows).all()


def test_a_network_that_takes_too_long_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    from arbora.lab import __main__ as lab

    network = {"stop0": True, "lambda0": 1e-6, "learning_rate": 1e-5, "tolerance": 1e-5, "normalisation": "none"}
    request = {"learn": network, "splits": [[list(range(1000)), [1000]]]}
    server = lab.Lab(None, None)
    answer(server, {"open": "mlp-shared/sklearn-digits", "seed": 0})
    assert "predictions" in answer(server, request)
    monkeypatch.setattr(lab, "NETWORK_SECONDS", 0.01)
    assert answer(server, request)["failed"] == "more than 0.01 s of CPU time"


def test_what_is_not_given_is_said() -> None:
    pytest.importorskip("sklearn")
    from arbora.lab.__main__ import Lab

    missing, unknown, surrogate = talk(
        Lab(None, None), {"open": "cash/pima"}, {"open": "nothing/iris"}, {"open": "yahpo/lcbench/3945"}
    )
    assert missing["missing"] == "the data set `pima` needs --data FOLDER, or --data bundled"
    assert "they begin with cash" in unknown["missing"]
    assert "--yahpo" in surrogate["missing"]


@pytest.mark.parametrize("name", sorted(PEERS))
def test_peers_propose_what_the_space_allows(name: str) -> None:
    space = {
        "parameters": {
            "model": {"type": "choice", "choices": ["a", "b"]},
            "x": {"type": "real", "low": 1e-3, "high": 1.0, "log": True, "when": {"model": "a"}},
            "k": {"type": "integer", "low": 1, "high": 9, "when": {"model": "b"}},
        }
    }
    peers, asked = Peers(), {"open": name, "space": space, "seed": 0, "trials": 6}
    opened = answer(peers, asked)
    if "missing" in opened:
        assert "pip install" in opened["missing"]
        pytest.skip(opened["missing"])
    for number in range(6):
        drawn = answer(peers, {"ask": True})["configuration"]
        assert arbora.Space.from_dict(space).check(drawn) == drawn
        assert answer(peers, {"tell": None if number == 2 else 1.0 / (1 + number)})["told"]


def test_trouble_is_an_answer() -> None:
    class Broken:
        def ask(self, request: Dict[str, Any]) -> Dict[str, Any]:
            raise KeyError("x")

    assert talk(Broken(), {"ask": True}, {"learn": {}}) == [
        {"error": "KeyError: 'x'"},
        {"error": "Broken does not answer `learn`"},
    ]


def bench(
    folder: pathlib.Path, experiment: str, problem: str, methods: List[str], python: str = sys.executable
) -> Dict[str, Dict[str, Any]]:
    """Runs of one seed by a single worker."""
    asked = [word for method in methods for word in ("--method", method)]
    command = ["bench", "run", experiment, "--size", "quick", "--seeds", "1", "-j", "1", "--problem", problem]
    command += ["--python", python, "--out", str(folder), *asked]
    done = subprocess.run([sys.executable, "-m", "arbora", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    ledger = "x9" if experiment == "x10" else experiment  # They share their runs.
    lines = (folder / f"{ledger}.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["method"]: line for line in map(json.loads, lines)}


@pytest.mark.parametrize(
    ("experiment", "problem", "methods"),
    [
        ("x9", "holdout/sklearn-wine", ["cma-pv", "cma-bw", "cma-gv"]),
        ("x10", "holdout/sklearn-wine", ["gp-r", "gp-pm-r"]),
        ("x11", "svm/sklearn-wine", ["bo-best", "bo-post"]),
        ("x11", "svm/sklearn-wine", ["eo-post", "eo-sqm"]),
        ("x11", "svm/sklearn-wine", ["bo-best-thesis", "bo-post-thesis"]),
    ],
)
def test_methods_that_share_a_search_end_as_if_each_had_made_it(
    tmp_path: pathlib.Path, experiment: str, problem: str, methods: List[str]
) -> None:
    pytest.importorskip("sklearn")
    together = bench(tmp_path / "together", experiment, problem, methods)
    assert list(together) == methods, "a worker makes them one after the other"
    assert all(run["best"] == together[methods[0]]["best"] for run in together.values())
    last = methods[-1]
    assert bench(tmp_path / "alone", experiment, problem, [last])[last] == together[last]


def test_ensembles_tell_what_validation_saw(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("sklearn")
    single, vote = bench(tmp_path, "x11", "svm/sklearn-iris", ["bo-best", "eo-sqm-same-13"]).values()
    assert (single["values"]["members"], vote["values"]["members"]) == (1, 13)
    assert single["values"]["tied"] == 0
    assert single["values"]["voted"] == pytest.approx(single["values"]["alone"], abs=0.02), "it votes as it predicts"
    assert vote["values"]["voted"] <= vote["values"]["alone"], "on this set a dozen errs less than its members"


RECORDER = """#!{python}
import json

from arbora.lab import serve
from arbora.lab.__main__ import Lab


class Recorder(Lab):
    def learn(self, request):
        said = super().learn(request)
        with open({log!r}, "a", encoding="utf-8") as file:
            file.write(json.dumps({{**request, **said}}) + "\\n")
        return said


serve(Recorder(None, None))
"""


def recorded(folder: pathlib.Path, experiment: str, problem: str, method: str) -> List[Dict[str, Any]]:
    """What the learners of a run were asked, and what they said."""
    log, program = folder / "log.jsonl", folder / "recorder"
    program.write_text(RECORDER.format(python=sys.executable, log=str(log)), encoding="utf-8")
    program.chmod(0o755)
    bench(folder, experiment, problem, [method], python=str(program))
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
@pytest.mark.parametrize("how", ["holdout", "folds"])
def test_a_selection_split_is_judged_by_the_models_of_the_trial(tmp_path: pathlib.Path, how: str) -> None:
    pytest.importorskip("sklearn")
    from arbora.lab.data import load

    classes = load("sklearn-wine", None).classes
    *trials, last = recorded(tmp_path, "x9", f"{how}/sklearn-wine", "gp-sel")
    assert len(trials) == 25, "no fit besides those of the trials and the last one"
    held_back = trials[0]["splits"][0][2]
    [[learnt, tested]] = last["splits"]
    assert set(held_back) < set(learnt) and not set(learnt) & set(tested), "the last fit learns from them, too"
    assert sorted(learnt + tested) == list(range(len(classes)))

    def selection(trial: Dict[str, Any]) -> float:
        shares = []
        for (train, valid, held), (_, said) in zip(trial["splits"], trial["predictions"]):
            assert held == held_back and sorted(train + valid + held) == sorted(learnt)
            shares.append(sum(said != classes[held]) / len(held))
        return round(sum(shares) / len(shares), 12)

    least = min(selection(trial) for trial in trials)
    assert last["learn"] in [trial["learn"] for trial in trials if selection(trial) == least]


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_networks_are_judged_on_the_test_part(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("sklearn")
    trials = recorded(tmp_path, "x5", "mlp-shared/sklearn-wine", "random")
    assert len(trials) == 20, "nothing is left to test on in the end"
    assert all(trial["splits"] == trials[0]["splits"] for trial in trials)
    [[learnt, judged]] = trials[0]["splits"]
    assert sorted(learnt + judged) == list(range(178)) and abs(len(judged) - 178 / 5) < 2
