//! Which room of a crate may look into which?
//!
//! A room is a file or folder directly under `src`. Each crate lists its rooms once, in `tests/rooms.rs`, from the
//! lowest to the highest; a room may only name rooms listed for it, all of them before it. Cargo guards the edges
//! between crates, this guards those inside one. Files of tests may look anywhere.
#![allow(
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    reason = "it reads the sources it judges, for tests"
)]
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rules of one crate.
pub struct Rooms {
    /// The crate's folder: `env!("CARGO_MANIFEST_DIR")`.
    pub manifest: &'static str,
    /// Every room and the rooms its lines may name.
    pub edges: &'static [(&'static str, &'static [&'static str])],
    /// Libraries that one room alone may name.
    pub libraries: &'static [(&'static str, &'static str)],
    /// Folders in which siblings do not import each other: one file, one idea behind a trait.
    pub siblings_apart: &'static [&'static str],
    /// Most lines of a file before its tests.
    pub longest: usize,
}

/// Files of laws and tests, and the door of the crate.
const JUDGES: [&str; 5] = ["tests.rs", "laws.rs", "toys.rs", "testing.rs", "lib.rs"];

struct Source {
    room: String,
    file: PathBuf,
    code: String,
}

impl Rooms {
    /// Checks everything; panics with the file and what it may not do.
    pub fn check(&self) {
        self.check_order();
        let sources = self.sources();
        assert!(!sources.is_empty(), "no sources found");
        for source in &sources {
            self.check_edges(source);
            self.check_libraries(source);
            self.check_siblings(source, &sources);
            let lines = source.code.lines().count();
            let file = source.file.display();
            assert!(
                lines <= self.longest,
                "{file} has {lines} lines before its tests: look for the second idea"
            );
        }
    }

    fn check_order(&self) {
        for (i, (room, allowed)) in self.edges.iter().enumerate() {
            for seen in *allowed {
                let is_below = self.edges[..i].iter().any(|(name, _)| name == seen);
                assert!(is_below, "`{room}` may not look into `{seen}`, which does not come before it");
            }
        }
    }

    fn check_edges(&self, source: &Source) {
        let file = source.file.display();
        let rule = self.edges.iter().find(|(name, _)| *name == source.room);
        let (_, allowed) = rule.unwrap_or_else(|| panic!("{file} is a new room: list it"));
        for seen in named(&source.code, "crate::") {
            let is_room = self.edges.iter().any(|(name, _)| *name == seen);
            let is_allowed = seen == source.room || allowed.contains(&seen.as_str());
            assert!(!is_room || is_allowed, "{file} looks into `{seen}`");
        }
    }

    fn check_libraries(&self, source: &Source) {
        for (library, owner) in self.libraries {
            let names_it = code_lines(&source.code).any(|line| line.contains(&format!("{library}::")));
            let file = source.file.display();
            assert!(
                !names_it || source.room == *owner,
                "{file} names `{library}`, which belongs to `{owner}`"
            );
        }
    }

    fn check_siblings(&self, source: &Source, all: &[Source]) {
        let folder = source.file.parent();
        let is_apart = self.siblings_apart.iter().any(|name| folder == Some(Path::new(name)));
        if !is_apart || source.file.file_stem().is_some_and(|stem| stem == "mod") {
            return;
        }
        let stems = all.iter().filter(|s| s.file.parent() == folder && s.file != source.file);
        let stems: BTreeSet<String> =
            stems.filter_map(|s| s.file.file_stem()).map(|s| s.to_string_lossy().into_owned()).collect();
        for seen in named(&source.code, "super::") {
            assert!(!stems.contains(&seen), "{} imports its sibling `{seen}`", source.file.display());
        }
    }

    fn sources(&self) -> Vec<Source> {
        let root = Path::new(self.manifest).join("src");
        let mut found = Vec::new();
        collect(&root, &mut found);
        let describe = |path: PathBuf| {
            let file = path.strip_prefix(&root).expect("found below the root").to_path_buf();
            let first = file.iter().next().map(|part| part.to_string_lossy().into_owned());
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
            Source { room: first.unwrap_or_default().trim_end_matches(".rs").to_owned(), file, code }
        };
        found.into_iter().map(describe).collect()
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && name != "testing" && name != "tests" {
            collect(&path, found);
        } else if path.is_file() && !JUDGES.contains(&name.as_str()) {
            found.push(path);
        }
    }
}

fn code_lines(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Words that follow `prefix` in lines that are not comments.
fn named(code: &str, prefix: &str) -> BTreeSet<String> {
    let rests = code_lines(code).flat_map(|line| line.split(prefix).skip(1));
    rests.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THIS: Rooms = Rooms {
        manifest: env!("CARGO_MANIFEST_DIR"),
        edges: &[],
        libraries: &[],
        siblings_apart: &[],
        longest: 400,
    };

    #[test]
    fn names_are_read_from_code_and_not_from_comments() {
        let code = "use crate::alpha::A;\n// crate::beta\nlet x = crate::gamma::f() + crate::alpha::g();";
        assert_eq!(named(code, "crate::"), BTreeSet::from(["alpha".to_owned(), "gamma".to_owned()]));
    }

    #[test]
    #[should_panic(expected = "`a` may not look into `b`")]
    fn looking_up_the_list_is_refused() {
        Rooms { edges: &[("a", &["b"]), ("b", &[])], ..THIS }.check_order();
    }

    #[test]
    #[should_panic(expected = "looks into `b`")]
    fn an_edge_that_is_not_listed_is_refused() {
        let source = Source { room: "c".into(), file: "c.rs".into(), code: "use crate::b::B;".into() };
        Rooms { edges: &[("b", &[]), ("c", &[])], ..THIS }.check_edges(&source);
    }
}
