"""A strategy of your own: simulated annealing in thirty lines.

Run it as a program, or give it to the command as a plugin:

    python examples/own_strategy.py
    arbora tune space.toml --plugin examples/own_strategy.py --strategy annealing \
        --trials 50 -- ./train.sh --lr {lr}
    arbora bench run own --plugin examples/own_strategy.py --method annealing --method random \
        --problem branin --trials 30 --seeds 3
"""

from __future__ import annotations

import math

import arbora


@arbora.register_strategy("annealing", when="when trials cost next to nothing")
def anneal(ask: arbora.Ask) -> arbora.Suggestion:
    """Simulated annealing: walks to neighbours, sometimes uphill, less and less often."""
    finished = ask.complete
    if not finished:
        return arbora.Suggestion(ask.random(), memo={"at": None})
    # Where the walk stands: it moves to the last trial if that is better, or by luck. The place is
    # kept in the memo of the trial, so that the walk goes on after a restart.
    last, before = finished[-1], finished[-1].memo.get("at")
    here = last if before is None else next(trial for trial in finished if trial.number == before)
    temperature = 0.9 ** len(finished)
    uphill = last.loss - here.loss
    if uphill <= 0 or ask.rng.random() < math.exp(-uphill / max(temperature, 1e-9)):
        here = last
    near = ask.space.neighbours(here.configuration, seed=ask.rng.getrandbits(32))
    fresh = [configuration for configuration in near if ask.is_new(configuration)]
    step = ask.rng.choice(fresh) if fresh else ask.random()
    return arbora.Suggestion(step, memo={"at": here.number})


def main() -> None:
    """Minimise a bowl with a wall in it."""
    space = arbora.Space()
    shape = space.choice("shape", ["round", "long"])
    space.real("x", -2.0, 2.0)
    space.real("stretch", 1.0, 5.0, when=shape == "long")
    result = arbora.minimize(
        lambda trial: trial["x"] ** 2 * trial.get("stretch", 1.0) + 0.1 * (trial["shape"] == "long"),
        space, strategy="annealing", trials=100, seed=1,
    )
    print(f"loss {result.loss:.4f} at {result.configuration}")


if __name__ == "__main__":
    main()
