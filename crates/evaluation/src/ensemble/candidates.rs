//! The pool an ensemble is selected from: members whose predictions are summed, and losses of the
//! sum.
//!
//! Laws: the order of `add` does not matter; `loss_with` and `slot_loss` are the losses of the sum
//! after `add`. Each costs O(rows).
use super::ties::TieScale;

/// A pool of members, for selection and slots.
pub trait Candidates {
    /// The combined predictions of some members.
    type Sum;

    /// Number of members; they are identified by position.
    fn count(&self) -> usize;

    /// The trial of a member.
    fn trial(&self, member: usize) -> u64;

    /// The member's own loss, which breaks ties.
    fn own_loss(&self, member: usize) -> f64;

    /// The sum of no members.
    fn empty(&self) -> Self::Sum;

    /// Adds the predictions of a member.
    fn add(&self, sum: &mut Self::Sum, member: usize);

    /// The loss of the sum with one more member, used by selection and search.
    fn loss_with(&self, sum: &Self::Sum, member: usize) -> f64;

    /// The loss by which slots are filled, if it is another one.
    fn slot_loss(&self, sum: &Self::Sum, member: usize) -> f64 {
        self.loss_with(sum, member)
    }

    /// The scale on which two losses are compared for equality.
    fn tie_scale(&self) -> TieScale;

    /// The combined predictions of these members.
    fn sum_of(&self, members: &[usize]) -> Self::Sum {
        let mut sum = self.empty();
        for &member in members {
            self.add(&mut sum, member);
        }
        sum
    }
}
