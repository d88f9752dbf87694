"""The report on a search: one self-contained HTML file, with a summary in plain words first."""

from __future__ import annotations

import html
import io
from typing import Any, Callable, Dict, List, Optional

from arbora.verdict import Verdict

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; font-size: 0.85rem }
td, th { padding: 0.2rem 0.6rem; text-align: left; vertical-align: top }
tr:nth-child(even) { background: #f5f5f5 } th { border-bottom: 2px solid #888 } .number { text-align: right }
svg { max-width: 100%; height: auto } .verdict { background: #eef5fa; padding: 0.8rem 1rem; white-space: pre-line }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd } tr:nth-child(even) { background: #262626 } .verdict { background: #20303a }
  svg { background: white }
}
"""
LONGEST = 50
"""Trials that the table shows."""
HONEST = "estimated on rows that neither taught nor chose its parts"
"""What the score of a model is."""


def with_model(verdict: Verdict, metric: str, score: float, flattering: float) -> Verdict:
    """A verdict on trials that has a word on the model made of them."""
    words = f"The model: {metric} {score:.4g}, {HONEST} ({flattering:.4g} on those that chose them, which tend to flatter)."
    return verdict._replace(words=f"{verdict.words}\n{words}")


def words(model: Any, test_score: Optional[float] = None) -> str:
    """What was found, in a few lines."""
    lines = [f"{model.metric_} of the model, {HONEST}: {model.validation_score_:.4g}"]
    if test_score is not None:
        lines.append(f"{model.metric_} on the test rows: {test_score:.4g}")
    lines += ["", str(model.verdict_), "", "The model:"]
    for trial, weight in model.ensemble_.items():
        lines.append(f"  {100 * weight:5.1f} %  trial {trial}: {_configuration(model.study_.trial(trial).configuration)}")
    return "\n".join(lines)


def page(model: Any, facts: Dict[str, Any], *, test_score: Optional[float] = None) -> str:
    """The whole page."""
    title = f"Predicting {facts['target']} from {facts['table']}"
    scores = [(f"of the model, {HONEST}", model.validation_score_)]
    if test_score is not None:
        scores.append(("of the model on the test rows", test_score))
    told = "".join(f"<p>{_text(model.metric_)} {where}: <strong>{score:.4g}</strong></p>" for where, score in scores)
    return "\n".join([
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title><style>{STYLE}</style></head><body>',
        f"<h1>{_text(title)}</h1>",
        f"<p>{facts['rows']} rows, {model.n_features_in_} columns, {len(model.study_)} trials.</p>",
        told,
        *(["<p>The search was interrupted before its time.</p>"] if model.interrupted_ else []),
        "<h2>Verdict</h2>",
        f'<p class="verdict">{_text(str(model.verdict_))}</p>',
        *_columns(model),
        "<h2>The model</h2>", members(model),
        *_drawing("How the search went", lambda plot: plot.history(model.study_)),
        *_drawing("The space, branch by branch", lambda plot: plot.tree(model.study_)),
        "<h2>Leaderboard</h2>",
        f"<p>{_text(model.metric_)} of single trials in cross-validation; the best of many is partly luck, so no row "
        "promises what the model is estimated to give.</p>",
        leaderboard(model),
        "</body></html>",
    ])


def _columns(model: Any) -> List[str]:
    table = model.best_estimator_.table
    said = [("that tell nothing and were left out", table.ignored), ("that were read as dates", table.dates)]
    return [f"<p>Columns {what}: {_text(', '.join(names))}.</p>" for what, names in said if names]


def members(model: Any) -> str:
    """The members of the model and their weights."""
    return _table(
        ["weight", "trial", model.metric_, "configuration"],
        [
            [f"{100 * weight:.1f} %", trial, model.study_.trial(trial).value, _configuration(model.study_.trial(trial))]
            for trial, weight in model.ensemble_.items()
        ],
    )


def leaderboard(model: Any) -> str:
    """The best trials, and the reasons of those that failed."""
    from arbora.automl.leaderboard import rows

    decider = model.study_.space.names[0]
    heads = ["place", "trial", decider, model.metric_, "weight", "seconds", "configuration"]
    listed = rows(model.study_, model.metric_, model.ensemble_)[:LONGEST]
    return _table(heads, [
        [row[head] if head != "configuration" else row["reason"] or _configuration(row[head]) for head in heads]
        for row in listed
    ])


def _table(heads: List[str], rows: List[List[Any]]) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if isinstance(value, (int, float)):
        return f'<td class="number">{value:.4g}</td>' if isinstance(value, float) else f'<td class="number">{value}</td>'
    return f"<td>{'' if value is None else _text(str(value))}</td>"


def _configuration(configuration: Any) -> str:
    return ", ".join(f"{name} {_shown(value)}" for name, value in configuration.items())


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _drawing(title: str, draw: Callable[[Any], Any]) -> List[str]:
    """A drawing as part of the page; none without matplotlib, or where the space is too large for
    one."""
    try:
        import matplotlib
    except ImportError:
        return []
    before = matplotlib.get_backend()
    matplotlib.use("agg")
    try:
        from arbora import plot

        try:
            figure = draw(plot).figure
        except ValueError:
            return []
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
        figure.clear()
        import matplotlib.pyplot as plt

        plt.close(figure)
    finally:
        matplotlib.use(before)
    drawn = file.getvalue()
    return [f"<h2>{_text(title)}</h2>", drawn[drawn.index("<svg") :]]


def _text(text: str) -> str:
    return html.escape(text)
