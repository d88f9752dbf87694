//! Is the log beside a file whole?
//!
//! SQLite takes the log up to the first page that its checksum does not vouch for, and says nothing
//! of the rest: after a crash, that is where somebody was interrupted. If acknowledged pages lie
//! behind it, history would be cut short in silence, so the log is read here first. How far it was
//! good is in the index of the log, which a killed process leaves behind; without it, two complete
//! transactions behind a bad page show that it is not merely the last one that is torn. Not
//! noticed: a log without its index that is cut between two transactions.
//!
//! [the file format of SQLite, §4 "The Write-Ahead Log", and "WAL-mode File Format", §2.1]
#![allow(clippy::disallowed_methods, reason = "the log is read here")]
use super::file::beside;
use crate::error::StoreError;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const HEADER: usize = 32;
const FRAME: usize = 24;

/// An error if pages of the log were acknowledged that cannot be read any more.
pub(super) fn check(path: &Path, shown: &Path) -> Result<(), StoreError> {
    let log = beside(path, "-wal");
    for _ in 0..3 {
        let index = Index::read(path);
        let Some(mut walk) = Walk::begin(&log) else { return Ok(()) };
        let (good, lost) = match (&index, &walk.header) {
            (Some(index), Some(header)) if header.salt != index.salt => return Ok(()),
            (Some(index), _) => (walk.good(index.frames), index.frames),
            (None, Some(_)) => walk.behind_bad(),
            // Nothing was written behind the header, or it was not written itself.
            (None, None) => (0, u32::from(walk.length > HEADER as u64)),
        };
        if good >= lost {
            return Ok(());
        }
        // Somebody who is writing may have begun the log anew meanwhile; then the index has changed
        // first.
        if index == Index::read(path) {
            let problem = match walk.header {
                Some(_) => format!("its log can be read up to page {good} of {lost}"),
                None => "its log cannot be read".to_owned(),
            };
            return Err(StoreError::Damaged { place: shown.into(), problem });
        }
    }
    Ok(())
}

/// How long the log is, by its index: two copies of a header, in the byte order of the machine.
#[derive(PartialEq, Eq)]
struct Index {
    frames: u32,
    salt: [u8; 8],
}

impl Index {
    /// `None` if there is none that says anything.
    fn read(path: &Path) -> Option<Self> {
        let mut bytes = [0; 96];
        File::open(beside(path, "-shm")).ok()?.read_exact(&mut bytes).ok()?;
        let (first, second) = bytes.split_at(48);
        // A header that is being written, or that nobody has filled in.
        if first != second || first[12] == 0 {
            return None;
        }
        let frames = u32::from_ne_bytes(first[16..20].try_into().ok()?);
        Some(Self { frames, salt: first[32..40].try_into().ok()? })
    }
}

/// The sum of a page and of all before it.
type Sum = (u32, u32);

struct Header {
    page: usize,
    salt: [u8; 8],
    is_big: bool,
    sum: Sum,
}

impl Header {
    fn of(bytes: &[u8; HEADER]) -> Option<Self> {
        let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let is_big = match word(0) {
            0x377F_0682 => false,
            0x377F_0683 => true,
            _ => return None,
        };
        let page = usize::try_from(word(8)).ok()?;
        if !page.is_power_of_two() || !(512..=65536).contains(&page) {
            return None;
        }
        let sum = (word(24), word(28));
        let salt = bytes[16..24].try_into().ok()?;
        (summed((0, 0), &bytes[..24], is_big) == sum).then_some(Self { page, salt, is_big, sum })
    }
}

/// s₀ ← s₀ + xᵢ + s₁,  s₁ ← s₁ + xᵢ₊₁ + s₀, over pairs of words.
fn summed(from: Sum, bytes: &[u8], is_big: bool) -> Sum {
    let word = |bytes: &[u8]| {
        let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
        if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    bytes.chunks_exact(8).fold(from, |(first, second), pair| {
        let first = first.wrapping_add(word(pair)).wrapping_add(second);
        (first, second.wrapping_add(word(&pair[4..])).wrapping_add(first))
    })
}

/// A walk through the log, page by page.
struct Walk {
    file: BufReader<File>,
    length: u64,
    /// Absent if it is not one.
    header: Option<Header>,
}

/// A page of the log.
struct Frame {
    is_good: bool,
    is_commit: bool,
    /// As it is written.
    sum: Sum,
}

impl Walk {
    /// `None` if there is no log.
    fn begin(log: &Path) -> Option<Self> {
        let length = log.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
        let mut file = BufReader::new(File::open(log).ok()?);
        let mut bytes = [0; HEADER];
        let header = file.read_exact(&mut bytes).ok().and_then(|()| Header::of(&bytes));
        Some(Self { file, length, header })
    }

    /// The next page, after one with this sum; `None` at the end, or where an earlier log ended.
    fn next(&mut self, before: Sum) -> Option<Frame> {
        let header = self.header.as_ref()?;
        let mut bytes = vec![0; FRAME + header.page];
        self.file.read_exact(&mut bytes).ok()?;
        let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let sum = (word(16), word(20));
        let computed = summed(summed(before, &bytes[..8], header.is_big), &bytes[FRAME..], header.is_big);
        let is_ours = bytes[8..16] == header.salt;
        Some(Frame { is_good: is_ours && computed == sum, is_commit: is_ours && word(4) > 0, sum })
    }

    /// How many of so many pages are good, from the first on.
    fn good(&mut self, wanted: u32) -> u32 {
        let Some(mut sum) = self.header.as_ref().map(|header| header.sum) else { return 0 };
        for count in 0..wanted {
            match self.next(sum) {
                Some(frame) if frame.is_good => sum = frame.sum,
                _ => return count,
            }
        }
        wanted
    }

    /// How many pages are good, and how many there were if two whole transactions lie behind a bad
    /// one. What is left of an earlier log or of a transaction that was given up does not follow
    /// from what is before it.
    fn behind_bad(&mut self) -> (u32, u32) {
        let Some(mut sum) = self.header.as_ref().map(|header| header.sum) else { return (0, 0) };
        let (mut at, mut first_bad, mut commits) = (0, None, 0);
        while let Some(frame) = self.next(sum) {
            at += 1;
            sum = frame.sum;
            if !frame.is_good {
                first_bad = first_bad.or(Some(at));
                commits = 0;
            } else if first_bad.is_some() && frame.is_commit {
                commits += 1;
                if commits == 2 {
                    return (first_bad.unwrap_or(at) - 1, at);
                }
            }
        }
        (at, at)
    }
}
