//! Checks a file: its pages, its schema, and every study in it.
use crate::durable::{DurableStudy, TrialState};
use crate::error::StoreError;
use crate::open::file_of;
use crate::sqlite::SqliteStore;
use crate::store::Store;
use std::ffi::OsStr;
use std::sync::Arc;

/// What a check found in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// The version of its tables.
    pub schema: i64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of the log beside it, not yet folded in.
    pub log_bytes: u64,
    /// What SQLite finds wrong with its pages; empty if all is well.
    pub damage: Vec<String>,
    /// Its studies.
    pub studies: Vec<CheckedStudy>,
}

/// What a check found in one study.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedStudy {
    /// Its name.
    pub name: String,
    /// How many events it has.
    pub events: u64,
    /// How many trials, by state.
    pub trials: Vec<(TrialState, usize)>,
    /// How many leases have lapsed, and how many hold.
    pub leases: (usize, usize),
    /// Why it cannot be loaded, if it cannot.
    pub problem: Option<StoreError>,
}

/// Checks everything in the file behind an address, without writing.
pub fn check_file(address: impl AsRef<OsStr>) -> Result<FileReport, StoreError> {
    let store = Arc::new(SqliteStore::open_read_only(file_of(address)?)?);
    let damage = store.damage()?;
    let shared: Arc<dyn Store> = store.clone();
    let records = if damage.is_empty() { store.studies()? } else { store.studies().unwrap_or_default() };
    let studies = records.iter().map(|record| check_study(&shared, &record.name, record.events)).collect();
    let (bytes, log_bytes) = store.sizes();
    Ok(FileReport { schema: store.schema()?, bytes, log_bytes, damage, studies })
}

fn check_study(store: &Arc<dyn Store>, name: &str, events: u64) -> CheckedStudy {
    const STATES: [TrialState; 6] = [
        TrialState::Waiting,
        TrialState::Running,
        TrialState::Stale,
        TrialState::Complete,
        TrialState::Failed,
        TrialState::Abandoned,
    ];
    let checked =
        |trials, leases, problem| CheckedStudy { name: name.to_owned(), events, trials, leases, problem };
    let study = match DurableStudy::load(store.clone(), name) {
        Ok(study) => study,
        Err(error) => return checked(Vec::new(), (0, 0), Some(error)),
    };
    let count = |state| study.trials().filter(|record| record.state() == state).count();
    let leased = study.trials().filter(|record| record.lease.is_some()).count();
    let lapsed = count(TrialState::Stale);
    checked(STATES.map(|state| (state, count(state))).to_vec(), (lapsed, leased - lapsed), None)
}
