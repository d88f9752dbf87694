"""On which rows trials are judged, as the table's size asks for.

Folds up to ten thousand rows: every row is predicted once, by a model that has not seen it. Five,
or three where time is short for so large a table: a few trials that are judged well are worth less
than a few more. Beyond, one part is held out and training parts are capped: a trial then costs the
same whatever the size of the table, and only the last fits see all of it.

Reshuffling and ensembles: folds drawn anew for each trial still predict every row once for each
trial, so that predictions of different trials can be combined row by row; a hold-out drawn anew
predicts other rows for each trial, and cannot.
"""

from __future__ import annotations

from typing import Any, Optional, Union

from arbora.plan import Plan, Splits

MANY_ROWS = 10_000
FOLDS = 5
FEW_FOLDS = 3
HURRY = 2_000
"""Cells of the table for each second of the budget from which on time is short: five folds of
boosting take about 20 µs for each cell (measured on 3 000 rows of 57 columns, one core), so that
fewer than 25 such trials would fit in."""
HELD_OUT = 0.2
CAP = 50_000
"""Training rows of a trial on a large table, unless said otherwise."""


def plan(
    rows: int,
    *,
    cells_per_second: float = 0.0,
    folds: Union[str, int] = "auto",
    resampling: str = "auto",
    max_rows: Union[str, int] = "auto",
    has_ensemble: bool = True,
    seed: int = 0,
) -> Plan:
    """The plan for so many rows.

    >>> plan(500)
    Plan(folds=5, reshuffle=True)
    >>> plan(5_000, cells_per_second=10_000)
    Plan(folds=3, reshuffle=True)
    >>> plan(200_000)
    Plan(hold_out=0.2, cap=50000)
    >>> plan(200_000, has_ensemble=False)
    Plan(hold_out=0.2, reshuffle=True, cap=50000)
    """
    is_held_out = folds == "hold-out" or (folds == "auto" and rows > MANY_ROWS)
    cap = _cap(rows, max_rows, is_held_out)
    if is_held_out:
        return Plan(hold_out=HELD_OUT, reshuffle=_reshuffles(resampling, has_ensemble), cap=cap, seed=seed)
    count = folds
    if folds == "auto":
        count = FOLDS if cells_per_second <= HURRY else FEW_FOLDS
    if isinstance(count, bool) or not isinstance(count, int) or count < 2:
        raise ValueError(f'folds = {folds!r} is invalid: it is "auto", "hold-out" or a number from 2 on')
    _known(resampling)
    return Plan(folds=min(count, rows), reshuffle=resampling != "fixed", seed=seed)


def _known(resampling: str) -> None:
    if resampling not in ("auto", "fixed", "reshuffle"):
        raise ValueError(f'resampling = {resampling!r} is invalid: it is "auto", "fixed" or "reshuffle"')


def _reshuffles(resampling: str, has_ensemble: bool) -> bool:
    _known(resampling)
    if resampling == "reshuffle" and has_ensemble:
        raise ValueError(
            'resampling = "reshuffle" with a hold-out predicts other rows for every trial, which an ensemble cannot '
            'combine; choose folds, resampling = "fixed" or ensemble = "none"'
        )
    return resampling == "reshuffle" or (resampling == "auto" and not has_ensemble)


def _cap(rows: int, max_rows: Union[str, int], is_held_out: bool) -> Optional[int]:
    if max_rows == "auto":
        return CAP if is_held_out and rows * (1 - HELD_OUT) > CAP else None
    if isinstance(max_rows, bool) or not isinstance(max_rows, int) or max_rows < 10:
        raise ValueError(f'max_rows = {max_rows!r} is invalid: it is "auto" or a number of training rows, from 10 on')
    if not is_held_out:
        if max_rows < rows:
            raise ValueError('max_rows caps the training rows of a hold-out; say folds = "hold-out" as well')
        return None
    return max_rows if max_rows < rows else None


def splits(made: Plan, rows: int, codes: Optional[Any], groups: Optional[Any]) -> Splits:
    """The plan over the rows of a table, classes in equal shares where there are some."""
    return made.split_rows(rows, classes=codes, groups=groups)
