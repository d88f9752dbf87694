"""The tree of decisions of a space: every branch as a leaf."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from arbora import _arbora, markup
from arbora.errors import SpaceError

__all__ = ["Leaf", "Line", "Node", "Tree"]


class Node:
    """A point on the way from the root to a leaf.

    >>> space = Space.from_dict({"parameters": {"x": {"type": "boolean"}}})
    >>> space.tree.nodes[0].parameters
    ('x',)
    """

    __slots__ = ("children", "decision", "is_leaf", "number", "parameters", "parent", "path")

    def __init__(self, number: int, fields: Dict[str, Any], before: List[Node]) -> None:
        self.number: int = number
        self.decision: Optional[str] = fields["decision"]
        """The decision that leads here, in words; None at the root."""
        self.parent: Optional[int] = fields["parent"]
        self.children: Tuple[int, ...] = tuple(fields["children"])
        self.parameters: Tuple[str, ...] = tuple(fields["parameters"])
        """The parameters that belong here: private to a leaf, or shared by the leaves below."""
        self.is_leaf: bool = fields["is_leaf"]
        above = () if self.parent is None else before[self.parent].path
        self.path: Tuple[str, ...] = above if self.decision is None else (*above, self.decision)
        """The decisions from the root to here."""

    def __repr__(self) -> str:
        return _arbora.visible(f"<Node {' > '.join(self.path) or 'root'}>")


Leaf = Node


class Line:
    """A line of a tree as it prints: a parameter, or one alternative of a decision.

    >>> from arbora.examples import svm_study
    >>> [line.parameter for line in svm_study().space.tree.lines if line.decision is None]
    ['C', 'gamma', 'trees']
    """

    __slots__ = ("decision", "domain", "parameter", "parent", "when")

    def __init__(self, fields: Dict[str, Any]) -> None:
        self.parent: Optional[int] = fields["parent"]
        """The decision it stands below, by its position; None at the top."""
        self.decision: Optional[str] = fields["decision"]
        """The alternative, in words; None for a parameter."""
        self.parameter: str = fields["parameter"]
        """What is decided, or the parameter."""
        self.domain: Optional[str] = fields["domain"]
        """What a parameter may be, in words; None for a decision."""
        self.when: Optional[str] = fields["when"]
        """The condition, where the place does not say all of it."""

    def __repr__(self) -> str:
        return _arbora.visible(f"<Line {self.decision or self.parameter}>")


class Tree:
    """All branches of a space. It prints as ``arbora space show`` does. Independent decisions are
    trees of their own. A parameter stands below the decision that activates it, with the rest of
    its condition, if any. Alternatives that the constraints rule out are left out.

    >>> space = Space()
    >>> model = space.choice("model", ["svm", "naive"])
    >>> _ = space.real("C", 0.1, 10.0, when=model == "svm")
    >>> print(space.tree)
    ├─ model = svm
    │    C  0.1 … 10
    └─ model = naive
    >>> space.tree.leaf_of({"model": "svm", "C": 1.0})
    <Node model = svm>
    """

    __slots__ = ("_native", "_nodes")

    def __init__(self, native: _arbora.Space) -> None:
        self._native = native
        self._nodes: Optional[List[Node]] = None

    @property
    def nodes(self) -> List[Node]:
        """All nodes, the root first and parents before children.

        >>> from arbora.examples import svm_study
        >>> [node.decision for node in svm_study().space.tree.nodes]
        [None, 'model = svm', 'model = forest']
        """
        if self._nodes is None:
            nodes: List[Node] = []
            for number, fields in enumerate(self._native.tree()):
                nodes.append(Node(number, fields, nodes))
            self._nodes = nodes
        return self._nodes

    @property
    def lines(self) -> List[Line]:
        """The tree as it prints, line by line: decisions that do not depend on each other do not
        multiply here.

        >>> from arbora.examples import svm_study
        >>> [line.decision for line in svm_study().space.tree.lines if line.decision]
        ['model = svm', 'model = forest']
        """
        return [Line(fields) for fields in self._native.outline()]

    def decisions_of(self, configurations: Iterable[Mapping[str, Any]]) -> List[List[int]]:
        """The positions in :attr:`lines` of the decisions that each configuration takes.

        >>> from arbora.examples import svm_study
        >>> svm_study().space.tree.decisions_of([{"model": "forest", "trees": 3}])
        [[3]]
        """
        return self._native.decisions_of(list(configurations))

    @property
    def leaves(self) -> List[Node]:
        """The branches, in the order of their decisions.

        >>> len(Space.from_dict({"parameters": {"x": {"type": "boolean"}}}).tree.leaves)
        1
        """
        found: List[Node] = []
        ahead = self.nodes[:1]
        while ahead:
            node = ahead.pop()
            ahead.extend(self.nodes[child] for child in reversed(node.children))
            if node.is_leaf:
                found.append(node)
        return found

    def leaf_of(self, configuration: Mapping[str, Any]) -> Optional[Node]:
        """The branch of a configuration; None if it is not one of this space.

        >>> Space.from_dict({"parameters": {"x": {"type": "boolean"}}}).tree.leaf_of({"x": True})
        <Node root>
        """
        return self.leaves_of([configuration])[0]

    def leaves_of(self, configurations: Iterable[Mapping[str, Any]]) -> List[Optional[Node]]:
        """The branch of each configuration.

        >>> Space.from_dict({"parameters": {"x": {"type": "boolean"}}}).tree.leaves_of([{"x": True}, {"x": 3}])
        [<Node root>, None]
        """
        found = self._native.leaves_of(list(configurations))
        return [None if number is None else self.nodes[number] for number in found]

    def __str__(self) -> str:
        return self._native.tree_text().rstrip("\n")

    def __repr__(self) -> str:
        try:
            return f"<Tree of {len(self.leaves)} branches>"
        except SpaceError:
            return "<Tree of too many branches to list>"

    def _repr_html_(self) -> str:
        return markup.outline(self.lines, "Tree")
