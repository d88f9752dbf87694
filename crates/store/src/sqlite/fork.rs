//! Forks: a child must find nothing of its parent's connections.
//!
//! SQLite keeps a record, for the whole process, of the locks it has on every open file. A fork
//! copies that record but not the locks: a child that opens the same file would wait for a thread
//! that does not exist in it, or believe to hold what it does not hold. So a fork happens while no
//! thread is inside SQLite and no file is open: the process calls [`before_fork`], forks, and calls
//! [`after_fork`] on both sides, all in one thread. Files are opened again by whoever needs them
//! next. A process that forks without saying so gets
//! [`StoreError::Forked`](crate::StoreError::Forked) in the child for every store it had open.
use super::session::Session;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

/// Held for reading by whoever is inside SQLite, for writing by whoever forks.
static GATE: RwLock<()> = RwLock::new(());
/// The slots of all stores of this process.
static SLOTS: Mutex<Vec<Weak<Slot>>> = Mutex::new(Vec::new());

thread_local! {
    static FORKING: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Closes every open file and keeps all other threads away from them until [`after_fork`]. Threads
/// that are at it finish first; none of them is at it while it waits for somebody else.
pub fn before_fork() {
    if is_forking() {
        return;
    }
    let gate = GATE.write().unwrap_or_else(PoisonError::into_inner);
    let slots = std::mem::take(&mut *slots());
    let mut living = Vec::new();
    for slot in slots.iter().filter_map(Weak::upgrade) {
        slot.close();
        living.push(Arc::downgrade(&slot));
    }
    *self::slots() = living;
    FORKING.with_borrow_mut(|forking| *forking = Some(gate));
}

/// Lets everybody go on: in the parent and in the child.
pub fn after_fork() {
    FORKING.with_borrow_mut(|forking| *forking = None);
}

fn is_forking() -> bool {
    FORKING.with_borrow(Option::is_some)
}

fn slots() -> std::sync::MutexGuard<'static, Vec<Weak<Slot>>> {
    SLOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives no fork begins. The thread that forks needs none.
fn inside() -> Option<RwLockReadGuard<'static, ()>> {
    (!is_forking()).then(|| GATE.read().unwrap_or_else(PoisonError::into_inner))
}

/// Where a store keeps its connection.
pub(super) struct Slot(Mutex<Option<Connected>>);

/// A connection, and the process that made it: it must not be used by another.
struct Connected {
    session: Session,
    process: u32,
}

/// Why a slot could not be worked with.
pub(super) enum SlotError<E> {
    /// The connection is that of a parent process.
    Forked,
    Other(E),
}

impl Slot {
    /// An empty one.
    pub(super) fn new() -> Arc<Self> {
        let _inside = inside();
        let slot = Arc::new(Self(Mutex::new(None)));
        let mut slots = slots();
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(Arc::downgrade(&slot));
        slot
    }

    /// Works with the connection, which `connect` makes if there is none.
    pub(super) fn work<T, E>(
        &self,
        connect: impl FnOnce() -> Result<Session, E>,
        work: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, SlotError<E>> {
        let _inside = inside();
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        let connected = match &mut *held {
            Some(connected) if connected.process != process => return Err(SlotError::Forked),
            Some(connected) => connected,
            empty => {
                let session = connect().map_err(SlotError::Other)?;
                empty.insert(Connected { session, process })
            }
        };
        work(&mut connected.session).map_err(SlotError::Other)
    }

    /// Closes the connection; the next work makes another.
    pub(super) fn close_files(&self) {
        let _inside = inside();
        self.close();
    }

    fn close(&self) {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // In a forked child, closing would fold in and remove a log that is the parent's.
        if let Some(foreign) = taken.filter(|connected| connected.process != std::process::id()) {
            std::mem::forget(foreign);
        }
    }

    /// As a child of a fork that nobody was told of would find it.
    #[cfg(test)]
    pub(super) fn pretend_forked(&self) {
        self.0.lock().unwrap().as_mut().unwrap().process = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::connection::Access;
    use super::super::identity::Opened;
    use super::super::retry::TransactionError;
    use super::*;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn in_memory() -> Result<Session, TransactionError> {
        let connection = rusqlite::Connection::open_in_memory()?;
        Ok(Session::new(connection, Opened::now(Path::new("s.db")), Access::Read))
    }

    fn is_open(slot: &Slot) -> bool {
        slot.0.lock().unwrap().is_some()
    }

    #[test]
    fn nobody_is_inside_while_a_process_forks() {
        let slots: Vec<_> = (0..4).map(|_| Slot::new()).collect();
        let (inside, rounds) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for slot in &slots {
                scope.spawn(|| {
                    while rounds.load(Ordering::SeqCst) < 50 {
                        let done = slot.work(in_memory, |session| {
                            session.read(Path::new("s.db"), |connection| {
                                inside.fetch_add(1, Ordering::SeqCst);
                                connection.execute_batch("SELECT 1")?;
                                inside.fetch_sub(1, Ordering::SeqCst);
                                Ok(())
                            })
                        });
                        assert!(done.is_ok());
                    }
                });
            }
            for _ in 0..50 {
                before_fork();
                assert_eq!(inside.load(Ordering::SeqCst), 0, "somebody is inside");
                assert!(slots.iter().all(|slot| !is_open(slot)), "a file is open");
                // The thread that forks may drop what it has, and even work.
                slots[0].close_files();
                after_fork();
                rounds.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
}
