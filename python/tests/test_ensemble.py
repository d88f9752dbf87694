"""Ensembles: chosen after a search, or searched for."""

from __future__ import annotations

import pathlib
import pickle
import random
from typing import Any, Callable, List, Optional, Tuple

import pytest

import arbora
from arbora.ensemble import Ensemble, Means, Probabilities, Search, Votes
from arbora.predictions import Predictions

ROWS = [row / 40 for row in range(40)]
LABELS = ["low" if row < 0.2 else "middle" if row < 0.6 else "high" for row in ROWS]


def pool(members: int = 12, seed: int = 3) -> Votes:
    draw = random.Random(seed)
    votes = Votes(LABELS)
    for trial in range(members):
        votes.add(100 + trial, [label if draw.random() < 0.6 else draw.choice(votes.classes) for label in LABELS])
    return votes


def test_every_greedy_step_is_the_best_there_is() -> None:
    votes = pool()
    for loss in ("zero_one", "squared_margin", "c_bound", "sigmoid"):
        chosen = votes.greedy(size=7, start=2, loss=loss, best_prefix=False).members
        assert len(chosen) == 7
        for step in range(2, 7):
            reached = votes.loss(chosen[: step + 1], loss)
            least = min(votes.loss([*chosen[:step], other], loss) for other in votes.trials)
            assert reached == pytest.approx(least, abs=1e-12)


def test_the_best_prefix_is_never_worse_than_the_best_trial() -> None:
    for seed in range(10):
        votes = pool(seed=seed)
        chosen = votes.greedy(start=1)
        assert chosen.loss == votes.loss(chosen.members) <= min(votes.loss([trial]) for trial in votes.trials)
        assert sum(chosen.weights.values()) == pytest.approx(1.0)


def test_bags_are_reproducible() -> None:
    votes = pool()
    for bagging in (0.66, (5, 0.5)):
        first, second, other = (votes.greedy(bagging=bagging, best_prefix=False, seed=seed) for seed in (1, 1, 2))
        assert first == second != other
    assert len(votes.greedy(size=4, bagging=(5, 0.5), best_prefix=False).members) == 20


def test_a_vote_is_won_by_the_most_and_ties_by_the_first_class() -> None:
    votes = Votes(["a", "b", "b"])
    votes.add(0, ["a", "b", "a"])
    votes.add(1, ["b", "b", "b"])
    votes.add(2, ["a", "a", "a"])
    assert votes.predict([0, 1, 2]) == ["a", "b", "a"]
    assert votes.predict([0, 1]) == ["a", "b", "a"]
    assert votes.loss([0, 1]) == pytest.approx(2 / 3), "a tie counts as an error"


def test_rows_nobody_speaks_about_are_left_out() -> None:
    votes = Votes([0, 1, 1, 0])
    votes.add(0, [0, None, float("nan"), None])
    votes.add(1, [None, 1, None, 1])
    assert votes.loss([0]) == 0.0 and votes.loss([1]) == 0.5
    assert votes.loss([0, 1]) == pytest.approx(1 / 3)


def test_what_is_not_possible_says_why() -> None:
    votes = Votes(["a", "b"])
    with pytest.raises(ValueError, match="'c' is not one of the 2 classes"):
        votes.add(0, ["a", "c"])
    with pytest.raises(arbora.EvaluationError, match="one per row"):
        votes.add(0, ["a"])
    with pytest.raises(arbora.EvaluationError, match="no members"):
        votes.greedy()
    with pytest.raises(ValueError, match="trial 9 is not in the pool"):
        votes.loss([9])
    votes.add(0, ["a", "b"])
    with pytest.raises(arbora.SearchError, match="unknown variant `accuracy`"):
        votes.greedy(loss="accuracy")
    with pytest.raises(arbora.EvaluationError, match="at least 2"):
        Votes(["a", "a"])
    with pytest.raises(arbora.EvaluationError, match="not a finite number"):
        Means([1.0]).add(0, [float("inf")])


