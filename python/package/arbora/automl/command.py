"""The command ``arbora automl``: a table in a file, a model, a report and predictions out."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from typing import Any, Optional, Sequence, Tuple

from arbora import _arbora, duration
from arbora.automl import sheet, tables
from arbora.automl.tables import some
from arbora.errors import ArboraError

FEW_CLASSES = 20
"""Whole numbers with at most so many different values are taken for classes."""


def parser() -> argparse.ArgumentParser:
    """What can be said."""
    made = argparse.ArgumentParser(
        prog="arbora automl",
        description="Finds a model for a table: which learner, with which settings, and what its score is worth.",
        epilog="Writes model.joblib, report.html, leaderboard.csv and, with --test, predictions.csv into the folder --out; "
        "a text that a spreadsheet would run as a formula has an apostrophe before it there. "
        "Ctrl-C ends the search early; what was found by then makes the model.",
    )
    made.add_argument("table", help="training data: a CSV file, .gz too, or .parquet, with a header")
    made.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    made.add_argument("--separator", type=tables.separator, default=",", metavar="CHAR",
                      help=r"what separates the columns of CSV files, such as ';' or '\t' (default: a comma)")
    made.add_argument("--decimal", choices=[".", ","], default=".", help="what numbers in CSV files have before their fraction")
    made.add_argument("--time", default=None, metavar="10m", help="time for everything (default 5m, none with --trials)")
    made.add_argument("--trials", type=int, metavar="N", help="end after so many trials")
    made.add_argument("--test", metavar="FILE", help="rows to predict; scored as well if they have the target")
    made.add_argument("--out", default="automl", metavar="FOLDER", help="where to write (default: automl)")
    made.add_argument("--task", choices=["auto", "classification", "regression"], default="auto",
                      help=f"auto: classes are words, or at most {FEW_CLASSES} different whole numbers")
    made.add_argument("--metric", help="accuracy, balanced_accuracy, log_loss, roc_auc; r2, rmse, mae")
    made.add_argument("--space", choices=["modern", "cash"], default="modern", help="what can be tried (default: modern)")
    made.add_argument("--ensemble", choices=["none", "post-hoc", "optimised"], default="post-hoc",
                      help="(default: post-hoc)")
    made.add_argument("--ignore", metavar="A,B", default="", help="columns to leave out, such as row numbers")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="trials at once (default 1)")
    made.add_argument("--trial-time", metavar="30s", help="time for one trial (default: a tenth of all, or 10s)")
    made.add_argument("--memory", type=float, metavar="MB", help="memory for one trial")
    made.add_argument("--storage", metavar="FILE", help="keep the study in this file: arbora show, trials, verdict read it")
    made.add_argument("--seed", type=int, help="source of all randomness")
    made.add_argument("--quiet", action="store_true", help="no progress")
    return made


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; answers with an exit code."""
    options = parser().parse_args(arguments)
    try:
        # Loading the libraries takes seconds, in which people change their minds.
        missing = _missing_library()
        if missing is not None:
            print(f"arbora automl needs scikit-learn and pandas: {missing}; pip install scikit-learn pandas", file=sys.stderr)
            return 1
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            return run(options)
    except ArboraError as error:
        _complain(error)
        return 1
    except (OSError, TypeError, ValueError) as error:
        _complain(error)
        return 2
    except KeyboardInterrupt:
        print("\ninterrupted; there is no model yet, and nothing was written", file=sys.stderr)
        return 130


def _missing_library() -> Optional[ImportError]:
    try:
        import pandas  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        return error
    return None


def run(options: argparse.Namespace) -> int:
    """Reads, fits and writes."""
    if options.decimal == options.separator:
        raise ValueError(f"--decimal {options.decimal} separates columns, too; say --separator ';', or whatever does")
    frame = tables.read(options.table, options.separator, options.decimal)
    if options.target not in frame.columns:
        raise ValueError(tables.lacks(options.table, options.target, frame.columns, options.separator))
    ignored = [name for name in options.ignore.split(",") if name]
    unknown = [name for name in ignored if name not in frame.columns]
    if unknown:
        raise ValueError(f"--ignore names {some(unknown)}, which `{options.table}` does not have")
    columns = [name for name in frame.columns if name != options.target and name not in ignored]
    test = None if options.test is None else tables.read(options.test, options.separator, options.decimal)
    if test is not None and set(columns) - set(test.columns):
        raise ValueError(f"`{options.test}` lacks {some(sorted(set(columns) - set(test.columns)))}")
    model = estimator(options, frame[options.target])
    os.makedirs(options.out, exist_ok=True)
    model.fit(frame[columns], frame[options.target])
    write(options, model, frame, None if test is None else (test, columns))
    return 130 if model.interrupted_ else 0


