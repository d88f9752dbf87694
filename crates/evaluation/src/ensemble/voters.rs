//! Votes of a pool, judged by a loss.
use super::candidates::Candidates;
use super::loss::VoteLoss;
use super::pool::Pool;
use super::ties::TieScale;
use super::votes::Votes;
use serde::{Deserialize, Serialize};

/// By which loss a slot is filled; ties go to the search's own loss, then to the single loss, then to
/// the earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotRule {
    /// The loss the search uses, as the authors' program did: smoother, so it fits the validation
    /// rows less.
    #[default]
    SameLoss,
    /// Zero–one, as the algorithm is printed.
    ZeroOne,
}

/// Members that vote.
#[derive(Clone, Copy)]
pub struct Voters<'a> {
    /// Who they are.
    pub pool: &'a Pool,
    /// What judges their votes.
    pub loss: VoteLoss,
    /// What judges who takes a slot.
    pub rule: SlotRule,
}

impl Candidates for Voters<'_> {
    type Sum = Votes;

    fn count(&self) -> usize {
        self.pool.members().len()
    }

    fn trial(&self, member: usize) -> u64 {
        self.pool.members()[member].trial
    }

    fn own_loss(&self, member: usize) -> f64 {
        self.pool.members()[member].loss
    }

    fn empty(&self) -> Votes {
        self.pool.no_votes()
    }

    fn add(&self, sum: &mut Votes, member: usize) {
        sum.add(&self.pool.members()[member].votes);
    }

    fn loss_with(&self, sum: &Votes, member: usize) -> f64 {
        self.loss.with(sum, &self.pool.members()[member].votes)
    }

    fn slot_loss(&self, sum: &Votes, member: usize) -> f64 {
        match self.rule {
            SlotRule::ZeroOne => VoteLoss::ZeroOne.with(sum, &self.pool.members()[member].votes),
            SlotRule::SameLoss => self.loss_with(sum, member),
        }
    }

    fn tie_scale(&self) -> TieScale {
        TieScale::One
    }
}
