//! Every store there is. A scenario that is not about files runs over all of them; a new store gets
//! one line here.
use arbora_store::{MemoryStore, Store};
use std::sync::Arc;

/// Opens one more handle of a store.
pub(crate) type Open<'a> = &'a (dyn Fn() -> Arc<dyn Store> + Sync);

/// Runs a scenario over every store, empty at first.
pub(crate) fn over_every_store(scenario: impl Fn(Open<'_>)) {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    scenario(&|| memory.clone());
    #[cfg(feature = "sqlite")]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        scenario(&|| arbora_store::open(path.to_str().unwrap()).unwrap());
    }
}
