//! Hands that work side by side. What they compute does not depend on how many there are.
use crate::error::SpecError;
use rayon::prelude::*;
use std::fmt;
use std::sync::Arc;

/// Floating-point operations worth sharing: about a millisecond of one core. The suggestion benchmark with two
/// threads shows a loss below.
const WORTHWHILE: usize = 20_000_000;

/// The calling thread, or a pool of threads shared by all who hold this handle.
#[derive(Clone, Default)]
pub struct Workers {
    pool: Option<Arc<rayon::ThreadPool>>,
}

impl Workers {
    /// The calling thread does everything.
    pub fn serial() -> Self {
        Self::default()
    }

    /// A pool of this many threads; one means none beside the calling thread.
    pub fn new(threads: usize) -> Result<Self, SpecError> {
        if threads <= 1 {
            return Ok(Self::serial());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| SpecError::NoThreads { threads, reason: error.to_string() })?;
        Ok(Self { pool: Some(Arc::new(pool)) })
    }

    /// These hands, or the calling thread alone where the work is too little to be worth waking others.
    #[must_use]
    pub fn for_work(&self, operations: usize) -> Self {
        if operations < WORTHWHILE { Self::serial() } else { self.clone() }
    }

    /// f(0), …, f(count−1), in this order whoever computed them.
    pub fn map<R: Send>(&self, count: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        match &self.pool {
            Some(pool) if count > 1 => pool.install(|| (0..count).into_par_iter().map(f).collect()),
            _ => (0..count).map(f).collect(),
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workers({})", self.pool.as_ref().map_or(1, |pool| pool.current_num_threads()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order() {
        let squares: Vec<usize> = (0..100).map(|i| i * i).collect();
        for threads in [0, 1, 3] {
            assert_eq!(Workers::new(threads).unwrap().map(100, |i| i * i), squares);
        }
    }
}