def test_means_of_numbers_and_of_probabilities() -> None:
    draw = random.Random(1)
    truth = [draw.random() for _ in range(50)]
    means = Means(truth)
    for trial in range(8):
        means.add(trial, [value + draw.gauss(0.1, 0.3) for value in truth])
    chosen = means.greedy(size=10)
    assert chosen.loss == pytest.approx(means.loss(chosen.members))
    assert chosen.loss <= min(means.loss([trial]) for trial in range(8))
    whole = means.greedy(size=5, start=3, best_prefix=False).members
    assert len(whole) == 5
    assert whole[:3] == sorted(range(8), key=lambda trial: means.loss([trial]))[:3]
    assert len(means.greedy(size=4, best_prefix=False, bagging=(3, 0.5)).members) == 12
    likely = Probabilities(["a", "b"])
    likely.add(5, [[0.8, 0.2], [0.6, 0.4]])
    assert likely.loss([5]) == pytest.approx((0.04 + 0.04 + 0.36 + 0.36) / 4)


# Searching for an ensemble: a configuration is a threshold, or two of them.


def space() -> arbora.Space:
    made = arbora.Space()
    made.real("cut", 0.0, 1.0)
    made.choice("below", ["low", "middle", "high"])
    made.choice("above", ["low", "middle", "high"])
    return made


def predicted(trial: arbora.Trial) -> List[str]:
    return [trial["below"] if row < trial["cut"] else trial["above"] for row in ROWS]


def searched(search: Search, trials: int) -> List[object]:
    configurations = []
    for _ in range(trials):
        trial = search.ask()
        configurations.append(trial.configuration)
        search.tell(trial, predicted(trial))
    return configurations


def test_with_one_slot_it_is_ordinary_search() -> None:
    # Strategies without a memory of their own suggest the same whether or not the ensemble forgets it.
    for strategy in ("random", "tpe", "gp-arc"):
        search = Search(arbora.Study(space(), strategy=strategy, seed=4), LABELS, slots=1, loss="zero_one")
        ordinary = arbora.Study(space(), strategy=strategy, seed=4)
        expected = []
        for _ in range(8):
            trial = ordinary.ask()
            expected.append(trial.configuration)
            wrong = sum(said != true for said, true in zip(predicted(trial), LABELS))
            ordinary.tell(trial, loss=wrong / len(LABELS))
        assert searched(search, 8) == expected, strategy
        assert search.ensemble.members == [ordinary.best_trial.number]


@pytest.mark.parametrize("rule", [None, "same_loss", "zero_one"])
def test_slots_are_filled_as_the_algorithm_says(rule: Optional[str]) -> None:
    search = Search(arbora.Study(space(), seed=4), LABELS, slots=4, rule=rule)
    searched(search, 18)
    votes, slots = search.pool, {}
    assert isinstance(votes, Votes)
    for trial in range(18):
        others = [member for slot, member in slots.items() if slot != trial % 4]

        def worth(member: int) -> Tuple[float, float, float, int]:
            together = [*others, member]
            own = round(votes.loss(together, "squared_margin"), 12)
            return (votes.loss(together) if rule == "zero_one" else own), own, votes.loss([member]), member

        slots[trial % 4] = min((member for member in range(trial + 1) if member not in others), key=worth)
    ensemble = search.ensemble
    assert ensemble.members == [slots[slot] for slot in range(4)]
    assert ensemble.loss == votes.loss(ensemble.members)


def test_an_ensemble_is_odd_unless_said_otherwise() -> None:
    assert Search(arbora.Study(space(), seed=4), LABELS).slots % 2 == 1
    assert len(pool().greedy(best_prefix=False).members) % 2 == 1
    means = Means([1.0])
    means.add(0, [0.5])
    assert len(means.greedy(best_prefix=False).members) % 2 == 1


# Numbers: the truth is a step, a configuration a line; and their likelihoods for two classes.

STEP = [float(row > 0.5) for row in ROWS]


def line() -> arbora.Space:
    made = arbora.Space()
    made.real("height", 0.0, 1.0)
    made.real("slope", -1.0, 1.0)
    return made


def numbers(trial: arbora.Trial) -> List[float]:
    return [min(1.0, max(0.0, trial["height"] + trial["slope"] * row)) for row in ROWS]


def chances(trial: arbora.Trial) -> List[List[float]]:
    return [[1 - number, number] for number in numbers(trial)]


