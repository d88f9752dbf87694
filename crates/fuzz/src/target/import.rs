//! Files of other tools, through the command that users call. A study that was imported loads; one that could not be
//! is not left behind.
use super::Verdict;
use arbora_app::{Output, run};
use arbora_store::{DurableStudy, open};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// The space of the histories in the corpus.
const CONFIGSPACE: &str = include_str!("smac_space.json");

pub(super) fn smac(input: &[u8]) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|trouble| trouble.to_string())?;
    let file = folder.path().join("runhistory.json");
    fs::write(file.with_file_name("configspace.json"), CONFIGSPACE).map_err(|trouble| trouble.to_string())?;
    fs::write(&file, input).map_err(|trouble| trouble.to_string())?;
    import(&file)
}

/// Statements that cannot be run are passed over: what remains is the database.
pub(super) fn optuna(input: &[u8]) -> Result<Verdict, String> {
    let Ok(script) = str::from_utf8(input) else { return Ok(Verdict::Refused) };
    let folder = tempfile::tempdir().map_err(|trouble| trouble.to_string())?;
    let file = folder.path().join("optuna.db");
    let connection = Connection::open(&file).map_err(|trouble| trouble.to_string())?;
    // Nobody needs this file after a crash.
    connection.execute_batch("PRAGMA synchronous = OFF").map_err(|trouble| trouble.to_string())?;
    for statement in script.split(";\n") {
        connection.execute_batch(statement).ok();
    }
    drop(connection);
    import(&file)
}

fn import(file: &Path) -> Result<Verdict, String> {
    let storage = file.with_file_name("s.db");
    let code = command(&["import", &file.to_string_lossy()], &storage);
    match (code, loads(&storage)) {
        (0, Ok(1)) => Ok(Verdict::Accepted),
        (0, Ok(count)) => Err(format!("imported, and the file holds {count} studies")),
        (0, Err(trouble)) => Err(format!("imported, and cannot be loaded: {trouble}")),
        (_, Ok(0)) => Ok(Verdict::Refused),
        (code, left) => Err(format!("refused with code {code}, but the file holds {left:?}")),
    }
}

fn command(arguments: &[&str], storage: &Path) -> u8 {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let storage = storage.to_string_lossy();
    let place = ["--storage", &storage, "--strategy", "random"];
    run(["arbora"].iter().chain(arguments).chain(&place), &mut Output::captured(&mut out, &mut err))
}

/// How many studies there are, all of which load.
fn loads(storage: &Path) -> Result<usize, String> {
    if !storage.exists() {
        return Ok(0);
    }
    let store = open(&storage.to_string_lossy()).map_err(|trouble| trouble.to_string())?;
    let studies = store.studies().map_err(|trouble| trouble.to_string())?;
    for study in &studies {
        DurableStudy::load(store.clone(), &study.name).map_err(|trouble| trouble.to_string())?;
    }
    Ok(studies.len())
}
