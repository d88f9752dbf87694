//! The pool: out-of-fold predictions of every trial that may become a member of an ensemble.
use super::votes::{ABSENT, Votes, check_labels};
use crate::error::EvaluationError;
use serde::{Deserialize, Serialize};

/// One trial and its predictions for rows it was not trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The trial.
    pub trial: u64,
    /// Its own loss, which breaks ties.
    pub loss: f64,
    /// One class per row; [`ABSENT`] where there is no prediction.
    pub votes: Vec<u32>,
}

/// Members with predictions for the same rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    labels: Vec<u32>,
    classes: usize,
    members: Vec<Member>,
}

impl Pool {
    /// An empty pool for rows with these true labels.
    pub fn new(labels: Vec<u32>, classes: usize) -> Result<Self, EvaluationError> {
        Votes::new(labels.clone(), classes)?;
        Ok(Self { labels, classes, members: Vec::new() })
    }

    /// Adds a member.
    pub fn push(&mut self, member: Member) -> Result<(), EvaluationError> {
        if member.votes.len() != self.labels.len() {
            let (given, rows) = (member.votes.len(), self.labels.len());
            return Err(EvaluationError::Length { what: "a member's predictions", given, rows });
        }
        let spoken: Vec<u32> = member.votes.iter().copied().filter(|&vote| vote != ABSENT).collect();
        check_labels(&spoken, self.classes)?;
        if !member.loss.is_finite() {
            let (index, value) = (self.members.len(), member.loss);
            return Err(EvaluationError::NotFinite { what: "the loss of member", index, value });
        }
        self.members.push(member);
        Ok(())
    }

    /// All members, in the order they were added.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Votes without any member.
    pub fn no_votes(&self) -> Votes {
        Votes::new(self.labels.clone(), self.classes).expect("the labels were checked when the pool was made")
    }

    /// The votes of these members, by position; a member listed twice votes twice.
    pub fn votes_of(&self, chosen: &[usize]) -> Votes {
        let mut votes = self.no_votes();
        for &member in chosen {
            votes.add(&self.members[member].votes);
        }
        votes
    }
}
