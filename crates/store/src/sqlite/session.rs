//! An open file, and what must hold before anybody is told that something was written to it.
use super::connection::Access;
use super::filesystem::JournalMode;
use super::identity::Opened;
use super::log;
use super::presence::Presence;
use super::retry::TransactionError;
use super::sweep::Sweep;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;
use std::time::{Duration, Instant};

/// A commit that comes this long after the log was folded in folds it in again: a study whose
/// trials take a while is in its file, and one that is told often is not slowed down.
const CALM: Duration = Duration::from_secs(1);

/// A connection with what is known of its file.
pub(super) struct Session {
    connection: Connection,
    pub(super) opened: Opened,
    access: Access,
    is_frozen: bool,
    folded: Instant,
    /// Dropped after the connection: what it made is left to be swept.
    sweep: Sweep,
    /// The last field: the file is closed before it stops counting as open.
    presence: Option<Presence>,
}

impl Session {
    #[expect(clippy::disallowed_methods, reason = "how long ago the log was folded in")]
    pub(super) fn new(connection: Connection, opened: Opened, access: Access) -> Self {
        Self {
            connection,
            opened,
            access,
            is_frozen: false,
            folded: Instant::now(),
            sweep: Sweep::nothing(),
            presence: None,
        }
    }

    /// The same, with a connection that sees no changes: there must be none.
    #[must_use]
    pub(super) fn frozen(mut self) -> Self {
        self.is_frozen = true;
        self
    }

    /// The same, with what is to be swept once it is closed.
    #[must_use]
    pub(super) fn swept(mut self, sweep: Sweep) -> Self {
        self.sweep = sweep;
        self
    }

    /// The same, counted as open.
    #[must_use]
    pub(super) fn present(mut self, presence: Presence) -> Self {
        self.presence = Some(presence);
        self
    }

    pub(super) fn read<T>(
        &mut self,
        shown: &Path,
        work: impl FnOnce(&Connection) -> Result<T, TransactionError>,
    ) -> Result<T, TransactionError> {
        let read = work(&self.connection)?;
        if self.is_frozen {
            self.opened.expect_unchanged(shown).map_err(TransactionError::Store)?;
        }
        Ok(read)
    }

    /// One transaction, committed if `is_done` with it; an error unless it went to the file of that
    /// name.
    pub(super) fn write<T>(
        &mut self,
        shown: &Path,
        work: impl FnOnce(&Connection) -> Result<T, TransactionError>,
        is_done: impl FnOnce(&T) -> bool,
    ) -> Result<T, TransactionError> {
        self.expect_in_place(shown)?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        if !is_done(&result) {
            return Ok(result);
        }
        let has_log = self.access == Access::Write(JournalMode::Ahead);
        let is_news = has_log && log::mark(&transaction)?;
        transaction.commit()?;
        self.expect_in_place(shown)?;
        if has_log {
            self.fold(is_news);
        }
        Ok(result)
    }

    /// A file that was moved gets everything that was told, so that it is whole where it is now.
    fn expect_in_place(&mut self, shown: &Path) -> Result<(), TransactionError> {
        self.opened.check(shown).map_err(|error| {
            log::settle(&mut self.connection);
            TransactionError::Store(error)
        })
    }

    #[expect(clippy::disallowed_methods, reason = "how long ago the log was folded in")]
    fn fold(&mut self, is_due: bool) {
        if is_due || self.folded.elapsed() > CALM {
            log::fold(&self.connection);
            self.folded = Instant::now();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if matches!(self.access, Access::Write(_)) {
            log::settle(&mut self.connection);
        }
    }
}
