//! What a database may make SQLite do: nothing but read and write our tables.
//!
//! A file may come from anywhere. Views, triggers and expressions in its schema are programs that
//! would run inside ours, so the schema must be ours word by word before the first query, and what
//! is not needed is switched off.
use super::retry::TransactionError;
use super::schema::{MIGRATIONS, migrate, version};
use crate::error::StoreError;
use crate::verify::LONGEST;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;
use std::path::Path;

/// Switches off what a file of studies does not need, before anything is read from it.
pub(super) fn disarm(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // No value that is longer was ever written; so none is allocated because a file says so.
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::try_from(LONGEST + 1024).unwrap_or(i32::MAX))?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.execute_batch("PRAGMA cell_size_check = ON")
}

/// The tables and indices must be those of the version that the file says it has.
pub(super) fn check_schema(connection: &Connection, path: &Path) -> Result<(), TransactionError> {
    let found = version(connection)?;
    let reached = usize::try_from(found).unwrap_or(0).min(MIGRATIONS.len());
    let (ours, theirs) = (expected(reached)?, objects(connection)?);
    let differs = theirs.symmetric_difference(&ours).next();
    let Some((kind, name, _)) = differs else { return Ok(()) };
    let is_known = ours.iter().any(|(_, known, _)| known == name);
    let problem = match (is_known, theirs.iter().any(|(_, known, _)| known == name)) {
        (true, true) => format!("its {kind} `{name}` is not as ours is"),
        (true, false) => format!("the {kind} `{name}` is missing"),
        (false, _) => format!("its {kind} `{name}` is not ours"),
    };
    Err(TransactionError::Store(StoreError::NotAStore { place: path.into(), problem }))
}

/// Kind, name and definition.
type Object = (String, String, String);

fn objects(connection: &Connection) -> rusqlite::Result<BTreeSet<Object>> {
    // Statistics for the planner are data and may be there if somebody ran ANALYZE.
    let mut statement = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite@_stat_' ESCAPE '@'",
    )?;
    let object = |row: &Row<'_>| {
        let sql: Option<String> = row.get(2)?;
        let words: Vec<&str> = sql.as_deref().unwrap_or_default().split_whitespace().collect();
        Ok((row.get(0)?, row.get(1)?, words.join(" ")))
    };
    statement.query_map([], object)?.collect()
}

/// What the migrations make of an empty database.
fn expected(reached: usize) -> rusqlite::Result<BTreeSet<Object>> {
    let mut blank = Connection::open_in_memory()?;
    let transaction = blank.transaction()?;
    if reached > 0 {
        migrate(&transaction, &MIGRATIONS[..reached])?;
    }
    objects(&transaction)
}
