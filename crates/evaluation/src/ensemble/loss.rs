//! Losses of an ensemble that votes.
//!
//! With v* votes for the true class, v′ for the strongest other class, m voters on the row, and
//! M = (1/m)Σ(1 − 2·wrong):
//!
//! | loss | of a row | |
//! |---|---|---|
//! | zero–one | 1 if v* ≤ v′ | a tie counts as an error |
//! | squared margin | (1 − M)²/4 | = (1 − μ₁ − disagreement)/2 on average |
//! | C-bound | ½(1 − sign(μ₁)·μ₁²/μ₂), moments over all rows; ½ if μ₂ = 0 | |
//! | sigmoid | 1 − 1/(1 + e^{−a(v* − v′)/m}) | smooth zero–one; a from [`sigmoid_scale`] |
//! | margin | (1 − M)/2 | the mean loss of the members: a diagnostic, not for search |
//!
//! [Lévesque 2018, eq. 4.5–4.12; for several classes the sigmoid is divided by m, so that it agrees
//! with M for two classes]
use super::votes::{RowVotes, Votes};
use serde::{Deserialize, Serialize};

/// A loss of votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteLoss {
    /// Share of rows where the vote is wrong.
    ZeroOne,
    /// Squared: a large majority for the true class is better than a majority of one vote.
    #[default]
    SquaredMargin,
    /// An upper bound on the risk, from the first two moments of the margin.
    CBound,
    /// A smooth zero–one loss.
    Sigmoid,
    /// The mean error of the members, as a diagnostic.
    Margin,
}

impl VoteLoss {
    /// The loss of these votes; ½ without votes.
    pub fn of(self, votes: &Votes) -> f64 {
        self.over(votes.tallies(), votes.members())
    }

    /// The loss with one more member.
    pub fn with(self, votes: &Votes, more: &[u32]) -> f64 {
        self.over(votes.with(more), votes.members() + 1)
    }

    fn over(self, rows: impl Iterator<Item = RowVotes>, members: u32) -> f64 {
        let spoken = rows.filter(|v| v.voters > 0);
        match self {
            VoteLoss::ZeroOne => mean(spoken.map(|v| f64::from(u8::from(v.right <= v.rival)))),
            VoteLoss::SquaredMargin => mean(spoken.map(|v| (1.0 - margin(v)).powi(2) / 4.0)),
            VoteLoss::Margin => mean(spoken.map(|v| (1.0 - margin(v)) / 2.0)),
            VoteLoss::Sigmoid => {
                let a = sigmoid_scale(members);
                let lead = |v: RowVotes| (f64::from(v.right) - f64::from(v.rival)) / f64::from(v.voters);
                mean(spoken.map(|v| 1.0 - sigmoid(lead(v), a)))
            }
            VoteLoss::CBound => c_bound(spoken.map(margin)),
        }
    }
}

/// Share of correct members minus share of wrong ones.
fn margin(votes: RowVotes) -> f64 {
    2.0 * f64::from(votes.right) / f64::from(votes.voters) - 1.0
}

/// Mean over the rows with votes; ½ if there are none.
fn mean(losses: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = losses.fold((0.0, 0.0), |(sum, count), loss| (sum + loss, count + 1.0));
    if count == 0.0 { 0.5 } else { sum / count }
}

fn c_bound(margins: impl Iterator<Item = f64>) -> f64 {
    let moments = |(n, s, q): (f64, f64, f64), x: f64| (n + 1.0, s + x, q + x * x);
    let (n, first, second) = margins.fold((0.0, 0.0, 0.0), moments);
    // sign(μ₁)·μ₁²/μ₂ with μ₁ = first/n and μ₂ = second/n.
    if second == 0.0 { 0.5 } else { 0.5 * (1.0 - first * first.abs() / (n * second)) }
}

fn sigmoid(x: f64, a: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-a * x))
}

/// The smallest change that the sigmoid should resolve: one member changing its vote near
/// unanimity.
const RESOLUTION: f64 = 1e-3;

