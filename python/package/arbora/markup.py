"""How spaces, studies, trials and verdicts look in a notebook: small, escaped, readable on light
and dark pages."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Protocol, Sequence, Tuple

__all__ = ["configuration", "escaped", "outline", "paragraphs", "shown", "table", "values"]


class Line(Protocol):
    """A line of a tree; see :class:`arbora.tree.Line`."""

    parent: Optional[int]
    decision: Optional[str]
    parameter: str
    domain: Optional[str]
    when: Optional[str]


# No colours but those of the page: what is faint is transparent.
LINE = "border:none;border-top:1px solid rgba(128,128,128,0.35)"
CELL = f"text-align:left;vertical-align:top;padding:1px 10px 1px 0;{LINE}"
FAINT = "opacity:0.65"
MOST = 400
"""Lines of a space, and parameters of a trial: what is longer is cut."""


def escaped(text: object) -> str:
    """Text as it is: nothing in it is markup, and what cannot be seen is written out."""
    # Slow to import, and needed by notebooks alone.
    import html

    seen = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))
    return html.escape("".join(seen))


def shown(value: object) -> str:
    """A value of a parameter or a loss."""
    return escaped(f"{value:.6g}" if isinstance(value, float) else value)


def table(rows: Iterable[Tuple[str, str]], title: str = "") -> str:
    """Two columns: names, and what is markup already."""
    body = "".join(
        f'<tr style="background:none"><th style="{CELL};font-weight:normal;{FAINT}">{escaped(name)}</th>'
        f'<td style="{CELL}">{value}</td></tr>'
        for name, value in rows
    )
    head = f"<div><strong>{title}</strong></div>" if title else ""
    return f'<div>{head}<table style="border-collapse:collapse;margin:0.3em 0">{body}</table></div>'


def configuration(values: Mapping[str, Any]) -> str:
    """Values of parameters in one line."""
    parts = [f'<span style="{FAINT}">{escaped(name)}</span> {shown(value)}' for name, value in list(values.items())[:MOST]]
    return ", ".join(parts) + (" …" if len(values) > MOST else "")


def outline(lines: Sequence[Line], title: str) -> str:
    """A space: every decision once, below each alternative what it brings."""
    below: Dict[Optional[int], List[int]] = {}
    for at, line in enumerate(lines[:MOST]):
        below.setdefault(line.parent, []).append(at)

    def listed(parent: Optional[int]) -> str:
        items = "".join(f"<li>{_line(lines[at])}{listed(at)}</li>" for at in below.get(parent, []))
        return f'<ul style="margin:0;padding-left:1.4em">{items}</ul>' if items else ""

    cut = f"<div>… {len(lines) - MOST} more</div>" if len(lines) > MOST else ""
    return f"<div><div><strong>{escaped(title)}</strong></div>{listed(None)}{cut}</div>"


def _line(line: Line) -> str:
    when = "" if line.when is None else f' <em style="{FAINT}">when {escaped(line.when)}</em>'
    if line.decision is not None:
        return f"<strong>{escaped(line.decision)}</strong>{when}"
    return f'{escaped(line.parameter)} <span style="{FAINT}">{escaped(line.domain)}</span>{when}'


def values(title: str, parameters: Mapping[str, Any], more: Mapping[str, Any]) -> str:
    """Values of parameters, one per line, and what else there is to say."""
    rows = [*list(parameters.items())[:MOST], *more.items()]
    return table([(name, shown(value)) for name, value in rows], escaped(title))


def paragraphs(words: str) -> str:
    """Words, line by line."""
    return "<div>" + "".join(f"<div>{escaped(line)}</div>" for line in words.splitlines()) + "</div>"
