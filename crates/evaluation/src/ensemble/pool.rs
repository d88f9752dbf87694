//! The pool: out-of-fold predictions of every trial that may join an ensemble.
use super::votes::{ABSENT, Votes, check_labels};
use crate::error::EvaluationError;
use serde::{Deserialize, Serialize};

/// One trial and what it predicted about rows it was not trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The trial.
    pub trial: u64,
    /// Its own loss, which breaks ties.
    pub loss: f64,
    /// One class per row; [`ABSENT`] where it says nothing.
    pub votes: Vec<u32>,
}

/// Members over the same rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    labels: Vec<u32>,
    classes: usize,
    members: Vec<Member>,
}

impl Pool {
    /// Nobody yet; the true labels of the rows.
    pub fn new(labels: Vec<u32>, classes: usize) -> Result<Self, EvaluationError> {
        Votes::new(labels.clone(), classes)?;
        Ok(Self { labels, classes, members: Vec::new() })
    }

    /// A trial joins.
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

    /// In the order they joined.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// A table nobody has voted in.
    pub fn no_votes(&self) -> Votes {
        Votes::new(self.labels.clone(), self.classes).expect("the labels were checked when the pool was made")
    }

    /// The votes of these members, by their position; one that is named twice votes twice.
    pub fn votes_of(&self, chosen: &[usize]) -> Votes {
        let mut votes = self.no_votes();
        for &member in chosen {
            votes.add(&self.members[member].votes);
        }
        votes
    }
}
