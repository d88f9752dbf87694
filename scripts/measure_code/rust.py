"""Rust sources as this measurement sees them: code without comments, strings and tests; functions; types; imports.

No compiler is asked. Functions end where their braces do; a module is a file; `use` trees and paths that begin with
`crate`, `self` or `super` are imports, followed through re-exports to the file that defines the name.
"""
import re
from pathlib import Path

# Files that hold tests, laws and what tests share.
TEST_FILES = {"tests.rs", "laws.rs", "toys.rs", "testing.rs"}
TEST_FOLDERS = {"tests", "testing", "benches", "examples"}

BLANKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|b?r(?P<hash>#*)".*?"(?P=hash)|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\'\\])\'',
    re.DOTALL,
)
FUNCTION = re.compile(r"\bfn\s+(\w+)")
TYPE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union)\s+(\w+)", re.MULTILINE)
ITEM = re.compile(
    r"^(?:pub(?:\([^)]*\))?\s+)?(?:const\s+fn|async\s+fn|fn|struct|enum|trait|union|type|const|static)\s+(\w+)",
    re.MULTILINE,
)
USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.MULTILINE)
PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")
TEST_ITEM = re.compile(r"^[ \t]*#\[cfg\(test\)\]", re.MULTILINE)


def blank(text):
    """The text with comments, strings and characters made of spaces: lines and columns stay."""
    return BLANKED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing(code, opening):
    """Where the brace at `opening` closes."""
    depth = 0
    for at in range(opening, len(code)):
        if code[at] == "{":
            depth += 1
        elif code[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return len(code) - 1


def without_tests(text):
    """The text without items under `#[cfg(test)]`, and how many lines these have."""
    code, kept, at, lines = blank(text), [], 0, 0
    for found in TEST_ITEM.finditer(code):
        if found.start() < at:
            continue
        brace, semicolon = code.find("{", found.end()), code.find(";", found.end())
        ends_early = semicolon >= 0 and (brace < 0 or semicolon < brace)
        end = semicolon if ends_early else closing(code, brace)
        kept.append(text[at:found.start()])
        lines += text.count("\n", found.start(), end) + 1
        at = end + 1
    return "".join([*kept, text[at:]]), lines


def functions(code):
    """Name, first line and number of lines of every function with a body; `code` is blanked."""
    for found in FUNCTION.finditer(code):
        depth = 0
        for at in range(found.end(), len(code)):
            depth += (code[at] in "([") - (code[at] in ")]")
            if depth == 0 and code[at] in "{;":
                break
        else:
            continue
        if code[at] == "{":
            end = closing(code, at)
            first = code.count("\n", 0, found.start()) + 1
            yield found.group(1), first, code.count("\n", found.start(), end) + 1


def use_paths(tree):
    """Every path of a `use` tree with the name it binds: `a::{b, c as d}` has a::b as b and a::c as d."""
    tree = tree.strip()
    opening = tree.find("{")
    if opening < 0:
        path, _, name = tree.partition(" as ")
        parts = [part.strip() for part in path.split("::") if part.strip()]
        if parts and parts[-1] == "self":
            parts.pop()
        if parts:
            yield parts, name.strip() or parts[-1]
        return
    before = tree[:opening]
    depth, start = 0, opening + 1
    for at in range(opening, len(tree)):
        depth += (tree[at] == "{") - (tree[at] == "}")
        if (depth == 1 and tree[at] == ",") or depth == 0:
            if tree[start:at].strip():
                yield from use_paths(before + tree[start:at].strip())
            start = at + 1
        if depth == 0:
            return


class Source:
    """One file below `src`."""

    def __init__(self, root, path):
        self.path = path
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(root).with_suffix("").parts
        self.is_test = path.name in TEST_FILES or bool(TEST_FOLDERS & set(parts[:-1]))
        kept, self.test_lines = without_tests(text)
        self.lines = kept.count("\n")
        if self.is_test:
            self.test_lines, self.lines, kept = text.count("\n"), 0, ""
        self.docs = sum(line.lstrip().startswith(("///", "//!")) for line in kept.splitlines())
        self.code = blank(kept)
        self.module = () if parts == ("lib",) else parts[:-1] if parts[-1] == "mod" else parts
        self.uses = [use for tree in USE.findall(self.code) for use in use_paths(tree)]
        self.bound = {name: path for path, name in self.uses}
        self.items = set(ITEM.findall(self.code))

    def functions(self):
        return list(functions(self.code))

    def types(self):
        return set(TYPE.findall(self.code))

    def paths(self):
        """Every path that may lead to another file."""
        return [path for path, _ in self.uses] + [found.split("::") for found in PATH.findall(self.code)]


def sources(folder):
    root = Path(folder)
    return [Source(root, path) for path in sorted(root.rglob("*.rs"))]


def resolve(modules, module, path, chain=16):
    """The module that defines what `path` means inside `module`; None for other crates."""
    if chain == 0:
        return None
    rest = list(path)
    if rest[0] == "crate":
        at, rest = (), rest[1:]
    elif rest[0] in ("self", "super"):
        at = module
        while rest and rest[0] in ("self", "super"):
            at = at[:-1] if rest[0] == "super" else at
            rest.pop(0)
    elif module + (rest[0],) in modules:
        at, rest = module + (rest[0],), rest[1:]
    else:
        return None
    while rest:
        if at + (rest[0],) in modules:
            at, rest = at + (rest[0],), rest[1:]
            continue
        source = modules.get(at)
        if source and rest[0] not in source.items and rest[0] in source.bound:
            return resolve(modules, at, source.bound[rest[0]] + rest[1:], chain - 1)
        return at
    return at


def imports(all_sources):
    """Which module imports which, parents and children aside."""
    modules = {source.module: source for source in all_sources if not source.is_test}
    edges = {}
    for source in modules.values():
        for path in source.paths():
            target = resolve(modules, source.module, path)
            is_line = target is None or target[:len(source.module)] == source.module or source.module[:len(target)] == target
            if not is_line:
                edges.setdefault("/".join(source.module), set()).add("/".join(target))
    return edges
