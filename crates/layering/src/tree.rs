//! The modules of a crate, read from its `src`, and where a path leads: through `use` and `pub use` to the
//! module that defines the item.
use crate::names::{Named, Names};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path from the crate's root, which is empty.
pub(crate) type ModulePath = Vec<String>;

/// One file of sources.
#[derive(Debug)]
pub(crate) struct Source {
    /// Below `src`.
    pub(crate) file: PathBuf,
    pub(crate) module: ModulePath,
    pub(crate) named: Vec<Named>,
    /// Lines before its tests.
    pub(crate) lines: usize,
}

#[derive(Debug, Default)]
struct Module {
    defined: BTreeSet<String>,
    /// Names that a `use` binds here, public or not: children see both.
    bound: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) sources: Vec<Source>,
    modules: BTreeMap<ModulePath, Module>,
}

/// A chain of re-exports that is longer leads in a circle.
const LONGEST_CHAIN: usize = 16;

impl Tree {
    pub(crate) fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        collect(root, &mut files);
        files.sort();
        let mut tree = Self { sources: Vec::new(), modules: BTreeMap::new() };
        for path in files {
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            tree.push(path.strip_prefix(root).expect("found below the root"), &text);
        }
        tree
    }

    fn push(&mut self, file: &Path, text: &str) {
        let parsed = syn::parse_file(text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let module = module_of(file);
        let names = Names::of(&parsed);
        self.modules.entry(module.clone()).or_default();
        for (within, name) in names.defined {
            let inside = [module.clone(), within].concat();
            self.modules.entry(inside).or_default().defined.insert(name);
        }
        for named in &names.named {
            let Some(name) = &named.binds else { continue };
            let inside = self.modules.entry([module.clone(), named.within.clone()].concat()).or_default();
            match name.as_str() {
                "*" => inside.globs.push(named.path.clone()),
                _ => drop(inside.bound.insert(name.clone(), named.path.clone())),
            }
        }
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().count();
        self.sources.push(Source { file: file.to_path_buf(), module, named: names.named, lines });
    }

    /// The modules of this crate that a source names, each with the path that leads there.
    pub(crate) fn seen_by<'a>(
        &'a self,
        source: &'a Source,
    ) -> impl Iterator<Item = (ModulePath, String)> + 'a {
        source.named.iter().filter_map(|named| {
            let inside = [source.module.clone(), named.within.clone()].concat();
            let target = self.resolve(&inside, &named.path, LONGEST_CHAIN)?;
            Some((target, named.path.join("::")))
        })
    }

    /// The module that defines what `path` names when written inside `module`; nothing for other crates.
    fn resolve(&self, module: &[String], path: &[String], chain: usize) -> Option<ModulePath> {
        if chain == 0 {
            return None;
        }
        let (mut at, mut rest) = self.start(module, path)?;
        while let Some((name, after)) = rest.split_first() {
            let child = [at.clone(), vec![name.clone()]].concat();
            let known = self.modules.get(&at);
            if self.modules.contains_key(&child) {
                at = child;
                rest = after;
            } else if known.is_some_and(|known| known.defined.contains(name)) {
                return Some(at);
            } else if let Some(bound) = known.and_then(|known| known.bound.get(name)) {
                let whole = [bound.clone(), after.to_vec()].concat();
                return self.resolve(&at, &whole, chain - 1);
            } else {
                return Some(self.by_glob(&at, name, chain).unwrap_or(at));
            }
        }
        Some(at)
    }

    fn by_glob(&self, module: &[String], name: &str, chain: usize) -> Option<ModulePath> {
        let globs = &self.modules.get(module)?.globs;
        globs.iter().find_map(|glob| {
            let target = self.resolve(module, glob, chain - 1)?;
            let known = self.modules.get(&target)?;
            let has_it = known.defined.contains(name) || known.bound.contains_key(name);
            has_it.then(|| self.resolve(&target, &["self".to_owned(), name.to_owned()], chain - 1))?
        })
    }

    /// Where a path begins, and what follows.
    fn start<'p>(&self, module: &[String], path: &'p [String]) -> Option<(ModulePath, &'p [String])> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), rest)),
            "self" => Some((module.to_vec(), rest)),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let above = module.len().checked_sub(ups)?;
                Some((module[..above].to_vec(), &path[ups..]))
            }
            name => {
                let child = [module.to_vec(), vec![name.to_owned()]].concat();
                self.modules.contains_key(&child).then_some((child, rest))
            }
        }
    }
}

fn module_of(file: &Path) -> ModulePath {
    let stem = file.with_extension("");
    let mut parts: ModulePath = stem.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") || parts == ["lib"] {
        parts.pop();
    }
    parts
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree { sources: Vec::new(), modules: BTreeMap::new() };
        for (file, text) in files {
            tree.push(Path::new(file), text);
        }
        tree
    }

    fn seen(tree: &Tree, file: &str) -> Vec<String> {
        let source = tree.sources.iter().find(|source| source.file == Path::new(file)).unwrap();
        tree.seen_by(source).map(|(module, _)| module.join("/")).collect()
    }

    #[test]
    fn a_reexport_leads_to_the_file_that_defines_the_item() {
        let tree = tree(&[
            ("lib.rs", "mod maximize; pub use maximize::RandomCandidates;"),
            (
                "maximize/mod.rs",
                "mod local; mod random; pub use random::RandomCandidates; pub trait Maximizer {}",
            ),
            ("maximize/random.rs", "pub struct RandomCandidates;"),
            ("maximize/local.rs", "use super::{Maximizer, RandomCandidates};"),
            ("other.rs", "use crate::RandomCandidates;"),
        ]);
        assert_eq!(seen(&tree, "maximize/local.rs"), ["maximize", "maximize/random"]);
        assert_eq!(seen(&tree, "other.rs"), ["maximize/random"]);
    }

    #[test]
    fn a_glob_leads_to_the_file_that_defines_the_item() {
        let tree = tree(&[
            ("a/mod.rs", "mod b; mod c; pub use b::*;"),
            ("a/b.rs", "pub fn f() {}"),
            ("a/c.rs", "fn g() { super::f() }"),
        ]);
        assert_eq!(seen(&tree, "a/c.rs"), ["a/b"]);
    }

    #[test]
    fn names_that_go_in_circles_and_other_crates_lead_nowhere() {
        let tree = tree(&[
            ("lib.rs", "pub use a::X; pub use serde::Y;"),
            ("a.rs", "pub use crate::X; use crate::Y; use std::fmt;"),
        ]);
        assert_eq!(seen(&tree, "a.rs"), Vec::<String>::new());
    }

    #[test]
    fn inline_modules_stand_one_level_deeper() {
        let tree = tree(&[("a.rs", "mod inner { use super::super::b::B; }"), ("b.rs", "pub struct B;")]);
        assert_eq!(seen(&tree, "a.rs"), ["b"]);
    }
}
