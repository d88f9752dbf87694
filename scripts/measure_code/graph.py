"""Rings in a graph of imports."""


def reached(start, edges):
    """Everything that can be reached from a node; itself only by a ring."""
    found, open_ = set(), list(edges.get(start, ()))
    while open_:
        node = open_.pop()
        if node not in found:
            found.add(node)
            open_.extend(edges.get(node, ()))
    return found


def rings(edges):
    """Groups of nodes that all lead to each other, sorted."""
    reach = {node: reached(node, edges) for node in edges}
    groups = {
        tuple(sorted(other for other in edges if other in reach[node] and node in reach[other]))
        for node in edges if node in reach[node]
    }
    return sorted(groups)
