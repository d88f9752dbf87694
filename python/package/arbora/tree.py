"""The tree of decisions of a space: every branch as a leaf."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from arbora import _arbora

__all__ = ["Leaf", "Node", "Tree"]


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
        return f"<Node {' > '.join(self.path) or 'root'}>"


Leaf = Node


class Tree:
    """All branches of a space. Prints as indented text.

    >>> space = Space()
    >>> model = space.choice("model", ["svm", "naive"])
    >>> _ = space.real("C", 0.1, 10.0, when=model == "svm")
    >>> print(space.tree)
    model = svm
      C
    model = naive
    >>> space.tree.leaf_of({"model": "svm", "C": 1.0})
    <Node model = svm>
    """

    __slots__ = ("_native", "nodes")

    def __init__(self, native: _arbora.Space) -> None:
        self._native = native
        self.nodes: List[Node] = []
        """All nodes, the root first and parents before children."""
        for number, fields in enumerate(native.tree()):
            self.nodes.append(Node(number, fields, self.nodes))

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
        return f"<Tree of {len(self.leaves)} branches>"