def estimator(options: argparse.Namespace, target: Any) -> Any:
    """The estimator that the options ask for."""
    from arbora.automl.estimator import AutoClassifier, AutoRegressor

    is_classification = options.task == "classification" or (options.task == "auto" and holds_classes(target))
    kind = AutoClassifier if is_classification else AutoRegressor
    time = options.time if options.time is not None else None if options.trials is not None else "5m"
    given = {"metric": options.metric, "trial_timeout": options.trial_time, "memory_limit": options.memory}
    return kind(
        space=options.space,
        time_budget=None if time is None else duration.seconds(time, "--time"),
        trials=options.trials,
        ensemble=options.ensemble,
        n_jobs=options.jobs,
        storage=options.storage,
        random_state=options.seed,
        verbose=not options.quiet,
        **{name: value for name, value in given.items() if value is not None},
    )


def holds_classes(target: Any) -> bool:
    """Is this a column of classes? Words are, and so are a few different whole numbers.

    >>> import pandas
    >>> [holds_classes(pandas.Series(column)) for column in (["a", "b"], [1.5, 2.5], [0, 1])]
    [True, False, True]
    """
    import numpy as np

    known = target.dropna()
    try:
        values = known.to_numpy(dtype=float)
    except (TypeError, ValueError):
        return True
    return bool(known.nunique() <= FEW_CLASSES and np.equal(values, np.round(values)).all())


def write(options: argparse.Namespace, model: Any, frame: Any, test: Optional[Tuple[Any, Any]]) -> None:
    """Writes everything, and says so."""
    import joblib

    from arbora.automl import report

    joblib.dump(model, os.path.join(options.out, "model.joblib"))
    board = model.leaderboard_
    sheet.write(board, os.path.join(options.out, "leaderboard.csv"))
    score = None
    if test is not None:
        score = predictions(options, model, *test)
    facts = {"table": os.path.basename(options.table), "rows": len(frame), "target": options.target}
    text = report.page(model, facts, test_score=score)
    with open(os.path.join(options.out, "report.html"), "w", encoding="utf-8") as file:
        file.write(text)
    print(_arbora.visible(report.words(model, score)))
    print(_arbora.visible(f"\nwritten to {options.out}: {', '.join(sorted(os.listdir(options.out)))}"))
    print(f"use it: joblib.load({os.path.join(options.out, 'model.joblib')!r}).predict(table)")


def predictions(options: argparse.Namespace, model: Any, test: Any, columns: Any) -> Optional[float]:
    """Writes predictions for the test rows; the metric on them if they have the target."""
    import pandas

    from arbora.automl import metric

    said = pandas.DataFrame({options.target: model.predict(test[columns])})
    is_classification = hasattr(model, "classes_")
    if is_classification:
        chances = model.predict_proba(test[columns])
        for place, label in enumerate(model.classes_):
            said[f"probability of {label}"] = chances[:, place]
    sheet.write(said, os.path.join(options.out, "predictions.csv"))
    if options.target not in test.columns or test[options.target].isna().any():
        return None
    judged = metric.named(model.metric_, is_classification)
    if not is_classification:
        return judged.of(test[options.target].to_numpy(float), said[[options.target]].to_numpy(float))
    places = {label: place for place, label in enumerate(model.classes_.tolist())}
    truth = test[options.target].map(places)
    if truth.isna().any():
        return None
    return judged.of(truth.to_numpy(int), chances)


def _warn(message: Any, *where: Any, **more: Any) -> None:
    """A warning for people: what, not where in the code."""
    _complain(message)


def _complain(trouble: Any) -> None:
    """Names of columns and files are quoted as what they are: nothing in them steers the terminal.
    """
    print(_arbora.visible(f"arbora automl: {trouble}"), file=sys.stderr)
