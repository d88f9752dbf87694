//! A store by its address.
use crate::error::StoreError;
use crate::memory::MemoryStore;
use crate::store::Store;
use std::sync::Arc;

const ADDRESS: &str = "addresses of SQLite are not taken; give the path alone, or `:memory:` to keep nothing \
                       (`./file:…` if the file is called so)";

/// Opens a store: `:memory:`, a path, or `sqlite:///path`. A file that is not there is created; its folder must exist.
/// One that may not be written is opened to read only.
pub fn open(storage: &str) -> Result<Arc<dyn Store>, StoreError> {
    let bad = |problem| StoreError::BadAddress { address: storage.to_owned(), problem };
    match storage.split_once("://") {
        _ if storage == ":memory:" => Ok(Arc::new(MemoryStore::new())),
        _ if storage.contains('\0') => Err(bad("it holds a NUL byte, which no file's name can; remove it")),
        _ if storage.starts_with("file:") => Err(bad(ADDRESS)),
        _ if storage.trim().is_empty() => Err(bad("it is empty; give a path such as `study.db`")),
        Some(("sqlite", path)) => at_path(path.strip_prefix('/').unwrap_or(path)),
        Some(_) => Err(bad("only files are known: a path, `sqlite:///path` or `:memory:`")),
        None => at_path(storage),
    }
}

#[cfg(feature = "sqlite")]
fn at_path(path: &str) -> Result<Arc<dyn Store>, StoreError> {
    use crate::sqlite::SqliteStore;
    let store = match SqliteStore::open(path) {
        // To look at it is still possible; whoever writes is told why that is not.
        Err(error @ StoreError::ReadOnly { .. }) => SqliteStore::open_read_only(path).map_err(|_| error)?,
        opened => opened?,
    };
    Ok(Arc::new(store))
}

#[cfg(not(feature = "sqlite"))]
fn at_path(path: &str) -> Result<Arc<dyn Store>, StoreError> {
    let problem = "this build keeps studies in memory only; build it with the feature `sqlite`";
    Err(StoreError::BadAddress { address: path.to_owned(), problem })
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
        assert!(
            problem("postgres://localhost/db")
                .starts_with("storage `postgres://localhost/db`: only files are known")
        );
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
        assert!(problem("no/such/folder/s.db").contains("the folder `no/such/folder` does not exist"));
    }
}
