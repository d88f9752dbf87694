//! Vote counts per row, updated member by member: adding or removing one costs O(rows).
use crate::error::EvaluationError;

/// The vote of a member without a prediction for a row, because it was trained on it or never saw
/// it.
pub const ABSENT: u32 = u32::MAX;

/// The number of votes for each class, row by row, and the true labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Votes {
    classes: usize,
    labels: Vec<u32>,
    counts: Vec<u32>,
    voters: Vec<u32>,
    members: u32,
}

/// The votes for one row, relative to its true class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowVotes {
    /// Votes for the true class.
    pub right: u32,
    /// Votes for the strongest other class.
    pub rival: u32,
    /// Members with a prediction for the row.
    pub voters: u32,
}

impl Votes {
    /// No votes yet, for rows with these labels.
    pub fn new(labels: Vec<u32>, classes: usize) -> Result<Self, EvaluationError> {
        if classes < 2 {
            return Err(EvaluationError::TooSmall {
                what: "the number of classes",
                least: 2,
                given: classes,
            });
        }
        check_labels(&labels, classes)?;
        let (counts, voters) = (vec![0; labels.len() * classes], vec![0; labels.len()]);
        Ok(Self { classes, labels, counts, voters, members: 0 })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.labels.len()
    }

    /// Number of members that voted.
    pub fn members(&self) -> u32 {
        self.members
    }

    /// True labels.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Adds the votes of a member, one per row.
    ///
    /// # Panics
    /// If there is not one vote for each row.
    pub fn add(&mut self, votes: &[u32]) {
        assert_eq!(votes.len(), self.rows(), "one vote per row");
        for (row, &class) in votes.iter().enumerate().filter(|(_, class)| **class != ABSENT) {
            self.counts[row * self.classes + class as usize] += 1;
            self.voters[row] += 1;
        }
        self.members += 1;
    }

    /// Removes the votes of a member, which must have been added before.
    ///
    /// # Panics
    /// If there is not one vote for each row.
    pub fn remove(&mut self, votes: &[u32]) {
        assert_eq!(votes.len(), self.rows(), "one vote per row");
        for (row, &class) in votes.iter().enumerate().filter(|(_, class)| **class != ABSENT) {
            self.counts[row * self.classes + class as usize] -= 1;
            self.voters[row] -= 1;
        }
        self.members -= 1;
    }

    /// The votes of every row with one more member, without adding it.
    pub fn with<'a>(&'a self, votes: &'a [u32]) -> impl Iterator<Item = RowVotes> + 'a {
        votes.iter().enumerate().map(|(row, &extra)| self.tally(row, extra))
    }

    /// The votes of every row.
    pub fn tallies(&self) -> impl Iterator<Item = RowVotes> + '_ {
        (0..self.rows()).map(|row| self.tally(row, ABSENT))
    }

    fn tally(&self, row: usize, extra: u32) -> RowVotes {
        let (mut right, mut rival) = (0, 0);
        let counts = &self.counts[row * self.classes..(row + 1) * self.classes];
        for (class, &count) in counts.iter().enumerate() {
            let count = count + u32::from(extra == class as u32);
            if class as u32 == self.labels[row] {
                right = count;
            } else {
                rival = rival.max(count);
            }
        }
        RowVotes { right, rival, voters: self.voters[row] + u32::from(extra != ABSENT) }
    }

    /// The prediction of the ensemble: the class with the most votes; the smallest label wins a
    /// tie.
    pub fn predict(&self) -> Vec<u32> {
        let winner = |counts: &[u32]| {
            let most = counts.iter().copied().max().unwrap_or(0);
            counts.iter().position(|&count| count == most).unwrap_or(0) as u32
        };
        self.counts.chunks(self.classes).map(winner).collect()
    }
}

pub(super) fn check_labels(labels: &[u32], classes: usize) -> Result<(), EvaluationError> {
    match labels.iter().position(|&label| label as usize >= classes) {
        None => Ok(()),
        Some(row) => Err(EvaluationError::Label { row, label: labels[row], classes }),
    }
}