def searches(slots: int, strategy: str = "tpe") -> List[Tuple[Search, Callable[[arbora.Trial], Any]]]:
    def study() -> arbora.Study:
        return arbora.Study(line(), strategy=strategy, seed=4)

    return [
        (Search(study(), STEP, pool=Means, slots=slots), numbers),
        (Search(study(), STEP, pool=Probabilities, classes=[0.0, 1.0], slots=slots), chances),
    ]


def test_numbers_and_probabilities_fill_slots_as_well() -> None:
    ensembles = []
    for search, said in searches(slots=3):
        for _ in range(14):
            trial = search.ask()
            search.tell(trial, said(trial))
            assert search.study.trial(trial.number).loss == pytest.approx(search.pool.loss([trial.number]))
        pool, slots = search.pool, {}
        for trial in range(14):
            others = [member for slot, member in slots.items() if slot != trial % 3]
            free = [member for member in range(trial + 1) if member not in others]
            slots[trial % 3] = min(free, key=lambda member: (pool.loss([*others, member]), pool.loss([member]), member))
        assert search.ensemble.members == [slots[slot] for slot in range(3)]
        assert search.ensemble.loss == pool.loss(search.ensemble.members)
        ensembles.append(search.ensemble)
    # The squared error of both probabilities is that of the number.
    assert ensembles[0].members == ensembles[1].members
    assert ensembles[0].loss == pytest.approx(ensembles[1].loss)


def test_slots_may_grow_with_the_search() -> None:
    search, said = searches(slots=1)[0]
    fixed, _ = searches(slots=1)[0]
    for number in range(12):
        search.slots = 1 + number // 4
        trial = search.ask()
        search.tell(trial, said(trial))
        fixed.pool.add(trial.number, said(trial))
    assert len(search.ensemble.members) == 3
    fixed.slots = 3
    assert search.ensemble == fixed.ensemble, "as if there had been three from the beginning"


def test_one_slot_of_numbers_is_ordinary_search() -> None:
    for search, said in searches(slots=1):
        ordinary = arbora.Study(line(), strategy="tpe", seed=4)
        for _ in range(10):
            expected, trial = ordinary.ask(), search.ask()
            assert trial.configuration == expected.configuration
            search.tell(trial, said(trial))
            ordinary.tell(expected, loss=search.study.trial(trial.number).loss)
        assert search.ensemble.members == [ordinary.best_trial.number]


def test_a_search_for_numbers_goes_on_where_it_stopped(tmp_path: pathlib.Path) -> None:
    study = arbora.Study(line(), storage=tmp_path / "study.db", seed=3, strategy="tpe")
    whole = Search(arbora.Study(line(), seed=3, strategy="tpe"), STEP, pool=Means, slots=3)
    for _ in range(9):
        trial = whole.ask()
        whole.tell(trial, numbers(trial))
        torn = Search(study, STEP, pool=Means, slots=3)
        again = torn.ask()
        assert again.configuration == trial.configuration
        torn.tell(again, numbers(again))
    assert torn.ensemble == whole.ensemble


def test_a_search_says_what_is_not_possible() -> None:
    study = arbora.Study(line(), seed=4)
    with pytest.raises(TypeError, match="loss and rule are about votes"):
        Search(study, STEP, pool=Means, loss="sigmoid")
    with pytest.raises(TypeError, match="have no classes"):
        Search(study, STEP, pool=Means, classes=[0, 1])
    with pytest.raises(arbora.EvaluationError, match="number of slots must be at least 1"):
        Search(study, STEP, pool=Means, slots=0)
    with pytest.raises(arbora.SearchError, match="unknown variant"):
        Search(study, LABELS, rule="best")


def test_failed_trials_and_resuming(tmp_path: pathlib.Path) -> None:
    def study(name: str) -> arbora.Study:
        return arbora.Study(space(), name=name, storage=tmp_path / "study.db", seed=9, strategy="tpe")

    whole = Search(study("whole"), LABELS, slots=3)
    expected = searched(whole, 3)
    whole.study.tell(whole.ask(), failed="crash")
    expected += searched(whole, 8)
    searched(Search(study("a/b"), LABELS, slots=3), 3)
    torn = Search(study("a/b"), LABELS, slots=3)
    torn.study.tell(torn.ask(), failed="crash")
    for _ in range(8):
        torn = Search(arbora.Study.load(tmp_path / "study.db", "a/b"), LABELS, slots=3)
        searched(torn, 1)
    assert torn.ensemble == whole.ensemble
    assert [t.configuration for t in torn.study.trials if t.loss is not None] == expected


