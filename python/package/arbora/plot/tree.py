"""The space as a tree of decisions, with the trials and the incumbent of every branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

from arbora.plot import canvas

if TYPE_CHECKING:
    from arbora.study import Study
    from arbora.tree import Node, Tree
    from arbora.trial import Trial

LARGEST = 60


def tree(study: Study, *, ax: Optional[Any] = None) -> Any:
    """Decisions from left to right, parameters in small print; on the right a row per branch with all its losses as
    dots, its incumbent as a diamond, how many trials it got, and the best branch in orange.

    >>> axes = tree(some_study)
    >>> axes.get_xlabel()
    'loss'
    """
    grown, trials = study.space.tree, canvas.complete(study)
    leaves = grown.leaves
    if len(leaves) > LARGEST:
        raise ValueError(f"the space has {len(leaves)} branches, more than the {LARGEST} that fit on a page")
    depth = max(len(leaf.path) for leaf in leaves)
    if ax is None:
        ax = canvas.axes(None, 6.5 + 1.6 * depth, 1.6 + 0.55 * len(leaves))
    rows = {leaf.number: -at for at, leaf in enumerate(leaves)}
    places = _places(grown, rows)
    by_leaf: Dict[int, List[Trial]] = {leaf.number: [] for leaf in leaves}
    for trial, leaf in zip(trials, grown.leaves_of(trials)):
        if leaf is not None:
            by_leaf[leaf.number].append(trial)
    stem = ax.inset_axes([0.0, 0.0, 0.42, 1.0])
    losses = ax.inset_axes([0.44, 0.0, 0.56, 1.0])
    _draw_stem(stem, grown, places, depth, _path_of_best(grown, study))
    _draw_losses(losses, study, by_leaf, rows)
    for panel in (stem, losses):
        panel.set_ylim(-len(leaves) + 0.4, 0.6)
    ax.set(xticks=[], yticks=[])
    ax.set_title(f"{study.name}: {len(trials)} trials on {len(leaves)} branches", loc="left")
    ax.spines[:].set_visible(False)
    ax.set_xlabel(losses.get_xlabel(), color="none")
    return ax


def _places(grown: Tree, rows: Dict[int, int]) -> Dict[int, float]:
    """The height of each node: leaves by their row, the others in the middle of their children."""
    places: Dict[int, float] = dict(rows)
    for node in reversed(grown.nodes):
        if not node.is_leaf:
            below = [places[child] for child in node.children]
            places[node.number] = sum(below) / len(below)
    return places


def _path_of_best(grown: Tree, study: Study) -> List[int]:
    at: Optional[Node] = grown.leaf_of(study.best_trial)
    path = []
    while at is not None:
        path.append(at.number)
        at = None if at.parent is None else grown.nodes[at.parent]
    return path


def _draw_stem(ax: Any, grown: Tree, places: Dict[int, float], depth: int, best: List[int]) -> None:
    for node in grown.nodes:
        x, y = len(node.path), places[node.number]
        colour = canvas.ORANGE if node.number in best else canvas.GREY
        if node.parent is not None:
            above = places[node.parent]
            ax.plot([x - 1, x - 0.75, x - 0.75, x], [above, above, y, y], color=colour, lw=2 if node.number in best else 1)
        texts = [node.decision or "all"] + ([f"{', '.join(node.parameters)}"] if node.parameters else [])
        ax.annotate(
            "\n".join(_cut(text) for text in texts), (x, y), fontsize=8, va="center", ha="center",
            bbox={"boxstyle": "round,pad=0.3", "fc": "white", "ec": colour},
        )
    ax.set(xlim=(-0.45, depth + 0.5), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _draw_losses(ax: Any, study: Study, by_leaf: Dict[int, List[Trial]], rows: Dict[int, int]) -> None:
    best = study.best_trial
    better = max if study.direction == "maximize" else min
    for number, trials in by_leaf.items():
        y, values = rows[number], [canvas.value(trial) for trial in trials]
        ax.axhline(y, color="0.9", lw=0.8, zorder=0)
        text = "no trial yet"
        if values:
            top = better(values)
            has_best = any(trial.number == best.number for trial in trials)
            ax.plot(values, [y] * len(values), "o", color=canvas.BLUE, ms=4.5, alpha=0.35, mew=0)
            ax.plot(top, y, "D", color=canvas.ORANGE if has_best else canvas.BLUE, mec="black", ms=7)
            text = f"{len(values)} trial{'s' if len(values) > 1 else ''}, best {top:.4g}"
        ax.annotate(text, (1.01, y), xycoords=("axes fraction", "data"), fontsize=8, va="center")
    ax.set(yticks=[], xlabel=canvas.word(study))
    ax.spines[["top", "right", "left"]].set_visible(False)


def _cut(text: str, width: int = 30) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
