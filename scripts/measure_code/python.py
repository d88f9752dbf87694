"""Python sources: functions, docstrings, types and imports, by the interpreter's own parser."""
import ast
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)


class Source:
    """One file of a package."""

    is_test = False
    test_lines = 0

    def __init__(self, root, path):
        self.path = path
        text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(text)
        self.lines = text.count("\n")
        self.docs = sum(self.doc_lines(node) for node in ast.walk(self.tree) if isinstance(node, DOCUMENTED))
        parts = path.relative_to(root).with_suffix("").parts
        self.is_package = parts[-1] == "__init__"
        self.module = parts[:-1] if self.is_package else parts

    @staticmethod
    def doc_lines(node):
        first = node.body[0] if node.body else None
        has_one = ast.get_docstring(node, clean=False) is not None
        return first.end_lineno - first.lineno + 1 if has_one else 0

    def functions(self):
        found = [node for node in ast.walk(self.tree) if isinstance(node, FUNCTIONS)]
        return [(node.name, node.lineno, node.end_lineno - node.lineno + 1) for node in found]

    def types(self):
        return {node.name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)}

    def imported(self):
        """Paths of modules inside the package, from its root; also those imported late or for types alone."""
        here = self.module if self.is_package else self.module[:-1]
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.ImportFrom):
                continue
            base = here[:len(here) - node.level + 1] if node.level else ()
            module = tuple(node.module.split(".")) if node.module else ()
            if node.level == 0:
                if module[:1] != ("arbora",):
                    continue
                module = module[1:]
            for name in node.names:
                yield (*base, *module, name.name)


def sources(folder):
    root = Path(folder)
    return [Source(root, path) for path in sorted(root.rglob("*.py"))]


def imports(all_sources):
    """Which module imports which, packages and what is in them aside."""
    modules = {source.module for source in all_sources}
    edges = {}
    for source in all_sources:
        for path in source.imported():
            while path and path not in modules:
                path = path[:-1]
            is_line = path[:len(source.module)] == source.module or source.module[:len(path)] == path
            if not is_line:
                edges.setdefault("/".join(source.module), set()).add("/".join(path))
    return edges
