//! The word to stop: long work asks for it now and then, and gives up once it was said.
//!
//! Laws: what is never interrupted gives exactly what it gives without an interrupt. Once raised it stays raised, so
//! whoever notices may return anything at once: whoever began the work asks last and throws the answer away.
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Is the answer still wanted?
///
/// ```
/// use arbora_model::Interrupt;
/// use std::sync::{Arc, atomic::{AtomicBool, Ordering}};
/// let pressed = Arc::new(AtomicBool::new(false));
/// let heard = Arc::clone(&pressed);
/// let interrupt = Interrupt::when(move || heard.load(Ordering::Relaxed));
/// assert!(!interrupt.is_raised());
/// pressed.store(true, Ordering::Relaxed);
/// assert!(interrupt.is_raised());
/// pressed.store(false, Ordering::Relaxed);
/// assert!(interrupt.is_raised(), "what was said stays said");
/// ```
#[derive(Clone, Default)]
pub struct Interrupt(Option<Arc<Latch>>);

struct Latch {
    listen: Box<dyn Fn() -> bool + Send + Sync>,
    is_raised: AtomicBool,
}

static NEVER: Interrupt = Interrupt(None);

impl Interrupt {
    /// Work that is done to its end.
    pub fn never() -> &'static Self {
        &NEVER
    }

    /// Raised from the moment on that `listen` says so. It is called often and from any thread: a flag that is read, or
    /// something slower on a cadence of its own.
    pub fn when(listen: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Latch { listen: Box::new(listen), is_raised: AtomicBool::new(false) })))
    }

    /// Is the answer no longer wanted?
    pub fn is_raised(&self) -> bool {
        let Some(latch) = &self.0 else { return false };
        if !latch.is_raised.load(Ordering::Relaxed) && (latch.listen)() {
            latch.is_raised.store(true, Ordering::Relaxed);
        }
        latch.is_raised.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Interrupt(..)" } else { "Interrupt(never)" })
    }
}
