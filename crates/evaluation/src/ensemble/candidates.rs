//! What an ensemble is chosen from: members whose sum predicts together, and losses that judge the sum.
//!
//! Laws: joining in any order gives the same sum; `with` and `filling` are those of the sum after joining. Cost O(rows) each.
use super::ties::TieScale;

/// A pool of members as a loss sees it.
pub trait Candidates {
    /// What some members say together.
    type Sum;

    /// How many members there are; they are known by their positions.
    fn count(&self) -> usize;

    /// The trial a member comes from.
    fn trial(&self, member: usize) -> u64;

    /// The loss of a member by itself, which breaks ties.
    fn own_loss(&self, member: usize) -> f64;

    /// The sum of nobody.
    fn empty(&self) -> Self::Sum;

    /// A member adds what it says.
    fn add(&self, sum: &mut Self::Sum, member: usize);

    /// The loss of the sum with one more member: what selections and searches go by.
    fn loss_with(&self, sum: &Self::Sum, member: usize) -> f64;

    /// The loss by which a slot is filled, where that is another one.
    fn slot_loss(&self, sum: &Self::Sum, member: usize) -> f64 {
        self.loss_with(sum, member)
    }

    /// What losses of sums are measured by when two of them may be equal.
    fn tie_scale(&self) -> TieScale;

    /// What these members say together.
    fn sum_of(&self, members: &[usize]) -> Self::Sum {
        let mut sum = self.empty();
        for &member in members {
            self.add(&mut sum, member);
        }
        sum
    }
}
