//! Siblings that need each other: in every folder, the files and folders directly in it must not form a ring.
//! `mod.rs` is their parent and no sibling: it names them, and they name it.
use crate::tree::{Source, Tree};
use std::collections::{BTreeMap, BTreeSet};

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Every folder with siblings that need each other, and these by name.
pub(crate) fn rings(sources: &[&Source], tree: &Tree) -> Vec<(String, Vec<String>)> {
    let mut folders: BTreeMap<String, Edges> = BTreeMap::new();
    for source in sources {
        for (target, _) in tree.seen_by(source) {
            if let Some((folder, own, seen)) = siblings(source, &target) {
                folders.entry(folder).or_default().entry(own).or_default().insert(seen);
            }
        }
    }
    let of_folder = |(folder, edges): (&String, &Edges)| -> Vec<(String, Vec<String>)> {
        components(edges).into_iter().map(|ring| (folder.clone(), ring)).collect()
    };
    folders.iter().flat_map(of_folder).collect()
}

/// The folder in which the ways to a source and to what it names part, and the two names there.
fn siblings(source: &Source, target: &[String]) -> Option<(String, String, String)> {
    let common = source.module.iter().zip(target).take_while(|(a, b)| a == b).count();
    let folder = source.module[..common].join("/");
    let (own, seen) = (source.module.get(common)?, target.get(common)?);
    Some((folder, own.clone(), seen.clone()))
}

/// Groups of two or more names that all lead to each other.
fn components(edges: &Edges) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        edges.keys().map(|name| (name, reach(name, edges))).collect();
    let leads = |from: &String, to: &String| reached.get(from).is_some_and(|names| names.contains(to));
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for name in edges.keys().filter(|name| leads(name, name)) {
        if done.insert(name) {
            let ring: Vec<String> =
                edges.keys().filter(|o| leads(name, o) && leads(o, name)).cloned().collect();
            done.extend(edges.keys().filter(|other| ring.contains(other)));
            found.push(ring);
        }
    }
    found
}

/// All names that can be reached from one, itself only by a ring.
fn reach<'e>(from: &String, edges: &'e Edges) -> BTreeSet<&'e String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&String> = edges.get(from).into_iter().flatten().collect();
    while let Some(name) = open.pop() {
        if seen.insert(name) {
            open.extend(edges.get(name).into_iter().flatten());
        }
    }
    seen
}
