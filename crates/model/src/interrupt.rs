//! Interrupts: long computations poll them and stop early.
//!
//! Laws: without an interruption, results are exactly the same as without an interrupt. Once
//! raised, an interrupt stays raised, so code that notices it may return anything at once: the
//! caller that started the work checks it last and discards the result.
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a computation to stop.
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
    /// Never raised: the computation runs to its end.
    pub fn never() -> &'static Self {
        &NEVER
    }

    /// Raised as soon as `listen` returns true. `listen` is called often and from any thread, so it
    /// should be cheap: reading a flag, or something slower that limits its own rate.
    pub fn when(listen: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Latch { listen: Box::new(listen), is_raised: AtomicBool::new(false) })))
    }

    /// True if the computation should stop.
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