def test_predictions_are_whole_or_not_there(tmp_path: pathlib.Path) -> None:
    study = arbora.Study(space(), storage=tmp_path / "study.db", name="a b/ü")
    kept = Predictions(study)
    assert len(kept) == 0 and 0 not in kept
    kept[0], kept[12] = b"abc" * 1000, b""
    assert dict(Predictions(arbora.Study.load(tmp_path / "study.db"))) == {0: b"abc" * 1000, 12: b""}
    size = sum(file.stat().st_size for file in (tmp_path / "study.db-predictions").rglob("*") if file.is_file())
    assert size < 200, "they are compressed"
    del kept[0]
    with pytest.raises(KeyError):
        kept[0]
    in_memory = Predictions(arbora.Study(space()))
    in_memory[3] = b"x"
    assert dict(in_memory) == {3: b"x"}


def test_pools_are_kept_with_a_study(tmp_path: pathlib.Path) -> None:
    study = arbora.Study(space(), storage=tmp_path / "study.db", seed=1)
    pool = Means([1.0, 2.0], study=study)
    for error in (0.5, -0.25):
        trial = study.ask()
        pool.add(trial, [1.0 + error, 2.0 + error])
        study.tell(trial, loss=error**2)
    pool.add(study.ask(), [0.0, 0.0])
    again = Means([1.0, 2.0], study=arbora.Study.load(tmp_path / "study.db"))
    assert again.trials == [0, 1], "a trial that was not told does not count"
    assert again.greedy() == pool.greedy()
    with pytest.raises(arbora.EvaluationError, match="one per row"):
        Means([1.0], study=study)


def test_arrays_and_tables_are_welcome() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    votes = Votes(numpy.array(["a", "b"]))
    votes.add(0, pandas.Series(["a", "b"], index=[7, 3]))
    assert votes.loss([0]) == 0.0
    for form in (numpy.asarray, numpy.asfortranarray, pandas.DataFrame, list):
        likely = Probabilities(pandas.Series(["a", "b"]))
        likely.add(0, form([[0.5, 0.5], [0.0, 1.0]]))
        assert likely.loss([0]) == 0.125
    means = Means(numpy.array([1, 2]))
    means.add(0, pandas.Series([1, 3], dtype="int8"))
    assert means.loss([0]) == 0.5


def test_members_that_were_fitted_again_predict_together() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    chosen = Ensemble([4, 9, 4], 0.0)
    assert chosen.vote({4: numpy.array(["x", "y"]), 9: ["y", "x"], 5: ["never", "asked"]}) == ["x", "y"]
    assert Ensemble([4, 9], 0.0).vote({4: ["x", None], 9: ["y", "y"]}, classes=["y", "x"]) == ["y", "y"]
    likely = {4: numpy.array([[0.9, 0.1]]), 9: numpy.array([[0.3, 0.7]])}
    numpy.testing.assert_allclose(chosen.mean(likely), [[0.7, 0.3]])
    numpy.testing.assert_allclose(chosen.mean({4: pandas.Series([1, 2]), 9: numpy.array([4.0, 2.0])}), [2.0, 2.0])
    assert chosen.mean({4: (1.0,), 9: (4.0,)}) == [pytest.approx(2.0)]
    with pytest.raises(ValueError, match="trial 9 is in the ensemble"):
        chosen.mean({4: [1.0]})
    with pytest.raises(arbora.EvaluationError, match="one per row"):
        chosen.mean({4: [1.0], 9: [1.0, 2.0]})
    # A pool votes as its ensemble does: members of the same rows, ties to the first class.
    votes = pool()
    greedy = votes.greedy(best_prefix=False)
    said = {trial: votes.predict([trial]) for trial in votes.trials}
    assert greedy.vote(said, classes=votes.classes) == votes.predict(greedy.members)


def test_ensembles_are_data() -> None:
    assert pickle.loads(pickle.dumps(Ensemble([1, 2], 0.5))) == Ensemble([1, 2], 0.5)
