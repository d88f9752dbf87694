//! A store by its address.
//!
//! An address is a path, or begins with a scheme and `://`. A new kind of store is a folder of its own and one
//! line in [`SCHEMES`].
use crate::error::StoreError;
use crate::memory::MemoryStore;
use crate::place::Place;
use crate::store::Store;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be done with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// To write; it is created where there is none.
    Write,
    /// To read what must be there already.
    Read,
}

/// A kind of store.
struct Scheme {
    /// What its addresses begin with, before `://`.
    name: &'static str,
    /// How an address is written, for people.
    example: &'static str,
    /// Opens the store behind the rest of an address.
    open: fn(&str, Wish) -> Opened,
}

type Opened = Result<Arc<dyn Store>, StoreError>;

/// Every kind of store that has addresses with a scheme.
const SCHEMES: &[Scheme] = &[Scheme { name: "sqlite", example: "`sqlite:///path`", open: sqlite }];

const NUL: &str = "it holds a NUL byte, which no file's name can; remove it";
const OF_SQLITE: &str = "addresses of SQLite are not taken; give the path alone, or `:memory:` to keep nothing \
                         (`./file:…` if the file is called so)";

/// Opens a store: `:memory:`, a path, or `sqlite:///path`. A file that is not there is created; its
/// folder must exist. One that may not be written is opened to read only.
pub fn open(address: &str) -> Result<Arc<dyn Store>, StoreError> {
    if address == ":memory:" {
        return Ok(Arc::new(MemoryStore::new()));
    }
    by_scheme(address, Wish::Write)
}

/// Opens a store that must be there, to read only: looking creates nothing and disturbs no one.
pub fn open_to_read(address: &str) -> Result<Arc<dyn Store>, StoreError> {
    if address == ":memory:" {
        return Err(bad(address, "nothing is kept there that could be read; give a path such as `study.db`"));
    }
    by_scheme(address, Wish::Read)
}

/// The file behind an address; an error if it is the address of something else.
pub fn file_of(address: impl AsRef<OsStr>) -> Result<PathBuf, StoreError> {
    let address = address.as_ref();
    // What is no text cannot have a scheme.
    let Some(text) = address.to_str() else { return Ok(PathBuf::from(address)) };
    match parted(text)? {
        (Some("sqlite") | None, path) => Ok(PathBuf::from(path)),
        (Some(_), _) => Err(bad(text, "only files can be looked at this way; give the path of one")),
    }
}

fn by_scheme(address: &str, wish: Wish) -> Opened {
    match parted(address)? {
        (None, path) => sqlite(path, wish),
        (Some(name), rest) => match SCHEMES.iter().find(|scheme| scheme.name == name) {
            Some(scheme) => (scheme.open)(rest, wish),
            None => Err(bad(address, unknown(name))),
        },
    }
}

/// The scheme, if there is one, and the rest. An address of SQLite has one more slash than its
/// path.
fn parted(address: &str) -> Result<(Option<&str>, &str), StoreError> {
    match address.split_once("://") {
        _ if address.contains('\0') => Err(bad(address, NUL)),
        _ if address.starts_with("file:") => Err(bad(address, OF_SQLITE)),
        _ if address.trim().is_empty() => Err(bad(address, "it is empty; give a path such as `study.db`")),
        Some(("sqlite", path)) => Ok((Some("sqlite"), path.strip_prefix('/').unwrap_or(path))),
        Some((scheme, rest)) => Ok((Some(scheme), rest)),
        None => Ok((None, address)),
    }
}

fn bad(address: &str, problem: impl Into<String>) -> StoreError {
    StoreError::BadAddress { address: Place::of_address(address), problem: problem.into() }
}

fn unknown(scheme: &str) -> String {
    let known: Vec<&str> = SCHEMES.iter().map(|scheme| scheme.example).collect();
    format!(
        "there is no store for `{scheme}` addresses in this version; give a path such as `study.db`, {}, or \
         `:memory:` to keep nothing",
        known.join(", ")
    )
}

#[cfg(feature = "sqlite")]
fn sqlite(path: &str, wish: Wish) -> Opened {
    use crate::sqlite::SqliteStore;
    let path = Path::new(path);
    let store = match wish {
        Wish::Read => SqliteStore::open_read_only(path)?,
        Wish::Write => match SqliteStore::open(path) {
            // To look at it is still possible; whoever writes is told why that is not.
            Err(error @ StoreError::ReadOnly { .. }) => {
                SqliteStore::open_read_only(path).map_err(|_| error)?
            }
            opened => opened?,
        },
    };
    Ok(Arc::new(store))
}

#[cfg(not(feature = "sqlite"))]
fn sqlite(path: &str, _: Wish) -> Opened {
    Err(bad(path, "this build keeps studies in memory only; build it with the feature `sqlite`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(storage: &str) -> String {
        open(storage).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn addresses_that_are_none_say_what_would_be() {
        assert_eq!(problem(" "), "storage ` `: it is empty; give a path such as `study.db`");
        assert_eq!(
            problem("postgres://ada:secret@localhost/db"),
            "storage `postgres://ada:***@localhost/db`: there is no store for `postgres` addresses in this version; \
             give a path such as `study.db`, `sqlite:///path`, or `:memory:` to keep nothing"
        );
        assert!(open_to_read(":memory:").is_err(), "there is nothing in it to read");
        assert!(open(":memory:").is_ok());
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn a_path_and_its_address_are_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let path = path.to_str().unwrap();
        let options = arbora_search::StudyOptions::default();
        let new = crate::store::NewStudy {
            name: "a",
            space: "{}",
            options: &options,
            at: crate::clock::Timestamp(0),
        };
        open(path).unwrap().create(&new).unwrap();
        assert!(open(&format!("sqlite:///{path}")).unwrap().study("a").unwrap().is_some());
        assert!(open_to_read(path).unwrap().study("a").unwrap().is_some());
        let unwritten = open_to_read(&format!("sqlite:///{path}")).unwrap().create(&new);
        assert!(matches!(unwritten, Err(StoreError::ReadOnly { .. })));
        assert_eq!(file_of(format!("sqlite:///{path}")).unwrap(), Path::new(path));
        assert!(problem("no/such/folder/s.db").contains("the folder `no/such/folder` does not exist"));
    }
}
