"""What scripts/measure_code reads off sources, on sources with known answers. Run by `make text`."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "measure_code"))

import changes  # noqa: E402
import graph  # noqa: E402
import python  # noqa: E402
import rust  # noqa: E402
import tables  # noqa: E402

RUST = '''//! A file { with a brace in its comment.
const BRACES: &str = "}}{ // no comment";
const RAW: &str = r#"fn not_one() { "{" }"#;
fn first<'a>(open: char) -> bool {
    /* } */ open == '{'
}

trait Shape {
    fn area(&self, unit: [f64; 2]) -> f64;
    fn is_flat(&self) -> bool { false }
}

#[cfg(test)]
mod tests {
    struct Hidden;
    fn hidden() {}
}
'''


def written(files):
    """A folder with these files; kept until the test ends."""
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        path = Path(folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


class Rust(unittest.TestCase):
    def test_functions_end_where_their_braces_do(self):
        kept, tests = rust.without_tests(RUST)
        self.assertEqual(list(rust.functions(rust.blank(kept))), [("first", 4, 3), ("is_flat", 10, 1)])
        self.assertEqual(tests, 5)

    def test_blanking_keeps_lines_and_lifetimes(self):
        code = rust.blank(RUST)
        self.assertEqual(code.count("\n"), RUST.count("\n"))
        self.assertIn("first<'a>(open: char)", code)
        self.assertNotIn("comment", code)

    def test_a_file_counts_its_documentation_types_and_tests(self):
        with written({"a.rs": RUST, "tests.rs": "fn f() {}\n"}) as folder:
            first, second = rust.sources(folder)
        self.assertEqual((first.docs, first.types(), first.test_lines), (1, {"Shape"}, 5))
        self.assertEqual((second.is_test, second.lines, second.test_lines), (True, 0, 1))

    def test_trees_of_use_are_taken_apart(self):
        found = ["::".join(path) + " as " + name for path, name in rust.use_paths("crate::{\n a,\n b::{self, C as D, e::*},\n}")]
        self.assertEqual(found, ["crate::a as a", "crate::b as b", "crate::b::C as D", "crate::b::e::* as *"])

    def test_a_reexport_is_followed_and_a_ring_is_found(self):
        files = {
            "lib.rs": "mod a;\nmod m;\npub use m::x::X;\n",
            "a.rs": "use crate::X;\npub struct A;\n",
            "m/mod.rs": "pub mod x; mod y;\npub use y::Y;\n",
            "m/x.rs": "use super::Y;\npub struct X;\n",
            "m/y.rs": "fn f() { super::x::g() }\npub struct Y;\n",
        }
        with written(files) as folder:
            edges = rust.imports(rust.sources(folder))
        self.assertEqual(edges, {"a": {"m/x"}, "m/x": {"m/y"}, "m/y": {"m/x"}})
        self.assertEqual(graph.rings(edges), [("m/x", "m/y")])


class Python(unittest.TestCase):
    def test_functions_and_docstrings_are_counted(self):
        text = '"""One."""\nclass A:\n    """Two\n    lines."""\n    def f(self):\n        return 1\n'
        with written({"a.py": text}) as folder:
            source, = python.sources(folder)
        self.assertEqual((source.docs, source.types(), source.functions()), (3, {"A"}, [("f", 5, 2)]))

    def test_imports_are_found_also_when_late_and_from_above(self):
        files = {
            "__init__.py": "from .a import A\n",
            "a.py": "from .sub.c import C\nimport os\nfrom numpy import array\n",
            "sub/__init__.py": "",
            "sub/c.py": "def f():\n    from ..a import A\n    from arbora.d import D\n",
            "d.py": "",
        }
        with written(files) as folder:
            edges = python.imports(python.sources(folder))
        self.assertEqual(edges, {"a": {"sub/c"}, "sub/c": {"a", "d"}})
        self.assertEqual(graph.rings(edges), [("a", "sub/c")])


class Tables(unittest.TestCase):
    def test_percentiles(self):
        self.assertEqual(tables.percentile(list(range(1, 101))), "51/91/100")
        self.assertEqual(tables.percentile([]), "-")


class Changes(unittest.TestCase):
    def test_files_that_name_a_member_are_found_and_kinds_without_one_left_out(self):
        files = {"a.rs": "pub struct Matern52;", "b.rs": "Matern521"}
        self.assertEqual(list(changes.rows(files)), [("kernel", "Matérn 5/2", ["a.rs"])])


if __name__ == "__main__":
    unittest.main()
