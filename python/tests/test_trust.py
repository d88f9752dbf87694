"""Verdicts: does a study say what it is worth?"""

from __future__ import annotations

import pickle
import random
import statistics

import pytest

import arbora


def noisy(noise: float, *, seed: int = 1, direction: str = "minimize", trials: int = 40) -> arbora.Study:
    space = arbora.Space()
    space.real("x", 0.0, 1.0)
    space.real("y", 0.0, 1.0)
    study = arbora.Study(space, strategy="random", seed=seed, direction=direction)
    draw = random.Random(seed)
    for _ in range(trials):
        trial = study.ask()
        study.tell(trial, loss=truth(trial) + draw.gauss(0.0, noise))
    return study


def truth(trial: arbora.Trial) -> float:
    return float((trial["x"] - 0.3) ** 2 + (trial["y"] - 0.7) ** 2)


def test_a_verdict_is_data_and_words() -> None:
    verdict = noisy(0.2).verdict()
    assert verdict.complete == 40 and verdict.failed == 0
    assert verdict.best_seen.value < verdict.best_seen.expected, "the luckiest draw looks too good"
    assert verdict.optimism > 0.05 and 0.1 < verdict.noise < 0.4
    assert verdict.trusted.trial in verdict.tied and len(verdict.tied) > 1
    low, high = verdict.trusted.interval
    assert low < verdict.trusted.expected < high
    assert "too good by about" in str(verdict) and f"trial {verdict.trusted.trial}" in str(verdict)
    assert verdict.advice in ("more_trials", "confirm", "enough")
    assert verdict.to_dict()["trusted"]["interval"] == [low, high]
    assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_splits_that_were_kept_are_judged_by_their_spread() -> None:
    study = noisy(0.0)
    assert study.verdict().splits is None
    losses = [0.1, 0.3, 0.2, 0.2]
    study.trustworthy_trial.set_attribute("split_values", losses)
    splits = study.verdict().splits
    assert splits is not None and splits.splits == 4 and splits.mean == pytest.approx(0.2)
    assert splits.error == pytest.approx(((1 / 4 + 1 / 3) * statistics.variance(losses)) ** 0.5)
    assert "Its 4 splits have mean 0.2000 and standard error" in str(study.verdict())
    assert study.verdict().to_dict()["splits"]["splits"] == 4


def test_without_noise_the_best_is_to_be_trusted() -> None:
    study = noisy(0.0)
    assert study.trustworthy_trial == study.best_trial
    assert study.verdict().noise < 0.02


def test_the_trustworthy_trial_is_better_than_the_luckiest() -> None:
    studies = [noisy(0.15, seed=seed) for seed in range(6)]
    lucky = sum(truth(study.best_trial) for study in studies)
    trusted = sum(truth(study.trustworthy_trial) for study in studies)
    assert trusted < lucky
    for study in studies[:2]:
        assert set(study.space.check(study.expected_best())) == {"x", "y"}


def test_a_maximised_study_is_judged_in_its_own_direction() -> None:
    lower, higher = noisy(0.1).verdict(), noisy(0.1, direction="maximize").verdict()
    assert lower.best_seen.value == -higher.best_seen.value
    assert lower.trusted.expected == -higher.trusted.expected
    assert higher.trusted.interval == (-lower.trusted.interval[1], -lower.trusted.interval[0])


@pytest.mark.parametrize("strategy", ["auto", "tpe", "smac", "tree", "gp-arc", "gp-independent", "cma"])
def test_every_strategy_can_be_judged(strategy: str) -> None:
    space = arbora.Space()
    model = space.choice("model", ["line", "bowl"])
    space.real("a", 0.0, 1.0, when=model == "line")
    space.real("b", -1.0, 1.0, when=model == "bowl")
    study = arbora.Study(space, strategy=strategy, seed=2)
    study.optimize(lambda trial: 0.5 + trial["a"] if "a" in trial else trial["b"] ** 2, trials=12)
    verdict = study.verdict()
    assert verdict.complete == 12 and verdict.best_seen.trial == study.best_trial.number


def test_before_the_first_loss_there_is_nothing_to_say() -> None:
    study = noisy(0.0, trials=0)
    study.tell(study.ask(), failed="crash")
    for question in (study.verdict, study.expected_best, lambda: study.trustworthy_trial):
        with pytest.raises(arbora.ArboraError, match="no trial has a loss: 1 of 1 ended trials failed, the last, trial 0: crash"):
            question()
    with pytest.raises(arbora.ArboraError, match="no trial has a loss yet"):
        arbora.Study().verdict()


def test_rows_held_back_choose() -> None:
    from arbora.selection import Scored, confirmed, held_back, paired

    draw = random.Random(5)
    trials = [Scored(trial, draw.random(), draw.random(), trial // 4) for trial in range(12)]
    assert held_back(trials) == min(trials, key=lambda t: t.selection).trial
    assert held_back(trials, "partial_validation") == min(trials[8:], key=lambda t: t.selection).trial
    leaders = [min(trials[at : at + 4], key=lambda t: t.validation) for at in (0, 4, 8)]
    assert held_back(trials, "backwarding") == min(leaders, key=lambda t: t.selection).trial
    assert held_back(trials, "global_validation") == held_back(trials)
    with pytest.raises(arbora.SearchError, match="unknown variant `luck`"):
        held_back(trials, "luck")
    with pytest.raises(arbora.ArboraError, match="no trial to choose from"):
        held_back([])
    assert confirmed({7: [0.5, 0.1], 3: [0.2, 0.2]}) == 3
    assert paired([1.0, 2.0], [1.0, 2.0]) == (0.0, 0.0)


def test_one_trial_does_not_claim_to_know_the_noise() -> None:
    words = str(noisy(0.2, trials=1).verdict())
    assert words.startswith("1 trial complete.\n") and "One trial cannot tell how noisy" in words
    assert "no noise" not in words and "noise of one evaluation" not in words
