//! Checksums that are chained: a changed, missing or misplaced event shows.
//!
//! s₀ = h(created, space, options),  sᵢ = h(sᵢ₋₁, i, at, kind, trial, body)
//!
//! h is FNV-1a with 64 bits [Fowler, Noll & Vo]. Each of its steps can be undone, so a change of
//! one byte always gives another sum; any other change does but for one in 2⁶⁴. This is against
//! accidents, not against forgers: whoever can write the file can also compute the sums. Cost: one
//! multiplication for each byte.
use crate::clock::Timestamp;

/// The sum of an event and of all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checksum(u64);

/// What an event's row says.
#[derive(Clone, Copy)]
pub(super) struct Content<'a> {
    pub(super) sequence: u64,
    pub(super) at: Timestamp,
    pub(super) kind: &'a str,
    pub(super) trial: Option<i64>,
    pub(super) body: &'a str,
}

impl Checksum {
    const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;

    /// Of a study before its first event. Its name is left out, for that may change.
    pub(super) fn of_study(created_at: Timestamp, space: &str, options: &str) -> Self {
        Self(Self::BASIS).number(created_at.0).text(space).text(options)
    }

    /// Of the event that follows.
    pub(super) fn then(self, next: Content<'_>) -> Self {
        let checksum = Self(Self::BASIS).number(self.stored()).number(next.sequence.cast_signed());
        let checksum = checksum.number(next.at.0).text(next.kind);
        // A trial's number is never negative.
        checksum.number(next.trial.unwrap_or(-1)).text(next.body)
    }

    /// As it lies in a column.
    pub(super) fn stored(self) -> i64 {
        self.0.cast_signed()
    }

    /// From a column.
    pub(super) fn read(stored: i64) -> Self {
        Self(stored.cast_unsigned())
    }

    fn number(self, number: i64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    /// With its length, so that nothing can move from one text to the next.
    fn text(self, text: &str) -> Self {
        self.number(text.len() as i64).bytes(text.as_bytes())
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(Self::PRIME)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(body: &str) -> Content<'_> {
        Content { sequence: 7, at: Timestamp(5), kind: "told", trial: Some(3), body }
    }

    /// Test vectors of the authors.
    #[test]
    fn sums_are_those_published() {
        let sum = |text: &str| Checksum(Checksum::BASIS).bytes(text.as_bytes()).0;
        assert_eq!(sum(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(sum("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(sum("foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn every_part_counts() {
        let before = Checksum::of_study(Timestamp(1), "space", "options");
        let whole = before.then(content("body"));
        assert_eq!(Checksum::read(whole.stored()), whole);
        let others = [
            Checksum::of_study(Timestamp(1), "spaceo", "ptions").then(content("body")),
            before.then(content("bodz")),
            before.then(Content { sequence: 8, ..content("body") }),
            before.then(Content { at: Timestamp(6), ..content("body") }),
            before.then(Content { kind: "tole", ..content("body") }),
            before.then(Content { trial: None, ..content("body") }),
        ];
        assert!(others.iter().all(|other| *other != whole));
    }
}
