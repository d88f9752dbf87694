//! Which room of this crate may look into which: the list is ordered, and each may only look up it.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this test reads the sources it judges")]
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every room and the rooms its lines may name, those above it only.
const ROOMS: &[(&str, &[&str])] = &[
    ("special", &[]),
    ("prior", &["special"]),
    ("hyper", &["prior"]),
    ("descent", &[]),
    ("infer", &["hyper", "prior", "descent"]),
    ("error", &["infer"]),
    ("workers", &["error"]),
    ("dataset", &["error"]),
    ("prediction", &[]),
    ("linalg", &["error"]),
    ("belief", &["error", "hyper", "prior"]),
    ("kernel", &["belief", "hyper", "linalg"]),
    ("gram", &["error", "kernel", "linalg"]),
    (
        "surrogate",
        &[
            "belief",
            "dataset",
            "error",
            "gram",
            "hyper",
            "infer",
            "kernel",
            "linalg",
            "prediction",
            "prior",
            "workers",
        ],
    ),
    ("spec", &["belief", "error", "infer", "kernel", "surrogate", "workers"]),
];

/// Libraries that one room alone may name.
const LIBRARIES: &[(&str, &str)] =
    &[("faer", "linalg"), ("pulp", "linalg"), ("rayon", "workers"), ("basin", "descent")];

/// Files of laws and tests may look anywhere.
const JUDGES: &[&str] = &["tests.rs", "laws.rs", "toys.rs", "testing.rs", "lib.rs"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "testing" {
            sources(&path, found);
        } else if path.is_file() && !JUDGES.contains(&name.as_str()) {
            found.push(path);
        }
    }
}

/// (room, file, lines before its tests) of every source file.
fn files() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    let describe = |path: PathBuf| {
        let inside = path.strip_prefix(&root).unwrap();
        let room = inside.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_string();
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_string();
        (room, inside.to_string_lossy().into_owned(), lines)
    };
    found.into_iter().map(describe).collect()
}

/// Words that follow `prefix` in lines that are not comments.
fn named(lines: &str, prefix: &str) -> BTreeSet<String> {
    let code = lines.lines().filter(|line| !line.trim_start().starts_with("//"));
    let after = code.flat_map(|line| line.split(prefix).skip(1).map(str::to_string).collect::<Vec<_>>());
    let word = |rest: String| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    after.map(word).collect()
}

#[test]
fn rooms_only_look_where_they_may() {
    for (room, file, lines) in files() {
        let (_, allowed) =
            ROOMS.iter().find(|(name, _)| *name == room).unwrap_or_else(|| panic!("a new room: {file}"));
        for seen in named(&lines, "crate::") {
            let is_room = ROOMS.iter().any(|(name, _)| *name == seen);
            assert!(
                !is_room || seen == room || allowed.contains(&seen.as_str()),
                "{file} looks into `{seen}`"
            );
        }
    }
}

#[test]
fn no_room_looks_down_the_list() {
    for (i, (room, allowed)) in ROOMS.iter().enumerate() {
        for seen in *allowed {
            let place = ROOMS.iter().position(|(name, _)| name == seen);
            assert!(place.is_some_and(|place| place < i), "`{room}` may not look into `{seen}`");
        }
    }
}

#[test]
fn siblings_do_not_import_each_other() {
    let files = files();
    let stem = |file: &str| Path::new(file).file_stem().unwrap().to_string_lossy().into_owned();
    for (room, file, lines) in &files {
        let folder = Path::new(file).parent().unwrap();
        let is_open = ["kernel", "infer", "surrogate"].contains(&room.as_str()) && folder == Path::new(room);
        let siblings = files
            .iter()
            .filter(|(_, other, _)| Path::new(other).parent().unwrap() == folder && other != file);
        let siblings: Vec<String> = siblings.map(|(_, other, _)| stem(other)).collect();
        if is_open && stem(file) != "mod" {
            for seen in named(lines, "super::") {
                assert!(!siblings.contains(&seen), "{file} imports its sibling `{seen}`");
            }
        }
    }
}

#[test]
fn a_library_is_known_to_one_room() {
    for (room, file, lines) in files() {
        for (library, owner) in LIBRARIES {
            let names_it = lines.lines().filter(|line| !line.trim_start().starts_with("//"));
            let names_it = names_it.filter(|line| line.contains(&format!("{library}::"))).count() > 0;
            assert!(!names_it || room == *owner, "{file} names `{library}`, which belongs to `{owner}`");
        }
    }
}

#[test]
fn a_file_holds_one_idea() {
    for (_, file, lines) in files() {
        let count = lines.lines().count();
        assert!(count <= 400, "{file} has {count} lines before its tests: look for the second idea");
    }
}
