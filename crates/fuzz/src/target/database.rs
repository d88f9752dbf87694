//! Files of our own that were damaged, byte by byte or row by row. Whatever loads can be asked; nothing hangs.
use super::Verdict;
use arbora_store::{AskRequest, DurableStudy, Store, check_file, open};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A whole study of twelve trials, the file that `rows` damages.
const WHOLE: &[u8] = include_bytes!("../../corpus/database/whole.db");

/// The input is the file.
pub(super) fn bytes(input: &[u8]) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|trouble| trouble.to_string())?;
    let path = folder.path().join("s.db");
    fs::write(&path, input).map_err(|trouble| trouble.to_string())?;
    judge(&path)
}

/// The input is SQL that changes rows of a whole file.
pub(super) fn rows(input: &[u8]) -> Result<Verdict, String> {
    let Ok(script) = str::from_utf8(input) else { return Ok(Verdict::Refused) };
    let folder = tempfile::tempdir().map_err(|trouble| trouble.to_string())?;
    let path = folder.path().join("s.db");
    fs::write(&path, WHOLE).map_err(|trouble| trouble.to_string())?;
    let connection = Connection::open(&path).map_err(|trouble| trouble.to_string())?;
    if connection.execute_batch(script).is_err() {
        return Ok(Verdict::Refused);
    }
    drop(connection);
    judge(&path)
}

fn judge(path: &Path) -> Result<Verdict, String> {
    // The doctor sees any file; it may say no.
    let checked = check_file(path);
    let Ok(store) = open(&path.to_string_lossy()) else { return Ok(Verdict::Refused) };
    let Ok(studies) = store.studies() else { return Ok(Verdict::Refused) };
    let goes_on: Vec<bool> = studies.iter().map(|study| goes_on(store.clone(), &study.name)).collect();
    if !goes_on.contains(&true) {
        return Ok(Verdict::Refused);
    }
    match checked {
        Ok(_) => Ok(Verdict::Accepted),
        Err(trouble) => Err(format!("a study goes on, but the doctor cannot read the file: {trouble}")),
    }
}

/// Does it load and take one more trial? An error is the right answer to damage.
fn goes_on(store: Arc<dyn Store>, name: &str) -> bool {
    let Ok(mut study) = DurableStudy::load(store, name) else { return false };
    let Ok(trial) = study.ask(&AskRequest::by("w")) else { return false };
    study.tell(trial.number(), 0.5).is_ok()
}
