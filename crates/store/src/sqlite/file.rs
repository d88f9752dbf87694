//! A file before SQLite touches it: is it there, is it a file, does it look like one of ours?
#![allow(clippy::disallowed_methods, reason = "files are looked at here")]
use crate::error::StoreError;
use std::fs::{File, FileType};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What every database of SQLite begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The file with another ending, where SQLite keeps it: beside the file that a link leads to.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(ending);
    name.into()
}

/// The same path whatever becomes the current folder. Never one that SQLite would take for an
/// address.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    let unusable = |problem: String| StoreError::Unusable { place: path.into(), problem };
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(unusable("its name holds a NUL byte, which no file's name can; remove it".to_owned()));
    }
    if path.as_os_str().as_encoded_bytes().starts_with(b"file:") {
        let problem = "addresses of SQLite are not taken; give the path alone, or `:memory:` to keep nothing \
                       (`./file:…` if the file is called so)";
        return Err(unusable(problem.to_owned()));
    }
    std::path::absolute(path).map_err(|error| unusable(error.to_string()))
}

/// A file of this name can be there and, if it is, begins and ends as ours do. `is_made`: it may
/// also not be there. `shown` is its name for people.
pub(super) fn check(path: &Path, shown: &Path, is_made: bool) -> Result<(), StoreError> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    };
    if !folder.is_dir() {
        let folder = shown.parent().unwrap_or(shown).into();
        return Err(StoreError::NoFolder { place: shown.into(), folder });
    }
    let Ok(found) = path.metadata() else {
        return if is_made { Ok(()) } else { Err(StoreError::NoFile { place: shown.into() }) };
    };
    if let Some(kind) = special(found.file_type()) {
        let problem = format!("it is a {kind}; give a file");
        return Err(StoreError::Unusable { place: shown.into(), problem });
    }
    check_beginning(path, shown)?;
    check_end(path, shown)
}

/// What it is if it is not a file: reading some of these would wait for ever.
fn special(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() {
        return Some("folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("pipe");
        }
        if kind.is_socket() {
            return Some("socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("device");
        }
    }
    Some("special file")
}

/// A file of something else is recognised before SQLite could touch it.
fn check_beginning(path: &Path, shown: &Path) -> Result<(), StoreError> {
    let unusable =
        |error: std::io::Error| StoreError::Unusable { place: shown.into(), problem: error.to_string() };
    let mut beginning = Vec::new();
    File::open(path)
        .map_err(unusable)?
        .take(MAGIC.len() as u64)
        .read_to_end(&mut beginning)
        .map_err(unusable)?;
    if beginning.is_empty() || beginning == MAGIC {
        return Ok(());
    }
    let place = shown.into();
    if MAGIC.starts_with(&beginning) {
        return Err(StoreError::Damaged {
            place,
            problem: format!("{} bytes of it are left", beginning.len()),
        });
    }
    Err(StoreError::NotAStore { place, problem: "it does not begin as one".to_owned() })
}

/// SQLite reads a last page that is cut short as if zeros followed. A whole file is a number of
/// whole pages, unless somebody is writing to it, and then there is a log or a journal.
fn check_end(path: &Path, shown: &Path) -> Result<(), StoreError> {
    if torn(path).is_none() {
        return Ok(());
    }
    // A log that came and went between two looks is not there for a second time.
    std::thread::sleep(Duration::from_millis(20));
    match torn(path) {
        None => Ok(()),
        Some(left) => {
            let problem = format!("its last page is cut short, {left} bytes of it are left");
            Err(StoreError::Damaged { place: shown.into(), problem })
        }
    }
}

/// How much is left of the last page, if it is cut short and nothing could mend it.
fn torn(path: &Path) -> Option<u64> {
    if is_at_work(path, "-wal") || is_at_work(path, "-journal") {
        return None;
    }
    let mut header = [0; 18];
    let mut file = File::open(path).ok()?;
    file.read_exact(&mut header).ok()?;
    // Two bytes at offset 16, one meaning 65536  [the database file format of SQLite, §1.3.2].
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65536,
        size => u64::from(size.max(512)),
    };
    Some(file.metadata().ok()?.len() % page).filter(|left| *left > 0)
}

/// Is there something in the file beside it?
pub(super) fn is_at_work(path: &Path, ending: &str) -> bool {
    beside(path, ending).metadata().is_ok_and(|found| found.len() > 0)
}