/// The scale a for m members: the larger root of s(1, a) − s(1 − 2/m, a) = 10⁻³; 20 for one or two
/// members, where there is no meaningful root.
pub fn sigmoid_scale(members: u32) -> f64 {
    if members < 3 {
        return 20.0;
    }
    let step = |a: f64| sigmoid(1.0, a) - sigmoid(1.0 - 2.0 / f64::from(members), a);
    // The step has its maximum below 4 and decreases from there.
    let peak = (1..400).map(|i| f64::from(i) * 0.01).max_by(|a, b| step(*a).total_cmp(&step(*b)));
    let (mut low, mut high) = (peak.expect("the range is not empty"), 200.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if step(middle) > RESOLUTION {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::ABSENT;

    /// Errors as in the thesis: one string per member, 1 = wrong. The true class is 0.
    fn votes(errors: &[&str]) -> Votes {
        let mut votes = Votes::new(vec![0; errors[0].len()], 2).unwrap();
        for member in errors {
            votes.add(&member.bytes().map(|b| u32::from(b == b'1')).collect::<Vec<_>>());
        }
        votes
    }

    fn close(loss: f64, printed: f64) -> bool {
        (loss - printed).abs() < 5.1e-4
    }

    #[test]
    fn the_first_toy_table() {
        // Lévesque 2018, Table 4.1.
        let table = votes(&["011", "101", "110"]);
        for (loss, printed) in [
            (VoteLoss::ZeroOne, 1.0),
            (VoteLoss::Margin, 2.0 / 3.0),
            (VoteLoss::SquaredMargin, 4.0 / 9.0),
            (VoteLoss::CBound, 1.0),
        ] {
            assert!(close(loss.of(&table), printed), "{loss:?}: {}", loss.of(&table));
        }
        assert!(close(1.0 - sigmoid(-1.0 / 3.0, 11.4943), 0.979));
    }

    #[test]
    fn the_second_toy_table() {
        // Lévesque 2018, Table 4.2: four members, then one of three is added. Losses in the order
        // zero–one, margin, squared, C-bound.
        let four = ["11000", "10100", "10010", "01001"];
        let cases: [(Option<&str>, [f64; 4]); 4] = [
            (None, [0.4, 0.4, 0.2, 0.4]),
            (Some("01100"), [0.4, 0.4, 0.192, 0.381]),
            (Some("10100"), [0.2, 0.4, 0.208, 0.414]),
            (Some("00110"), [0.2, 0.4, 0.176, 0.308]),
        ];
        let losses = [VoteLoss::ZeroOne, VoteLoss::Margin, VoteLoss::SquaredMargin, VoteLoss::CBound];
        for (joins, printed) in cases {
            let all: Vec<&str> = four.iter().copied().chain(joins).collect();
            let table = votes(&all);
            for (loss, printed) in losses.into_iter().zip(printed) {
                assert!(close(loss.of(&table), printed), "{joins:?} {loss:?}: {}", loss.of(&table));
            }
        }
        let five = votes(&["11000", "10100", "10010", "01001", "10100"]);
        assert!(close(VoteLoss::Sigmoid.of(&five), 0.237), "{}", VoteLoss::Sigmoid.of(&five));
    }

    #[test]
    fn scales_of_the_sigmoid() {
        let printed =
            [(3, 20.7203), (4, 13.8115), (5, 11.4943), (7, 9.5754), (10, 8.3735), (12, 7.9138), (20, 6.8980)];
        for (members, scale) in printed {
            assert!((sigmoid_scale(members) - scale).abs() < 5e-5, "{members}: {}", sigmoid_scale(members));
        }
        assert_eq!(sigmoid_scale(1), 20.0);
    }

    #[test]
    fn the_squared_margin_is_error_minus_disagreement() {
        let table = votes(&["0110", "1010", "0011", "1001", "0000"]);
        let m = f64::from(table.members());
        let margins: Vec<f64> = table.tallies().map(|v| 2.0 * f64::from(v.right) / m - 1.0).collect();
        let n = margins.len() as f64;
        let first = margins.iter().sum::<f64>() / n;
        let second = margins.iter().map(|x| x * x).sum::<f64>() / n;
        let disagreement = (1.0 - second) / 2.0;
        let squared = VoteLoss::SquaredMargin.of(&table);
        assert!((squared - (1.0 - 2.0 * first + second) / 4.0).abs() < 1e-15);
        assert!((squared - (1.0 - first - disagreement) / 2.0).abs() < 1e-15);
    }

    #[test]
    fn one_more_member_is_counted_as_if_it_had_joined() {
        let mut table = votes(&["0110", "1010", "0001"]);
        let more = [1, 1, 0, 0];
        let losses = [VoteLoss::ZeroOne, VoteLoss::SquaredMargin, VoteLoss::CBound, VoteLoss::Sigmoid];
        let before = losses.map(|loss| loss.with(&table, &more));
        let alone = losses.map(|loss| loss.of(&table));
        table.add(&more);
        assert_eq!(losses.map(|loss| loss.of(&table)), before);
        table.remove(&more);
        assert_eq!(losses.map(|loss| loss.of(&table)), alone);
    }

    #[test]
    fn a_row_is_judged_by_those_who_speak_about_it() {
        let mut table = Votes::new(vec![0, 0, 1], 2).unwrap();
        assert_eq!(VoteLoss::ZeroOne.of(&table), 0.5, "nobody spoke");
        table.add(&[0, ABSENT, ABSENT]);
        table.add(&[0, 1, ABSENT]);
        assert_eq!(VoteLoss::ZeroOne.of(&table), 0.5, "one right, one wrong, one not spoken about");
        assert_eq!(VoteLoss::Margin.of(&table), 0.5);
        assert_eq!(VoteLoss::ZeroOne.with(&table, &[ABSENT, ABSENT, 1]), 1.0 / 3.0);
    }

    #[test]
    fn several_classes_tie_when_a_rival_draws_level() {
        let mut table = Votes::new(vec![2, 2], 4).unwrap();
        table.add(&[2, 0]);
        table.add(&[1, 0]);
        assert_eq!(VoteLoss::ZeroOne.of(&table), 1.0);
        assert_eq!(table.predict(), vec![1, 0], "the smallest label among the tied");
        table.add(&[2, 3]);
        assert_eq!(VoteLoss::ZeroOne.of(&table), 0.5);
    }
}
