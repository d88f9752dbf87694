//! The tables, by version. A migration is never edited once released; a new one is appended.
//!
//! `events` is the truth, with chained checksums. `heads` has, per study, where its events
//! end: an end that went missing shows. `trials` is what follows from the events and is needed to
//! decide in one look whether an event may be appended: the stage of each trial and its lease. All
//! three change in one transaction. `file` says whether a log belongs to the file.
use super::checksum::{Checksum, Content};
use crate::clock::Timestamp;
use rusqlite::{Connection, Row, Transaction, params};

/// "Arbo": what makes a database of SQLite a store of studies.
pub(super) const APPLICATION: i64 = 0x4172_626F;

/// From one version to the next: statements, then what statements cannot say.
#[derive(Clone)]
pub(super) struct Migration {
    sql: &'static str,
    then: fn(&Connection) -> rusqlite::Result<()>,
}

/// From version i to i + 1.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        sql: "
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
",
        then: |_| Ok(()),
    },
    Migration {
        sql: "
    ALTER TABLE events RENAME TO unsealed;
    CREATE TABLE events (
        study      INTEGER NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        sequence   INTEGER NOT NULL,
        at         INTEGER NOT NULL,
        kind       TEXT    NOT NULL,
        trial      INTEGER,
        body       TEXT    NOT NULL,
        seal       INTEGER NOT NULL,
        PRIMARY KEY (study, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE heads (
        study      INTEGER PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE,
        root       INTEGER NOT NULL,
        events     INTEGER NOT NULL,
        seal       INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE file (
        id         INTEGER PRIMARY KEY CHECK (id = 1),
        log        INTEGER NOT NULL CHECK (log BETWEEN 0 AND 1)
    ) STRICT;
    INSERT INTO file (id, log) VALUES (1, 0);
",
        then: add_checksums,
    },
];

/// The version this program writes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Files of this version and later have checksums, heads and a mark for their log.
pub(super) const CHECKSUMMED: i64 = 2;

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
pub(super) fn migrate(transaction: &Transaction<'_>, migrations: &[Migration]) -> rusqlite::Result<()> {
    let reached = usize::try_from(version(transaction)?).unwrap_or(0);
    for migration in migrations.iter().skip(reached) {
        transaction.execute_batch(migration.sql)?;
        (migration.then)(transaction)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", migrations.len() as i64)
}

/// What was written before there were checksums gets them as it is.
fn add_checksums(connection: &Connection) -> rusqlite::Result<()> {
    let mut studies = connection.prepare("SELECT id, created_at, space, options FROM studies")?;
    let root = |row: &Row<'_>| {
        let (space, options): (String, String) = (row.get(2)?, row.get(3)?);
        Ok((row.get::<_, i64>(0)?, Checksum::of_study(Timestamp(row.get(1)?), &space, &options)))
    };
    for study in studies.query_map([], root)?.collect::<rusqlite::Result<Vec<_>>>()? {
        add_checksums_to(connection, study)?;
    }
    connection.execute_batch("DROP TABLE unsealed")
}

fn add_checksums_to(connection: &Connection, (study, root): (i64, Checksum)) -> rusqlite::Result<()> {
    let mut events = connection.prepare_cached(
        "SELECT sequence, at, kind, trial, body FROM unsealed WHERE study = ?1 ORDER BY sequence",
    )?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO events (study, sequence, at, kind, trial, body, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let (mut checksum, mut last) = (root, 0);
    let mut rows = events.query([study])?;
    while let Some(row) = rows.next()? {
        let (kind, body): (String, String) = (row.get(2)?, row.get(4)?);
        let (sequence, at, trial) = (row.get(0)?, row.get(1)?, row.get(3)?);
        checksum = checksum.then(Content { sequence, at: Timestamp(at), kind: &kind, trial, body: &body });
        insert.execute(params![study, sequence.cast_signed(), at, kind, trial, body, checksum.stored()])?;
        last = sequence;
    }
    connection.execute(
        "INSERT INTO heads (study, root, events, seal) VALUES (?1, ?2, ?3, ?4)",
        params![study, root.stored(), last.cast_signed(), checksum.stored()],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [Migration; 3] = [
        Migration { sql: "CREATE TABLE a (x)", then: |_| Ok(()) },
        Migration { sql: "ALTER TABLE a ADD COLUMN y DEFAULT 7", then: |_| Ok(()) },
        Migration {
            sql: "CREATE TABLE b (z)",
            then: |connection| connection.execute_batch("INSERT INTO b VALUES (1)"),
        },
    ];

    #[test]
    fn migrations_go_on_where_they_stopped() {
        let mut connection = Connection::open_in_memory().unwrap();
        for reached in [1, 1, 3] {
            let transaction = connection.transaction().unwrap();
            migrate(&transaction, &STEPS[..reached]).unwrap();
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
        assert!(migrate(&transaction, &[STEPS[0].clone(), STEPS[0].clone()]).is_err());
        drop(transaction);
        assert_eq!(version(&connection).unwrap(), 0);
        assert!(is_blank(&connection).unwrap());
    }
}
