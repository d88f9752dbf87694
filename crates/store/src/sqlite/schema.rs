//! The tables, by version. A migration is never edited once released; a new one is appended.
//!
//! `events` is the truth. `trials` is what follows from it and is needed to decide in one look whether an event may be
//! appended: the stage of each trial and its lease. Both change in one transaction.
use rusqlite::{Connection, Transaction};

/// "Arbo": what makes a database of SQLite a store of studies.
pub(super) const APPLICATION: i64 = 0x4172_626F;

/// From version i to i + 1.
pub(super) const MIGRATIONS: &[&str] = &["
    CREATE TABLE studies (
        id         INTEGER PRIMARY KEY AUTOINCREMENT,
        name       TEXT    NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        space      TEXT    NOT NULL,
        options    TEXT    NOT NULL
    ) STRICT;
    CREATE TABLE events (
        study      INTEGER NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        sequence   INTEGER NOT NULL,
        at         INTEGER NOT NULL,
        kind       TEXT    NOT NULL,
        trial      INTEGER,
        body       TEXT    NOT NULL,
        PRIMARY KEY (study, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE trials (
        study      INTEGER NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        number     INTEGER NOT NULL,
        stage      INTEGER NOT NULL CHECK (stage BETWEEN 0 AND 2),
        born       INTEGER NOT NULL,
        worker     TEXT,
        lease      INTEGER,
        PRIMARY KEY (study, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX leases ON trials (study, number) WHERE lease IS NOT NULL;
"];

/// The version this program writes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// The version of a database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_one(None, "user_version")
}

/// The program a database belongs to; zero if it does not say.
pub(super) fn application(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_one(None, "application_id")
}

/// True if nothing was ever created in it.
pub(super) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}

/// Brings the tables up to the newest version, inside a transaction of the caller.
pub(super) fn migrate(transaction: &Transaction<'_>, migrations: &[&str]) -> rusqlite::Result<()> {
    let reached = usize::try_from(version(transaction)?).unwrap_or(0);
    for migration in migrations.iter().skip(reached) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", migrations.len() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_go_on_where_they_stopped() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y DEFAULT 7", "CREATE TABLE b (z)"];
        for reached in [1, 1, 3] {
            let transaction = connection.transaction().unwrap();
            migrate(&transaction, &steps[..reached]).unwrap();
            transaction.commit().unwrap();
            connection.execute("INSERT INTO a (x) VALUES (1)", []).unwrap();
            assert_eq!(version(&connection).unwrap(), reached as i64);
        }
        let sum: i64 = connection.query_row("SELECT sum(x + y) FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!(sum, 24, "rows written before a migration are still there");
        assert_eq!(application(&connection).unwrap(), APPLICATION);
    }

    #[test]
    fn a_migration_that_fails_leaves_the_old_version() {
        let mut connection = Connection::open_in_memory().unwrap();
        let transaction = connection.transaction().unwrap();
        assert!(migrate(&transaction, &["CREATE TABLE a (x)", "CREATE TABLE a (x)"]).is_err());
        drop(transaction);
        assert_eq!(version(&connection).unwrap(), 0);
        assert!(is_blank(&connection).unwrap());
    }
}
