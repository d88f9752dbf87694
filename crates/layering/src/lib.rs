//! Which module of a crate may import which?
//!
//! Each crate lists the files and folders directly under its `src` once, in `tests/layering.rs`, from the lowest
//! to the highest; each may import only those listed for it, all of them before it. Inside the folders that are
//! named apart, files do not import their siblings, and in no folder may siblings need each other. Cargo guards
//! the edges between crates, this guards those inside one. A re-export hides nothing: what counts is the file that
//! defines an item. Test files may import anything.
#![allow(
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    reason = "it reads the sources it checks, for tests"
)]
mod names;
mod rings;
mod tree;

use std::collections::BTreeSet;
use std::path::Path;
use tree::{Source, Tree};

/// A folder in which siblings do not import each other: one file is one idea behind a trait.
pub struct Apart {
    /// Below `src`.
    pub folder: &'static str,
    /// What the others have in common: every sibling may name these, and each of them those before it.
    pub shared: &'static [&'static str],
    /// Files that name siblings for a reason, and which. One that is no longer needed is refused.
    pub exceptions: &'static [(&'static str, &'static [&'static str])],
}

/// The rules of one crate.
pub struct Layers {
    /// The crate's folder: `env!("CARGO_MANIFEST_DIR")`.
    pub manifest: &'static str,
    /// Every module directly under `src`, and the ones it may import.
    pub edges: &'static [(&'static str, &'static [&'static str])],
    /// Libraries that one module alone may import.
    pub libraries: &'static [(&'static str, &'static str)],
    /// Folders in which siblings do not import each other.
    pub siblings_apart: &'static [Apart],
    /// Rings that stand for a reason: the folder, and its files that need each other.
    pub rings: &'static [(&'static str, &'static [&'static str])],
    /// Most lines of a file before its tests.
    pub longest: usize,
}

/// Files of laws and tests, and the root of the crate.
const TEST_FILES: [&str; 5] = ["tests.rs", "laws.rs", "toys.rs", "testing.rs", "lib.rs"];
const TEST_FOLDERS: [&str; 2] = ["testing", "tests"];

impl Layers {
    /// Checks everything; panics with one line per violation.
    pub fn check(&self) {
        self.check_order();
        let found = self.violations(&Tree::read(&Path::new(self.manifest).join("src")));
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    fn check_order(&self) {
        for (i, (own, allowed)) in self.edges.iter().enumerate() {
            for seen in *allowed {
                let is_below = self.edges[..i].iter().any(|(name, _)| name == seen);
                assert!(is_below, "`{own}` may not import `{seen}`, which does not come before it");
            }
        }
    }

    fn violations(&self, tree: &Tree) -> Vec<String> {
        let checked: Vec<&Source> = tree.sources.iter().filter(|source| !is_test_file(source)).collect();
        assert!(!checked.is_empty(), "no sources found");
        let mut found = Vec::new();
        for source in &checked {
            self.check_edges(source, tree, &mut found);
            self.check_libraries(source, &mut found);
            if source.lines > self.longest {
                let (file, lines) = (source.file.display(), source.lines);
                found.push(format!("{file} has {lines} lines before its tests: look for the second idea"));
            }
        }
        for apart in self.siblings_apart {
            apart.check(&checked, tree, &mut found);
        }
        let rings = rings::rings(&checked, tree);
        let is_known = |folder: &str, ring: &[String]| {
            self.rings.iter().any(|(known, files)| *known == folder && files.iter().eq(ring))
        };
        for (folder, ring) in rings.iter().filter(|(folder, ring)| !is_known(folder, ring)) {
            found.push(format!("src/{folder}: siblings need each other: {}", ring.join(", ")));
        }
        let is_there =
            |folder: &str, files: &[&str]| rings.iter().any(|(f, r)| f == folder && files.iter().eq(r));
        for (folder, files) in self.rings.iter().filter(|(folder, files)| !is_there(folder, files)) {
            found.push(format!("src/{folder}: the ring {} is gone: strike it out", files.join(", ")));
        }
        found
    }

    fn check_edges(&self, source: &Source, tree: &Tree, found: &mut Vec<String>) {
        let (file, own) = (source.file.display(), &source.module[0]);
        let Some((_, allowed)) = self.edges.iter().find(|(name, _)| name == own) else {
            found.push(format!("{file} is a new module: list it in tests/layering.rs"));
            return;
        };
        for (target, path) in tree.seen_by(source) {
            let Some(seen) = target.first().filter(|seen| *seen != own) else { continue };
            let is_listed = self.edges.iter().any(|(name, _)| name == seen);
            if is_listed && !allowed.contains(&seen.as_str()) {
                found.push(format!("{file} imports `{seen}` by `{path}`"));
            }
        }
    }

    fn check_libraries(&self, source: &Source, found: &mut Vec<String>) {
        for (library, owner) in self.libraries {
            let names_it = source.named.iter().any(|named| named.path[0] == *library);
            if names_it && source.module[0] != *owner {
                let file = source.file.display();
                found.push(format!("{file} imports `{library}`, which belongs to `{owner}`"));
            }
        }
    }
}

impl Apart {
    fn check(&self, sources: &[&Source], tree: &Tree, found: &mut Vec<String>) {
        let mut needed = BTreeSet::new();
        for source in sources {
            let Some(own) = child_of(self.folder, &source.module) else { continue };
            for (target, path) in tree.seen_by(source) {
                let Some(seen) = child_of(self.folder, &target).filter(|seen| *seen != own) else { continue };
                if self.may_share(own, seen) {
                    continue;
                }
                if self.exceptions.iter().any(|(file, may)| *file == own && may.contains(&seen)) {
                    needed.insert((own.to_owned(), seen.to_owned()));
                } else {
                    let file = source.file.display();
                    found.push(format!("{file} imports its sibling `{seen}` by `{path}`"));
                }
            }
        }
        let excepted =
            self.exceptions.iter().flat_map(|(file, may)| may.iter().map(move |seen| (*file, *seen)));
        for (file, seen) in
            excepted.filter(|(file, seen)| !needed.contains(&((*file).into(), (*seen).into())))
        {
            let folder = self.folder;
            found.push(format!("{folder}/{file} no longer imports its sibling `{seen}`: strike it out"));
        }
    }

    fn may_share(&self, own: &str, seen: &str) -> bool {
        let place = |name: &str| self.shared.iter().position(|shared| *shared == name);
        place(seen).is_some_and(|seen| place(own).is_none_or(|own| seen < own))
    }
}

/// The file or folder directly below `folder` that a module belongs to; nothing for the folder itself.
fn child_of<'m>(folder: &str, module: &'m [String]) -> Option<&'m str> {
    let parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let is_inside = module.len() > parts.len() && parts.iter().zip(module).all(|(part, name)| part == name);
    is_inside.then(|| module[parts.len()].as_str())
}

fn is_test_file(source: &Source) -> bool {
    let parts: Vec<_> = source.file.iter().filter_map(|part| part.to_str()).collect();
    let (file, folders) = parts.split_last().expect("a file has a name");
    TEST_FILES.contains(file) || folders.iter().any(|folder| TEST_FOLDERS.contains(folder))
}

#[cfg(test)]
mod tests;
