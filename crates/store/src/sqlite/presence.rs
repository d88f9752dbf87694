//! Which files does this process have open?
//!
//! The locks of SQLite belong to the process: they are all gone when any descriptor of the file is
//! closed, also one that was only opened for a look [POSIX, `close`]. So nobody looks into a file,
//! or into what lies beside it, while this process has it open by SQLite. Nothing is missed: it was
//! looked at before it was opened.
use crate::error::StoreError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

static OPEN: LazyLock<Mutex<HashMap<PathBuf, usize>>> = LazyLock::new(Mutex::default);

fn open() -> MutexGuard<'static, HashMap<PathBuf, usize>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives the file counts as open.
#[derive(Debug)]
pub(super) struct Presence(PathBuf);

impl Presence {
    /// Looks at a file, unless it is open already, and counts it as open from then on.
    pub(super) fn after_a_look(
        path: &Path,
        look: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        // One name, whatever links lead there; the folder's if there is no file yet.
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let name = path.file_name().unwrap_or_default();
        let in_folder = || folder.map_or_else(|| path.to_owned(), |folder| folder.join(name));
        let place = path.canonicalize().unwrap_or_else(|_| in_folder());
        let mut open = open();
        let count = open.get(&place).copied().unwrap_or(0);
        if count == 0 {
            look()?;
        }
        open.insert(place.clone(), count + 1);
        Ok(Self(place))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut open = open();
        match open.get_mut(&self.0) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(open.remove(&self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a file is made")]
    fn an_open_file_is_not_looked_into() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let looks = Cell::new(0);
        let enter = |path: &Path| {
            Presence::after_a_look(path, || {
                looks.set(looks.get() + 1);
                Ok(())
            })
            .unwrap()
        };
        let first = enter(&path);
        std::fs::write(&path, "").unwrap();
        let second = enter(&folder.path().join(".").join("s.db"));
        drop(first);
        let third = enter(&path);
        assert_eq!(looks.get(), 1);
        drop((second, third));
        drop(enter(&path));
        assert_eq!(looks.get(), 2);
    }
}
