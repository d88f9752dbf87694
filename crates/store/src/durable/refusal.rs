//! A refusal means that somebody else wrote something, which can be read now. If nothing can be
//! read, again and again, the store contradicts itself, and trying on would never end.
use super::DurableStudy;
use crate::error::StoreError;

/// Signs of life are no events, so a refusal or two may bring no news.
const MOST_REFUSALS: u32 = 20;

/// Refusals in a row that brought no news.
#[derive(Default)]
pub(super) struct Refusals {
    seen: u64,
    count: u32,
}

impl DurableStudy {
    /// Counts a refusal; an error if there were too many without news.
    pub(super) fn refused(&self, refusals: &mut Refusals) -> Result<(), StoreError> {
        let sequence = self.state.sequence;
        if refusals.seen != sequence {
            *refusals = Refusals { seen: sequence, count: 0 };
        }
        refusals.count += 1;
        if refusals.count < MOST_REFUSALS {
            return Ok(());
        }
        let problem = format!(
            "nobody wrote after it, and yet the store refused {MOST_REFUSALS} times to append: its tables disagree"
        );
        Err(StoreError::BadEvent { study: self.state.name.clone(), sequence, problem })
    }
}
