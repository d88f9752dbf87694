//! The committed inputs of a target.
use crate::target::Target;
use std::fs;
use std::path::PathBuf;

/// The inputs in `corpus/NAME`, by file name.
///
/// # Panics
/// If the folder cannot be read: it comes with the sources.
pub fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|trouble| panic!("{}: {trouble}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a readable input")).collect()
}
