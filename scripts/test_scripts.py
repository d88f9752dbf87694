"""The checks themselves, checked: each must find what it is for. Run by `make text`."""
import unittest

import check_dependencies as dependencies
import check_text as text


def package(name, licence="MIT", version="1.0.0", links=None, source="registry+https://github.com/rust-lang/crates.io-index"):
    return {"name": name, "license": licence, "version": version, "links": links, "source": source}


class Licences(unittest.TestCase):
    def test_an_alternative_is_enough(self):
        for expression in ["MIT", "MIT/Apache-2.0", "MIT OR GPL-3.0", "(MIT OR Apache-2.0) AND Unicode-3.0",
                           "Apache-2.0 WITH LLVM-exception", "GPL-2.0 OR ISC AND Zlib"]:
            self.assertTrue(dependencies.allowed(expression), expression)

    def test_every_part_of_a_conjunction_counts(self):
        for expression in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND MPL-2.0", "GPL-2.0 WITH Classpath-exception-2.0"]:
            self.assertFalse(dependencies.allowed(expression), expression)

    def test_a_missing_licence_is_reported(self):
        self.assertEqual(len(list(dependencies.licence_trouble([package("a", None), package("b")]))), 1)


class Crates(unittest.TestCase):
    def test_foreign_code_is_reported(self):
        found = list(dependencies.ban_trouble([package("cc"), package("openblas-sys"), package("z", links="z"),
                                               package("windows-sys"), package("rayon-core", links="rayon-core")], {}))
        self.assertEqual(len(found), 3)

    def test_what_builds_sqlite_may_build_nothing_else(self):
        packages = [package("libsqlite3-sys", links="sqlite3"), package("cc")]
        alone = {"cc": {"libsqlite3-sys"}}
        shared = {"cc": {"libsqlite3-sys", "other"}}
        self.assertEqual(len(list(dependencies.ban_trouble(packages, alone))), 0)
        self.assertEqual(len(list(dependencies.ban_trouble(packages, shared))), 1)

    def test_two_versions_are_reported(self):
        found = list(dependencies.duplicate_trouble([package("rand"), package("rand", version="2.0.0"),
                                                     package("syn"), package("syn", version="2.0.0")]))
        self.assertEqual(len(found), 1)

    def test_an_exception_that_is_not_needed_and_an_old_version_are_reported(self):
        self.assertIn("syn: has one version now", list(dependencies.duplicate_trouble([package("syn")]))[0])
        versions = [package("rand", version="0.9.2"), package("rand", version="0.10.0"), package("other", version="0.1.0")]
        self.assertEqual(len(list(dependencies.version_trouble(versions))), 1)

    def test_any_version_is_reported(self):
        used = [{"name": "serde", "kind": None, "req": "*"}, {"name": "arbora-space", "kind": None, "req": "*", "path": "x"}]
        members = [{"name": "arbora-model", "dependencies": used}, {"name": "arbora-space", "dependencies": []}]
        self.assertEqual(list(dependencies.direction_trouble(members)), ["arbora-model uses any version of serde: name one"])

    def test_another_source_is_reported(self):
        self.assertEqual(len(list(dependencies.source_trouble([package("a", source="git+https://github.com/a/a")]))), 1)

    def test_an_edge_against_the_arrows_is_reported(self):
        members = [
            {"name": "arbora-space", "dependencies": [{"name": "arbora-model", "kind": None}]},
            {"name": "arbora-model", "dependencies": [{"name": "arbora-space", "kind": None}, {"name": "faer", "kind": None}]},
            {"name": "arbora-search", "dependencies": [{"name": "faer", "kind": None}]},
        ]
        found = list(dependencies.direction_trouble(members))
        self.assertEqual(len(found), 2, found)


class Text(unittest.TestCase):
    def trouble(self, line, path="a.rs"):
        return list(text.file_trouble(path, [line]))

    def test_agreed_addresses_pass_and_others_do_not(self):
        self.assertFalse(self.trouble("see https://docs.rs/faer and http://localhost:8080/"))
        self.assertTrue(self.trouble("index = https://" + "mirror.example/simple"))

    def test_paths_of_a_machine_are_reported(self):
        self.assertTrue(self.trouble("open('/" + "home/ada/data.csv')"))
        self.assertFalse(self.trouble("folder/" + "home/file"))

    def test_unfinished_code_and_skipped_tests_are_reported(self):
        self.assertTrue(self.trouble("to" + "do!()"))
        self.assertTrue(self.trouble("#[ig" + "nore]"))
        self.assertFalse(self.trouble('#[ig' + 'nore = "takes an hour"]'))

    def test_long_sources_are_reported_up_to_their_tests(self):
        self.assertTrue(list(text.file_trouble("a.rs", ["x"] * (text.LONGEST + 1))))
        self.assertFalse(list(text.file_trouble("a.rs", ["x"] * text.LONGEST + ["#[cfg(test)]"] + ["x"] * 100)))

    def test_names_without_meaning_are_reported(self):
        self.assertTrue(self.trouble("", "crates/space/src/utils.rs"))


class PublicTypes(unittest.TestCase):
    def test_a_name_used_twice_is_reported_once(self):
        lines = ["pub struct Plan {", "    pub enum Inner {", "pub(crate) struct Hidden;", "// pub trait Not", "struct Own;"]
        self.assertEqual(list(text.public_types("crates/bench/src/plan.rs", lines)), ["Plan", "Inner"])
        self.assertEqual(list(text.public_types("crates/app/src/plan.rs", lines)), [])
        found = list(text.name_trouble([("Plan", "a.rs"), ("Size", "a.rs"), ("Plan", "b.rs")]))
        self.assertEqual(len(found), 1)
        self.assertIn("`Plan`", found[0])


if __name__ == "__main__":
    unittest.main()
