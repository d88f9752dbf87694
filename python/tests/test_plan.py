"""Plans: whose rows are whose, for every trial."""

from __future__ import annotations

import collections
import copy
import pickle
from typing import List

import pytest

import arbora

PLANS = [
    arbora.Plan(),
    arbora.Plan(folds=3, times=2, reshuffle=True, seed=5),
    arbora.Plan(hold_out=0.3, reshuffle=True),
    arbora.Plan(folds=4, test=0.2, selection=0.25, reshuffle=2),
    arbora.Plan(folds=3, cap=10, reshuffle=True),
]


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_no_row_is_on_both_sides_and_none_is_lost(plan: arbora.Plan) -> None:
    splits = plan.split_rows(60, classes=[row % 3 for row in range(60)])
    apart = splits.test + splits.selection
    assert sorted(apart + splits.search) == list(range(60))
    for trial in range(6):
        parts = splits.of_trial(trial)
        assert len(parts) == len(splits) == plan.get_n_splits()
        for train, valid in parts:
            assert sorted(train + valid) == splits.search
            assert plan.cap is None or len(train) <= plan.cap


def test_folds_validate_every_row_once_also_when_reshuffled() -> None:
    splits = arbora.Plan(folds=5, reshuffle=True).split_rows(53)
    for trial in range(4):
        assert sorted(row for _, valid in splits.of_trial(trial) for row in valid) == list(range(53))


def test_splits_are_a_function_of_seed_and_trial() -> None:
    def of(seed: int, reshuffle: object) -> List[object]:
        splits = arbora.Plan(folds=3, reshuffle=reshuffle, seed=seed).split_rows(30)  # type: ignore[arg-type]
        return [splits.of_trial(trial) for trial in range(4)]

    assert of(1, True) == of(1, True) != of(2, True)
    fixed, generations, trials = of(1, False), of(1, 2), of(1, True)
    assert fixed[0] == fixed[1] == fixed[2]
    assert generations[0] == generations[1] != generations[2] == generations[3]
    assert len({str(parts) for parts in trials}) == 4
    splits = arbora.Plan(folds=3, test=0.2, selection=0.2, reshuffle=True).split_rows(30)
    assert splits.unseen_splits(0) != splits.unseen_splits(1)
    assert not set(splits.test) & {row for train, valid in splits.unseen_splits(0) for row in train + valid}


def test_classes_keep_their_shares_and_groups_stay_together() -> None:
    classes = ["rare"] * 10 + ["common"] * 90
    for _, valid in arbora.Plan(folds=5).split_rows(100, classes=classes).of_trial(0):
        assert collections.Counter(classes[row] for row in valid) == {"rare": 2, "common": 18}
    groups = [f"patient {row // 7}" for row in range(70)]
    for train, valid in arbora.Plan(folds=5, reshuffle=True).split_rows(70, groups=groups).of_trial(3):
        assert not {groups[row] for row in train} & {groups[row] for row in valid}
    sick = [row // 7 % 5 == 0 for row in range(70)]
    splits = arbora.Plan(folds=2, test=0.2, reshuffle=True).split_rows(70, classes=sick, groups=groups)
    for _, valid in splits.of_trial(1):
        assert sum(sick[row] for row in valid) in (0, 7), "of two sick patients one at most in each part"


def test_the_future_validates_the_past() -> None:
    for train, valid in arbora.Plan(ordered=4).split_rows(50).of_trial(0):
        assert max(train) < min(valid)
    for train, _ in arbora.Plan(ordered=4, cap=5).split_rows(50).of_trial(0):
        assert len(train) == 5
    splits = arbora.Plan(ordered=3, test=0.2, selection=0.25).split_rows(50)
    assert splits.test == list(range(40, 50)) and splits.selection == list(range(30, 40))


def test_rows_that_the_data_set_apart() -> None:
    splits = arbora.Plan(folds=2).split_rows(10, test=[0, 9])
    assert splits.test == [0, 9] and splits.search == list(range(1, 9))


def test_what_is_not_possible_says_why() -> None:
    with pytest.raises(arbora.EvaluationError, match="at least 5 rows") as caught:
        arbora.Plan(folds=5).split_rows(4)
    assert caught.value.kind == "TooFew" and caught.value.have == 4
    for plan in [arbora.Plan(hold_out=1.5), arbora.Plan(test=0.0), arbora.Plan(folds=1), arbora.Plan(cap=0)]:
        with pytest.raises(arbora.EvaluationError):
            plan.split_rows(20)
    with pytest.raises(arbora.EvaluationError, match="one per row"):
        arbora.Plan().split_rows(20, classes=[1, 2])
    with pytest.raises(arbora.EvaluationError, match="there is no row 20") as beyond:
        arbora.Plan().split_rows(20, test=[19, 20])
    assert beyond.value.kind == "NoSuchRow" and beyond.value.row == 20
    with pytest.raises(arbora.EvaluationError, match="cannot keep groups"):
        arbora.Plan(ordered=2).split_rows(20, groups=[1] * 20)
    with pytest.raises(TypeError, match="folds and hold_out"):
        arbora.Plan(folds=3, hold_out=0.2)
    with pytest.raises(TypeError, match="repeats folds"):
        arbora.Plan(hold_out=0.2, times=3)


def test_plans_are_data() -> None:
    for plan in PLANS:
        assert eval(repr(plan), {"Plan": arbora.Plan}) == plan == copy.deepcopy(plan)
        splits = plan.split_rows(60)
        assert pickle.loads(pickle.dumps(splits)).of_trial(2) == splits.of_trial(2)


def test_a_plan_splits_for_scikit_learn() -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn")
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import cross_val_score

    X, y = load_iris(return_X_y=True)
    scores = cross_val_score(DummyClassifier(), X, y, cv=arbora.Plan(folds=5))
    assert list(scores) == [pytest.approx(1 / 3)] * 5
