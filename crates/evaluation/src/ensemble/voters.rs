//! A pool of voting members with a loss.
use super::candidates::Candidates;
use super::loss::VoteLoss;
use super::pool::Pool;
use super::ties::TieScale;
use super::votes::Votes;
use serde::{Deserialize, Serialize};

/// The loss by which a slot is filled. Ties go to the loss of the search, then to the member's own
/// loss, then to the earlier member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotRule {
    /// The loss of the search, as in the authors' program. It is smoother, so it overfits the
    /// validation rows less.
    #[default]
    SameLoss,
    /// Zero–one, as in the published algorithm.
    ZeroOne,
}

/// Members that vote.
#[derive(Clone, Copy)]
pub struct Voters<'a> {
    /// The members.
    pub pool: &'a Pool,
    /// The loss of their votes.
    pub loss: VoteLoss,
    /// How slots are filled.
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
